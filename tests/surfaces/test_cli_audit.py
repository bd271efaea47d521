"""`plantwin audit`: the trail is listed, verified and exported, and no change of it goes unseen."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
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


# A ledger that was removed or put back stops every session until the person decides


@pytest.fixture
def session(cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """A session that tells something; the state folder is not in a temporary place, as far as it can know."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "elsewhere").mkdir()
    answers = plan(step("d", "describe", "@kind=config"))
    return lambda: cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, answers), "--json")


@pytest.mark.parametrize("removed", ["ledger", "ledger/ledger.db", "."])
def test_a_removed_ledger_stops_the_next_session(cli: Cli, session, state: Path, removed: str) -> None:
    assert session().code == 0
    gone = state / removed
    gone.unlink() if gone.is_file() else shutil.rmtree(gone)
    if removed.endswith(".db"):
        for other in (state / "ledger").glob("ledger.db-*"):
            other.unlink()
    ran = session()
    assert ran.code == 1
    assert "accept-rollback" in ran.err


def test_a_backup_put_back_is_accepted_by_the_person_alone_and_the_trail_says_so(
    cli: Cli, session, state: Path, tmp_path: Path
) -> None:
    assert session().code == 0
    shutil.copytree(state / "ledger", tmp_path / "backup")
    assert cli("audit", "accept-rollback").out.startswith("The ledger is as it was left")
    assert session().code == 0
    shutil.rmtree(state / "ledger")
    shutil.copytree(tmp_path / "backup", state / "ledger")
    (state / "ledger").chmod(0o700)
    assert session().code == 1
    refused = cli("audit", "accept-rollback")
    assert (refused.code, "nothing was changed" in refused.err) == (1, True)
    assert session().code == 1
    accepted = cli("audit", "accept-rollback", "--yes")
    assert (accepted.code, accepted.out.startswith("Accepted")) == (0, True)
    last = cli("audit", "show", "--last", 1, "--json").json["lines"][0]
    assert (last["kind"], last["body"]["warning"]) == ("warning", "rollback_accepted")
    assert cli("audit", "verify").code == 0
    assert session().code == 0


def test_accepting_does_not_repair_what_was_changed(cli: Cli, session, state: Path) -> None:
    assert session().code == 0
    (state / "ledger" / "ledger.db.anchor").write_bytes(b"x" * 120)
    assert "anchor was changed" in cli("audit", "accept-rollback", "--yes").err


@pytest.mark.parametrize(
    "name", ["keys/local.key", "lineage/lineage.db", "ledger/ledger.db", "ledger/ledger.db.anchor", "planners/use.json"]
)
@pytest.mark.parametrize("what", ["link", "pipe"])
def test_links_and_pipes_in_the_state_folder_are_refused(
    cli: Cli, session, state: Path, tmp_path: Path, name: str, what: str
) -> None:
    assert session().code == 0
    path, target = state / name, tmp_path / "target"
    path.parent.mkdir(exist_ok=True, mode=0o700)
    if path.exists():
        path.rename(target)
    else:
        target.write_text("{}")
    target.chmod(0o644)
    if what == "link":
        path.symlink_to(target)
    else:
        os.mkfifo(path)
    ran = session()
    assert (ran.code, "not a regular file of your own" in ran.err) == (1, True), ran.err
    assert target.stat().st_mode & 0o777 == 0o644


def test_a_state_folder_that_others_may_write_is_refused(cli: Cli, session, state: Path) -> None:
    assert session().code == 0
    state.chmod(0o777)
    ran = session()
    assert (ran.code, "chmod go-w" in ran.err) == (1, True)
