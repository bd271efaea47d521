"""The tables of a ledger, and a transaction under way in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

from plantwin.boundary.ledger.chain import Chain, Mark, Row, pack
from plantwin.boundary.ledger.interface import Entry
from plantwin.errors import LedgerError

T = TypeVar("T")

FORMAT: Final = b"1"
NOT_OURS: Final = "not a ledger of this version of plantwin: name another place for the ledger, or restore it"
OTHER_KEY: Final = "the ledger was made with another key: restore the key, or name another place for the ledger"

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value {blob} NOT NULL);
CREATE TABLE trail (number {integer} PRIMARY KEY, at {real} NOT NULL, kind TEXT NOT NULL, body {blob} NOT NULL,
    mac {blob} NOT NULL);
CREATE TABLE told (number {serial}, line {integer} NOT NULL, key {blob} NOT NULL, audience TEXT NOT NULL,
    unit TEXT NOT NULL, cost {integer} NOT NULL, at {real} NOT NULL);
CREATE INDEX told_key ON told (key);
CREATE TABLE events (event TEXT NOT NULL, minute {integer} NOT NULL, audience TEXT NOT NULL,
    amount {integer} NOT NULL, PRIMARY KEY (event, minute, audience));
"""

COUNT: Final = (
    "INSERT INTO events (event, minute, audience, amount) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (event, minute, audience) DO UPDATE SET amount = events.amount + excluded.amount"
)


def minute(at: float) -> int:
    """The minute that a time lies in."""
    return int(at // 60)


def tables(**types: str) -> list[str]:
    """The statements that make an empty ledger, in a database's own words for the types."""
    return [each for each in _TABLES.format(**types).split(";") if each.strip()]


class Rows(Protocol):
    """A database inside a transaction. `?` marks a parameter."""

    def all(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """What a query yields."""
        ...

    def many(self, query: str, values: Sequence[tuple[object, ...]]) -> None:
        """A statement for each of these rows."""
        ...


class Writing(Generic[T]):
    """A transaction under way: where the trail stood, and what is added to it."""

    value: T

    def __init__(self, rows: Rows, chain: Chain, now: float, anchor: Mark | None) -> None:
        self.rows = rows
        self.now = now
        self._chain = chain
        self.start, before = last(rows)
        if anchor is not None:
            anchored(rows, self.start, anchor)
        self.head = self.start
        self._lines: list[tuple[int, float, str, bytes, bytes]] = []
        # Clocks are set back and differ between machines; what is told must not look older than it is.
        self.at = max(now, before)

    def tell(self, kind: str, told: Sequence[Row]) -> None:
        """Record what is about to be told, in the table and in the trail."""
        if told:
            self.add((Entry(kind, pack(told)),))
            number = self.head.number
            self.rows.many(
                "INSERT INTO told (line, key, audience, unit, cost, at) VALUES (?, ?, ?, ?, ?, ?)",
                [(number, *row) for row in told],
            )

    def add(self, entries: Iterable[Entry]) -> None:
        """Chain these lines to the trail."""
        for kind, body in entries:
            number = self.head.number + 1
            self.head = Mark(number, self._chain.mac(self.head.mac, number, self.at, kind, body))
            self._lines.append((number, self.at, kind, body, self.head.mac))

    def count(self, audience: str, event: str, amount: int) -> None:
        """Count an event, by the minute: so what an hour holds is summed from few rows."""
        self.rows.many(COUNT, [(event, minute(self.now), audience, amount)])

    def finish(self) -> None:
        """Write the lines that were added."""
        if self._lines:
            self.rows.many("INSERT INTO trail (number, at, kind, body, mac) VALUES (?, ?, ?, ?, ?)", self._lines)


def initial(rows: Rows, chain: Chain) -> None:
    """Mark new tables as a ledger of this format and key."""
    rows.many("INSERT INTO meta (name, value) VALUES (?, ?)", [("format", FORMAT), ("check", chain.check)])


def recognised(rows: Rows, chain: Chain) -> None:
    """Refuse tables of another format or key."""
    meta = dict(rows.all("SELECT name, value FROM meta"))
    if meta.get("format") != FORMAT:
        raise LedgerError(NOT_OURS)
    if meta.get("check") != chain.check:
        raise LedgerError(OTHER_KEY)


def last(rows: Rows) -> tuple[Mark, float]:
    """Where the trail ends, and when that was."""
    found = rows.all("SELECT number, mac, at FROM trail ORDER BY number DESC LIMIT 1")
    return (Mark(*found[0][:2]), found[0][2]) if found else (Mark(), float("-inf"))


def anchored(rows: Rows, head: Mark, anchor: Mark) -> None:
    """Refuse a ledger that does not hold the line on which its anchor is set: it would count too little."""
    if head == anchor or anchor.number == 0:
        return
    if rows.all("SELECT mac FROM trail WHERE number = ?", (anchor.number,)) != [(anchor.mac,)]:
        raise LedgerError(
            "the ledger holds less than was recorded (cut off, or an old copy): restore the newest copy of it"
        )
