"""Hostile data, SQL and migrations: bounded time, no crash, a clear word."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from capability_inputs import Run, given
from data_inputs import checked

SECONDS = 20.0
"""Far above what any of these takes, far below what a quadratic walk would take."""
ALL = (
    "profile_data",
    "check_data_quality",
    "validate_schema",
    "detect_drift",
    "compare_metrics",
    "review_queries",
    "review_migrations",
)
BOMBS: dict[str, tuple[str, Callable[[], str]]] = {
    "open_quote": ("a.csv", lambda: 'a,"' + "x,\n" * 400_000),
    "wide_row": ("a.csv", lambda: "a," * 400_000),
    "one_line": ("a.csv", lambda: "x" * 3_000_000),
    "deep_list": ("a.json", lambda: "[" * 100_000),
    "deep_object": ("a.json", lambda: '{"a":' * 50_000),
    "deep_settings": ("a.yaml", lambda: "".join(" " * n + "a:\n" for n in range(400))),
    "brackets": ("001_a.sql", lambda: "select " + "(" * 50_000),
    "quotes": ("001_a.sql", lambda: "'" * 100_001),
    "nothing": ("001_a.sql", lambda: ";" * 200_000),
    "dollars": ("001_a.sql", lambda: "$$" * 100_001 + "$a$"),
    "cases": ("001_a.sql", lambda: "case " * 100_000),
    "comments": ("001_a.sql", lambda: "/*" * 100_000),
    "copies": ("001_a.sql", lambda: "copy a from stdin;\n" * 10_000),
    "alters": ("001_a.sql", lambda: "alter table a add column b int;" * 3000),
    "upgrades": ("a.py", lambda: "def upgrade():\n" + "    op.execute('DELETE FROM x')\n" * 4000),
    "loops": ("a.js", lambda: "for(x){" * 20_000 + "db.query('select a from b')"),
    "tables": (
        "a.js",
        lambda: "exports.up = function(knex){" + "knex.schema.table('a', t => { t.dropColumn('b') });" * 2000,
    ),
    "pairs": ("a.log", lambda: "loss=1 " * 200_000),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_end_in_time(run: Run, name: str) -> None:
    path, make = BOMBS[name]
    bomb = given(path, make())
    for capability in ALL:
        inputs = (bomb, given("b.csv", "id,a\n1,2\n")) if capability == "detect_drift" else (bomb,)
        started = time.process_time()
        result = checked(capability, run(capability, *inputs))
        assert result.outcome["status"] in ("done", "partial", "failed")
        assert time.process_time() - started < SECONDS, capability


@pytest.mark.parametrize(
    "path", ["a.csv", "a.json", "a.jsonl", "a.sql", "a.py", "a.rb", "a.php", "a.db", "a.parquet", "a"]
)
@pytest.mark.parametrize(
    "data", [b"", b"\0" * 5000, bytes(range(256)) * 40, b"\xff\xfe" + b"a\0" * 50, b"\xc3\x28" * 99]
)
def test_junk_is_no_reason_to_crash(run: Run, path: str, data: bytes) -> None:
    junk = given(path, data)
    for capability in ALL:
        inputs = (junk, junk) if capability == "detect_drift" else (junk,)
        assert checked(capability, run(capability, *inputs)).outcome["status"] in ("done", "partial", "failed")


def test_content_cannot_act_as_markdown(run: Run) -> None:
    result = run("profile_data", given("a.csv", "[x](http://evil.example),<b>\n1,`a`\n2,|b|\n3,c\n"))
    assert "[x](http" not in result.text
    assert "<b>" not in result.text
