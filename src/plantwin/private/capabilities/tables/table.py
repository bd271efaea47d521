"""A table whatever it is stored in: named columns, and rows in batches that can be read again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.facts import Private, private
from plantwin.vocabulary import Severity

RULES = Rules("data_quality")
READ = 64 << 20
"""Bytes of one input that are examined."""
MOST_COLUMNS = 400
MOST_TABLES = 24
LONGEST_CELL = 4000
BATCH = 10_000
"""Rows that are examined together."""
HEAD = 1 << 18
"""Bytes of a table that tell what its columns mean."""


@private
class Batch(NamedTuple):
    """Some rows, by column; `lines` says where each stands (the row's number, where there are no lines)."""

    lines: Sequence[int]
    columns: Sequence[Sequence[Cell]]


class Reference(NamedTuple):
    """A declared foreign key."""

    column: str
    table: str
    target: str


@dataclass(repr=False)
class Table(Private):
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
    flaws: list[Finding] = field(default_factory=list)
    """What is wrong with the way in which it is stored."""
    declared: dict[str, str] = field(default_factory=dict)
    """Types by column, where the storage declares them."""
    references: list[Reference] = field(default_factory=list)
    keys: list[tuple[str, ...]] = field(default_factory=list)
    """Columns that the storage declares unique."""
    referred: str = ""
    own: int = 0
    """Where another table's columns were put beside them: the column that stands for its rows, and how many are not."""
    head: bytes = b""
    """The first rows as CSV or JSON lines, for the detector."""
    head_name: str = "head.csv"

    def batches(self) -> Iterator[Batch]:
        """Yield the rows from the beginning."""
        self.flaws.clear()
        yield from self.read(self)

    def again(self) -> Iterator[Batch]:
        """Yield the rows once more, with the flaws that the first reading found."""
        flaws = list(self.flaws)
        try:
            yield from self.batches()
        finally:
            self.flaws[:] = flaws

    def flaw(self, rule: str, line: int = 0, *, severity: Severity | None = None, **values: object) -> None:
        """Note a flaw of the storage."""
        self.flaws.append(RULES.found(rule, line if self.lined else 0, severity=severity, **values))

    def place(self, lines: Sequence[int], more: bool = False) -> str:
        """Return how a message names rows."""
        word = ("line" if self.lined else "row") + ("s" if len(lines) > 1 or more else "")
        return f"{word} {', '.join(map(str, lines))}{' …' if more else ''}"


def batched(rows: Iterable[tuple[int, Sequence[Cell]]]) -> Iterator[Batch]:
    """Yield numbered rows of equal width as batches."""
    rows = iter(rows)
    while part := list(islice(rows, BATCH)):
        yield Batch([line for line, _ in part], list(zip(*(cells for _, cells in part), strict=True)))


def csv_head(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return the first rows of a table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(islice(rows, 200))
    return text.getvalue().encode("utf-8", "replace")[:HEAD]


def unique_names(names: Sequence[str]) -> list[str]:
    """Return column names, none empty and none twice."""
    seen: dict[str, int] = {}
    found = []
    for number, raw in enumerate(names[:MOST_COLUMNS], start=1):
        name = " ".join(raw.strip().strip("\ufeff").split())[:100] or f"column {number}"
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
