"""A step over all members of sets: which calls it takes, what is known already, and one result in the end.

Most capabilities work on every member by itself. Some see more when they get several files of a folder together,
some compare pairs, and some need all members at once: see `grouping`. A call that gets several
members and fails is cut in halves, down to the one that it fails on.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from plantwin.errors import PlanTwinError
from plantwin.private.capabilities.engine.job import Input, Surroundings
from plantwin.private.execution.cache import ChangedError, MemberFiles, Opened, digested, program_version
from plantwin.private.execution.launcher import MOST as MOST_COPIED
from plantwin.private.execution.members import (
    CHANGED,
    DIVISIBLE,
    FAILURES,
    GONE,
    LATE,
    NAMES_ALONE,
    SPARING,
    STOPPED,
    TOO_MUCH,
    UNREADABLE,
    grouped,
    label,
    printable,
    together,
)
from plantwin.private.execution.merging import Merger
from plantwin.private.execution.over_sets import Asked, Call, Means
from plantwin.private.execution.pool import Answer, Given, Pool
from plantwin.private.execution.protocol import Reply, Task, decoded, kept_result
from plantwin.private.facts import Private, Record, Relation
from plantwin.types.verdict import Failure
from plantwin.vocabulary import WorksOn

if TYPE_CHECKING:
    from plantwin.private.execution.elsewhere import Elsewhere

OFTEN = 0.1
"""Seconds between two words on progress."""
ALONE = 128
"""Files that a worker of its own is shown."""
AHEAD = 256
"""Calls whose results are looked up together, as long as their files need not be read for it."""
UNREAL = ("rules", "runtime")
"""Options that say where something lies, and nothing about the result."""


class FanOut(Private):
    """Carries out one step over sets."""

    def __init__(self, asked: Asked, means: Means, merger: Merger) -> None:
        self._asked = asked
        self._means = means
        self._merger = merger
        self._capability = asked.capability
        self._calls: deque[Call] = deque()
        self._ahead: deque[tuple[Call, list[Opened], bytes, bytes | None]] = deque()
        self._pending: dict[int, tuple[Call, bytes]] = {}
        self._large: deque[tuple[Call, bytes]] = deque()
        self._number = 0
        self._total = self._done = 0
        self._said = 0.0
        self._around = Surroundings()
        self._places: dict[str, int] = {}
        self._options = b""
        self.interrupted = False
        """Whether a person ended it."""
        self.error = ""
        """Of the first call that failed: where in our code."""

    def run(self, members: Sequence[Record], relations: Callable[[], Sequence[Relation]]) -> None:
        """Examine these members; what comes of it goes to the merger."""
        deadline = time.monotonic() + self._asked.seconds
        self._plan(members, relations)
        self._look_around([record for call in self._calls for record in call.records])
        if self._means.elsewhere is not None and self._splits:
            self._spread(self._means.elsewhere, deadline)
        self.carry_out(deadline)

    def _spread(self, elsewhere: Elsewhere, deadline: float) -> None:
        """Have calls made on other machines; those that they could not make are made here."""
        calls, self._calls = self._calls, deque()
        try:
            for made in elsewhere.spread(calls, self._around, self._places, deadline):
                if isinstance(made, Call):
                    self._calls.append(made)
                    continue
                made(self._merger)
                self._done += made.members
                self._say()
        except KeyboardInterrupt:
            self.interrupted = True

    def carry_out(self, deadline: float) -> None:
        """Make the planned calls on this machine."""
        means = self._means
        pool = Pool(
            means.start,
            means.setup(self._around, msgspec.structs.replace(means.limits, seconds=max(1.0, self._asked.seconds))),
            size=max(1, min(os.cpu_count() or 1, len(self._calls))),
            seconds=means.limits.seconds,
            output=means.limits.output,
        )
        reason = STOPPED if self.interrupted else ""
        try:
            if self.interrupted:
                self._calls.clear()
            with MemberFiles(means.root, means.unchanged, means.cache) as files:
                if means.cache is not None and self._capability.name not in NAMES_ALONE:
                    means.cache.foresee(record.path for call in self._calls for record in call.records)
                for answer in pool.run(lambda: self._following(files, deadline)):
                    if answer is not None:
                        self._take(answer)
                    self._say()
                    if time.monotonic() > deadline:
                        reason = LATE
                        break
                if pool.gave_up:
                    self.error = self.error or "the workers did not start"
            pool.close()
            while self._large and not reason:
                self._alone(*self._large.popleft(), deadline - time.monotonic())
                self._say()
                reason = LATE if time.monotonic() > deadline else ""
        except KeyboardInterrupt:
            self.interrupted, reason = True, STOPPED
        except PlanTwinError:
            reason = UNREADABLE
        finally:
            pool.close()
        self._merger.fail(self._merger.unaccounted(), reason or LATE)
        self._say(last=True)
        if means.cache is not None:
            means.cache.flush()

    # which calls

    def _plan(self, members: Sequence[Record], relations: Callable[[], Sequence[Relation]]) -> None:
        results = tuple(self._asked.results)
        capability = self._capability
        groups = grouped(
            capability, members, self._asked.sides, relations, self._merger, together(capability, self._means.options)
        )
        if capability.works_on is WorksOn.WHOLE:
            for group in groups or ([()] if results else []):
                self._call(group, results)
                results = ()
        else:
            for group in groups:
                self._call(group)
            if results:
                self._call((), results)
        self._total = sum(len(call.records) for call in self._calls)

    def _call(self, records: tuple[Record, ...], results: tuple[Input, ...] = ()) -> None:
        self._calls.append(Call(self._number, records, results))
        self._number += 1

    def _look_around(self, records: Sequence[Record]) -> None:
        parts = [program_version(), self._capability.name.value.encode()]
        told = {name: value for name, value in self._means.options.items() if name not in UNREAL}
        parts.append(msgspec.json.encode(told, order="deterministic"))
        if self._capability.surroundings:
            self._around = self._means.around(records)
            self._places = dict(zip(map(label, records), self._around.inputs, strict=False))
            around = msgspec.structs.replace(self._around, inputs=())
            parts.append(hashlib.blake2b(msgspec.json.encode(around)).digest())
            self._around = around
        self._options = digested(parts)

    # one call after another

    def _following(self, files: MemberFiles, deadline: float) -> Given | None:
        """The next call that has to be made; those whose result is known are taken on the way."""
        while time.monotonic() < deadline:
            if not self._ahead:
                self._look_ahead(files)
            if not self._ahead:
                return None
            given = self._ready(files, *self._ahead.popleft())
            self._say()
            if given is not None:
                return given
        return None

    def _look_ahead(self, files: MemberFiles) -> None:
        """Open the files of the next calls, and look up what is known of them: up to one that had to be read."""
        ahead: list[tuple[Call, list[Opened], bytes]] = []
        while self._calls and len(ahead) < AHEAD:
            call = self._calls.popleft()
            opened = self._opened(files, call)
            if len(opened) < len(call.records):
                call = call._replace(records=tuple(file.record for file in opened))
            if call.records or call.results:
                ahead.append((call, opened, self._key(call, opened)))
            if any(file.content is not None for file in opened):
                break
        keys = [key for _, _, key in ahead if key]
        kept = self._means.cache.known(keys) if self._means.cache is not None else {}
        self._ahead.extend((call, opened, key, kept.get(key)) for call, opened, key in ahead)

    def _ready(
        self, files: MemberFiles, call: Call, opened: list[Opened], key: bytes, data: bytes | None
    ) -> Given | None:
        known = kept_result(data) if data is not None else None
        if known is not None:
            self._merger.add(call.number, call.records, known, reused=True)
            self._done += len(call.records)
            return None
        try:
            contents = self._contents(files, opened)
        except (OSError, PlanTwinError):
            self._failed(call, Failure.UNREADABLE)
            return None
        if contents is None:
            self._too_much(call, key)
            return None
        self._pending[call.number] = (call, key)
        return Given(call.number, lambda folder: self._task(call, contents, folder), sum(map(_length, contents)))

    def _too_much(self, call: Call, key: bytes) -> None:
        """More than is copied to a worker: cut in halves, or shown to a worker of its own."""
        if len(call.records) > 1 and self._splits:
            self._halve(call)
        elif len(call.records) <= ALONE:
            self._large.append((call, key))
        else:
            self._merger.leave_out(call.records[ALONE:], TOO_MUCH)
            self._done += len(call.records) - ALONE
            self._large.append((call._replace(records=call.records[:ALONE]), b""))

    @property
    def _splits(self) -> bool:
        """Whether a call with several members can be made as several calls."""
        return self._capability.works_on is WorksOn.EACH or self._capability.name in DIVISIBLE

    def _halve(self, call: Call) -> None:
        half = len(call.records) // 2
        halves = [call.records[:half], call.records[half:]]
        for number, records in enumerate(halves):
            self._calls.appendleft(Call(self._number, records, call.results if number == 0 else ()))
            self._number += 1

    def _opened(self, files: MemberFiles, call: Call) -> list[Opened]:
        """The members of a call that can be read, with digests of what they hold; the others are left out."""
        opened = []
        most = SPARING.get(self._capability.name, len(call.records))
        for number, record in enumerate(call.records):
            if self._capability.name in NAMES_ALONE or number >= most:
                opened.append(Opened(record, 0, b"", b""))
                continue
            try:
                opened.append(files.open(record))
            except FileNotFoundError:
                self._leave(record, GONE)
            except ChangedError:
                self._leave(record, CHANGED)
            except (OSError, PlanTwinError):
                self._leave(record, UNREADABLE)
        return opened

    def _leave(self, record: Record, reason: str) -> None:
        self._merger.fail((record,), reason)
        self._done += 1

    def _contents(self, files: MemberFiles, opened: Sequence[Opened]) -> list[bytes | None] | None:
        """What the members hold; none where that is too much for a copy, or they changed meanwhile."""
        room = min(MOST_COPIED, self._means.limits.scratch // 4)
        if self._capability.name in NAMES_ALONE:
            return [None] * len(opened)
        sparing = SPARING.get(self._capability.name, 0)
        if sum(member.size for member in opened) > room and not sparing:
            return None
        read: set[int] = set()
        # The smallest first: a few large files leave no room for hundreds of others.
        for number in sorted(range(len(opened)), key=lambda number: opened[number].size):
            room -= opened[number].size
            if not sparing or (room >= 0 and number < sparing):
                read.add(number)
        return [files.content(file) if number in read else None for number, file in enumerate(opened)]

    def _task(self, call: Call, contents: Sequence[bytes | None], folder: str) -> bytes:
        inputs = [
            Input(
                name=printable(record.path),
                part=printable(record.part),
                kind=record.kind,
                semantic_class=record.semantic_class,
                file=f"{folder}/{number}" if content is not None else "",
            )
            for number, (record, content) in enumerate(zip(call.records, contents, strict=True))
        ]
        places = [self._places.get(label(record), -1) for record in call.records]
        task = Task(
            inputs=(*inputs, *call.results),
            contents=(*contents, *[None] * len(call.results)),
            places=(*places, *[-1] * len(call.results)),
        )
        return msgspec.msgpack.encode(task)

    # what came of them

    def _take(self, answer: Answer) -> None:
        call, key = self._pending.pop(answer.number)
        if answer.failure is not None:
            self._failed(call, answer.failure)
            return
        self._finish(call, decoded(answer.output), key)

    def _finish(self, call: Call, reply: Reply, key: bytes = b"") -> None:
        if reply.result is None:
            self.error = self.error or reply.error
            self._failed(call, Failure(reply.failure or Failure.CRASHED))
            return
        if key and self._means.cache is not None:
            self._means.cache.put(key, msgspec.json.encode(reply.result))
        self._merger.add(call.number, call.records, reply.result)
        self._done += len(call.records)

    def _failed(self, call: Call, failure: Failure) -> None:
        if len(call.records) > 1 and self._splits:
            self._halve(call)
            return
        self._merger.fail(call.records, FAILURES[failure])
        self._done += len(call.records)

    def _alone(self, call: Call, key: bytes, seconds: float) -> None:
        """A call whose files are too large for a copy, in a worker of its own."""
        reply = self._means.alone(call.records, call.results, seconds)
        if reply is Failure.INTERRUPTED:
            self._merger.fail(call.records, STOPPED)
            raise KeyboardInterrupt
        if isinstance(reply, Failure):
            self._failed(call, reply)
        else:
            self._finish(call, reply, key)

    def _key(self, call: Call, opened: Sequence[Opened]) -> bytes:
        """Under what the result of a call is kept; empty where it is not."""
        if self._means.cache is None or call.results or not all(member.digest or not member.size for member in opened):
            return b""
        parts = [self._options]
        for file in opened:
            record = file.record
            told = (label(record), record.kind, record.semantic_class)
            parts += [digested([*(word.encode() for word in told), file.digest])]
        return digested(parts)

    def _say(self, *, last: bool = False) -> None:
        if self._means.progress is None or not self._total:
            return
        now = time.monotonic()
        if last or now - self._said >= OFTEN:
            self._said = now
            self._means.progress(self._asked.step, min(self._done, self._total), self._total)


def _length(content: bytes | None) -> int:
    return len(content or b"")
