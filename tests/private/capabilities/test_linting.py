"""Linting: what whole files must have and nothing else, what is said without an engine, what is left unread."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import json

import pytest
from capability_inputs import Run, found, given

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.engine.rules import load

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
PYTHON_FINDINGS = {(1, "F401"), (4, "B006"), (7, "E722"), (7, "S110"), (9, "T100"), (10, "F821"), (11, "unreachable")}
CASES = {
    "a.js": (SCRIPT, {
        (1, "no-unused-vars"), (2, "no-unused-vars"), (3, "no-unused-vars"), (6, "no-debugger"), (8, "eqeqeq"),
        (8, "no-unreachable"), (9, "no-cond-assign"), (9, "no-constant-condition"), (10, "no-empty"), (14, "no-fallthrough"), (14, "no-duplicate-case"),
        (19, "no-dupe-keys"), (20, "use-isnan"), (20, "valid-typeof"), (22, "no-throw-literal"), (24, "no-unused-vars"),
    }),
    "a.sh": (SHELL, {
        (2, "SC2164"), (2, "SC2086"), (3, "SC2115"), (4, "SC2045"), (5, "SC2086"), (5, "SC2046"), (6, "SC3010"),
        (6, "SC2162"), (7, "SC2034"), (8, "SC2069"), (10, "SC2068"), (4, "SC2035"), (6, "SC2034"), (14, "SC2317"),
    }),
    "Dockerfile": ("FROM ubuntu\nRUN sudo apt-get install curl\n", {(1, "DL3006"), (2, "DL3004")}),
    "a.vue": ("<template><b>{{ x }}</b></template>\n<script>\nconst x = 1;\ndebugger;\n</script>\n", {(4, "no-debugger")}),
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


@pytest.mark.parametrize("name", CASES)
def test_known_defects_are_found_and_nothing_else(run: Run, name: str) -> None:
    text, expected = CASES[name]
    assert found(run("lint", given(name, text))) == expected


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
    assert [finding.line for finding in result.findings if finding.severity == "high"] == [10]
    assert "`F401` 1" in result.text


ABSENT = [
    ("a.py", PYTHON, {(11, "unreachable")}, "the parser of Python"),
    ("a.py", "def f(:\n", {(1, "invalid-syntax")}, "the parser of Python"),
    ("a.sh", "if true; then\necho 1\n", {(3, "bash-syntax")}, "bash -n"),
    ("a.sh", "echo $1\n", set(), "bash -n"),
    ("a.zsh", "#!/bin/zsh\necho $1\n", set(), "none"),
    ("a.js", "debugger;\n", set(), "none"),
    ("a.ipynb", "{}", set(), "none"),
    ("a.go", 'package a\n\nimport "os"\n', set(), "none"),
    ("Dockerfile", "FROM ubuntu\n", set(), "none"),
]


@pytest.mark.parametrize(("name", "text", "expected", "tool"), ABSENT)
def test_without_an_engine_nothing_is_guessed(
    run: Run, name: str, text: str, expected: set[tuple[int, str]], tool: str
) -> None:
    result = run("lint", given(name, text), engines={})
    assert found(result) == expected
    assert result.facts["tool"] == {name: tool}
    assert "would add" in result.text
    assert result.outcome["status"] == "partial"


def test_notebooks_go_through_ruff(run: Run) -> None:
    cell = {"cell_type": "code", "source": ["import os\n"], "metadata": {}, "outputs": [], "execution_count": None}
    notebook = {"cells": [{**cell, "id": "a"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    result = run("lint", given("a.ipynb", json.dumps(notebook)))
    assert [finding.tag for finding in result.findings] == ["unused"]


@pytest.mark.parametrize(("name", "text"), [("a.py", "def f(:\n    pass\n"), ("a.js", "function ( { \n")])
def test_what_does_not_parse_is_said_to(run: Run, name: str, text: str) -> None:
    result = run("lint", given(name, text))
    assert "unparsable" in result.outcome["tags"]  # type: ignore[operator]


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
