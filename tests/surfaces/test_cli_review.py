"""`review`: corrections are kept, win, and can be taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import HOSTILE, Cli, Terminal

from plantwin.surfaces.cli.review import search
from plantwin.surfaces.render.text import printable
from tables import cases


def told(cli: Cli, tree: Path, path: str) -> dict[str, Any]:
    found = [each for each in cli("objects", tree, "--json").json["objects"] if each["path"] == path]
    assert len(found) == 1
    return dict(found[0])


def test_what_is_unsure_is_listed(cli: Cli, tree: Path) -> None:
    unsure = {each["path"]: each for each in cli("review", tree, "--json").json["unsure"]}
    low = {each["path"] for each in cli("objects", tree, "--json", "--confidence", "low").json["objects"]}
    assert set(unsure) == low and "blob" in low
    assert unsure["blob"]["alternatives"] and unsure["blob"]["guess"] not in unsure["blob"]["alternatives"]
    shown = cli("review", tree)
    assert shown.code == 0 and "blob" in shown.out and "--set PATH=CLASS" in shown.out


def test_a_correction_wins_and_is_kept(cli: Cli, tree: Path) -> None:
    ran = cli("review", tree, "--set", "blob=lookup_table")
    assert (ran.code, ran.err) == (0, "")
    assert "blob: lookup_table" in ran.out
    for _ in range(2):
        corrected = told(cli, tree, "blob")
        assert (corrected["semantic_class"], corrected["family"]) == ("lookup_table", "dataset")
        assert corrected["confidence"] == "high"
    assert "blob" not in {each["path"] for each in cli("review", tree, "--json").json["unsure"]}
    (tree / "blob").write_text("something else entirely\n")
    assert told(cli, tree, "blob")["semantic_class"] == "lookup_table"


def test_a_correction_can_be_taken_back(cli: Cli, tree: Path) -> None:
    before = told(cli, tree, "blob")
    cli("review", tree, "--set", "blob=lookup_table")
    ran = cli("review", tree, "--forget", "blob", "--json")
    assert ran.json["changed"] == [{"path": "blob", "part": "", "semantic_class": None}]
    assert told(cli, tree, "blob") == before


def test_a_guess_can_be_confirmed(cli: Cli, tree: Path) -> None:
    guess = told(cli, tree, "blob")["semantic_class"]
    assert cli("review", tree, "--confirm", "./blob").code == 0
    confirmed = told(cli, tree, "blob")
    assert (confirmed["semantic_class"], confirmed["confidence"]) == (guess, "high")


@pytest.mark.parametrize("name", [HOSTILE, printable(HOSTILE)])
def test_hostile_names_are_taken_as_they_are_or_as_shown(name: str, cli: Cli, tree: Path) -> None:
    ran = cli("review", tree, "--set", f"{name}=cli_tool")
    assert ran.code == 0 and "\x1b" not in ran.out
    assert told(cli, tree, HOSTILE)["semantic_class"] == "cli_tool"


def test_a_table_is_named_by_its_file_and_itself(cli: Cli, tree: Path) -> None:
    assert cli("review", tree, "--set", "shop.db#users=event_records").code == 0
    objects = cli("objects", tree, "--json", "--path", "shop.db").json["objects"]
    assert {each["part"]: each["semantic_class"] for each in objects}["users"] == "event_records"


@cases("arguments", "reason")
def test_bad_changes_are_refused_whole(arguments: list[str], reason: str, cli: Cli, tree: Path) -> None:
    ran = cli("review", tree, "--set", "README.md=runbook", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err
    assert told(cli, tree, "README.md")["semantic_class"] != "runbook", "all or none"


def test_corrections_stay_in_the_state_folder(cli: Cli, tree: Path, state: Path) -> None:
    before = sorted(tree.rglob("*"))
    cli("review", tree, "--set", "blob=lookup_table")
    assert sorted(tree.rglob("*")) == before
    kept = [path for path in state.rglob("*") if path.is_file()]
    assert kept and all(path.stat().st_mode & 0o077 == 0 for path in kept)


def _first_unsure(cli: Cli, tree: Path) -> dict[str, Any]:
    return dict(cli("review", tree, "--json").json["unsure"][0])


def test_a_terminal_is_asked_and_a_number_chooses(cli: Cli, terminal: Terminal, tree: Path) -> None:
    first = _first_unsure(cli, tree)
    code, shown = terminal("review", tree, answers=("99", "2", "q"))
    assert code == 0
    assert printable(first["path"]) in shown and first["guess"] in shown
    assert "1 answer kept" in shown or "There are" in shown
    assert told(cli, tree, first["path"])["semantic_class"] == first["alternatives"][1]


def test_text_searches_and_enter_confirms(cli: Cli, terminal: Terminal, tree: Path) -> None:
    first = _first_unsure(cli, tree)
    code, shown = terminal("review", tree, answers=("qqqqzzzz", "refunds", "1", "q"))
    assert code == 0
    assert "No class is like that" in shown
    assert told(cli, tree, first["path"])["semantic_class"] == "payment_module"
    remaining = cli("review", tree, "--json").json["unsure"]
    if remaining:
        terminal("review", tree, answers=("", "q"))
        assert len(cli("review", tree, "--json").json["unsure"]) == len(remaining) - 1


def test_skipping_and_quitting_change_nothing(cli: Cli, terminal: Terminal, tree: Path) -> None:
    before = cli("review", tree, "--json").json["unsure"]
    for answers in (("s",) * len(before), ("q",), ("\x04",)):
        code, shown = terminal("review", tree, answers=answers)
        assert code == 0
        assert "0 answers kept" in shown
    assert cli("review", tree, "--json").json["unsure"] == before


def test_search_prefers_the_word_itself() -> None:
    assert search("payment")[0] == "payment_module"
    assert search("refund") == ["payment_module"]
    assert "authentication_module" in search("autentication module")
    assert search("zzzzqqqq") == []


def test_nothing_to_review(cli: Cli, terminal: Terminal, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "Nothing to review" in cli("review", empty).out
    assert "Nothing to review" in terminal("review", empty)[1]
