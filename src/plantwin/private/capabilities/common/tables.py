"""Tables: columns, rows and what the cells look like."""

from __future__ import annotations

import csv
import io
import re
from typing import NamedTuple

from plantwin.private.capabilities.common.source import Source

FORMATS = frozenset(("csv", "tsv", "jsonl", "sqlite"))
SAMPLED = 5000
"""Rows whose cells are looked at."""
_NUMBER = re.compile(r"[-+]?\d[\d_,]{0,20}(?:\.\d{0,20})?(?:[eE][-+]?\d{1,3})?%?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


class Column(NamedTuple):
    """One column."""

    name: str
    type: str
    missing: int


class Sheet(NamedTuple):
    """One table."""

    name: str
    columns: list[Column]
    rows: int
    exact: bool

    def __repr__(self) -> str:
        return "<Sheet private>"


def sheets(each: Source) -> list[Sheet]:
    """The tables of an object."""
    if each.format == "sqlite" or each.input.part:
        from plantwin.private.capabilities.common.database import declared
        from plantwin.private.observe.tables import COUNTED

        return [
            Sheet(
                table.name,
                [Column(name, type_.lower() or "any", 0) for name, type_ in table.columns],
                min(table.rows, COUNTED),
                table.rows <= COUNTED,
            )
            for table in declared(each.input)
        ]
    if each.format == "jsonl":
        return [_records(each)]
    return [_separated(each)]


def _separated(each: Source) -> Sheet:
    from plantwin.private.extract.formats.tables import delimiter, is_header

    lines = [line for line in each.text.split("\n") if line.strip()]
    mark = delimiter(lines[:50]) if each.format == "csv" else "\t"
    csv.field_size_limit(1 << 20)
    try:
        rows = list(csv.reader(io.StringIO("\n".join(lines[: SAMPLED + 1])), delimiter=mark or ","))
        total = sum(1 for _ in csv.reader(io.StringIO(each.text), delimiter=mark or ",") if _)
    except (csv.Error, ValueError):
        rows, total = [line.split(mark or ",") for line in lines[: SAMPLED + 1]], len(lines)
    if not rows:
        return Sheet(each.label, [], 0, not each.truncated)
    headed = is_header(rows[:50])
    names = rows[0] if headed else [f"column {number}" for number in range(1, len(rows[0]) + 1)]
    body = rows[1:] if headed else rows
    columns = [_column(name, [row[at] if at < len(row) else "" for row in body]) for at, name in enumerate(names[:500])]
    return Sheet(each.label, columns, total - headed, not each.truncated)


def _records(each: Source) -> Sheet:
    import msgspec

    lines = [line for line in each.text.split("\n") if line.strip()]
    cells: dict[str, list[str]] = {}
    for line in lines[:SAMPLED]:
        try:
            record = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError, ValueError):
            continue
        if isinstance(record, dict):
            for key, value in list(record.items())[:500]:
                if len(cells) < 500 or key in cells:
                    cells.setdefault(key, []).append("" if value is None else str(value)[:100])
    columns = [_column(name, values) for name, values in cells.items()]
    return Sheet(each.label, columns, len(lines), not each.truncated)


def _column(name: str, values: list[str]) -> Column:
    filled = [value.strip() for value in values if value.strip()]
    if not filled:
        kind = "empty"
    elif all(_NUMBER.fullmatch(value[:60]) for value in filled):
        kind = "number"
    elif all(_DATE.fullmatch(value[:60]) for value in filled):
        kind = "date"
    elif {value.lower() for value in filled} <= {"true", "false", "yes", "no", "0", "1"}:
        kind = "boolean"
    else:
        kind = "text"
    return Column(name.strip()[:100], kind, len(values) - len(filled))
