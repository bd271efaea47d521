"""What every ledger does, whatever database keeps it: look up, check, chain, record.

    told     one row per thing told: append-only; the largest cost of a unit counts, once
    trail    the chained lines
    events   what the rate limits count

A database behind it begins a transaction that excludes all other writers, runs what it is given, and
commits durably; `sqlite.py` and `postgres.py` hold nothing else.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar

from plantwin.boundary.ledger.anchor import Anchor
from plantwin.boundary.ledger.chain import Chain, Mark, Row
from plantwin.boundary.ledger.interface import Audience, Decision, Entry, Known, Line, Standing, Statement, Verification
from plantwin.boundary.ledger.rules import admit, need, need_audience, need_entries, need_event, need_keys
from plantwin.boundary.ledger.writing import Rows, Writing, last, minute
from plantwin.errors import LedgerError

T = TypeVar("T")

PAGE: Final = 128
"""Lines fetched at once."""
_BEFORE: Final = -(1 << 62)
"""Before every number: what was put in before the first is found too."""
_NOTHING: Final = Known()
_KEYS: Final = 500
"""Keys named in one query."""


class Book(ABC):
    """The ledger but for its database."""

    _anchor: Anchor | None = None

    def __init__(self, chain: Chain, refresh: float | None, clock: Callable[[], float]) -> None:
        if refresh is not None and not refresh > 0:
            raise LedgerError("ledger: a refresh period is longer than nothing")
        self._chain = chain
        self._refresh = refresh
        self._clock = clock
        self._threads = threading.RLock()
        self._busy = False
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} private>"

    @abstractmethod
    def _commit(self, work: Callable[[Rows], Writing[T]]) -> Writing[T]:
        """Do it in one transaction that excludes other writers, and commit durably; `LedgerError` if not."""

    @abstractmethod
    def _read(self, work: Callable[[Rows], T]) -> T:
        """Do it in one transaction that writes nothing."""

    @abstractmethod
    def _close(self) -> None:
        """Close the database."""

    def transact(
        self, audience: Audience, keys: Sequence[bytes], decide: Callable[[Mapping[bytes, Known]], Decision[T]]
    ) -> T:
        """Look up, let the caller decide, check, record, commit: all or nothing."""
        need_audience(audience)

        def act(writing: Writing[T]) -> T:
            known = self._known(writing.rows, audience, keys)
            decision = decide(known)
            admit(known, decision)
            need_entries(decision.entries)
            told = [Row(each.key, audience.name, each.unit, each.cost, writing.at) for each in decision.charges]
            writing.tell("charge", told)
            # Words of a goal are the person's own to say: recorded, and no field of any object.
            if fields := sum(not each.unit.startswith("word=") for each in told):
                writing.count(audience.name, "field", fields)
            writing.add(decision.entries)
            return decision.value

        return self._write(act)

    def known(self, audience: Audience, keys: Sequence[bytes]) -> dict[bytes, Known]:
        """What is known of these keys now."""
        need_audience(audience)
        return self._reading(lambda rows: self._known(rows, audience, keys))

    def inherit(self, key: bytes, ancestors: Sequence[bytes]) -> None:
        """Copy, per audience, what the ancestor with most spent was told; what the key has of its own stays."""
        need_keys([key, *ancestors])
        others = [each for each in dict.fromkeys(ancestors) if each != key]

        def act(writing: Writing[None]) -> None:
            since = self._since()
            found: dict[str, dict[bytes, list[Row]]] = {}
            for _, row in sorted(_told(writing.rows, [key, *others])):
                found.setdefault(row.audience, {}).setdefault(row.key, []).append(row)
            new: list[Row] = []
            for _, by_key in sorted(found.items()):
                own = by_key.pop(key, [])
                # With a refresh period, what counts now decides; what ever counted, between equals.
                for row in max(by_key.values(), key=lambda rows: (_spent(rows, since), _spent(rows)), default=[]):
                    if not any(row.unit == mine.unit and row.cost <= mine.cost and row.at <= mine.at for mine in own):
                        new.append(row._replace(key=key))
            writing.tell("inherit", new)

        self._write(act)

    def note(self, audience: str, event: str, entries: Sequence[Entry] = ()) -> None:
        """Count an event for the rate limits, with lines of the trail."""
        need_event(audience, event)
        need_entries(entries)

        def act(writing: Writing[None]) -> None:
            writing.count(audience, event, 1)
            writing.add(entries)

        self._write(act)

    def standing(self, audience: Audience, keys: Sequence[bytes], seconds: float) -> Standing:
        """What is known of these keys, and what this audience and those who share with it had lately."""
        need_audience(audience)
        values = (minute(self._clock() - seconds), *audience.shared)

        def look(rows: Rows) -> Standing:
            lately = dict(rows.all(_lately(len(audience.shared)), values))
            fields, refusals = lately.get("field", 0), lately.get("refusal", 0)
            return Standing(self._known(rows, audience, keys), int(fields), int(refusals))

        return self._reading(look)

    def recent(self, audience: Audience, event: str, seconds: float) -> int:
        """How many events in the last seconds, up to a minute more.

        One that seems to lie ahead counts too: the clock was set back.
        """
        need_audience(audience)
        values = (event, minute(self._clock() - seconds), *audience.shared)
        [(amount,)] = self._reading(lambda rows: rows.all(_recent(len(audience.shared)), values))
        return int(amount or 0)

    def statements(self, audience: str | None = None, keys: Sequence[bytes] | None = None) -> Iterator[Statement]:
        """Everything told, oldest first."""
        if keys is None:
            found: Iterable[Row] = (row for _, row in self._table())
        else:
            found = [row for _, row in sorted(self._reading(lambda rows: list(_told(rows, keys))))]
        return (
            Statement(row.key, row.audience, row.unit, row.cost, row.at)
            for row in found
            if audience in (None, row.audience)
        )

    def lines(self, after: int = 0) -> Iterator[Line]:
        """The trail from a number on, a page at a time."""
        query = f"SELECT number, at, kind, body, mac FROM trail WHERE number > ? ORDER BY number LIMIT {PAGE}"  # noqa: S608
        while page := self._page(query, after):
            yield from map(Line._make, page)
            after = page[-1][0]

    def verify(self, progress: Callable[[int], None] | None = None, expect: str = "") -> Verification:
        """Whether the trail is whole, as far as it reaches now; others may go on writing."""
        try:
            # The anchor first: the trail only grows, so it is never behind an anchor read earlier.
            anchor = self._mark()
        except LedgerError as error:
            return Verification(0, "", str(error))
        ends = self._reading(lambda rows: (last(rows)[0].number, rows.all("SELECT MAX(number) FROM told")[0][0] or 0))
        lines = _until(self.lines(_BEFORE), lambda line: line.number > ends[0])
        told = ((line, row) for (_, line), row in _until(self._table(), lambda each: each[0][0] > ends[1]))
        return self._chain.verify(lines, told, anchor, expect, progress)

    def close(self) -> None:
        """Close it; nothing is pending ever."""
        with self._threads:
            if self._process == os.getpid():
                self._process = 0
                self._close()
                if self._anchor is not None:
                    self._anchor.close()

    def _write(self, act: Callable[[Writing[T]], T]) -> T:
        with self._threads:
            self._begin()
            try:
                if self._anchor is None:
                    return self._recorded(act, None).value
                with self._anchor as mark:
                    writing = self._recorded(act, mark)
                    if writing.head != mark:
                        self._anchor.move(writing.head)
                    return writing.value
            except OSError as error:
                raise LedgerError(f"the ledger's anchor cannot be used ({error.strerror}): check its folder") from None
            finally:
                self._busy = False

    def _recorded(self, act: Callable[[Writing[T]], T], anchor: Mark | None) -> Writing[T]:
        def work(rows: Rows) -> Writing[T]:
            writing: Writing[T] = Writing(rows, self._chain, self._clock(), anchor)
            writing.value = act(writing)
            writing.finish()
            return writing

        return self._commit(work)

    def _reading(self, work: Callable[[Rows], T]) -> T:
        with self._threads:
            self._begin()
            try:
                return self._read(work)
            finally:
                self._busy = False

    def _begin(self) -> None:
        # A database's connection and file locks do not survive a fork: the child would not be kept apart.
        need(self._process == os.getpid(), "closed, or opened by another process: open it again")
        need(not self._busy, "used from inside its own transaction")
        self._busy = True

    def _since(self) -> float:
        return float("-inf") if self._refresh is None else self._clock() - self._refresh

    def _known(self, rows: Rows, audience: Audience, keys: Sequence[bytes]) -> dict[bytes, Known]:
        need_keys(keys)
        found: dict[bytes, list[Row]] = {}
        for _, row in _told(rows, keys):
            if row.audience in audience.shared:
                found.setdefault(row.key, []).append(row)
        known = dict.fromkeys(keys, _NOTHING)
        since = self._since()
        for key, told in found.items():
            known[key] = Known(frozenset(row.unit for row in told), _spent(told, since))
        return known

    def _mark(self) -> Mark | None:
        if self._anchor is None:
            return None
        with self._anchor as mark:
            return mark

    def _table(self) -> Iterator[tuple[tuple[int, int], Row]]:
        """All that was told, each with its number and its line's."""
        columns = "number, line, key, audience, unit, cost, at"
        query = f"SELECT {columns} FROM told WHERE number > ? ORDER BY number LIMIT {PAGE}"  # noqa: S608
        after = _BEFORE
        while page := self._page(query, after):
            yield from (((each[0], each[1]), Row(*each[2:])) for each in page)
            after = page[-1][0]

    def _page(self, query: str, after: int) -> list[tuple[Any, ...]]:
        return self._reading(lambda rows: rows.all(query, (after,)))


def _told(rows: Rows, keys: Iterable[bytes]) -> Iterator[tuple[int, Row]]:
    wanted = list(dict.fromkeys(keys))
    for start in range(0, len(wanted), _KEYS):
        some = wanted[start : start + _KEYS]
        yield from ((each[0], Row(*each[1:])) for each in rows.all(_query(len(some)), some))


@cache
def _query(keys: int) -> str:
    marks = ", ".join("?" * keys)
    return f"SELECT number, key, audience, unit, cost, at FROM told WHERE key IN ({marks})"  # noqa: S608


@cache
def _recent(audiences: int) -> str:
    marks = ", ".join("?" * audiences)
    return f"SELECT sum(amount) FROM events WHERE event = ? AND minute >= ? AND audience IN ({marks})"  # noqa: S608


@cache
def _lately(audiences: int) -> str:
    marks = ", ".join("?" * audiences)
    return (
        "SELECT event, sum(amount) FROM events WHERE event IN ('field', 'refusal') AND minute >= ? "  # noqa: S608
        f"AND audience IN ({marks}) GROUP BY event"
    )


def _spent(told: Iterable[Row], since: float = float("-inf")) -> int:
    """The sum over distinct units: of each the largest cost."""
    costs: dict[str, int] = {}
    for row in told:
        if row.at > since and row.cost >= costs.get(row.unit, 0):
            costs[row.unit] = row.cost
    return sum(costs.values())


def _until(values: Iterator[T], over: Callable[[T], bool]) -> Iterator[T]:
    for each in values:
        if over(each):
            return
        yield each
