"""The tables of a ledger, and a transaction in them: one that reads, one that writes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Generic, TypeVar

import msgspec

from plantwin.boundary.ledger.chain import ORIGIN, SIZE, SUM, Chain, Mark, Row, pack
from plantwin.boundary.ledger.interface import Entry, Receipt
from plantwin.boundary.ledger.tree import CHANGED, MOST, Rows, Tree, bucket_of
from plantwin.boundary.limits import HOUR
from plantwin.errors import LedgerError

T = TypeVar("T")

FORMAT: Final = b"2"
NOT_OURS: Final = "not a ledger of this version of plantwin: name another place for the ledger, or restore it"
OTHER_KEY: Final = "the ledger was made with another key: restore the key, or name another place for the ledger"
LESS: Final = (
    "the ledger holds less than was recorded (removed, cut off, or an old copy): restore the newest copy of it and of "
    "its anchor, or run `plantwin audit accept-rollback` to go on with what is left"
)
COUNTED: Final = ("field", "refusal", "turn")
"""Events that the rate limits count, in the order of `Standing`."""

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value {blob} NOT NULL);
CREATE TABLE trail (number {integer} PRIMARY KEY, at {real} NOT NULL, kind TEXT NOT NULL, body {blob} NOT NULL,
    mac {blob} NOT NULL);
CREATE TABLE told (number {serial}, bucket {integer} NOT NULL, line {integer} NOT NULL, key {blob} NOT NULL,
    audience TEXT NOT NULL, unit TEXT NOT NULL, cost {integer} NOT NULL, at {real} NOT NULL);
CREATE INDEX told_bucket ON told (bucket);
CREATE TABLE counts (audience TEXT PRIMARY KEY, value {blob} NOT NULL);
CREATE TABLE nodes (number {integer} PRIMARY KEY, value {blob} NOT NULL);
"""

_COUNT: Final = (
    "INSERT INTO counts (audience, value) VALUES (?, ?) ON CONFLICT (audience) DO UPDATE SET value = excluded.value"
)
_TELL: Final = "INSERT INTO told (bucket, line, key, audience, unit, cost, at) VALUES (?, ?, ?, ?, ?, ?, ?)"

read_counts = msgspec.json.Decoder(dict[str, dict[int, int]]).decode
"""Of each event how many, by the minute."""


NEVER_WRITTEN: Final = (TypeError, AttributeError, LookupError, ValueError, struct.error)
"""What a value of a kind that was never written leads to."""


def minute(at: float) -> int:
    """The minute that a time lies in."""
    return int(at // 60)


def tables(**types: str) -> list[str]:
    """The statements that make an empty ledger, in a database's own words for the types."""
    return [each.strip() for each in _TABLES.format(**types).split(";") if each.strip()]


class Reading:
    """A transaction that looks up; every row is checked against the tree, whatever table or index led to it."""

    def __init__(self, rows: Rows, chain: Chain, tree: Tree, anchor: Mark | None) -> None:
        self.rows = rows
        self._chain = chain
        self._tree = tree
        self._counts: dict[str, bytes] | None = None
        self.start = mark_of(rows, chain)
        if anchor is not None:
            need_after(rows, self.start, anchor)
        tree.begin(rows, self.start.root)

    def told(self, keys: Iterable[bytes]) -> list[tuple[int, Row]]:
        """All that was told of these keys, each with its number."""
        wanted = frozenset(keys)
        order = sorted({bucket_of(key) for key in wanted})
        left = self._tree.sums(order)
        kept: list[tuple[Any, ...]] = []
        for start in range(0, len(order), MOST):
            some = order[start : start + MOST]
            kept += self.rows.all(_query(len(some)), some)
        found = []
        try:
            for bucket, number, line, *values in kept:
                row = Row._make(values)
                left[bucket] -= self._chain.weight(line, row)
                if row.key in wanted:
                    found.append((number, row))
        except NEVER_WRITTEN:
            raise LedgerError(CHANGED) from None
        if any(total % SUM for total in left.values()):
            raise LedgerError(CHANGED)
        return found

    def counts(self) -> dict[str, bytes]:
        """The counted events of all audiences, as they are kept."""
        if self._counts is None:
            found = dict(self.rows.all("SELECT audience, value FROM counts"))
            if self._sum(found) != self.start.counts:
                raise LedgerError(CHANGED)
            self._counts = found
        return self._counts

    def _sum(self, counts: Mapping[str, bytes]) -> bytes:
        try:
            total = sum(self._chain.weight_of_counts(audience, value) for audience, value in counts.items())
        except NEVER_WRITTEN:
            raise LedgerError(CHANGED) from None
        return (total % SUM).to_bytes(SIZE)


@cache
def _query(buckets: int) -> str:
    columns, marks = "bucket, number, line, key, audience, unit, cost, at", ", ".join("?" * buckets)
    return f"SELECT {columns} FROM told WHERE bucket IN ({marks})"  # noqa: S608


class Writing(Reading, Generic[T]):
    """A transaction under way: where the ledger stood, and what is added to it."""

    value: T

    def __init__(self, rows: Rows, chain: Chain, tree: Tree, anchor: Mark | None, now: float) -> None:
        super().__init__(rows, chain, tree, anchor)
        self.now = now
        self.head = self.start
        need_end(rows, self.head)
        self._lines: list[tuple[int, float, str, bytes, bytes]] = []
        # Clocks are set back and differ between machines; what is told must not look older than it is.
        self.at = max(now, self.head.at)

    def tell(self, kind: str, told: Sequence[Row]) -> None:
        """Record what is about to be told, of keys that were looked up, in the table, the tree and the trail."""
        if told:
            self.add((Entry(kind, pack(told)),))
            number = self.head.number
            sums: dict[int, int] = {}
            kept = [(bucket_of(row.key), number, *row) for row in told]
            for (bucket, *_), row in zip(kept, told, strict=True):
                sums[bucket] = sums.get(bucket, 0) + self._chain.weight(number, row)
            for bucket, total in sums.items():
                self._tree.add(bucket, total)
            self.rows.many(_TELL, kept)

    def add(self, entries: Iterable[Entry]) -> tuple[Receipt, ...]:
        """Chain these lines to the trail."""
        start = len(self._lines)
        for kind, body in entries:
            number = self.head.number + 1
            mac = self._chain.mac(self.head.mac, number, self.at, kind, body)
            self.head = self.head._replace(number=number, mac=mac)
            self._lines.append((number, self.at, kind, body, mac))
        return tuple(Receipt(line[0], line[4]) for line in self._lines[start:])

    def count(self, audience: str, events: Mapping[str, int]) -> None:
        """Count events, by the minute; what is older than the limits look back is dropped."""
        new = {event: amount for event, amount in events.items() if event in COUNTED and amount}
        if not new:
            return
        counts, now = self.counts(), minute(self.now)
        kept = {
            event: {at: amount for at, amount in amounts.items() if at >= minute(self.now - HOUR)}
            for event, amounts in read_counts(counts.get(audience, b"{}")).items()
        }
        for event, amount in new.items():
            amounts = kept.setdefault(event, {})
            amounts[now] = amounts.get(now, 0) + amount
        counts[audience] = msgspec.json.encode(kept)
        self.head = self.head._replace(counts=self._sum(counts))
        self.rows.many(_COUNT, [(audience, counts[audience])])

    def finish(self) -> None:
        """Write the lines that were added, and where the ledger stands now."""
        self._tree.finish()
        if self._lines:
            self.rows.many("INSERT INTO trail (number, at, kind, body, mac) VALUES (?, ?, ?, ?, ?)", self._lines)
        if self._lines or self.head != self.start:
            self.head = self.head._replace(serial=self.start.serial + 1, at=self.at, root=self._tree.root)
            self.rows.many("UPDATE meta SET value = ? WHERE name = 'mark'", [(self._chain.seal(self.head),)])


def initial(rows: Rows, chain: Chain) -> None:
    """Mark new tables as a ledger of this format and key."""
    values = [("format", FORMAT), ("check", chain.check), ("mark", chain.seal(Mark()))]
    rows.many("INSERT INTO meta (name, value) VALUES (?, ?)", values)


def recognised(rows: Rows, chain: Chain) -> None:
    """Refuse tables of another format or key."""
    meta = dict(rows.all("SELECT name, value FROM meta"))
    if meta.get("format") != FORMAT:
        raise LedgerError(NOT_OURS)
    if meta.get("check") != chain.check:
        raise LedgerError(OTHER_KEY)


def need_end(rows: Rows, mark: Mark) -> None:
    """Refuse a trail that was cut off before where the ledger stands."""
    if last(rows) < mark.number:
        raise LedgerError(LESS)


def last(rows: Rows) -> int:
    """The number of the last line."""
    found = rows.all("SELECT MAX(number) FROM trail")
    return found[0][0] or 0


def mark_of(rows: Rows, chain: Chain) -> Mark:
    """Where the ledger says that it stands."""
    found = rows.all("SELECT value FROM meta WHERE name = 'mark'")
    mark = chain.open(found[0][0]) if found and type(found[0][0]) is bytes else None
    if mark is None:
        raise LedgerError(CHANGED)
    return mark


def need_after(rows: Rows, mark: Mark, earlier: Mark) -> None:
    """Refuse a ledger that stands before a mark that was kept elsewhere, or beside it: it would count too little."""
    if mark != earlier and earlier.serial:
        kept = rows.all("SELECT mac FROM trail WHERE number = ?", (earlier.number,)) or [(ORIGIN,)]
        if mark.serial <= earlier.serial or kept != [(earlier.mac,)]:
            raise LedgerError(LESS)
