"""Queries whose weaknesses are known; one rule at a time is in `rules/queries.toml`."""

from __future__ import annotations

from plantwin.private.formats.sql import statements


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
