"""`plantwin audit`: the trail is listed, verified and exported, and no change of it goes unseen."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import HOSTILE, Cli

from scripts import GOAL, plan, script, step

Rows = Callable[[str], None]


@pytest.fixture
def sent(cli: Cli, tree: Path, tmp_path: Path) -> list[str]:
    """Everything that one session sent."""
    answers = plan(step("d", "describe", "@kind=config"), step("x", "nonsense", "@object=1"))
    planner = script(tmp_path, answers)
    return list(cli("run", GOAL, "--per-object", "--root", tree, "--planner", planner, "--json").json["outbound"])


@pytest.fixture
def tamper(state: Path, sent: list[str]) -> Rows:
    """Change the database behind the ledger's back."""

    def change(statement: str) -> None:
        with sqlite3.connect(state / "ledger" / "ledger.db") as database:
            assert database.execute(statement).rowcount != 0
        database.close()

    return change


def test_show_lists_the_trail(cli: Cli, sent: list[str]) -> None:
    ran = cli("audit", "show")
    assert ran.code == 0
    for told in ("scripted (local) for scripted", "bytes from the planner", "x nonsense: rejected by check (1)"):
        assert told in " ".join(ran.out.split())
    lines = cli("audit", "show", "--json").json["lines"]
    assert [each["number"] for each in lines] == list(range(1, len(lines) + 1))
    assert {"session", "envelope", "answer", "charge", "verdict"} <= {each["kind"] for each in lines}
    assert [each["number"] for each in cli("audit", "show", "--last", 2, "--json").json["lines"]] == [
        len(lines) - 1,
        len(lines),
    ]
    only = cli("audit", "show", "--kind", "verdict", "--json").json["lines"]
    assert {each["kind"] for each in only} == {"verdict"}
    assert len(cli("audit", "show", "--last", 3).out.splitlines()) == 5
    assert cli("audit", "show", "--kind", "poem").code == 2
    assert cli("audit").code == 2


def test_the_trail_holds_no_name_and_no_content(cli: Cli, sent: list[str]) -> None:
    everything = cli("audit", "show", "--json").out
    for private in ("app.toml", ".env", "horses", "person0", HOSTILE[:4], "store.py", GOAL):
        assert private not in everything


def test_verify_names_the_head(cli: Cli, sent: list[str]) -> None:
    ran = cli("audit", "verify", "--json")
    assert (ran.code, ran.json["whole"], ran.json["problem"]) == (0, True, None)
    head = ran.json["head"]
    assert head in cli("audit", "verify").out
    assert cli("audit", "verify", "--expect", head).code == 0
    assert cli("audit", "verify", "--expect", "f" * 64).code == 1


CHANGES = {
    "change": ("UPDATE trail SET body = replace(body, 'rejected', 'done') WHERE kind = 'verdict'", True),
    "kind": ("UPDATE trail SET kind = 'warning' WHERE number = 3", True),
    "time": ("UPDATE trail SET at = at - 3600 WHERE number = 2", True),
    "delete": ("DELETE FROM trail WHERE number = 4", True),
    "insert": (
        "INSERT INTO trail (number, at, kind, body, mac) SELECT 1000, at, kind, body, mac FROM trail WHERE number = 2",
        True,
    ),
    "truncate": ("DELETE FROM trail WHERE number > 5", False),
    "empty": ("DELETE FROM trail", False),
    "cheaper": ("UPDATE told SET cost = 0", False),
    "forget": ("DELETE FROM told WHERE unit LIKE 'semantic_class%'", False),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_is_found(change: str, cli: Cli, tamper: Rows, tmp_path: Path, tree: Path) -> None:
    statement, named = CHANGES[change]
    tamper(statement)
    ran = cli("audit", "verify")
    assert ran.code == 1, ran.out
    assert "NOT WHOLE" in ran.out or "plantwin:" in ran.err
    if named:
        assert "line " in ran.out
    out = tmp_path / "sent.jsonl"
    ran = cli("audit", "export", out)
    assert ran.code == 1 and not out.exists()


def test_a_changed_line_is_named(cli: Cli, tamper: Rows) -> None:
    tamper("UPDATE trail SET at = at - 1 WHERE number = 3")
    ran = cli("audit", "verify", "--json")
    assert (ran.code, ran.json["whole"], ran.json["at"]) == (1, False, 3)


def test_export_is_every_byte_ever_sent(cli: Cli, sent: list[str], tree: Path, tmp_path: Path) -> None:
    again = cli("run", GOAL, "--per-object", "--root", tree, "--json").json
    out = tmp_path / "sent.jsonl"
    ran = cli("audit", "export", out, "--json")
    assert (ran.code, ran.json["envelopes"], ran.json["whole"]) == (0, len(sent) + len(again["outbound"]), True)
    assert out.stat().st_mode & 0o777 == 0o600
    rows: list[dict[str, Any]] = [json.loads(line) for line in out.read_text("ascii").splitlines()]
    assert [each["data"] for each in rows] == [*sent, *again["outbound"]]
    for each in rows:
        assert hashlib.sha256(each["data"].encode()).hexdigest() == each["sha256"]
        assert set(each) == {"line", "at", "session", "audience", "sha256", "data"}
    assert {each["audience"] for each in rows} == {"scripted", "offline"}
    assert cli("audit", "export", "-").out == out.read_text("ascii")


def test_a_broken_trail_is_exported_only_when_told_so(cli: Cli, tamper: Rows, sent: list[str]) -> None:
    tamper("UPDATE trail SET at = at - 1 WHERE number = 3")
    refused = cli("audit", "export", "-")
    assert (refused.code, refused.out) == (1, "") and "does not verify" in refused.err
    ran = cli("audit", "export", "-", "--unverified")
    assert ran.code == 0 and "NOT VERIFIED" in ran.err
    assert [json.loads(line)["data"] for line in ran.out.splitlines()] == sent


def test_an_export_that_cannot_be_written(cli: Cli, sent: list[str], tmp_path: Path) -> None:
    assert cli("audit", "export", tmp_path / "absent" / "x").code == 2


def test_an_empty_trail(cli: Cli) -> None:
    assert cli("audit", "verify").code == 0
    assert cli("audit", "export", "-").out == ""
    assert cli("audit", "show").code == 0
