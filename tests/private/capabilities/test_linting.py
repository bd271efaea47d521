"""Linting: what whole files must have and nothing else, ruff and its replacement, what is left unread."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import json

import pytest
from capability_inputs import Run, given

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.engine.job import Result
from plantwin.private.capabilities.engine.rules import load
from plantwin.private.capabilities.lint import python, ruff

SCRIPT = """import React, { useState, useEffect as effect } from 'react';
import fs from 'fs';
const unused = 1;
let total = 0;
function f(a) {
  debugger;
  console.log(a);
  if (a == 1) { return 1; total = 2; }
  if (a = 2) { total += 1 }
  try { g() } catch (e) { }
  try { g() } catch (e) { /* may fail */ }
  switch (a) {
    case 1: total++;
    case 2: break;
    case 2: break;
    case 3: return 1;
    default: total--;
  }
  const o = { a: 1, b: 2, 'a': 3 };
  if (a === NaN || typeof a === 'strng') return o;
  if (a == null) return useState;
  throw 'no';
}
var z = 3;
export default f;
"""
SHELL = """#!/bin/sh
cd $DIR
rm -rf "$TMP"/
for f in $(ls *.txt); do echo "$f"; done
if [ $x = 1 ]; then echo `date`; fi
if [[ -n "$x" ]]; then read line; fi
spare=1
cmd 2>&1 > out.log
run "$@"
run $@
echo $? $#
cd "$HOME" || exit 1
exit 0
echo never
"""
PYTHON = """import os
import sys

def f(x=[]):
    try:
        print(sys.argv)
    except:
        pass
    breakpoint()
    return y
    print(1)
"""
PYTHON_FINDINGS = {(1, "F401"), (4, "B006"), (7, "E722"), (7, "S110"), (9, "T100"), (11, "unreachable")}
CASES = {
    "a.js": (SCRIPT, {
        (1, "CODE-UNUSED-IMPORT"), (2, "CODE-UNUSED-IMPORT"), (3, "CODE-UNUSED-VARIABLE"), (6, "JS-NO-DEBUGGER"),
        (7, "JS-NO-CONSOLE"), (8, "JS-EQEQEQ"), (8, "CODE-UNREACHABLE"), (9, "CODE-ASSIGNMENT-IN-CONDITION"),
        (10, "CODE-EMPTY-CATCH"), (14, "JS-NO-FALLTHROUGH"), (15, "CODE-DUPLICATE-CASE"), (19, "CODE-DUPLICATE-KEY"),
        (20, "JS-USE-ISNAN"), (20, "JS-VALID-TYPEOF"), (22, "JS-NO-THROW-LITERAL"), (24, "JS-NO-VAR"),
        (24, "CODE-UNUSED-VARIABLE"),
    }),
    "a.sh": (SHELL, {
        (2, "SC2164"), (2, "SC2086"), (3, "SC2115"), (4, "SC2045"), (5, "SC2086"), (5, "SC2006"), (5, "SC2046"),
        (6, "SC3010"), (6, "SC2162"), (7, "SC2034"), (8, "SC2069"), (10, "SC2068"), (14, "SC2317"),
    }),
    "a.vue": ("<template><b>{{ x }}</b></template>\n<script>\nconst x = 1;\ndebugger;\n</script>\n", {(4, "JS-NO-DEBUGGER")}),
    "conflict.js": ("a = 1;\n<<<<<<< HEAD\nb = 2;\n=======\nb = 3;\n>>>>>>> other\n", {
        (2, "CODE-MERGE-CONFLICT"), (6, "CODE-MERGE-CONFLICT"),
    }),
}  # fmt: skip
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
SOUND = [
    ("a.py", "import os\n\nprint(os.name)\n"),
    ("a.py", "import os  # noqa: F401\n"),
    ("a.js", "shared = 1;\n"),
    ("a.sh", '#!/bin/bash\nset -e\ncd "$1"\nif [[ $a = b ]]; then echo "$a"; fi\ncount=$(wc -l < x)\necho "$count"\n'),
    ("a.yaml", "a: {{ .Values.x }}\nb: [\n"),
    ("a.yaml", "a: &x {k: 1}\nb: *x\n---\na: 2\n"),
    ("a.toml", "[a]\nx = 1\n"),
    ("a.xml", '<?xml version="1.0" encoding="ISO-8859-1"?>\n<a>\xe4</a>\n'),
]
SOUND += [(case.file, case.text) for rule in load("lint").rule for case in rule.example if not case.found]


def found(result: Result) -> set[tuple[int, str]]:
    """Line and rule of every finding."""
    return {(finding.line, finding.rule) for finding in result.findings}


def checked(result: Result) -> Result:
    """The outcome passes the boundary whole."""
    assert sanitize(result.outcome, catalog()["lint"]).dropped == ()
    return result


@pytest.mark.parametrize("name", CASES)
def test_known_defects_are_found_and_nothing_else(run: Run, name: str) -> None:
    text, expected = CASES[name]
    assert found(checked(run("lint", given(name, text)))) == expected


@pytest.mark.parametrize("name", SETTINGS)
def test_defects_of_settings_are_found_and_nothing_else(run: Run, name: str) -> None:
    text, expected = SETTINGS[name]
    assert {line for line, _ in found(checked(run("lint", given(name, text))))} == expected


@pytest.mark.parametrize(("name", "text"), SOUND)
def test_sound_content_has_no_findings(run: Run, name: str, text: str) -> None:
    result = checked(run("lint", given(name, text)))
    assert found(result) == set()
    assert result.outcome["severity"] == "none"


def test_python_goes_through_ruff(run: Run) -> None:
    result = checked(run("lint", given("a.py", PYTHON)))
    assert result.facts["tool"] == {"a.py": "ruff"}
    assert PYTHON_FINDINGS | {(10, "F821")} <= found(result)
    assert result.outcome["severity"] == "high"
    assert [finding.line for finding in result.findings if finding.severity == "high"] == [10]
    assert "`F401` 1" in result.text


def test_python_without_ruff_still_has_rules(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruff, "program", lambda tools: None)
    result = checked(run("lint", given("a.py", PYTHON)))
    assert result.facts["tool"] == {"a.py": "built-in rules"}
    assert found(result) == PYTHON_FINDINGS
    assert run("lint", given("a.ipynb", "{}")).outcome["status"] == "partial"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('x = {"a": 1, "a": 2}\nassert (x, "why")\nif x is "a":\n    pass\n', [(1, "F601"), (2, "F631"), (3, "F632")]),
        ("def f(:\n", [(1, "invalid-syntax")]),
        ("def f():\n    return\n    yield\n", []),
        ("(" * 100_000, [(1, "invalid-syntax")]),
    ],
)
def test_the_rules_without_ruff(text: str, expected: list[tuple[int, str]]) -> None:
    assert [(finding.line, finding.rule) for finding in python.findings(text)] == expected


def test_notebooks_go_through_ruff(run: Run) -> None:
    cell = {"cell_type": "code", "source": ["import os\n"], "metadata": {}, "outputs": [], "execution_count": None}
    notebook = {"cells": [{**cell, "id": "a"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    result = run("lint", given("a.ipynb", json.dumps(notebook)))
    assert [finding.tag for finding in result.findings] == ["unused"]


@pytest.mark.parametrize(
    ("name", "text"), [("a.py", "def f(:\n    pass\n"), ("a.js", "function ( { \n"), ("A.java", "class { int }\n")]
)
def test_what_does_not_parse_is_said_to(run: Run, name: str, text: str) -> None:
    result = checked(run("lint", given(name, text)))
    assert result.outcome["severity"] == "high"
    assert "unparsable" in result.outcome["tags"]  # type: ignore[operator]


def test_one_rule_does_not_drown_the_others(run: Run) -> None:
    result = run("lint", given("a.js", "if (a == 1) f();\n" * 100 + "debugger;\n"))
    assert len([finding for finding in result.findings if finding.rule == "JS-EQEQEQ"]) == 12
    assert result.facts["rules"] == {"JS-EQEQEQ": 100, "JS-NO-DEBUGGER": 1}
    assert result.outcome["count"] == "many"


def test_a_secret_in_a_line_is_not_shown(run: Run) -> None:
    token = "ghp_" + "Zq3Xv7Lw9Tn2Rk5Yb8Hd4Mf6Js1Pc0" + "aBcDeF"
    result = run("lint", given("a.js", f'console.log("{token}");\n'))
    assert result.findings
    assert token not in result.text + "".join(finding.evidence for finding in result.findings)


def test_what_has_no_rules_is_said_to_be_unread(run: Run) -> None:
    result = checked(run("lint", given("a.hs", "main = print 1\n"), given("a.js", "debugger;\n")))
    assert result.outcome["status"] == "partial"
    assert result.facts["tool"] == {"a.hs": "none", "a.js": "built-in rules"}
