"""A table whatever it is stored in: named columns, and rows in batches that can be read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from plantwin.private.capabilities.data.cells import Cell

READ = 64 << 20
"""Bytes of one input that are examined."""
MOST_COLUMNS = 400
MOST_TABLES = 24
BATCH = 10_000
"""Rows that are looked at together."""


class Batch(NamedTuple):
    """Some rows, by column; `lines` says where each stands (the row's number, where there are no lines)."""

    lines: Sequence[int]
    columns: Sequence[Sequence[Cell]]

    def __repr__(self) -> str:
        return "<Batch private>"


class Flaw(NamedTuple):
    """Something wrong with the way in which a table is stored."""

    line: int
    message: str
    hint: str = ""
    severity: str = "medium"

    def __repr__(self) -> str:
        return "<Flaw private>"


@dataclass(frozen=True)
class Reference:
    """A column whose values stand in a column of another table."""

    column: str
    table: str
    target: str


@dataclass
class Table:
    """One table. What is only known after reading (`flaws`, `truncated`) is filled by the first reading."""

    label: str
    name: str
    columns: list[str]
    read: Callable[[Table], Iterator[Batch]]
    storage: str = ""
    """For the person: format, delimiter, encoding."""
    lined: bool = True
    """Whether rows have lines in the file."""
    truncated: bool = False
    flaws: list[Flaw] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    """Types by column, where the storage declares them."""
    references: list[Reference] = field(default_factory=list)
    keys: list[tuple[str, ...]] = field(default_factory=list)
    """Columns that the storage declares unique."""
    head: bytes = b""
    """The first rows as CSV or JSON lines, for the detector."""
    head_name: str = "head.csv"

    def __repr__(self) -> str:
        return "<Table private>"

    def batches(self) -> Iterator[Batch]:
        """The rows, from the beginning."""
        self.flaws.clear()
        yield from self.read(self)

    def place(self, line: int) -> str:
        """How a row is named in a message."""
        return f"line {line}" if self.lined else f"row {line}"


def unique_names(names: Sequence[str]) -> list[str]:
    """Column names, none empty and none twice."""
    seen: dict[str, int] = {}
    found = []
    for number, raw in enumerate(names[:MOST_COLUMNS], start=1):
        name = " ".join(raw.strip().strip("\ufeff").split())[:100] or f"column {number}"
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
