"""The tree over what was told: every look-up is checked against its root, which stands in the mark.

Rows lie in buckets; a leaf holds the sum of the keyed hashes of its bucket's rows, and every node is under a MAC that
its parent holds. A row that is missing, changed or added, an old copy of a part, or an index that leads elsewhere
changes a sum, and whoever looks it up is refused. Opening reads none of it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection, Mapping, Sequence, Set
from functools import cache
from typing import Any, Final

from plantwin.boundary.ledger.chain import SIZE, SUM, Chain
from plantwin.errors import LedgerError
from plantwin.types.ledger import Row, Rows

WIDTH: Final = 180
"""Children of a node. Every commit writes a page for each level, so there are two: a node fills most of a page."""
FIRST: Final = 1 + WIDTH
"""The root is node 0, its children are nodes 1 to WIDTH, and the buckets below those are numbered on from here."""
CHANGED: Final = "the ledger was changed or is damaged: restore it with its anchor from a backup"
MOST: Final = 500
"""Values named in one query."""
REMEMBERED: Final = 4096
"""Buckets whose rows are kept in memory."""
NEVER_WRITTEN: Final = (TypeError, AttributeError, LookupError, ValueError, struct.error)
"""What a value of a kind that was never written leads to."""


NumberedRow = tuple[int, Row]
"""A row with its number."""
Counts = Mapping[str, Mapping[str, Mapping[int, int]]]
"""Of each audience and event how many, by the minute."""


def bucket_of(key: bytes) -> int:
    """Where rows of a key lie. Keys are digests under a secret: nobody can aim at one bucket."""
    return zlib.crc32(key) % WIDTH**2


class NotInMemoryError(Exception):
    """Something has to be read from the database."""


class InMemory:
    """No database: only what was read and checked before can be looked up."""

    def all(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Nothing is read."""
        raise NotInMemoryError

    def many(self, query: str, values: Sequence[tuple[object, ...]]) -> None:
        """Nothing is written."""
        raise NotInMemoryError


class Tree:
    """The part of the tree that has been read. It is kept between transactions: as long as the root is the same,
    so is everything below it, and as long as a bucket's sum is the same, so are its rows.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._nodes: dict[int, bytes] = {}
        self._told: dict[int, tuple[int, list[NumberedRow]]] = {}
        self.counted: tuple[bytes, bytes, Counts] = (b"", bytes(SIZE), {})
        """Counted events that were checked: as they are kept, their MAC, and what they say."""
        self.root = b""

    def begin(self, rows: Rows, root: bytes) -> None:
        """Start from a root that was checked."""
        self._rows = rows
        self._new: dict[int, bytes] = {}
        if root != self.root:
            self._nodes.clear()
            self.root = root

    def sums(self, buckets: Collection[int]) -> dict[int, int]:
        """What the rows of each bucket must add up to."""
        self.load({(FIRST + bucket - 1) // WIDTH for bucket in buckets})
        return {bucket: int.from_bytes(self.entry(FIRST + bucket)) for bucket in buckets}

    def told(self, buckets: Collection[int]) -> list[list[NumberedRow]]:
        """The rows of each bucket, checked against what they must add up to."""
        sums, told = self.sums(buckets), self._told
        if len(told) > REMEMBERED:
            told.clear()
        # A bucket that adds up to nothing holds no row that counts: there is nothing to look up.
        filled = {bucket: total for bucket, total in sums.items() if total}
        changed = {bucket: total for bucket, total in filled.items() if bucket not in told or told[bucket][0] != total}
        if changed:
            self._look_up(changed)
        return [told[bucket][1] for bucket in filled]

    def _look_up(self, sums: Mapping[int, int]) -> None:
        found: dict[int, list[NumberedRow]] = {bucket: [] for bucket in sums}
        left, order = dict(sums), sorted(sums)
        try:
            for start in range(0, len(order), MOST):
                some = order[start : start + MOST]
                for bucket, number, line, *values in self._rows.all(_query(len(some)), some):
                    row = Row._make(values)
                    left[bucket] -= self._chain.weight(line, row)
                    found[bucket].append((number, row))
        except NEVER_WRITTEN:
            raise LedgerError(CHANGED) from None
        if any(total % SUM for total in left.values()):
            raise LedgerError(CHANGED)
        self._told |= {bucket: (total, found[bucket]) for bucket, total in sums.items()}

    def add(self, bucket: int, weight: int) -> None:
        """Add a row to a bucket that was looked up."""
        total = int.from_bytes(self.entry(FIRST + bucket)) + weight
        self._set(FIRST + bucket, (total % SUM).to_bytes(SIZE))

    def finish(self) -> dict[int, bytes]:
        """The nodes that changed, to be written. Should the commit fail, the next transaction finds another root."""
        for number in sorted(self._new):
            self._set(number, self._chain.node(number, self._new[number]))
        if self._new:
            self.root = self._chain.node(0, self._new[0])
            self._nodes |= self._new
        return self._new

    def load(self, numbers: Set[int]) -> None:
        """Read these nodes and the root, each checked against its parent."""
        if numbers <= self._nodes.keys():
            return
        order = sorted({0, *numbers} - self._nodes.keys())
        kept: dict[int, bytes] = {}
        for start in range(0, len(order), MOST):
            some = order[start : start + MOST]
            kept |= self._rows.all(_nodes(len(some)), some)
        for number in order:  # the root comes before its children
            value = kept.get(number)
            expected = self.entry(number) if number else self.root
            if value is None:
                value, found = bytes(WIDTH * SIZE), bytes(SIZE)
            else:
                found = self._chain.node(number, value) if type(value) is bytes else b""
            if found != expected:
                raise LedgerError(CHANGED)
            self._nodes[number] = value

    def entry(self, number: int) -> bytes:
        """What a loaded parent says of a node or bucket."""
        parent, place = divmod(number - 1, WIDTH)
        return (self._new.get(parent) or self._nodes[parent])[place * SIZE : (place + 1) * SIZE]

    def _set(self, number: int, entry: bytes) -> None:
        parent, place = divmod(number - 1, WIDTH)
        value = self._new.get(parent) or self._nodes[parent]
        self._new[parent] = value[: place * SIZE] + entry + value[(place + 1) * SIZE :]


_WRITE: Final = (
    "INSERT INTO nodes (number, value) VALUES (?, ?) ON CONFLICT (number) DO UPDATE SET value = excluded.value"
)


def write(rows: Rows, nodes: Mapping[int, bytes]) -> None:
    """Write nodes, by their numbers."""
    rows.many(_WRITE, sorted(nodes.items()))


@cache
def _nodes(count: int) -> str:
    return f"SELECT number, value FROM nodes WHERE number IN ({', '.join('?' * count)})"  # noqa: S608


@cache
def _query(buckets: int) -> str:
    columns, marks = "bucket, number, line, key, audience, unit, cost, at", ", ".join("?" * buckets)
    return f"SELECT {columns} FROM told WHERE bucket IN ({marks})"  # noqa: S608
