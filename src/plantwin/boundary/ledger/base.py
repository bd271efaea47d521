"""What every ledger does, whatever database keeps it: look up, check, chain, record.

    told     one row per thing told: append-only; the largest cost of a unit counts, once
    trail    the chained lines
    counts   what the rate limits count
    nodes    the tree over `told` and `counts`, against which every look-up is checked

A database behind it begins a transaction that excludes all other writers, runs what it is given, and
commits durably; `sqlite.py` and `postgres.py` hold nothing else.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Final, TypeVar

from plantwin.boundary.ledger.anchor import Anchor
from plantwin.boundary.ledger.chain import Chain, Kept, Mark
from plantwin.boundary.ledger.rules import admit, need_audience, need_entries, need_event, need_keys
from plantwin.boundary.ledger.transaction import COUNTED, ReadTransaction, WriteTransaction, minute
from plantwin.boundary.ledger.tree import REMEMBERED, InMemory, NotInMemoryError, Tree
from plantwin.errors import LedgerError
from plantwin.types.ledger import (
    HOUR,
    Audience,
    Decision,
    Entry,
    Known,
    Receipt,
    Recorded,
    Row,
    Rows,
    Standing,
    counted,
)

T = TypeVar("T")

_NOTHING: Final = Known()
_EVER: Final = float("-inf")


class BaseLedger(ABC):
    """The ledger but for its database."""

    is_new = False
    """Whether it was begun by this opening: the person is told, since nothing is counted yet."""
    _anchor: Anchor | None = None

    def __init__(self, chain: Chain, refresh: float | None, clock: Callable[[], float]) -> None:
        if refresh is not None and not refresh > 0:
            raise LedgerError("ledger: a refresh period is longer than nothing")
        self.chain = self._chain = chain
        self._tree = Tree(chain)
        self._refresh = refresh
        self._case: tuple[object, ...] = ()
        """What a standing depends on, as it was looked up last, and that standing."""
        self._found = Standing({})
        self._summed: dict[tuple[bytes, Audience], tuple[object, Known]] = {}
        """The same of what is known of a key."""
        self._clock = clock
        self._threads = threading.RLock()
        self._busy = False
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} private>"

    @abstractmethod
    def _commit(self, work: Callable[[Rows], WriteTransaction[T]]) -> WriteTransaction[T]:
        """Do it in one transaction that excludes other writers, and commit durably; `LedgerError` if not."""

    @abstractmethod
    def _read(self, work: Callable[[Rows], T]) -> T:
        """Do it in one transaction that writes nothing."""

    @abstractmethod
    def _close(self) -> None:
        """Close the database."""

    def transact(
        self, audience: Audience, keys: Sequence[bytes], decide: Callable[[Standing], Decision[T]]
    ) -> Recorded[T]:
        """Look up, let the caller decide, check, record, commit: all or nothing."""
        need_audience(audience)

        def act(writing: WriteTransaction[Recorded[T]]) -> Recorded[T]:
            standing = self._standing(writing, audience, keys)
            decision = decide(standing)
            admit(standing.known, decision)
            need_entries(decision.entries)
            for event in decision.events:
                need_event(audience.name, event)
            name, at = audience.name, writing.at
            writing.tell("charge", [(key, name, unit, cost, at) for key, unit, cost in decision.charges])
            # Words of a goal are the person's own to say: recorded, and no field of any object.
            events = {"field": counted([unit for _, unit, _ in decision.charges])}
            for event in decision.events:
                events[event] = events.get(event, 0) + 1
            writing.count(name, events)
            return Recorded(decision.value, writing.add(decision.entries))

        return self._write(act)

    def known(self, audience: Audience, keys: Sequence[bytes]) -> dict[bytes, Known]:
        """What is known of these keys now."""
        need_audience(audience)
        return self._looking(lambda reading: self._known(reading, audience, keys, self._clock()))

    def told(self, keys: Sequence[bytes]) -> list[Row]:
        """All that was told of these keys to anybody, oldest first."""
        return self._looking(lambda reading: _rows(reading.told(keys)))

    def inherit(self, key: bytes, ancestors: Sequence[bytes]) -> None:
        """Copy everything that the ancestors were told, per audience and unit the dearest; what the key has stays."""
        need_keys([key, *ancestors])

        def act(writing: WriteTransaction[None]) -> None:
            told = _rows(writing.told([key, *ancestors]))
            kept: dict[tuple[str, str], list[Row]] = {}
            new: list[Row] = []
            # Its own first, then the dearest: what comes later is new only where it is dearer or younger.
            for row in sorted(told, key=lambda row: (row.key != key, -row.cost, -row.at)):
                known = kept.setdefault((row.audience, row.unit), [])
                if not any(row.cost <= each.cost and row.at <= each.at for each in known):
                    known.append(row)
                    if row.key != key:
                        new.append(row._replace(key=key))
            writing.tell("inherit", new)

        self._write(act)

    def note(self, audience: str, event: str, entries: Sequence[Entry] = ()) -> tuple[Receipt, ...]:
        """Count an event for the rate limits, with lines of the trail."""
        need_event(audience, event)
        need_entries(entries)

        def act(writing: WriteTransaction[tuple[Receipt, ...]]) -> tuple[Receipt, ...]:
            writing.count(audience, {event: 1})
            return writing.add(entries)

        return self._write(act)

    def standing(self, audience: Audience, keys: Sequence[bytes] = ()) -> Standing:
        """What is known of these keys, and what this audience and those who share with it had lately."""
        need_audience(audience)
        return self._looking(lambda reading: self._standing(reading, audience, keys))

    def close(self) -> None:
        """Close it; nothing is pending ever."""
        with self._threads:
            if self._process == os.getpid():
                self._process = 0
                self._close()
                if self._anchor is not None:
                    self._anchor.close()

    def _write(self, act: Callable[[WriteTransaction[T]], T]) -> T:
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

    def _recorded(self, act: Callable[[WriteTransaction[T]], T], anchor: Mark | None) -> WriteTransaction[T]:
        def work(rows: Rows) -> WriteTransaction[T]:
            writing: WriteTransaction[T] = WriteTransaction(rows, self._chain, self._tree, anchor, self._clock())
            writing.value = act(writing)
            writing.finish()
            return writing

        return self._commit(work)

    def read(self, work: Callable[[Rows], T]) -> T:
        """Read the tables as they are, in one transaction that writes nothing."""
        return self.read_after(lambda rows, anchor: work(rows))

    def read_after(self, work: Callable[[Rows, Mark | None], T], *, remembering: bool = False) -> T:
        """The same, with the anchor as it stood before: what is read is never behind it.

        `remembering`: without the database where all of it was read before and the anchor says that the ledger still
        stands there. A commit whose writer died before it moved the anchor is then seen by the next transaction that
        writes. That decides; what is looked up outside of one is advice.
        """
        with self._threads:
            self._begin()
            try:
                anchor = None if self._anchor is None else self._anchor.peek()
                tree = self._tree
                if remembering and anchor and (anchor.root, anchor.counts) == (tree.root, tree.counted[1]):
                    with suppress(NotInMemoryError):
                        return work(InMemory(), anchor)
                return self._read(lambda rows: work(rows, anchor))
            except OSError as error:
                raise LedgerError(f"the ledger's anchor cannot be used ({error.strerror}): check its folder") from None
            finally:
                self._busy = False

    def _looking(self, work: Callable[[ReadTransaction], T]) -> T:
        def look(rows: Rows, anchor: Mark | None) -> T:
            return work(ReadTransaction(rows, self._chain, self._tree, anchor))

        return self.read_after(look, remembering=True)

    def _begin(self) -> None:
        # A database's connection and file locks do not survive a fork: the child would not be kept apart.
        if self._process != os.getpid():
            raise LedgerError("ledger: closed, or opened by another process: open it again")
        if self._busy:
            raise LedgerError("ledger: used from inside its own transaction")
        self._busy = True

    def _known(
        self, reading: ReadTransaction, audience: Audience, keys: Sequence[bytes], now: float
    ) -> dict[bytes, Known]:
        """The units that were told, and the sum over them: of each the largest cost."""
        need_keys(keys)
        known = dict.fromkeys(keys, _NOTHING)
        if len(self._summed) > REMEMBERED:
            self._summed.clear()
        since = _EVER if self._refresh is None else now - self._refresh
        for key, told in reading.told(keys).items():
            # Rows are only added: what they say is the same until there is one more, or some are forgiven by now.
            case = (len(told), told[-1:], self._refresh and now)
            before, found = self._summed.get((key, audience), (None, _NOTHING))
            if case == before:
                known[key] = found
                continue
            costs: dict[str, int] = {}
            for _, _, _, name, unit, cost, at in told:
                if name in audience.shared:
                    costs[unit] = max(costs.get(unit, 0), cost if at > since else 0)
            known[key] = Known(frozenset(costs), sum(costs.values()))
            self._summed[key, audience] = case, known[key]
        return known

    def _standing(self, reading: ReadTransaction, audience: Audience, keys: Sequence[bytes]) -> Standing:
        """Events count up to a minute longer. One that seems to lie ahead counts too: the clock was set back."""
        now, counts = self._clock(), reading.counts()
        since, root = minute(now - HOUR), reading.start.root
        # What was found before the step ran still holds where nobody has written since.
        case = (root, counts, audience, tuple(keys), since, self._refresh and now)
        if case == self._case:
            return self._found
        lately = dict.fromkeys(COUNTED, 0)
        for name in audience.shared:
            for event, amounts in counts.get(name, {}).items():
                lately[event] += sum([amount for at, amount in amounts.items() if at >= since])
        self._found = Standing(self._known(reading, audience, keys, now), *lately.values())
        self._case = case
        return self._found


def _rows(told: Mapping[bytes, Iterable[Kept]]) -> list[Row]:
    """Rows of several keys, by the lines that they were told in."""
    return [Row._make(row[2:]) for row in sorted((row for rows in told.values() for row in rows), key=itemgetter(1))]
