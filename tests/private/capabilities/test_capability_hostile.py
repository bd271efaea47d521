"""Hostile content: bounded time, no crash, and a word where not all could be examined."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from capability_inputs import Run, given

SECONDS = 20.0
"""Far above what any of these takes, far below what a quadratic walk would take."""
BOMBS: dict[str, tuple[str, Callable[[], str]]] = {
    "brackets": ("a.py", lambda: "(" * 200_000),
    "sums": ("a.py", lambda: "x = " + "1+" * 50_000 + "1\n"),
    "nested_queries": ("a.py", lambda: "x = " + "'select a from ' + (y % (" * 40 + "z" + "))" * 40 + "\n"),
    "nested_formats": ("a.py", lambda: "x = " + "f('{}'.format(" * 60 + "y" + "))" * 60 + "\n"),
    "chains": ("a.py", lambda: "x = a" + ".b()" * 3000 + "\n"),
    "many_functions": ("a.py", lambda: "def f(request, x):\n    return open(x)\n" * 4000),
    "script_assignments": ("a.js", lambda: "let a = b + '" + "x" * 50 + "' + c;\n" * 30_000),
    "script_calls": ("a.js", lambda: "db.query(`select ${" * 20_000),
    "script_line": ("a.js", lambda: "eval(" * 200_000),
    "quotes": ("a.php", lambda: "<?php\n$a = '" + "\\'" * 300_000),
    "go_braces": ("a.go", lambda: "func f() {" * 60_000),
    "java_equals": ("A.java", lambda: "a=b+=c=" * 100_000),
    "shell_pipes": ("a.sh", lambda: "curl " * 200_000),
    "sql_grants": ("a.sql", lambda: "grant a " * 100_000),
    "yaml_deep": ("a.yaml", lambda: "".join(" " * n + "a:\n" for n in range(900))),
    "yaml_alias": ("a.yaml", lambda: "a: &a [x,x]\n" + "".join(f"b{n}: &b{n} [*{'a' if n == 0 else f'b{n - 1}'},*{'a' if n == 0 else f'b{n - 1}'}]\n" for n in range(40))),
    "json_deep": ("a.json", lambda: "[" * 100_000),
    "json_wide": ("a.json", lambda: "{" + ",".join(f'"k{n}": {n}' for n in range(60_000)) + "}"),
    "toml_open": ("a.toml", lambda: "a = '''" + "x" * 500_000),
    "terraform": ("a.tf", lambda: 'resource "a" "b" {\n' * 20_000),
    "dockerfile": ("Dockerfile", lambda: "RUN a \\\n" * 100_000),
    "markdown": ("a.md", lambda: "word " * 200_000),
    "headings": ("a.md", lambda: "# a\n" * 100_000),
    "html": ("a.html", lambda: "<script>" * 50_000),
    "log": ("a.log", lambda: "2024-01-01 00:00:00 INFO " + "a1" * 200_000),
    "csv": ("a.csv", lambda: 'a,"' + "x,\n" * 200_000),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_end_in_time(run: Run, name: str) -> None:
    path, make = BOMBS[name]
    bomb = given(path, make())
    started = time.process_time()
    for capability in ("security_audit", "summarize"):
        assert run(capability, bomb).outcome["status"] in ("done", "partial")
    assert run("compare", bomb, given(path, "x = 1\n")).outcome["status"] in ("done", "partial")
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.yaml", "a.csv", "a.md", "a.log", "a", "a.db", "Dockerfile"])
@pytest.mark.parametrize(
    "data", [b"", b"\0" * 5000, bytes(range(256)) * 40, b"\xff\xfe" + b"a\0" * 50, b"\xc3\x28" * 99]
)
def test_junk_is_no_reason_to_crash(run: Run, path: str, data: bytes) -> None:
    junk = given(path, data)
    for capability in ("security_audit", "secret_scan", "summarize"):
        assert run(capability, junk).outcome["status"] in ("done", "partial")
    assert run("compare", junk, given(path, b"x\n")).outcome["status"] in ("done", "partial")


def test_content_cannot_act_as_markdown(run: Run) -> None:
    result = run(
        "summarize",
        given("a.md", "# [click](http://evil.example) <b>\n\nSome `text` that is long enough to be a sentence.\n"),
    )
    assert "[click](" not in result.text
    assert "<b>" not in result.text


def test_what_is_too_long_is_said_to_be_cut(run: Run) -> None:
    long = given("a.py", "x = 1\n" * 500_000)
    for capability in ("security_audit", "summarize"):
        outcome = run(capability, long).outcome
        assert outcome["status"] == "partial"
        assert "truncated" in outcome["tags"]  # type: ignore[operator]
    outcome = run("compare", long, given("b.py", "x = 2\n")).outcome
    assert (outcome["status"], "truncated" in outcome["tags"]) == ("partial", True)  # type: ignore[operator]


def test_nothing_private_shows_in_a_representation(run: Run) -> None:
    result = run("security_audit", given("a.py", "token = 1\n"))
    assert repr(result) == "<Result private>"
