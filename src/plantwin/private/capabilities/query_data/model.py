"""What is computed over a table: an operation on a column, groups, and filters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from plantwin.private.capabilities.logs.as_table import STORAGE
from plantwin.private.capabilities.query_data.mentions import Item
from plantwin.private.capabilities.tables.cells import DATE, INTEGER, TIME, Cell
from plantwin.private.capabilities.tables.cells import NUMBER as DECIMAL
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.facts import Private, private

MOSTLY = 0.5
"""Share of numbers from which on a column can be added up; what is no number is counted and said."""


@private
class Group(NamedTuple):
    """A column by whose values rows are grouped, or a unit of its time."""

    place: int
    unit: str = ""


@private
class Filter(NamedTuple):
    """What a row must have to count."""

    place: int
    relation: str
    """`is`, `has` (a text), `empty`, `filled`, a comparison, or `from`, `after`, `before`, `until` and `in` of time."""
    cells: frozenset[Cell] = frozenset()
    number: float = 0.0
    text: str = ""
    negated: bool = False


@dataclass(repr=False)
class Query(Private):
    """What is computed."""

    operations: list[str] = field(default_factory=list)
    measures: list[int] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    order: str = ""
    """`most` or `least` first, where an extreme group is asked for."""
    limit: int = 0
    rows: bool = False
    """Whether single rows are asked for, not groups."""
    listed: bool = False
    """Whether the rows that count are asked for themselves: `which customers are from Germany`."""
    shown: list[int] = field(default_factory=list)
    """Columns that are asked of the row with the least or greatest value."""
    problems: list[str] = field(default_factory=list)
    """Why there is no figure."""
    known: int = 0
    """Words that are columns, values or the table."""
    unknown: list[Item] = field(default_factory=list)


def numbers_in(column: Column) -> int:
    """Return how many cells are numbers."""
    return column.kinds[INTEGER] + column.kinds[DECIMAL]


def is_measure(column: Column) -> bool:
    """Return whether a column can be added up."""
    return numbers_in(column) > column.filled * MOSTLY


def is_time(column: Column, table: Table) -> bool:
    """Return whether a column holds dates or times."""
    if table.storage == STORAGE:
        return column.name == "time"
    return column.kinds[DATE] + column.kinds[TIME] > column.filled * MOSTLY
