"""`plantwin rules`: what is looked for, and proof that it is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Cli

from plantwin.private.capabilities.engine.rules import names
from plantwin.private.detect.rules import Failure, Rule, load

RULES = load()


def test_json_holds_every_rule_with_its_examples(cli: Cli) -> None:
    document = cli("rules", "--json").json
    assert (document["format"], document["command"]) == (1, "rules")
    assert [row["type"] for row in document["rules"]] == [rule.type for rule in RULES]
    for row in document["rules"]:
        assert set(row) == {"type", "group", "confidence", "description", "origin", "examples", "counterexamples"}
        assert row["description"] and row["examples"] and all(isinstance(each, str) for each in row["examples"])


def test_for_people(cli: Cli) -> None:
    ran = cli("rules")
    assert ran.code == 0 and "\x1b" not in ran.out
    for rule in RULES:
        assert f"{rule.type}  {rule.group}, {rule.confidence} confidence: " in ran.out
    assert ran.out.startswith(f"{len(RULES)} rules of detection")


def test_filters(cli: Cli) -> None:
    rows = cli("rules", "--json", "--group", "personal", "--confidence", "medium").json["rules"]
    assert rows and all(row["group"] == "personal" and row["confidence"] != "low" for row in rows)
    assert [row["type"] for row in cli("rules", "--json", "--type", "github_token").json["rules"]] == ["github_token"]
    assert cli("rules", "--type", "nonsense").code == 2
    assert cli("rules", "nonsense").code == 2


def test_every_rule_keeps_its_word(cli: Cli) -> None:
    ran = cli("rules", "test")
    assert ran.code == 0, ran.out
    assert ran.out.startswith(f"{len(RULES)} rules, ") and ran.out.endswith(": 0 failures.\n")
    document = cli("rules", "test", "--json").json
    assert document["tested"] == len(RULES) and document["failures"] == []
    assert document["examples"] == sum(len(rule.examples) + len(rule.counterexamples) for rule in RULES)


def test_rules_of_ones_own_are_listed_and_tested(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "config" / "plantwin"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[detect]\nrules = ["own.toml"]\n')
    (folder / "own.toml").write_text(
        "[[rule]]\ntype='badge_number'\ngroup='identifier'\nconfidence='high'\ndescription='Badge'\n"
        "pattern='BDG-[0-9]{6}'\nexamples=['see BDG-123456']\ncounterexamples=['BDG-1']\n"
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (row,) = cli("rules", "--type", "badge_number", "--json").json["rules"]
    assert (row["origin"], row["examples"]) == ("user", ["see BDG-123456"])
    assert cli("rules", "test", "--type", "badge_number").out == "1 rule, 2 examples: 0 failures.\n"
    (tmp_path / "note.txt").write_text("see BDG-123456\n")
    assert cli("redact", tmp_path / "note.txt").out == "see <BADGE_NUMBER_1>\n"
    assert "badge_number" in cli("detect", tmp_path / "note.txt", "--type", "badge*").out
    (folder / "config.toml").write_text("[detect")
    for command in ("detect", "redact"):
        ran = cli(command, tmp_path / "note.txt")
        assert (ran.code, ran.out) == (2, "") and "config.toml" in ran.err


def test_a_rule_that_breaks_its_word_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Rule(
        type="badge_number",
        group="identifier",
        confidence="high",
        description="Badge",
        pattern="BDG-[0-9]{6}",
        examples=("see BDG-123456",),
        counterexamples=("nothing",),
    )
    silent = Rule(type="silence", group="secret", confidence="low", description="Nothing", pattern="x")
    noisy = Rule(
        type="email",
        group="personal",
        confidence="low",
        description="Mail",
        pattern="x",
        examples=("mara@granite.org",),
        counterexamples=("tom@granite.org",),
    )
    monkeypatch.setattr("plantwin.private.detect.rules.load", lambda: (broken, silent, noisy))
    ran = cli("rules", "test")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "badge_number: example 1 is not found",
        "silence: has no example",
        "email: counterexample 1 is found",
        "3 rules, 4 examples: 3 failures.",
    ]
    document = cli("rules", "test", "--json")
    assert document.code == 1
    assert document.json["failures"][0] == {"type": "badge_number", "example": 1, "expected": True}
    assert Failure("email", 1, False)._asdict() in document.json["failures"]


def test_a_named_rule_is_shown_and_an_unknown_one_refused(cli: Cli) -> None:
    assert "github_token" in cli("rules", "show", "github_token").out
    assert cli("rules", "show", "nonsense").code == 2
    assert cli("rules", "show").code == 2


@pytest.mark.parametrize("topic", names())
def test_the_page_of_a_topic_is_the_one_in_the_docs(cli: Cli, topic: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules" / f"{topic}.md").read_text("utf-8")
    assert cli("rules", "--topic", topic, "--markdown").out == page


@pytest.mark.parametrize("topic", names())
def test_every_check_can_be_listed_and_shown(cli: Cli, topic: str) -> None:
    rows = cli("rules", "--topic", topic, "--json").json["rules"]
    shown = cli("rules", "show", rows[0]["rule"])
    assert rows[0]["rule"] in shown.out
    assert "rules.off" in shown.out
