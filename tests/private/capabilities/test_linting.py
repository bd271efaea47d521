"""Linting: what whole files must have and nothing else, what is said without an engine, what is left unread."""

from __future__ import annotations

import pytest
from capability_inputs import Run, found, given

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.engine.rules import load
from tables import rows_of, value_of

PYTHON = value_of(__file__, "python")
PYTHON_FINDINGS = {(1, "F401"), (4, "B006"), (7, "E722"), (7, "S110"), (9, "T100"), (10, "F821"), (11, "unreachable")}
SETTINGS = {
    "a.yaml": ("a: 1\nb: yes\na: 2\nc: 010\nd: 12:30\ne: 'no'\non: push\n", {2, 3, 4, 5}),
    "b.yaml": ("a: [1, 2\nb: 3\n", {2}),
    "a.json": ('{"a": {"x": 1, "x": 2},\n "b": [{"x": 1}, {"x": 2}]}\n', {1}),
    "b.json": ('{"a": 1,\n "b": }\n', {2}),
    "c.json": ('{"a": 1, // no\n "b": 2}\n', {1}),
    "tsconfig.json": ('{"a": 1, // fine here\n "b": 2,}\n', set()),
    "a.toml": ("a = 1\na = 2\n", {2}),
    ".env": ("A=1\nB = 2\nA=3\nnothing\nC='x\n", {2, 3, 4, 5}),
    "a.xml": ("<a>\n<b>\n</a>\n", {3}),
    "bomb.xml": ('<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>\n<a>&b;</a>\n', {1}),
    "a.ini": ("[a]\nx = 1\nX = 2\n[b]\nx = 1\n[a]\ny = 1\n", {3, 6}),
}
SOUND = rows_of(__file__, "sound")
SOUND += [(case.file, case.text) for rule in load("lint").rule for case in rule.example if not case.found]


@pytest.mark.parametrize("name", SETTINGS)
def test_defects_of_settings_are_found_and_nothing_else(run: Run, name: str) -> None:
    text, expected = SETTINGS[name]
    assert {line for line, _ in found(run("lint", given(name, text)))} == expected


@pytest.mark.parametrize(("name", "text"), SOUND)
def test_sound_content_has_no_findings(run: Run, name: str, text: str) -> None:
    result = run("lint", given(name, text))
    assert found(result) == set()
    assert result.outcome["severity"] == "none"


def test_every_engine_is_named_with_its_version(run: Run) -> None:
    result = run("lint", given("a.py", PYTHON), given("a.js", "debugger;\n"), given("a.sh", "#!/bin/sh\necho $1\n"))
    engines = {name: installed.find(name) for name in ("ruff", "oxlint", "shellcheck")}
    assert list(result.facts["tool"].values()) == [each.title for each in engines.values() if each]  # type: ignore[attr-defined]
    assert found(result) >= PYTHON_FINDINGS
    assert 10 in [finding.line for finding in result.findings if finding.severity == "medium"]
    assert "`F401` 1" in result.text


@pytest.mark.parametrize(
    ("name", "text"),
    [("A.java", "class { int }\n" * 6), ("a.yaml", "a: 1\n" * 500_000)],
)
def test_what_cannot_be_read_whole_has_no_findings(run: Run, name: str, text: str) -> None:
    result = run("lint", given(name, text))
    assert found(result) == set()
    assert result.outcome["status"] == "partial"


def test_one_rule_does_not_drown_the_others(run: Run) -> None:
    result = run("lint", given("a.js", "if (a == 1) f();\n" * 100 + "debugger;\n"))
    assert len([finding for finding in result.findings if finding.rule == "eqeqeq"]) == 12
    assert result.facts["rules"] == {"eqeqeq": 100, "no-debugger": 1}
    assert result.outcome["count"] == "many"


def test_what_has_no_rules_is_said_to_be_unread(run: Run) -> None:
    result = run("lint", given("a.hs", "main = print 1\n"), given("a.js", "debugger;\n"))
    assert result.outcome["status"] == "partial"
    assert result.facts["tool"]["a.hs"] == "none"  # type: ignore[index]


def test_what_no_engine_linted_is_not_said_to_be_examined(run: Run) -> None:
    result = run("lint", given("a.js", "let a = 1\n"), engines={})
    assert (result.facts["examined"], result.outcome["status"]) == ([], "partial")
    assert result.text.startswith("Nothing was examined.")
