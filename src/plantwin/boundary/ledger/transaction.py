"""The tables of a ledger, and a transaction in them: one that reads, one that writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from plantwin.boundary.ledger.chain import ORIGIN, SIZE, Chain, Mark, pack
from plantwin.boundary.ledger.tree import CHANGED, Counts, InMemory, Tree, bucket_of, write
from plantwin.errors import LedgerError
from plantwin.types.ledger import HOUR, Entry, Receipt, Row, Rows

T = TypeVar("T")

FORMAT: Final = b"3"
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
_HEAD: Final = "SELECT number, value FROM nodes WHERE number < 0"
_TELL: Final = "INSERT INTO told (bucket, line, key, audience, unit, cost, at) VALUES (?, ?, ?, ?, ?, ?, ?)"

_counts = msgspec.json.Decoder(Counts)


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
            self.start, self._head = anchor, {COUNTS: tree.counted[0]}
        else:
            self._head = dict(rows.all(_HEAD))
            self.start = _opened(self._head.get(MARK), chain)
            if anchor is not None:
                need_after(rows, self.start, anchor)
        tree.begin(rows, self.start.root)

    def told(self, keys: Iterable[bytes]) -> list[tuple[int, Row]]:
        """All that was told of these keys, each with its number."""
        wanted = frozenset(keys)
        buckets = self._tree.told({bucket_of(key) for key in wanted})
        return [(number, row) for rows in buckets for number, row in rows if row.key in wanted]

    def counts(self) -> Counts:
        """The counted events of all audiences."""
        kept, mac = self._head.get(COUNTS, b""), self.start.counts
        if self._tree.counted[:2] != (kept, mac):
            if type(kept) is not bytes or (self._chain.counted(kept) if kept else bytes(SIZE)) != mac:
                raise LedgerError(CHANGED)
            self._tree.counted = (kept, mac, _counts.decode(kept or b"{}"))
        return self._tree.counted[2]


class WriteTransaction(ReadTransaction, Generic[T]):
    """A transaction under way: where the ledger stood, and what is added to it."""

    value: T

    def __init__(self, rows: Rows, chain: Chain, tree: Tree, anchor: Mark | None, now: float) -> None:
        super().__init__(rows, chain, tree, anchor)
        self.now = now
        self.head = self.start
        """Where it will stand, when this is finished."""
        need_end(rows, self.start)
        self._number, self._mac, self._counted = self.start.number, self.start.mac, self.start.counts
        self._written: dict[int, bytes] = {}
        self._lines: list[tuple[int, float, str, bytes, bytes]] = []
        # Clocks are set back and differ between machines; what is told must not look older than it is.
        self.at = max(now, self.start.at)

    def tell(self, kind: str, told: Sequence[Row]) -> None:
        """Record what is about to be told, of keys that were looked up, in the table, the tree and the trail."""
        if told:
            self.add((Entry(kind, pack(told)),))
            number = self._number
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
            self._number += 1
            self._mac = self._chain.mac(self._mac, self._number, self.at, kind, body)
            self._lines.append((self._number, self.at, kind, body, self._mac))
        return tuple(Receipt(line[0], line[4]) for line in self._lines[start:])

    def count(self, audience: str, events: Mapping[str, int]) -> None:
        """Count events, by the minute; what is older than the limits look back is dropped."""
        new = {event: amount for event, amount in events.items() if event in COUNTED and amount}
        if not new:
            return
        counts, now, since = self.counts(), minute(self.now), minute(self.now - HOUR)
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
            self.rows.many("INSERT INTO trail (number, at, kind, body, mac) VALUES (?, ?, ?, ?, ?)", self._lines)
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
    return _opened(dict(rows.all(_HEAD)).get(MARK), chain)


def _opened(sealed: object, chain: Chain) -> Mark:
    mark = chain.open(sealed) if type(sealed) is bytes else None
    if mark is None:
        raise LedgerError(CHANGED)
    return mark


def need_after(rows: Rows, mark: Mark, earlier: Mark) -> None:
    """Refuse a ledger that stands before a mark that was kept elsewhere, or beside it: it would count too little."""
    if mark != earlier and earlier.serial:
        kept = rows.all("SELECT mac FROM trail WHERE number = ?", (earlier.number,)) or [(ORIGIN,)]
        if mark.serial <= earlier.serial or kept != [(earlier.mac,)]:
            raise LedgerError(LESS)
