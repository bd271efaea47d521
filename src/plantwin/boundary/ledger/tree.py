"""The tree over what was told: every look-up is checked against its root, which stands in the mark.

Rows lie in buckets; a leaf holds the sum of the keyed hashes of its bucket's rows, and every node is under a MAC that
its parent holds. A row that is missing, changed or added, an old copy of a part, or an index that leads elsewhere
changes a sum, and whoever looks it up is refused. Opening reads none of it.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence, Set
from functools import cache
from typing import Any, Final, Protocol

from plantwin.boundary.ledger.chain import SIZE, SUM, Chain
from plantwin.errors import LedgerError

WIDTH: Final = 32
FIRST: Final = 1 + WIDTH + WIDTH**2
"""Nodes are numbered as in a heap: the children of n from n * WIDTH + 1 on. The buckets come after three levels."""
CHANGED: Final = "the ledger was changed or is damaged: restore it with its anchor from a backup"
MOST: Final = 500
"""Values named in one query."""


class Rows(Protocol):
    """A database inside a transaction. `?` marks a parameter."""

    def all(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """What a query yields."""
        ...

    def many(self, query: str, values: Sequence[tuple[object, ...]]) -> None:
        """A statement for each of these rows."""
        ...


def bucket_of(key: bytes) -> int:
    """Where rows of a key lie. Keys are digests under a secret: nobody can aim at one bucket."""
    return zlib.crc32(key) % WIDTH**3


class Tree:
    """The part of the tree that has been read. It is kept between transactions: as long as the root is the same,
    so is everything below it.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._nodes: dict[int, bytes] = {}
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

    def add(self, bucket: int, weight: int) -> None:
        """Add a row to a bucket that was looked up."""
        total = int.from_bytes(self.entry(FIRST + bucket)) + weight
        self._set(FIRST + bucket, (total % SUM).to_bytes(SIZE))

    def finish(self) -> None:
        """Write the nodes that changed. Should the commit fail, the next transaction finds another root."""
        level = set(self._new)
        while level:
            for number in level:
                self._set(number, self._chain.node(number, self._new[number]))
            level = {(number - 1) // WIDTH for number in level} - {0}
        if self._new:
            self.root = self._chain.node(0, self._new[0])
            self._rows.many(_WRITE, sorted(self._new.items()))
            self._nodes |= self._new

    def load(self, numbers: Set[int]) -> None:
        """Read these nodes and those above them, each checked against its parent."""
        if numbers <= self._nodes.keys():
            return
        parents = {(number - 1) // WIDTH for number in numbers if number}
        order = sorted({0, *numbers, *parents} - self._nodes.keys())
        kept: dict[int, bytes] = {}
        for start in range(0, len(order), MOST):
            some = order[start : start + MOST]
            kept |= self._rows.all(_nodes(len(some)), some)
        for number in order:  # parents come before their children
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


@cache
def _nodes(count: int) -> str:
    return f"SELECT number, value FROM nodes WHERE number IN ({', '.join('?' * count)})"  # noqa: S608
