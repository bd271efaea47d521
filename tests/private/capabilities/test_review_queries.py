"""Queries whose weaknesses are known; one rule at a time is in `rules/queries.toml`."""

from __future__ import annotations

from capability_inputs import Run, given

from plantwin.private.formats.sql import statements
from tables import cases


def test_statements_with_their_lines() -> None:
    text = (
        "-- x\nSELECT ';' ;\nDELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END//\nDELIMITER ;\n"
        "SELECT $$a;b$$;\nGO\nSELECT 3"
    )
    assert [(statement.line, statement.text[:12]) for statement in statements(text)] == [
        (2, "SELECT ';'"),
        (4, "CREATE PROCE"),
        (6, "SELECT $$a;b"),
        (8, "SELECT 3"),
    ]
    assert [statement.line for statement in statements(text, 2)] == [2, 4]


@cases("name", "text", "least")
def test_what_is_no_weakness_of_a_query(run: Run, name: str, text: str, least: str) -> None:
    order = ["low", "medium", "high", "critical"]
    found = run("review_queries", given(name, text)).findings
    assert [one for one in found if order.index(one.severity) >= order.index(least)] == []


@cases("name", "text", "rule")
def test_what_is_one_is_still_found(run: Run, name: str, text: str, rule: str) -> None:
    found = run("review_queries", given(name, text)).findings
    assert rule in {one.rule for one in found if one.severity != "low"}
    assert not [one for one in found if "filled_in" in one.message]
