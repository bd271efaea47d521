"""`twin` and `graph`: what would leave, and a picture of what could."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from command_line import Cli, Process, Terminal

from plantwin import vocabulary
from plantwin.boundary.wire import decode_envelope, encode
from plantwin.surfaces.cli import doctor as checks
from plantwin.surfaces.cli.vocabulary import vocabularies
from plantwin.types.schema import capacity, wire_schema


def test_piped_or_json_is_exactly_the_bytes(process: Process, tree: Path) -> None:
    for arguments in ((), ("--json",)):
        ran = process("twin", tree, *arguments)
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert encode(decode_envelope(ran.stdout)).data == ran.stdout
        jsonschema.validate(json.loads(ran.stdout), wire_schema())


def test_registration_tells_what_sets_are(cli: Cli, tree: Path) -> None:
    document = cli("twin", tree, "--json").json
    assert document["objects"] == [] and document["sets"]
    assert all(set(each) <= {"set_id", "size", "kind", "family", "semantic_class"} for each in document["sets"])


def test_ids_are_fresh_each_time(cli: Cli, tree: Path) -> None:
    first, second = ({each["set_id"] for each in cli("twin", tree, "--json").json["sets"]} for _ in range(2))
    assert first and not first & second


def test_sets_with_all_that_a_request_may_tell(cli: Cli, terminal: Terminal, tree: Path) -> None:
    document = cli("twin", tree, "--sets", "--json").json
    assert set(document) == {"sets", "relations"}
    ids = {each["set_id"] for each in document["sets"]}
    assert all({each["source"], each["target"]} <= ids for each in document["relations"])
    assert any("contains" in each or "classes" in each for each in document["sets"])
    code, shown = terminal("twin", tree, "--sets")
    assert code == 0 and "what it is" in shown and "Nothing was sent." in shown
    assert "\x1b[31mred" not in shown


def test_the_full_twin_is_marked_as_not_sent(cli: Cli, tree: Path) -> None:
    ran = cli("twin", tree, "--all", "--json")
    assert "NOT SENT" in ran.err
    assert (ran.json["sent"], ran.json["command"]) == (False, "twin")
    assert all("semantic_class" in each for each in ran.json["twin"]["objects"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(ran.json, wire_schema())


def test_a_terminal_gets_a_table(terminal: Terminal, tree: Path) -> None:
    code, shown = terminal("twin", tree)
    assert code == 0
    assert "Nothing was sent" in shown and "sha256" in shown and "set_" in shown
    code, shown = terminal("twin", tree, "--all")
    assert code == 0
    assert shown.count("NOT SENT") == 2
    assert "semantic_class" in shown


def test_no_name_is_in_the_twin(cli: Cli, tree: Path) -> None:
    for arguments in ((), ("--all",), ("--sets",)):
        told = cli("twin", tree, "--json", *arguments).out.lower()
        for name in ("auth.py", "people.csv", "shop.db", "[31mred", "guide.md", "horses", "person0"):
            assert name not in told


def test_a_large_tree_is_few_sets(cli: Cli, tree: Path) -> None:
    for index in range(300):
        (tree / f"note{index}.md").write_text(f"# Note {index}\n")
    sets = cli("twin", tree, "--json").json["sets"]
    assert len(sets) <= 24
    assert "hundreds" in {each["size"] for each in sets}


def _picture(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    return text


def test_the_picture_shows_opaque_ids(cli: Cli, tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "g.svg"
    ran = cli("graph", tree, "--out", out)
    assert ran.code == 0 and str(out) in ran.out
    picture = _picture(out)
    assert re.search(r">[a-z2-7]{8}<", picture)
    for name in ("auth.py", "people.csv", "shop.db", "[31mred", "guide.md", "store.py", "do not share"):
        assert name not in picture
    assert "not sent" in picture


def test_names_come_with_a_warning(cli: Cli, tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "g.svg"
    ran = cli("graph", tree, "--out", out, "--names")
    assert "do not share" in ran.out
    picture = _picture(out)
    assert "auth.py" in picture and "Local names: do not share" in picture
    assert "\x1b" not in picture and r"\x1b[31mred" in picture


def test_a_picture_with_names_is_for_its_owner(cli: Cli, tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "g.svg"
    cli("graph", tree, "--out", out, "--names")
    assert out.stat().st_mode & 0o077 == 0


def test_a_limited_picture_counts_the_rest(cli: Cli, tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "g.svg"
    drawn = cli("graph", tree, "--out", out, "--max", "3", "--json").json["drawn"]
    assert f"3 objects of {drawn['of']}, the most linked" in cli("graph", tree, "--out", out, "--max", "3").out
    assert drawn["objects"] == 3 and drawn["of"] > 3 and drawn["names"] is False
    assert "NOT SHOWN" in _picture(out)


@pytest.mark.parametrize("out", ["absent/g.svg", ".", "nul\0.svg"])
def test_an_output_that_cannot_be_written_is_bad_input(out: str, cli: Cli, tree: Path) -> None:
    ran = cli("graph", tree, "--out", tree / out)
    assert ran.code == 2
    assert "cannot write" in ran.err


def test_too_many_to_draw(cli: Cli, tree: Path, tmp_path: Path) -> None:
    assert cli("graph", tree, "--out", tmp_path / "g.svg", "--max", "601").code == 2


def test_an_empty_folder_has_an_empty_twin(cli: Cli, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert cli("twin", empty, "--json").json["sets"] == []
    assert cli("graph", empty, "--out", tmp_path / "g.svg").code == 0
    _picture(tmp_path / "g.svg")


# Commands that look at no folder: schema, vocabulary, doctor


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
