"""Tables at a glance: columns, rows and what the cells look like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.facts import private

if TYPE_CHECKING:
    from plantwin.private.capabilities.tables.table import Table

FORMATS = frozenset(("csv", "tsv", "jsonl", "sqlite"))
SAMPLED = 5000
"""Rows whose cells are examined."""
_NUMBER = re.compile(r"[-+]?\d[\d_,]{0,20}(?:\.\d{0,20})?(?:[eE][-+]?\d{1,3})?%?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_BOOLEAN = re.compile(r"true|false|yes|no|0|1", re.IGNORECASE)
_TYPES = {"number": _NUMBER, "date": _DATE, "boolean": _BOOLEAN}


class Column(NamedTuple):
    """One column."""

    name: str
    type: str
    missing: int


@private
class Sheet(NamedTuple):
    """One table."""

    name: str
    columns: list[Column]
    rows: int
    exact: bool


def sheets(source: Source) -> list[Sheet]:
    """Return the tables of an object."""
    if source.format == "sqlite" or source.input.part:
        from plantwin.private.capabilities.tables.database import declared
        from plantwin.private.observe.tables import COUNTED

        found = []
        for table in declared(source.input):
            columns = [Column(name, type_.lower() or "any", 0) for name, type_ in table.columns]
            found.append(Sheet(table.name, columns, min(table.rows, COUNTED), table.rows <= COUNTED))
        return found
    from plantwin.private.capabilities.tables.reader import tables_of

    given = Input(name=source.input.name, data=source.data)
    tables = tables_of(given).tables
    return [_sheet(table, source) for table in tables] or [Sheet(source.label, [], 0, not source.truncated)]


def _sheet(table: Table, source: Source) -> Sheet:
    cells: list[list[str]] = [[] for _ in table.columns]
    rows = 0
    for batch in table.batches():
        rows += len(batch.lines)
        for sample, column in zip(cells, batch.columns, strict=True):
            sample += ["" if cell is None else str(cell)[:100] for cell in column[: SAMPLED - len(sample)]]
    columns = [_column(name, sample) for name, sample in zip(table.columns, cells, strict=True)]
    return Sheet(source.label, columns, rows, not source.truncated and not table.truncated)


def _column(name: str, values: list[str]) -> Column:
    filled = [value.strip()[:60] for value in values if value.strip()]
    fits = (kind for kind, pattern in _TYPES.items() if all(map(pattern.fullmatch, filled)))
    return Column(name, next(fits, "text") if filled else "empty", len(values) - len(filled))
