"""Outlines of SQL, dbt, HCL, HTML, templates and style sheets."""

from __future__ import annotations

import pytest

from plantwin.private.classify.languages import outline_code
from plantwin.private.facts import Outline


def references(outline: Outline) -> list[tuple[str, str, str]]:
    return [tuple(each) for each in outline.references]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (b"SELECT 1 FROM users u, orders WHERE x", [("users", "reads"), ("orders", "reads")]),
        (b"select * from `p.d.t` left join [dbo].[u] on 1", [("p.d.t", "reads"), ("dbo.u", "reads")]),
        (b"select * from generate_series(1, 2)", []),
        (b"insert into t select * from s", [("t", "writes"), ("s", "reads")]),
        (b"merge into t using s on 1", [("t", "writes")]),
        (b"create table t as select * from s; select * from t", [("s", "reads")]),
    ],
)
def test_tables(query: bytes, expected: list[tuple[str, str]]) -> None:
    outline = outline_code("sql", query, "q.sql")
    assert [(each.target, each.reason) for each in outline.references] == expected


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (b"<p>{{> shared/card }}</p>", "shared/card"),
        (b"<p><%= render 'shared/nav' %></p>", "shared/nav"),
        (b"@extends('layouts.app')\n@if (x)\n<p>{{ $x }}</p>\n@endif\n", "layouts/app.blade.php"),
    ],
)
def test_template_parents(source: bytes, target: str) -> None:
    assert references(outline_code("html", source, "x.html")) == [("path", target, "renders")]
