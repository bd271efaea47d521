"""Complexity: values that were counted by hand, or that other tools and the white paper give."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

from time import thread_time
from typing import Any

import pytest
from capability_inputs import Run, given

from plantwin.private.capabilities.engine.job import Result
from plantwin.private.formats.syntax_tree import tree_of, walk
from tables import value_of

# The two examples of SonarSource's white paper: cognitive 7 and 1, cyclomatic 4 both.
PRIMES = value_of(__file__, "primes")
PYTHON = value_of(__file__, "python")
SCRIPT = value_of(__file__, "script")
GO = value_of(__file__, "go")
RUBY = "def f(a)\n  return 1 if a && b\n  case a\n  when 1 then 2\n  else 3\n  end\nend\n"
RUST = "impl A { fn f(&self, x: i32) -> i32 { if x > 1 && x < 5 { 1 } else { match x { 1 => 2, _ => 3 } } } }\n"
C = "int f(int a, char *b) { for (;;) { if (a || b) { switch (a) { case 1: break; default: break; } } } return a ? 1 : 2; }\n"
SHELL = "f() {\n  if [ a = b ] && [ c = d ]; then\n    for x in 1; do echo; done\n  elif true; then echo; fi\n}\n"
COMPONENT = """
const Dialog = (props: Props) => {
    const save = async () => { if (props.a) { await b(); } };
    return <div onClick={save}>{props.a ? <b/> : <i/>}</div>;
};
"""
VALUES = {
    "A.java": (PRIMES, {"A.sumOfPrimes": (4, 7, 1), "A.getWords": (4, 1, 1)}),
    "a.py": (PYTHON, {"f": (12, 15, 2)}),
    "a.js": (SCRIPT, {"A.m": (3, 3, 3), "g": (4, 3, 1), "f": (2, 2, 1)}),
    "a.tsx": (COMPONENT, {"Dialog": (2, 1, 1), "Dialog.save": (2, 1, 0)}),
    "a.go": (GO, {"Store.Get": (4, 4, 3)}),
    "a.rb": (RUBY, {"f": (4, 3, 1)}),
    "a.rs": (RUST, {"A.f": (4, 5, 1)}),
    "a.c": (C, {"f": (6, 8, 2)}),
    "a.sh": (SHELL, {"f": (5, 5, 0)}),
}
"""By name: cyclomatic, cognitive, parameters."""


def measures(result: Result) -> dict[str, tuple[int, int, int]]:
    """Values of every function that has a name."""
    files: Any = result.facts["files"]
    return {
        each["name"]: (each["cyclomatic"], each["cognitive"], each["parameters"])
        for file in files
        for each in file["measures"]
        if not each["name"].startswith("(")
    }


@pytest.mark.parametrize("name", VALUES)
def test_known_values(run: Run, name: str) -> None:
    text, expected = VALUES[name]
    result = run("measure_complexity", given(name, text))
    assert measures(result) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a && b && c", (3, 1)), ("a && b || c", (3, 2)), ("a || b && c || d", (4, 3)), ("a && !(b && c)", (3, 2))],
)
def test_rows_of_equal_operators_are_read_at_once(run: Run, text: str, expected: tuple[int, int]) -> None:
    result = run("measure_complexity", given("a.js", f"function f() {{ return {text}; }}\n"))
    assert measures(result)["f"][:2] == expected


def test_what_stands_out_is_found(run: Run) -> None:
    deep = "".join(f"{'    ' * n}if a{n}:\n" for n in range(1, 12)) + "    " * 12 + "pass\n"
    text = (
        f"def deep(a):\n{deep}\ndef long():\n"
        + "    x = 1\n" * 250
        + "\ndef many(a, b, c, d, e, f, g, h):\n    pass\n\ndef plain(a):\n    return a\n"
    )
    result = run("measure_complexity", given("a.py", text))
    found = {each.message.partition(":")[0]: (each.severity, each.tag) for each in result.findings}
    assert found == {"deep": ("high", "high_complexity"), "long": ("medium", "oversized"), "many": ("low", "oversized")}
    assert result.outcome["severity"] == "high"
    assert "█" in result.text
    assert "| `a.py:1` | `deep` | 12 | 66 | 13 |" in result.text


def test_code_that_stands_twice_is_found_across_files(run: Run) -> None:
    block = "".join(f"    total = total + price_{n} * amount_{n}\n" for n in range(12))
    one = given("one.py", f"def f():\n    total = 0\n{block}    return total\n")
    other = given("two.py", f"# other\n\ndef g(x):\n    # comment\n    total = 0\n{block}    return x\n")
    result = run("measure_complexity", one, other)
    repeats: Any = result.facts["repeats"]
    assert [
        (each["first"], each["first_line"], each["second"], each["second_line"], each["lines"]) for each in repeats
    ] == [("one.py", 2, "two.py", 5, 13)]
    assert [each.tag for each in result.findings] == ["duplication"]
    assert run("measure_complexity", one).findings == []


def test_maintainability_falls_with_size(run: Run) -> None:
    files: Any = run("measure_complexity", given("a.py", "def f():\n    return 1\n"), given("b.py", PYTHON)).facts[
        "files"
    ]
    assert files[0]["maintainability"] > files[1]["maintainability"] > 20


def test_notebooks_and_pages_are_measured(run: Run) -> None:
    page = given("a.vue", "<template/>\n<script>\nexport default { f(a) { return a ? 1 : 2; } }\n</script>\n")
    assert measures(run("measure_complexity", page)) == {"f": (2, 1, 1)}
    cell = '{"cells": [{"cell_type": "code", "source": ["def f(a):\\n", "    return a or 1\\n"]}], "nbformat": 4}'
    assert measures(run("measure_complexity", given("a.ipynb", cell))) == {"f": (2, 1, 1)}


def test_a_header_is_read_as_the_language_it_is_in(run: Run) -> None:
    text = "namespace a::b {\nclass C : public D { public: int f(int x) { return x ? 1 : 2; } };\n}\n"
    assert measures(run("measure_complexity", given("a.h", text)))["C.f"] == (2, 1, 1)


def test_a_tree_outlives_the_time_of_its_parsing() -> None:
    tree = tree_of("python", b"x = 1\n" * 2000, seconds=0.5)
    assert tree is not None
    busy = thread_time() + 0.6
    while thread_time() < busy:
        pass
    assert sum((node.text or b"") == b"x" for node in walk(tree.root_node)) == 2000


def test_a_text_that_takes_too_long_has_no_tree() -> None:
    assert tree_of("python", b"x = 1\n" * 2000, seconds=-1.0) is None
