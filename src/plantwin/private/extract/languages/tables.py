"""Which tables a query reads and writes, from SQL text wherever it stands."""

from __future__ import annotations

import re

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of

_name = rb"""[\w.$"`\[\]]{1,160}+"""
_tables = expressions.compile(
    rb"\bFROM\s++(?P<from>"
    + _name
    + rb"(?:(?:\s++AS)?+\s++(?!(?:WHERE|JOIN|LEFT|RIGHT|INNER|OUTER|FULL|CROSS|ON|GROUP|ORDER"
    rb"|LIMIT|UNION|HAVING|NATURAL|WINDOW|FOR|SET|USING|LATERAL|EXCEPT|INTERSECT"
    rb"|RETURNING)\b)\w++)?+\s*+,\s*+)?+(?P<reads>" + _name + rb")(?!\s*+\()"
    rb"|\bJOIN\s++(?:LATERAL\s++)?+(?P<joins>" + _name + rb")(?!\s*+\()"
    rb"|\b(?:INSERT\s++(?:OR\s++\w++\s++|IGNORE\s++|OVERWRITE\s++)?+(?:INTO\s++)?+(?:TABLE\s++)?+"
    rb"|MERGE\s++INTO\s++|REPLACE\s++INTO\s++"
    rb"|TRUNCATE\s++(?:TABLE\s++)?+|DELETE\s++FROM\s++|COPY\s++|ALTER\s++TABLE\s++(?:IF\s++EXISTS\s++)?+(?:ONLY\s++)?+"
    rb"|DROP\s++TABLE\s++(?:IF\s++EXISTS\s++)?+)(?P<writes>" + _name + rb")"
    rb"|\bUPDATE\s++(?:ONLY\s++)?+(?P<updates>" + _name + rb")(?=\s++(?:AS\s++\w++\s++|(?!SET\b)\w++\s++)?SET\b)"
    rb"|\bREFERENCES\s++(?P<refers>" + _name + rb")"
    rb"|\bCREATE\s++(?:OR\s++REPLACE\s++)?+(?:GLOBAL\s++|LOCAL\s++)?+(?:TEMP(?:ORARY)?+\s++|UNLOGGED\s++"
    rb"|EXTERNAL\s++|TRANSIENT\s++)?+"
    rb"(?:MATERIALIZED\s++)?+(?:TABLE|VIEW)\s++(?:IF\s++NOT\s++EXISTS\s++)?+(?P<creates>" + _name + rb")",
    re.IGNORECASE,
)
_common = expressions.compile(
    rb"(?:\bWITH\s++(?:RECURSIVE\s++)?+|,\s*+)(\w{1,100})\s++AS\s++(?:NOT\s++)?+(?:MATERIALIZED\s++)?+\(", re.IGNORECASE
)
_from_inside = expressions.compile(
    rb"\b(?:EXTRACT|TRIM|SUBSTRING|OVERLAY|POSITION)\s*+\([^()]{0,200}+\)", re.IGNORECASE
)
_not_tables = frozenset(b"select values set dual lateral unnest where the a table only with".split())
_quotes = bytes.maketrans(b"", b"")


def clean(name: bytes) -> str:
    """A table's name without its quotes."""
    return text_of(name.translate(_quotes, b"\"`[]'")).strip(".;$")


def read_query(draft: Draft, sql: bytes) -> None:
    """Refer to the tables of a query that stands in a string of code."""
    read_tables(draft, sql, provide=False)


def read_tables(draft: Draft, sql: bytes, *, provide: bool) -> None:
    """Refer to the tables that are read, written or referred to; those that are created are provided on request."""
    if b"(" in sql:
        sql = _from_inside.sub(b"", sql)
    local = {name.lower() for name in _common.findall(sql)} if b"AS" in sql or b"as" in sql else set()
    made: list[str] = []
    for match in _tables.finditer(sql):
        kind = match.lastgroup or ""
        found = [match[kind]]
        if kind == "reads" and match["from"]:
            found.insert(0, match["from"].split(None, 1)[0].rstrip(b","))
        for raw in found:
            name = clean(raw)
            lowered = name.lower().encode()
            if not name or lowered in _not_tables or lowered in local or name[0].isdigit():
                continue
            if kind == "creates":
                made.append(name)
                if provide:
                    draft.provide("table", name)
                    draft.name(name)
            elif name not in made:
                reason = "writes" if kind in ("writes", "updates") else "reads"
                draft.refer("table", name, reason)
