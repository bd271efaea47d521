"""`plantwin preview`: what would be sent for a goal, beside what it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Cli, Terminal

from plantwin.boundary.wire import decode_envelope, encode
from scripts import settings

GOAL = "Compare config/app.toml with Marlowe's settings and people.csv from 2024"


def test_it_shows_words_objects_and_bytes_and_records_nothing(cli: Cli, tree: Path) -> None:
    ran = cli("preview", GOAL, tree)
    assert ran.code == 0, ran.err
    for part in (
        "Your words",
        "detection found it",
        "config/app.toml",
        "<name>",
        "Sets",
        "Objects",
        "The planner would see",
        "Nothing was sent",
    ):
        assert part in ran.out, part
    assert cli("audit", "show", "--json").json["lines"] == []
    assert cli("budget", "--root", tree, "--json").json["audiences"] == []


def test_json_is_what_a_run_would_send(cli: Cli, tree: Path) -> None:
    document = cli("preview", GOAL, tree, "--json").json
    for data in document["outbound"]:
        assert encode(decode_envelope(data.encode())).data == data.encode()
    names = {each["object_id"]: each["path"] for each in document["objects"]}
    tokens = [names.get(each, each) for each in document["tokens"]]
    expected = [
        "compare",
        "config/app.toml",
        "with",
        "<name>",
        "settings",
        "and",
        "data/people.csv",
        "from",
        "<number>",
    ]
    assert tokens == expected
    assert json.loads(document["outbound"][1])["goal"]["text"] == document["tokens"]
    (word,) = [each for each in document["words"] if each["text"] == "Marlowe's"]
    assert word["becomes"] == ["<name>"] and word["why"]
    assert document["price"] == pytest.approx(sum(each["price"] for each in document["objects"]))
    assert document["sent"] is False and document["goal_mode"] == "lexicon"
    ran = cli("run", GOAL, "--root", tree, "--dry-run", "--json").json
    assert [len(each) for each in ran["outbound"]] == [len(each) for each in document["outbound"]]


def test_what_may_not_be_shown_is_a_blank_in_the_preview_too(cli: Cli, tree: Path, tmp_path: Path) -> None:
    for number in range(60):
        (tree / f"note_{number}.md").write_text(f"# Note {number}\n\nHow to use piece {number}.\n")
    config = settings(tmp_path, "[budget]\nration_local = true\n[budget.thresholds.kind]\nconfig = 0.0\n")
    document = cli("preview", GOAL, tree, "--config", config, "--json").json
    assert "config/app.toml" not in [each["path"] for each in document["objects"]]
    assert document["tokens"] == json.loads(document["outbound"][1])["goal"]["text"]
    assert document["tokens"][1] == "<path>"
    (word,) = [each for each in document["words"] if each["text"] == "config/app.toml"]
    assert word["becomes"] == ["<path>"]
    told = [each.get("kind") for line in document["outbound"] for each in json.loads(line).get("sets", ())]
    assert "document" in told and "config" not in told, "of which nothing may be told, nothing is told as one of many"


def test_modes_and_added_words(cli: Cli, tree: Path, tmp_path: Path) -> None:
    shown = cli("preview", GOAL, tree, "--goal-mode", "intent")
    assert "the planner sees none of them" in " ".join(shown.out.split()) and "Marlowe" not in shown.out
    config = settings(tmp_path, '[goal]\nwords = ["marlowe"]\n')
    assert "+marlowe" in cli("preview", "Ask marlowe", tree, "--config", config, "--json").json["tokens"]
    verbatim = cli("preview", GOAL, tree, "--goal-mode", "verbatim", "--json").json
    assert json.loads(verbatim["outbound"][2])["text"] == GOAL
    assert "as it stands" in cli("preview", GOAL, tree, "--goal-mode", "verbatim").out


def test_an_empty_goal_is_refused(cli: Cli, tree: Path) -> None:
    assert cli("preview", " ", tree).code == 2


def test_a_person_is_asked_which_is_meant(terminal: Terminal, tree: Path) -> None:
    (tree / "other").mkdir()
    (tree / "other" / "app.toml").write_text('[server]\nport = 9090\nhost = "elsewhere"\n')
    code, out = terminal("preview", "Check app.toml", tree, answers=["2"], prompt="any of them > ")
    assert code == 0
    assert "Which do you mean by app.toml?" in out
    (row,) = [line for line in out.splitlines() if line.strip().startswith("app.toml")]
    assert "other/app.toml" in row and "config/app.toml" not in row


def test_words_heard_are_listed_in_the_budget(cli: Cli, tree: Path) -> None:
    cli("run", "Summarize the settings", "--root", tree)
    (audience,) = cli("budget", "--root", tree, "--json").json["audiences"]
    assert audience["words"] == ["summarize", "the"] and audience["gone"] == 0
    assert "heard 2 words of goals: summarize the" in cli("budget", "--root", tree).out


def test_sets_are_told_by_what_they_are_with_a_few_names(cli: Cli, tree: Path) -> None:
    for number in range(40):
        (tree / "docs" / f"runbook_{number}.md").write_text(f"# Runbook {number}\n\n1. Restart service {number}.\n")
    document = cli("preview", "Look around", tree, "--json").json
    told = {each["set_id"]: each for each in json.loads(document["outbound"][0])["sets"]}
    assert {each["set_id"] for each in document["sets"]} == set(told)
    largest = document["sets"][0]
    assert largest["files"] >= 40 and len(largest["some"]) == 3 and largest["is"].startswith(str(largest["files"]))
    assert largest["told"].items() >= told[largest["set_id"]].items()
    assert 0 < largest["price"] <= largest["threshold"]
    shown = cli("preview", "Look around", tree).out
    assert f"{largest['files']} " in shown and "docs/runbook_" in shown
    assert not any("runbook_" in each for each in document["outbound"]), "names stay here"


def test_objects_one_by_one_where_they_are_wanted(cli: Cli, tree: Path) -> None:
    alone = cli("preview", "Look around", tree, "--per-object", "--json").json
    assert len(json.loads(alone["outbound"][0])["objects"]) > 5
    assert json.loads(cli("preview", "Look around", tree, "--json").json["outbound"][0])["objects"] == []
