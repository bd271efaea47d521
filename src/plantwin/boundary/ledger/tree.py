"""The tree over what was told: every look-up is checked against its root, which stands in the mark.

Rows lie in buckets. A leaf holds the MAC of its bucket's rows, each line's chained to those before, and every node is
under a MAC that its parent holds. A row that is missing, changed, added or moved, an old copy of a part, or an index
that leads elsewhere changes a MAC, and whoever looks it up is refused. Opening reads none of it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from plantwin.boundary.ledger.chain import SIZE, Chain, Kept
from plantwin.errors import LedgerError
from plantwin.types.ledger import Rows

WIDTH: Final = 64
"""Children of a node. Every commit writes and hashes a node of each level, so there are two levels of small ones."""
FIRST: Final = 1 + WIDTH
"""The root is node 0, its children are nodes 1 to WIDTH, and the buckets below those are numbered on from here."""
EMPTY: Final = bytes(SIZE)
"""Stands for a bucket or node of which nothing was ever written."""
CHANGED: Final = "the ledger was changed or is damaged: restore it with its anchor from a backup"
MOST: Final = 500
"""Values named in one query."""
REMEMBERED: Final = 1024
"""Buckets whose rows are kept in memory."""

Counts = Mapping[str, Mapping[str, Mapping[int, int]]]
"""Of each audience and event how many, by the minute."""
_NO_ROWS: Final[tuple[bytes, Sequence[Kept]]] = (EMPTY, ())
_line_of: Final = itemgetter(1)


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
    so is everything below it, and as long as a bucket's MAC is the same, so are its rows.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._nodes: dict[int, bytes] = {}
        self._told: dict[int, tuple[bytes, Sequence[Kept]]] = {}
        self.counted: tuple[bytes, bytes, Counts] = (b"", EMPTY, {})
        """Counted events that were checked: as they are kept, their MAC, and what they say."""
        self.root = b""

    def begin(self, rows: Rows, root: bytes) -> None:
        """Start from a root that was checked."""
        self._rows = rows
        self._new: dict[int, bytes] = {}
        if root != self.root:
            self._nodes.clear()
            self.root = root
        if len(self._told) > REMEMBERED:
            self._told.clear()

    def told(self, keys: Iterable[bytes]) -> dict[bytes, list[Kept]]:
        """The rows of each key, oldest first, checked with all of its bucket."""
        buckets = {key: bucket_of(key) for key in keys}
        self.load({1 + bucket // WIDTH for bucket in buckets.values()})
        told, changed = self._told, {}
        for bucket in buckets.values():
            mac = self.entry(FIRST + bucket)
            # Of a bucket that is empty there is nothing to look up: no row in it counts.
            if told.get(bucket, _NO_ROWS)[0] != mac:
                changed[bucket] = mac
        if changed:
            self._look_up(changed)
        return {
            key: [row for row in told[bucket][1] if row[2] == key] for key, bucket in buckets.items() if bucket in told
        }

    def _look_up(self, macs: Mapping[int, bytes]) -> None:
        found: dict[int, list[Kept]] = {}
        for row in self._select(_query, sorted(macs)):
            found.setdefault(row[0], []).append(row)
        for bucket, expected in macs.items():
            rows = found.get(bucket, [])
            mac = EMPTY
            for _, some in groupby(rows, _line_of):
                mac = self._chain.link(mac, list(some))
            if mac != expected:
                raise LedgerError(CHANGED)
            self._told[bucket] = (expected, rows)

    def add(self, bucket: int, rows: Sequence[Kept]) -> None:
        """Add rows of one line to a bucket."""
        self.load({1 + bucket // WIDTH})
        place = FIRST + bucket
        self._set(place, self._chain.link(self.entry(place), rows))

    def finish(self) -> dict[int, bytes]:
        """The nodes that changed, to be written. Should the commit fail, the next transaction finds another root."""
        if self._new:
            for number, value in tuple(self._new.items()):
                self._set(number, self._chain.node(number, value))
            self.root = self._chain.node(0, self._new[0])
            self._nodes |= self._new
        return self._new

    def load(self, numbers: Set[int]) -> None:
        """Read these nodes, each checked against its parent: the root first, which says which of the others exist."""
        if numbers <= self._nodes.keys():
            return
        for some in ({0}, numbers):
            macs = {number: self.entry(number) if number else self.root for number in sorted(some - self._nodes.keys())}
            kept = dict(self._select(_nodes, [number for number, mac in macs.items() if mac != EMPTY]))
            for number, mac in macs.items():
                value = kept.get(number, _NO_NODE)
                if mac != EMPTY and (type(value) is not bytes or self._chain.node(number, value) != mac):
                    raise LedgerError(CHANGED)
                self._nodes[number] = value

    def _select(self, query: Callable[[int], str], numbers: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(numbers), MOST):
            some = numbers[start : start + MOST]
            yield from self._rows.all(query(len(some)), some)

    def entry(self, number: int) -> bytes:
        """What a loaded parent says of a node or bucket."""
        parent, place = divmod(number - 1, WIDTH)
        return (self._new.get(parent) or self._nodes[parent])[place * SIZE : (place + 1) * SIZE]

    def _set(self, number: int, entry: bytes) -> None:
        parent, place = divmod(number - 1, WIDTH)
        value = self._new.get(parent) or self._nodes[parent]
        self._new[parent] = value[: place * SIZE] + entry + value[(place + 1) * SIZE :]


_NO_NODE: Final = bytes(WIDTH * SIZE)
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
    columns, marks = "bucket, line, key, audience, unit, cost, at", ", ".join("?" * buckets)
    return f"SELECT {columns} FROM told WHERE bucket IN ({marks}) ORDER BY bucket, number"  # noqa: S608
