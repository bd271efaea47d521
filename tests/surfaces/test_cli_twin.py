"""`twin` and `graph`: what would leave, and a picture of what could."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from command_line import Cli, Process, Terminal

from plantwin.boundary.wire import decode_envelope, encode
from plantwin.types.schema import wire_schema


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
