"""Linting: what each language's rules must find, and what they must leave alone."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import json

import pytest
from capability_inputs import Run, given

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.job import Result
from plantwin.private.capabilities.linting import fallback, python

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
JAVA = """import java.util.List;
import java.util.Map;
class A {
    public boolean equals(Object o) {
        Map<String, String> m = null;
        if (name == "x") { return true; }
        try { f(); } catch (Throwable e) { }
        return false;
    }
}
"""
GO = """package main

import (
    "fmt"
    "os"
)

func f() error {
    for i := 0; i < 3; i++ {
        defer g()
    }
    x, _ := h()
    if err != nil {
    }
    return x
    fmt.Println(x)
}
"""
PHP = """<?php
use App\\Used;
use App\\Spare;
function f($a) {
    var_dump($a);
    if ($a == 1) { return new Used(); }
    try { g(); } catch (Exception $e) { }
    return ['a' => 1, 'a' => 2];
    g();
}
"""
RUBY = """class A
  def f
    binding.pry
    g
  rescue Exception
  end

  def f
    return 1
    2
  end
end
"""
CSS = """a { color: red; margin: 0; color: blue; }
b { }
c { color: #12345; top: 0 !important; }
d { background: red; background: linear-gradient(red, blue); }
"""


def told(result: Result) -> set[tuple[int, str]]:
    """Line and rule of every finding."""
    return {(each.line, each.message.rpartition("(")[2].rstrip(")").rpartition(" ")[2]) for each in result.findings}


def checked(result: Result) -> Result:
    """The outcome passes the boundary whole."""
    assert sanitize(result.outcome, catalog()["lint"]).dropped == ()
    return result


CASES = {
    "a.js": (SCRIPT, {
        (1, "no-unused-imports"), (2, "no-unused-imports"), (3, "no-unused-vars"), (6, "no-debugger"), (7, "no-console"),
        (8, "eqeqeq"), (8, "no-unreachable"), (9, "no-cond-assign"), (10, "no-empty-catch"), (14, "no-fallthrough"),
        (15, "no-duplicate-case"), (19, "no-dupe-keys"), (20, "use-isnan"), (20, "valid-typeof"), (22, "no-throw-literal"),
        (24, "no-var"), (24, "no-unused-vars"),
    }),
    "a.sh": (SHELL, {
        (2, "SC2164"), (2, "SC2086"), (3, "SC2115"), (4, "SC2045"), (5, "SC2086"), (5, "SC2006"), (5, "SC2046"),
        (6, "SC3010"), (6, "SC2162"), (7, "SC2034"), (8, "SC2069"), (10, "SC2068"), (14, "SC2317"),
    }),
    "A.java": (JAVA, {
        (1, "no-unused-imports"), (3, "equals-and-hashcode"), (6, "compare-strings"), (7, "no-empty-catch"),
        (7, "avoid-catching-throwable"),
    }),
    "a.go": (GO, {
        (5, "no-unused-imports"), (10, "defer-in-loop"), (12, "errcheck"), (13, "no-empty-catch"), (16, "no-unreachable"),
    }),
    "a.php": (PHP, {
        (3, "no-unused-imports"), (5, "no-debug"), (6, "strict-comparison"), (7, "no-empty-catch"), (8, "no-dupe-keys"),
        (9, "no-unreachable"),
    }),
    "a.rb": (RUBY, {
        (3, "no-debug"), (5, "rescue-exception"), (5, "no-empty-catch"), (8, "duplicate-methods"), (10, "no-unreachable"),
    }),
    "a.css": (CSS, {
        (1, "declaration-block-no-duplicate-properties"), (2, "block-no-empty"), (3, "color-no-invalid-hex"),
        (3, "declaration-no-important"),
    }),
    "a.rs": ("fn f() -> i32 { dbg!(1); let x = g().unwrap(); todo!() }\n", {
        (1, "no-debug"), (1, "clippy::unwrap_used"), (1, "clippy::todo"),
    }),
    "a.c": ("int f(int a) { if (a = 1) return 1; if (a == a) ; return 2; f(1); }\n", {
        (1, "no-cond-assign"), (1, "no-self-compare"), (1, "no-empty-statement"), (1, "no-unreachable"),
    }),
    "a.yaml": ("a: 1\nb: yes\na: 2\nc: 010\nd: 12:30\ne: 'no'\non: push\n", {
        (2, "yaml-truthy"), (3, "no-dupe-keys"), (4, "yaml-octal"), (5, "yaml-sexagesimal"),
    }),
    "b.yaml": ("a: [1, 2\nb: 3\n", {(2, "yaml-valid")}),
    "a.json": ('{"a": {"x": 1, "x": 2},\n "b": [{"x": 1}, {"x": 2}]}\n', {(1, "no-dupe-keys")}),
    "b.json": ('{"a": 1,\n "b": }\n', {(2, "json-valid")}),
    "c.json": ('{"a": 1, // no\n "b": 2}\n', {(1, "json-valid")}),
    "tsconfig.json": ('{"a": 1, // fine here\n "b": 2,}\n', set()),
    "a.toml": ("a = 1\na = 2\n", {(2, "toml-valid")}),
    ".env": ("A=1\nB = 2\nA=3\nnothing\nC='x\n", {(2, "env-spaces"), (3, "no-dupe-keys"), (4, "env-valid"), (5, "env-quotes")}),
    "a.xml": ("<a>\n<b>\n</a>\n", {(3, "xml-valid")}),
    "a.ini": ("[a]\nx = 1\nX = 2\n[b]\nx = 1\n[a]\ny = 1\n", {(3, "no-dupe-keys"), (6, "no-dupe-sections")}),
    "a.vue": ("<template><b>{{ x }}</b></template>\n<script>\nconst x = 1;\ndebugger;\n</script>\n", {(4, "no-debugger")}),
    "a.ts": ("import { A, B } from './a';\nexport const x: A = 1;\n// @ts-ignore\nx();\n", {
        (1, "no-unused-imports"), (3, "ban-ts-comment"),
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_known_defects_are_found_and_nothing_else(run: Run, name: str) -> None:
    text, expected = CASES[name]
    assert told(checked(run("lint", given(name, text)))) == expected


def test_python_goes_through_ruff(run: Run) -> None:
    result = checked(run("lint", given("a.py", PYTHON)))
    assert result.facts["tool"] == {"a.py": "ruff"}
    assert {(1, "F401"), (4, "B006"), (7, "E722"), (7, "S110"), (9, "T100"), (10, "F821"), (11, "unreachable")} <= told(
        result
    )
    assert result.outcome["severity"] == "high"
    assert [each.line for each in result.findings if each.severity == "high"] == [10]
    assert "| `F401` | low | ruff | 1 |" in result.text


def test_python_without_ruff_still_has_rules(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "program", lambda tools: None)
    result = checked(run("lint", given("a.py", PYTHON)))
    assert result.facts["tool"] == {"a.py": "built-in rules"}
    assert told(result) == {(1, "F401"), (4, "B006"), (7, "E722"), (7, "S110"), (9, "T100"), (11, "unreachable")}
    assert run("lint", given("a.ipynb", "{}")).outcome["status"] == "partial"


def test_the_rules_without_ruff() -> None:
    text = 'x = {"a": 1, "a": 2}\nassert (x, "why")\nif x is "a":\n    pass\n'
    assert {(each.line, each.rule) for each in fallback.remarks(text)} == {(1, "F601"), (2, "F631"), (3, "F632")}
    assert [each.rule for each in fallback.remarks("def f(:\n")] == ["invalid-syntax"]
    assert fallback.remarks("def f():\n    return\n    yield\n") == []
    assert fallback.remarks("(" * 100_000)[0].rule == "invalid-syntax"


def test_notebooks_go_through_ruff(run: Run) -> None:
    cell = {
        "cell_type": "code",
        "source": ["import os\n"],
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "id": "a",
    }
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    result = run("lint", given("a.ipynb", json.dumps(notebook)))
    assert [each.tag for each in result.findings] == ["unused"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "import os\n\nprint(os.name)\n"),
        ("a.py", "import os  # noqa: F401\n"),
        ("a.js", "import { x } from './x';\nexport { x };\n"),
        ("a.js", "var shared = 1;\n"[4:]),
        ("a.js", "function handler() { return 1; }\n"),
        ("a.jsx", "import React from 'react';\nexport const A = () => <b />;\n"),
        ("a.js", "switch (a) {\n case 1:\n case 2: f();\n // falls through\n case 3: g();\n}\n"),
        (
            "a.js",
            "for (;;) { if (a) { break; } f(); }\nfunction f() { return g(); function g() { return 1; } }\nf();\n",
        ),
        (
            "a.sh",
            '#!/bin/bash\nset -e\ncd "$1"\nif [[ $a = b ]]; then echo "$a"; fi\ncount=$(wc -l < x)\necho "$count"\n',
        ),
        ("a.go", 'package a\n\nimport "gopkg.in/yaml.v3"\n\nfunc f() { yaml.Unmarshal(nil, nil) }\n'),
        ("a.java", "import java.util.List;\n/** See {@link List}. */\nclass A { int f() { return 1; } }\n"),
        ("a.yaml", "a: {{ .Values.x }}\nb: [\n"),
        ("a.yaml", "a: &x {k: 1}\nb: *x\n---\na: 2\n"),
        ("a.css", "a { color: red; }\n@media print { a { color: blue; } }\n"),
        ("a.toml", "[a]\nx = 1\n"),
        ("a.xml", '<?xml version="1.0" encoding="ISO-8859-1"?>\n<a>\xe4</a>\n'),
    ],
)
def test_sound_content_has_no_remarks(run: Run, name: str, text: str) -> None:
    result = checked(run("lint", given(name, text)))
    assert told(result) == set()
    assert result.outcome["severity"] == "none"


def test_what_does_not_parse_is_said_to(run: Run) -> None:
    for name, text in (("a.py", "def f(:\n    pass\n"), ("a.js", "function ( { \n"), ("A.java", "class { int }\n")):
        result = checked(run("lint", given(name, text)))
        assert result.outcome["severity"] == "high"
        assert "unparsable" in result.outcome["tags"]  # type: ignore[operator]


def test_an_unfinished_merge_is_seen(run: Run) -> None:
    text = "a = 1;\n<<<<<<< HEAD\nb = 2;\n=======\nb = 3;\n>>>>>>> other\n"
    assert told(run("lint", given("a.js", text))) == {(2, "merge-conflict"), (6, "merge-conflict")}


def test_one_rule_does_not_drown_the_others(run: Run) -> None:
    result = run("lint", given("a.js", "if (a == 1) f();\n" * 100 + "debugger;\n"))
    assert len([each for each in result.findings if "eqeqeq" in each.message]) == 12
    assert result.facts["rules"] == {"eqeqeq": 100, "no-debugger": 1}
    assert result.outcome["count"] == "many"


def test_a_secret_in_a_line_is_not_shown(run: Run) -> None:
    token = "ghp_" + "Zq3Xv7Lw9Tn2Rk5Yb8Hd4Mf6Js1Pc0" + "aBcDeF"
    result = run("lint", given("a.js", f'console.log("{token}");\n'))
    assert result.findings
    assert token not in result.text + "".join(each.evidence for each in result.findings)


def test_what_has_no_rules_is_said_to_be_unread(run: Run) -> None:
    result = checked(run("lint", given("a.hs", "main = print 1\n"), given("a.js", "debugger;\n")))
    assert result.outcome["status"] == "partial"
    assert result.facts["tool"] == {"a.hs": "none", "a.js": "built-in rules"}


def test_entities_are_not_expanded(run: Run) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>\n<a>&b;</a>\n'
    assert told(run("lint", given("a.xml", bomb))) == {(1, "xml-entities")}
