"""Calls of a step that other machines make: in their own sandboxes, on files that lie where they see them.

Names, closed values and results travel, never content. What a machine could not do by one call (a file that changed or
is too large for a copy, a call that failed on several files), and whatever another program, other engines or a missing
sandbox would make differ, is left to the machine that asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities import declared
from plantwin.private.capabilities.engine.job import Result, Surroundings
from plantwin.private.cluster import Cluster, version
from plantwin.private.execution.calls import Calls, FolderView
from plantwin.private.execution.fanout import UNREAL, FanOut
from plantwin.private.execution.launcher import Launcher, WaitingRoom
from plantwin.private.execution.members import label
from plantwin.private.execution.merging import Merger
from plantwin.private.execution.over_sets import Asked, Call, Means
from plantwin.private.execution.protocol import Limits
from plantwin.private.facts import Private, Record, private
from plantwin.private.index import UNSETTLED, Signature
from plantwin.private.reading import signature_of
from plantwin.private.state import state_folder
from plantwin.types.capability import Capability
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName, member

PART_MEMBERS = 128
"""Files of one part."""
FEWEST = 64
"""Files from which on other machines are asked."""
OWN = ("advisories", "semgrep_rules")
"""Options that name files of this machine alone."""
GONE = Signature(-1, 0, 0, 0, 0)
"""What no file is like."""


class StepPart(Private, msgspec.Struct, frozen=True, kw_only=True, tag="step"):
    """Calls of one capability."""

    root: str
    version: str
    capability: str
    calls: list[tuple[int, tuple[Record, ...]]]
    times: dict[str, tuple[int, int]]
    """Size and time of each file at the scan, by path."""
    around: Surroundings
    places: dict[str, int]
    told: bytes
    """The options, which must be the same there."""
    request: str
    rules_off: list[str]
    limits: Limits
    seconds: float
    sandboxed: bool


class Event(Private, msgspec.Struct, frozen=True):
    """What came of one call: its result, or why there is none."""

    number: int
    members: list[int]
    """Which of its files, by their places in the call."""
    result: Result | None = None
    failed: str = ""
    left_out: str = ""


_events = msgspec.msgpack.Decoder(list[Event])


@private
class Made(NamedTuple):
    """A call that another machine made."""

    event: Event
    records: Sequence[Record]

    @property
    def members(self) -> int:
        """How many files it is about."""
        return len(self.records)

    def __call__(self, merger: Merger) -> None:
        """Tell the merger of it."""
        if self.event.result is not None:
            merger.add(self.event.number, self.records, self.event.result)
        elif self.event.failed:
            merger.fail(self.records, self.event.failed)
        else:
            merger.leave_out(self.records, self.event.left_out)


class Elsewhere(Private):
    """Hands the calls of one capability to other machines."""

    def __init__(self, cluster: Cluster, calls: Calls, capability: Capability, view: FolderView) -> None:
        self._cluster, self._calls, self._capability, self._view = cluster, calls, capability, view

    def spread(
        self, calls: Sequence[Call], around: Surroundings, places: Mapping[str, int], deadline: float
    ) -> Iterator[Made | Call]:
        """What was made of these calls, and those that are left to be made here."""
        options = self._calls.options(self._capability)
        fit = not any(name in options for name in OWN) and sum(len(call.records) for call in calls) >= FEWEST
        yield from [call for call in calls if call.results or not call.records or not fit]
        parts = list(_parts(call for call in calls if fit and call.records and not call.results))
        encode = lambda part: self._encoded(part, around, places, options, deadline)  # noqa: E731
        for number, reply in self._cluster.spread(map(encode, parts)):
            yield from _taken(reply, parts[number])

    def _encoded(
        self,
        part: Sequence[Call],
        around: Surroundings,
        places: Mapping[str, int],
        options: Mapping[str, object],
        deadline: float,
    ) -> bytes:
        launcher = self._calls.launcher
        records = [record for call in part for record in call.records]
        found = StepPart(
            root=self._cluster.root or str(launcher.root),
            version=version(""),
            capability=self._capability.name.value,
            calls=[(call.number, call.records) for call in part],
            times={record.path: self._calls.signatures.get(record.path, UNSETTLED)[:2] for record in records},
            around=around,
            places={name: place for name, place in places.items() if name in {label(record) for record in records}},
            told=_told(options),
            request=self._view.request,
            rules_off=self._calls.rules_off,
            limits=launcher.bounds(self._capability),
            seconds=max(1.0, deadline - time.monotonic()),
            sandboxed=launcher.tool is not None,
        )
        try:
            return msgspec.msgpack.encode(found)
        except UnicodeEncodeError:  # names that are no text: nobody else is asked
            return b""


def _parts(calls: Iterable[Call]) -> Iterator[list[Call]]:
    part: list[Call] = []
    for call in calls:
        part.append(call)
        if sum(len(each.records) for each in part) >= PART_MEMBERS:
            yield part
            part = []
    if part:
        yield part


def _told(options: Mapping[str, object]) -> bytes:
    told = {name: value for name, value in options.items() if name not in UNREAL}
    return msgspec.json.encode(told, order="deterministic")


def _taken(reply: bytes, part: Sequence[Call]) -> Iterator[Made | Call]:
    """What a reply says of the calls of a part; those of which it says nothing, or not about all files, are left."""
    try:
        events = _events.decode(reply) if reply else []
    except (msgspec.MsgspecError, RecursionError):
        events = []
    by_number: dict[int, list[Event]] = {}
    for event in events:
        by_number.setdefault(event.number, []).append(event)
    for call in part:
        said = by_number.get(call.number, [])
        places = [place for event in said for place in event.members]
        if sorted(places) != list(range(len(call.records))):
            yield call
            continue
        yield from (Made(event, [call.records[place] for place in event.members]) for event in said)


class Recorder(Merger):
    """Takes what a merger takes, and keeps it to be sent back."""

    def __init__(self, capability: Capability, calls: Sequence[Call]) -> None:
        super().__init__(capability, ())
        self.events: list[Event] = []
        self._at = {label(record): (call.number, place) for call in calls for place, record in enumerate(call.records)}

    def add(self, number: int, members: Sequence[Record], result: Result, *, reused: bool = False) -> None:
        """The result of one call."""
        self.events.append(Event(number, [self._at[label(record)][1] for record in members], result))

    def fail(self, records: Iterable[Record], reason: str) -> None:
        """Files whose examination failed."""
        self._without(records, lambda number, place: Event(number, [place], failed=reason))

    def leave_out(self, records: Iterable[Record], reason: str) -> None:
        """Files that are not examined."""
        self._without(records, lambda number, place: Event(number, [place], left_out=reason))

    def _without(self, records: Iterable[Record], made: Callable[[int, int], Event]) -> None:
        self.events += [made(*self._at[label(record)]) for record in records]

    def unaccounted(self) -> list[Record]:
        """None: what nothing is said of is left to whoever asked."""
        return []


class _Share(FanOut):
    """Makes the calls of a part, each once and whole."""

    def take(self, calls: Iterable[Call], around: Surroundings, places: Mapping[str, int]) -> None:
        """Plan these calls."""
        self._calls.extend(calls)
        self._around, self._places = around, dict(places)

    def _failed(self, call: Call, failure: Failure) -> None:
        if len(call.records) == 1:
            super()._failed(call, failure)

    def _too_much(self, call: Call, key: bytes) -> None:
        """Left to whoever asked."""

    def _leave(self, record: Record, reason: str) -> None:
        """Left to whoever asked: the file may be another one there."""


def carried_out(part: StepPart) -> bytes:
    """Make the calls of a part on this machine; empty where their results could differ from those elsewhere."""
    root = Path(part.root)
    capability, _ = declared()[member(CapabilityName, part.capability)]
    launcher = Launcher(root, part.limits, private=(state_folder(),))
    room = WaitingRoom(launcher.waiting)
    calls = Calls(
        launcher,
        FolderView(request=part.request),
        room,
        signatures={path: _here(root / path, *times) for path, times in part.times.items()},
        scanned_ns=0,
        extensions={},
        rules_off=part.rules_off,
    )
    options = calls.options(capability)
    if part.version != version("") or _told(options) != part.told or (part.sandboxed and launcher.tool is None):
        return b""
    given = [Call(number, records) for number, records in part.calls]
    recorder = Recorder(capability, given)
    means = Means(
        root=root,
        limits=part.limits,
        unchanged=calls.unchanged,
        start=lambda: launcher.waiting(capability.name.value, programs=launcher.programs(capability)),
        setup=lambda around, bounds: msgspec.json.encode(calls.request(capability, around, (), bounds)),
        options=options,
        around=lambda _: part.around,
        alone=lambda *_: Failure.UNREADABLE,
        cache=None,
        progress=None,
    )
    share = _Share(Asked("", capability, (), (), part.seconds), means, recorder)
    share.take(given, part.around, part.places)
    share.carry_out(time.monotonic() + part.seconds)
    return msgspec.msgpack.encode(recorder.events)


def _here(file: Path, size: int, modified: int) -> Signature:
    """What the file system says of a file here, where it is the one that was scanned."""
    try:
        found = signature_of(file.lstat())
    except OSError:
        return GONE
    return found if (found.size, found.mtime_ns) == (size, modified) else GONE
