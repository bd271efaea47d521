"""Commands that look at no folder: schema, vocabulary, doctor."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import jsonschema
import pytest
from command_line import Cli, Process, Terminal

from plantwin import vocabulary
from plantwin.surfaces.cli import doctor as checks
from plantwin.surfaces.cli.vocabulary import vocabularies
from plantwin.types.schema import capacity, wire_schema


def test_schema_piped_or_json_is_the_json_schema(cli: Cli) -> None:
    piped = cli("schema")
    assert piped.json == json.loads(json.dumps(wire_schema()))
    assert cli("schema", "--json").out == piped.out
    jsonschema.Draft202012Validator.check_schema(piped.json)


def test_capacity_for_people_and_programs(cli: Cli) -> None:
    bits = capacity()
    document = cli("schema", "--capacity", "--json").json
    assert (document["format"], document["command"]) == (1, "schema")
    assert document["capacity"] == json.loads(json.dumps(bits))
    shown = cli("schema", "--capacity").out
    for field, value in bits["object"]["fields"].items():
        assert any(line.split() == [field, f"{value:.2f}"] for line in shown.splitlines()), field
    assert f"{bits['envelope']:,.2f}" in shown


def test_schema_on_a_terminal_is_the_capacity(terminal: Terminal) -> None:
    code, shown = terminal("schema")
    assert code == 0
    assert "bits at most" in shown and "$defs" not in shown


def test_vocabulary_holds_every_word(cli: Cli) -> None:
    document = cli("vocabulary", "--json").json
    assert document["version"] == vocabulary.VERSION
    assert set(document["vocabularies"]) == {terms.__name__ for terms in vocabularies()}
    told = document["vocabularies"]["SemanticClass"]
    assert [row["word"] for row in told] == [member.value for member in vocabulary.SemanticClass]
    assert all(set(row) == {"word", "definition", "family"} for row in told)
    assert all(row["definition"] for rows in document["vocabularies"].values() for row in rows)


def test_vocabulary_as_a_page_and_for_people(cli: Cli) -> None:
    page = cli("vocabulary", "--markdown").out
    shown = cli("vocabulary").out
    assert page.startswith("# Vocabulary\n")
    for terms in vocabularies():
        assert f"## {terms.__name__[0]}" in page
        for member in terms:
            assert f"| `{member.value}` |" in page
            assert member.value in shown


def test_doctor_reports_every_requirement(cli: Cli, state: Path) -> None:
    ran = cli("doctor", "--json")
    rows = {row["name"]: row for row in ran.json["checks"]}
    assert ran.code == 0 and ran.json["healthy"] is True
    assert {"msgspec", "hyperscan", "rich", "tree-sitter", "tree-sitter-python", "sqlite3", "git", "bwrap"} <= set(rows)
    assert set(checks.requirements()) <= set(rows)
    assert all(row["status"] in {"fine", "missing", "broken"} for row in rows.values())
    assert all(row["cost"] for row in rows.values() if row["status"] == "missing")
    assert not state.exists(), "doctor changes nothing"


def test_doctor_for_people(cli: Cli) -> None:
    ran = cli("doctor")
    assert ran.code == 0
    assert "Everything required is in order." in ran.out
    assert "grammars" in ran.out


def test_a_missing_requirement_is_refused_and_its_cost_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "requirements", lambda: ["no-such-library", "rich", "tree-sitter-nothing"])
    ran = cli("doctor", "--json")
    rows = {row["name"]: row for row in ran.json["checks"]}
    assert ran.code == 1 and ran.json["healthy"] is False
    assert rows["no-such-library"]["status"] == "missing"
    assert rows["tree-sitter-nothing"]["cost"] == "nothing is classified from its name alone"
    assert cli("doctor").code == 1


def test_a_library_that_does_not_load_is_broken(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, module: object) -> None:
        raise RuntimeError("canary")

    monkeypatch.setattr(checks, "_try", fail)
    ran = cli("doctor", "--json")
    assert ran.code == 1
    assert "canary" not in ran.out
    assert {row["detail"].rpartition(" ")[2] for row in ran.json["checks"] if row["status"] == "broken"} == {
        "RuntimeError"
    }


def test_optional_programs_cost_but_do_not_fail(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = cli("doctor", "--json")
    rows = {row["name"]: row for row in ran.json["checks"]}
    assert ran.code == 0
    assert rows["git"]["status"] == "missing" and "history" in rows["git"]["cost"]
    broken = tmp_path / "git"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    rows = {row["name"]: row for row in cli("doctor", "--json").json["checks"]}
    assert rows["git"]["status"] == "broken" and not rows["git"]["required"]


def test_an_open_state_folder_is_reported(cli: Cli, state: Path) -> None:
    state.mkdir(mode=0o755)
    (state / "index").write_bytes(b"x" * 2500)
    ran = cli("doctor", "--json")
    rows = {row["name"]: row for row in ran.json["checks"] if row["part"] == "state"}
    assert ran.code == 1
    assert rows["permissions"]["status"] == "broken" and "chmod 700" in rows["permissions"]["detail"]
    assert rows["size"]["detail"] == "2.5 kB in 1 file"
    assert stat.S_IMODE(state.stat().st_mode) == 0o755, "doctor changes nothing"
    state.chmod(0o700)
    assert cli("doctor").code == 0


def test_a_state_folder_that_is_a_file_is_broken(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert cli("doctor", "--state", tmp_path / "file").code == 1
    assert cli("doctor", "--state", tmp_path / "file" / "below").code == 1


def test_static_commands_read_no_folder(process: Process, state: Path) -> None:
    for command in ("schema", "vocabulary"):
        assert process(command).returncode == 0
    assert not state.exists()


def test_doctor_says_what_the_sandbox_needs(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = "bubblewrap is not installed: install it"
    monkeypatch.setattr("plantwin.private.execution.sandbox.unusable", lambda: reason)
    said = cli("doctor").out
    assert "No sandbox: bubblewrap is not installed: install it." in said
    rows = {row["part"]: row for row in cli("doctor", "--json").json["checks"]}
    assert (rows["sandbox"]["status"], rows["sandbox"]["detail"]) == (
        "missing",
        "bubblewrap is not installed: install it",
    )
    assert "code of the folder never runs" in rows["sandbox"]["cost"]
