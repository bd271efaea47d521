"""The tables of a ledger, and a transaction in them: one that reads, one that writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar

import msgspec

from plantwin.boundary.ledger.chain import ORIGIN, Chain, Kept, Mark, pack
from plantwin.boundary.ledger.tree import CHANGED, EMPTY, Counts, InMemory, Tree, bucket_of, write
from plantwin.errors import LedgerError
from plantwin.types.ledger import HOUR, Entry, Receipt, Rows

T = TypeVar("T")

FORMAT: Final = b"4"
NOT_OURS: Final = (
    "not a ledger of this version of plantwin: use the version that wrote it, set ledger.path to another place, or "
    "move it away to begin anew, after which what was told before no longer counts"
)
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
CREATE TABLE nodes (number {integer} PRIMARY KEY, value {blob} NOT NULL);
"""
MARK: Final = -2
COUNTS: Final = -1
"""Where the mark and the counted events stand among the nodes: beside the root, since every commit writes all three."""
_HEAD: Final = "SELECT number, value, (SELECT MAX(number) FROM trail) FROM nodes WHERE number < 0"
_TELL: Final = "INSERT INTO told (bucket, line, key, audience, unit, cost, at) VALUES (?, ?, ?, ?, ?, ?, ?)"

_ADD: Final = "INSERT INTO trail (number, at, kind, body, mac) VALUES (?, ?, ?, ?, ?)"

_counts = msgspec.json.Decoder(Counts)
_bucket: Final = itemgetter(0)


def minute(at: float) -> int:
    """The minute that a time lies in."""
    return int(at // 60)


def tables(**types: str) -> list[str]:
    """The statements that make an empty ledger, in a database's own words for the types."""
    return [each.strip() for each in _TABLES.format(**types).split(";") if each.strip()]


class ReadTransaction:
    """A transaction that looks up; every row is checked against the tree, whatever table or index led to it."""

    def __init__(self, rows: Rows, chain: Chain, tree: Tree, anchor: Mark | None) -> None:
        self.rows = rows
        self._chain = chain
        self._tree = tree
        if type(rows) is InMemory and anchor is not None:
            self.start, self._counts, self._end = anchor, tree.counted[0], anchor.number
        else:
            self.start, self._counts, self._end = head_of(rows, chain)
            if anchor is not None:
                need_after(rows, self.start, anchor)
        tree.begin(rows, self.start.root)
        self.told = tree.told

    def counts(self) -> Counts:
        """The counted events of all audiences."""
        kept, mac = self._counts, self.start.counts
        before, its_mac, counts = self._tree.counted
        if kept != before or mac != its_mac:
            if type(kept) is not bytes or (self._chain.counted(kept) if kept else EMPTY) != mac:
                raise LedgerError(CHANGED)
            counts = _counts.decode(kept or b"{}")
            self._tree.counted = (kept, mac, counts)
        return counts


class WriteTransaction(ReadTransaction, Generic[T]):
    """A transaction under way: where the ledger stood, and what is added to it."""

    value: T

    def __init__(self, rows: Rows, chain: Chain, tree: Tree, anchor: Mark | None, now: float) -> None:
        super().__init__(rows, chain, tree, anchor)
        self.now = now
        need_end(self._end, self.start)
        self.head = self.start
        """Where it will stand, when this is finished."""
        self._number, self._mac, self._counted = self.start.number, self.start.mac, self.start.counts
        self._written: dict[int, bytes] = {}
        self._lines: list[tuple[int, float, str, bytes, bytes]] = []
        # Clocks are set back and differ between machines; what is told must not look older than it is.
        self.at = max(now, self.start.at)

    def tell(self, kind: str, told: Sequence[tuple[bytes, str, str, int, float]]) -> None:
        """Record what is about to be told, of keys that were looked up, in the table, the tree and the trail."""
        if told:
            self._line(kind, pack(told))
            number, buckets = self._number, {key: bucket_of(key) for key in {row[0] for row in told}}
            kept: list[Kept] = sorted([(buckets[row[0]], number, *row) for row in told], key=_bucket)
            for bucket, rows in groupby(kept, _bucket):
                self._tree.add(bucket, list(rows))
            self.rows.many(_TELL, kept)

    def add(self, entries: Iterable[Entry]) -> tuple[Receipt, ...]:
        """Chain these lines to the trail."""
        return tuple([self._line(kind, body) for kind, body in entries])

    def _line(self, kind: str, body: bytes) -> Receipt:
        self._number += 1
        self._mac = self._chain.mac(self._mac, self._number, self.at, kind, body)
        self._lines.append((self._number, self.at, kind, body, self._mac))
        return Receipt(self._number, self._mac)

    def count(self, audience: str, events: Mapping[str, int]) -> None:
        """Count events, by the minute; what is older than the limits look back is dropped."""
        new = {event: amount for event, amount in events.items() if event in COUNTED and amount}
        if not new:
            return
        counts, now = self.counts(), minute(self.now)
        since = now - int(HOUR // 60)
        own = dict(counts.get(audience, {}))
        for event, amount in new.items():
            amounts = own[event] = {at: number for at, number in own.get(event, {}).items() if at >= since}
            amounts[now] = amounts.get(now, 0) + amount
        counts = {**counts, audience: own}
        self._written[COUNTS] = written = msgspec.json.encode(counts)
        self._counted = self._chain.counted(written)
        self._tree.counted = (written, self._counted, counts)

    def finish(self) -> None:
        """Write the lines that were added, and where the ledger stands now."""
        nodes = self._tree.finish()
        if self._lines:
            self.rows.many(_ADD, self._lines)
        if self._lines or self._written:
            serial, root = self.start.serial + 1, self._tree.root
            self.head = Mark(serial, self._number, self._mac, self.at, root, self._counted)
            self._written[MARK] = self._chain.seal(self.head)
            write(self.rows, {**self._written, **nodes})


def initial(rows: Rows, chain: Chain) -> None:
    """Mark new tables as a ledger of this format and key."""
    rows.many("INSERT INTO meta (name, value) VALUES (?, ?)", [("format", FORMAT), ("check", chain.check)])
    write(rows, {MARK: chain.seal(Mark())})


def recognised(rows: Rows, chain: Chain) -> None:
    """Refuse tables of another format or key."""
    meta = dict(rows.all("SELECT name, value FROM meta"))
    if meta.get("format") != FORMAT:
        raise LedgerError(NOT_OURS)
    if meta.get("check") != chain.check:
        raise LedgerError(OTHER_KEY)


def head_of(rows: Rows, chain: Chain) -> tuple[Mark, Any, int]:
    """Where the ledger says that it stands, what was counted, unchecked, and the last line that there is."""
    found = rows.all(_HEAD)
    kept = {number: value for number, value, _ in found}
    sealed = kept.get(MARK)
    mark = chain.open(sealed) if type(sealed) is bytes else None
    if mark is None:
        raise LedgerError(CHANGED)
    return mark, kept.get(COUNTS, b""), found[0][2] or 0


def checked(rows: Rows, chain: Chain, marks: Iterable[Mark]) -> Mark:
    """Where the ledger stands, which is not before any of these marks."""
    mark, _, end = head_of(rows, chain)
    need_end(end, mark)
    for earlier in marks:
        need_after(rows, mark, earlier)
    return mark


def need_end(end: int, mark: Mark) -> None:
    """Refuse a trail that was cut off before where the ledger stands."""
    if end < mark.number:
        raise LedgerError(LESS)


def need_after(rows: Rows, mark: Mark, earlier: Mark) -> None:
    """Refuse a ledger that stands before a mark that was kept elsewhere, or beside it: it would count too little."""
    if mark != earlier and earlier.serial:
        kept = rows.all("SELECT mac FROM trail WHERE number = ?", (earlier.number,)) or [(ORIGIN,)]
        if mark.serial <= earlier.serial or kept != [(earlier.mac,)]:
            raise LedgerError(LESS)
