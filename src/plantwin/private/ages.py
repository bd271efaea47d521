"""Where objects stand in time, from whatever tells it; never a date.

An object that is part of a series (migrations, versions, periods, rotated logs) stands where it stands in that. Logs
stand where the times in them stand among those of all logs. All others stand by when their content last changed: by
git, else by the times of files, where these differ enough to be times of work and not of one copy.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping

from plantwin.private.facts import Entry
from plantwin.private.observe.git import History, freshness_time, same_size, unmodified
from plantwin.vocabulary import Age

FORWARD = ("order", "precedes")
"""Reasons of edges from what comes before to what comes after."""
BACKWARD = ("supersedes",)
FEWEST = 4
"""Objects among which one can be called old."""
HOUR = 3600.0
_EDGE = 10
"""One in so many is among the newest, and one among the oldest."""
BEFORE = 0.0
"""The time of what changed before everything that is known."""


class Clock:
    """When files last changed, as far as that can be told."""

    def __init__(self, past: History | None, entries: Iterable[Entry]) -> None:
        known = list(entries)
        self._past, self.copied = past, _copied(past, known)
        self._dull = past is None and _alike([entry.mtime_ns / 1e9 for entry in known])
        """Whether the times of files say nothing: all are of one copy."""

    def fresh(self, entry: Entry) -> float:
        """When it last changed here."""
        if self.copied and self._past is not None and same_size(entry, self._past):
            return float(self._past.committed.get(entry.path, self._past.since - 1))
        return freshness_time(entry, self._past)

    def changed(self, entry: Entry) -> float | None:
        """When its content last changed, by its author where git knows."""
        past = self._past
        if self._dull:
            return None
        if past is None or past.authored is None or entry.path not in past.index:
            return None if self.copied else entry.mtime_ns / 1e9
        if not (self.copied and same_size(entry, past)) and not unmodified(entry, past.index[entry.path]):
            return entry.mtime_ns / 1e9
        return float(past.authored.times.get(entry.path, BEFORE))


def _alike(times: list[float]) -> bool:
    """Whether nearly all files have the time of one moment, as those of a copy or of an unpacked archive have."""
    times.sort()
    least, most = len(times) // 10, len(times) - 1 - len(times) // 10
    return len(times) < FEWEST or times[most] - times[least] < HOUR


def _copied(past: History | None, entries: list[Entry]) -> bool:
    """Whether a repository was copied: then no file has the time at which git saw it last."""
    if past is None:
        return False
    tracked = [entry for entry in entries if entry.path in past.index]
    return len(tracked) >= FEWEST and sum(unmodified(each, past.index[each.path]) for each in tracked) * 10 < len(
        tracked
    )


def ages(times: Mapping[int, float | None]) -> dict[int, Age]:
    """The age of each object among all of which a time is known; none where all have the same."""
    known = sorted(time for time in times.values() if time is not None)
    if len(known) < FEWEST or known[0] == known[-1]:
        return {}
    words = {time: _age(bisect_left(known, time), len(known) - bisect_right(known, time), len(known)) for time in known}
    return {number: words[time] for number, time in times.items() if time is not None}


def _age(older: int, newer: int, number: int) -> Age:
    if newer * _EDGE < number and older:
        return Age.NEWEST
    if older * _EDGE < number:
        return Age.OLDEST
    return Age.RECENT if newer * 2 < number else Age.OLDER


def in_series(edges: Iterable[tuple[int, str, int]]) -> dict[int, Age]:
    """The age of each object that is part of a series, from edges with their reasons."""
    after: defaultdict[int, set[int]] = defaultdict(set)
    before: defaultdict[int, set[int]] = defaultdict(set)
    for source, reason, target in edges:
        if reason in BACKWARD:
            source, target = target, source
        if reason in BACKWARD or reason in FORWARD:
            after[source].add(target)
            before[target].add(source)
    forth, back = _depths(after, before), _depths(before, after)
    found: dict[int, Age] = {}
    for number in forth.keys() & back.keys():  # what is in a circle has no place
        place, left = forth[number], back[number]
        if not left:
            found[number] = Age.NEWEST
        elif not place:
            found[number] = Age.OLDEST
        else:
            found[number] = Age.RECENT if place >= left else Age.OLDER
    return found


def _depths(after: Mapping[int, set[int]], before: Mapping[int, set[int]]) -> dict[int, int]:
    """How many come before each at most."""
    waiting = {number: len(before.get(number, ())) for number in {*after, *before}}
    ready = [number for number, count in waiting.items() if not count]
    depths = dict.fromkeys(ready, 0)
    while ready:
        number = ready.pop()
        for other in after.get(number, ()):
            depths[other] = max(depths.get(other, 0), depths[number] + 1)
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    return {number: depth for number, depth in depths.items() if not waiting[number]}
