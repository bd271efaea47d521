"""What a column holds, gathered batch by batch in bounded memory."""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from collections.abc import Sequence
from math import isfinite
from zlib import crc32

from plantwin.private.capabilities.tables.cells import (
    BAD_DATE,
    BOOLEAN,
    DATE,
    EMPTY,
    INTEGER,
    NESTED,
    NUMBER,
    TEXT,
    TIME,
    WORD,
    Cell,
    understood,
)  # fmt: skip
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.facts import Private

VALUES = 1_200_000
"""Different values that are remembered over all columns of a table."""
MOST_VALUES = 100_000
SKETCH = 1024
"""Hashes by which the number of different values is estimated where there are too many to remember."""
NUMBERS = 100_000
"""Numbers of a column that tell its distribution; of more, every second is kept, and so on."""
LONG = 120
DOMINANT = 0.95
"""Share of the values that makes a type the column's, the others being errors."""


class _Sketch:
    """The least hashes of values, which tell how many different ones there are."""

    def __init__(self) -> None:
        self._heap: list[int] = []
        self._held: set[int] = set()

    def add(self, key: Cell) -> None:
        """Take one value."""
        number = crc32((key if isinstance(key, str) else repr(key)).encode("utf-8", "replace"))
        if number in self._held:
            return
        if len(self._heap) < SKETCH:
            heapq.heappush(self._heap, -number)
        elif number < -self._heap[0]:
            self._held.discard(-heapq.heapreplace(self._heap, -number))
        else:
            return
        self._held.add(number)

    @property
    def distinct(self) -> int:
        """How many different values there are, about."""
        return int((SKETCH - 1) * (1 << 32) / max(1, -self._heap[0]))


class Column(Private):
    """One column's values so far."""

    def __init__(self, name: str, room: int = MOST_VALUES) -> None:
        self.name = name
        self.rows = 0
        self.kinds: Counter[str] = Counter()
        self.notes: Counter[str] = Counter()
        self.counts: dict[Cell, int] = {}
        self.exact = True
        self.numbers = array("d")
        self.least = float("inf")
        self.most = float("-inf")
        self.total = 0.0
        self.shortest = 1 << 30
        self.longest = 0
        self.broken = 0
        """Cells with characters that an encoding mistake left behind."""
        self._rising = True
        self._room = room
        self._stride = 1
        self._skip = 0
        self._sketch = _Sketch()

    def add(self, cells: Sequence[Cell]) -> None:
        """Take more values."""
        self.rows += len(cells)
        if bool in set(map(type, cells)):  # True is equal to 1
            cells = [str(cell).lower() if isinstance(cell, bool) else cell for cell in cells]
        seen: Counter[Cell] = Counter(cells)
        self._rising = self._rising and len(seen) == len(cells)
        for cell, times in seen.items():
            number = plain_number(cell) if isinstance(cell, str) else None
            if number is not None:
                self.kinds[INTEGER if number[1] else NUMBER] += times
                self._number(number[0], times)
                self._count(cell, times)
                continue
            value = understood(cell)
            self.kinds[value.kind] += times
            if value.note:
                self.notes[value.note] += times
            if value.kind == EMPTY:
                if isinstance(cell, str) and cell.strip():
                    self.notes["placeholder"] += times
                continue
            if value.kind in (TEXT, NESTED) and isinstance(cell, str):
                self.shortest = min(self.shortest, len(cell))
                self.longest = max(self.longest, len(cell))
                if is_broken(cell):
                    self.broken += times
            elif isfinite(value.number):
                self._number(value.number, times)
            self._count(key_of(cell), times)

    def _number(self, number: float, times: int) -> None:
        if number <= self.most:
            self._rising = False
        else:
            self.most = number
        if number < self.least:
            self.least = number
        self.total += number * times
        self._skip += times
        kept, self._skip = divmod(self._skip, self._stride)
        if kept:
            self.numbers.extend([number] * kept)
            while len(self.numbers) > NUMBERS:
                self.numbers = self.numbers[::2]
                self._stride *= 2

    def _count(self, key: Cell, times: int) -> None:
        if key in self.counts:
            self.counts[key] += times
        elif self.exact and len(self.counts) < self._room:
            self.counts[key] = times
        else:
            if self.exact:
                self.exact = False
                for known in self.counts:
                    self._sketch.add(known)
            self._sketch.add(key)

    def settle(self) -> None:
        """Take words such as `F` and `no` for texts where other words stand beside them, when all cells are known."""
        words = self.notes.pop(WORD, 0)
        if words and self.kinds[TEXT] > self.filled * (1 - DOMINANT):
            self.kinds[BOOLEAN] -= words
            self.kinds[TEXT] += words
            self.kinds = +self.kinds

    @property
    def empty(self) -> int:
        """Cells without a value."""
        return self.kinds[EMPTY]

    @property
    def filled(self) -> int:
        """Cells with a value."""
        return self.rows - self.empty

    @property
    def distinct(self) -> int:
        """Different values; an estimate where not `exact`."""
        if self.exact:
            return len(self.counts)
        return min(self.filled, max(len(self.counts), self._sketch.distinct))

    @property
    def unique(self) -> bool:
        """Whether every row has a value of its own; False where that is not known."""
        if self.rows < 2 or self.empty:
            return False
        return (self.exact and len(self.counts) == self.rows) or (self._rising and self.kinds[INTEGER] == self.rows)

    @property
    def type(self) -> str:
        """The type of nearly all values."""
        if not self.filled:
            return EMPTY
        kinds, need = self.kinds, self.filled * DOMINANT
        dated = kinds[DATE] + kinds[TIME]
        if kinds[BOOLEAN] >= need:
            return BOOLEAN
        if kinds[INTEGER] + kinds[NUMBER] >= need:
            return NUMBER if kinds[NUMBER] else INTEGER
        if dated >= need:
            return TIME if kinds[TIME] * 2 > dated else DATE
        return NESTED if kinds[NESTED] >= need else TEXT

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.type in (INTEGER, NUMBER)

    @property
    def dated(self) -> bool:
        """Whether it holds dates."""
        return self.type in (DATE, TIME)

    @property
    def category(self) -> bool:
        """Whether a few values repeat."""
        return self.type in (TEXT, BOOLEAN) and self.exact and len(self.counts) <= max(2, min(50, self.filled // 4))

    @property
    def bad_dates(self) -> int:
        """Dates that no calendar has."""
        return self.notes[BAD_DATE]

    def quantiles(self, parts: int) -> list[float]:
        """Return the borders of equal shares, the least and the greatest included."""
        if not self.numbers:
            return []
        ordered = sorted(self.numbers)
        last = len(ordered) - 1
        return [self.least, *(ordered[round(last * part / parts)] for part in range(1, parts)), self.most]

    def top(self, most: int) -> list[tuple[Cell, int]]:
        """Return the most frequent values."""
        return heapq.nsmallest(most, self.counts.items(), key=lambda pair: (-pair[1], str(pair[0])))


def plain_number(cell: str) -> tuple[float, bool] | None:
    """Return a number in its plainest writing, and whether it is whole: nearly all are, and this is the quick way."""
    if not cell or cell[0] not in "0123456789-" or len(cell) > 20:
        return None
    if cell.isdecimal():
        return (float(cell), True) if cell.isascii() and (cell[0] != "0" or len(cell) == 1) else None
    whole, dot, part = cell.partition(".")
    if dot and part.isdecimal() and whole.isdecimal() and cell.isascii():
        return float(cell), False
    return None


def key_of(cell: Cell) -> Cell:
    """Return a value as it is remembered: short."""
    if isinstance(cell, str) and len(cell) > LONG:
        return f"{cell[:LONG]}…{crc32(cell.encode('utf-8', 'replace')):08x}"
    return cell


def is_broken(text: str) -> bool:
    """Tell whether a text has replacement characters, or is UTF-8 that was read as another encoding."""
    if "\ufffd" in text:
        return True
    try:
        return "Ã" in text and len(text.encode("cp1252").decode("utf-8")) < len(text)
    except (UnicodeEncodeError, UnicodeDecodeError):
        return False


def gathered(table: Table) -> list[Column]:
    """Return all columns of a table, from one reading."""
    room = min(MOST_VALUES, max(2000, VALUES // max(1, len(table.columns))))
    columns = [Column(name, room) for name in table.columns]
    for batch in table.batches():
        for column, cells in zip(columns, batch.columns, strict=True):
            column.add(cells)
    for column in columns:
        column.settle()
    return columns
