"""What a scan yields: the local view of a folder, with its objects and how they relate."""

from __future__ import annotations

import gc
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import cached_property

import msgspec

from plantwin.errors import StateError
from plantwin.private import catalogue, generalize
from plantwin.private.facts import Edge, Entry, Facts, Private, Record, Related, Relation, Summary
from plantwin.private.index import PARTS, DamageError, Index, unpack
from plantwin.private.memory import Memory
from plantwin.private.observe.git import History, freshness_time, same_size, unmodified
from plantwin.private.selection.phrases import defining
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


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector of cycles away: nothing made inside has any, and it would walk all of it again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


BINDING = ("copy", "supersedes")
"""Reasons of edges that a change of either end's content or time may end, whatever else stays the same."""


class Scan(Private):
    """The local view of one scan. Records and relations are loaded when asked for."""

    summary: Summary

    def __init__(self, index: Index | Memory, past: History | None, now: float) -> None:
        self._index = index
        self._past = past
        self._now = now
        self._left_out: AbstractSet[int] = frozenset()
        self._defines: dict[int, bytes] = {}

    def without(self, numbers: AbstractSet[int]) -> Scan:
        """The folder as if these objects were not in it: what is told of the others does not follow from them.

        How the times of files are read is the same.
        """
        if not numbers:
            return self
        made = Scan(self._index, self._past, self._now)
        made.summary, made._left_out, made._clock = self.summary, numbers, self._clock
        return made

    def records(self) -> Iterator[Record]:
        """Every object with its real name, in the order of paths."""
        try:
            yield from self._records()
        except DamageError:
            self._index.renew()
            raise StateError("the index was damaged and has been set aside: run the command again") from None

    def _records(self) -> Iterator[Record]:
        corrections = self._index.corrections()
        related = {each.number: each for each in self._relations()}
        standing = self._ages(related.values())
        for number, entry, facts in self._objects():
            relation = related.get(number) or Related(number, "", (), False, ())
            corrected = corrections.get((entry.path, facts.part))
            untracked = self._past is not None and entry.path not in self._past.tracked
            if facts.defines:
                self._defines[number] = facts.defines
            freshness = generalize.freshness(self._clock.fresh(entry), self._now)
            times = catalogue.Times(freshness, standing.get(number, ""))
            yield catalogue.record(number, entry.path, facts, relation, times, corrected, untracked)

    def _ages(self, related: Iterable[Related]) -> dict[int, Age]:
        """Where each object stands in time."""
        changed: dict[int, float | None] = {}
        logged: dict[int, float | None] = {}
        for number, entry, facts in self._objects():
            if facts.span is not None:
                logged[number] = float(facts.span[1])
            else:
                changed[number] = self._clock.changed(entry)
        edges = ((each.number, reason, target) for each in related for _, reason, target, _, _ in each.edges)
        return ages(changed) | ages(logged) | in_series(edges)

    def relations(self) -> Iterator[Relation]:
        """Every edge, the most useful of each object first."""
        for each in self._relations():
            for edge, reason, target, _weight, evidence in each.edges:
                yield Relation(source=each.number, edge=edge, reason=reason, target=target, evidence=evidence)

    def _objects(self) -> Iterator[tuple[int, Entry, Facts]]:
        for file, path, modified, blob in self._index.files():
            parts = unpack(blob)
            entry = Entry(path, parts[0].size if parts else 0, modified, 0, 0, 0)
            for number, facts in enumerate(parts, file * PARTS):
                if number not in self._left_out:
                    yield number, entry, facts

    def _relations(self) -> Iterable[Related]:
        return self._made[0] if self._left_out else self._index.relations()

    @cached_property
    def _clock(self) -> Clock:
        return Clock(self._past, (entry for _, entry, _ in self._objects()))

    def facts(self) -> Iterator[tuple[int, Facts]]:
        """What is kept of every object, by number, in the order of paths."""
        for number, _, facts in self._objects():
            yield number, facts

    def defining(self, names: AbstractSet[str]) -> dict[str, tuple[int, ...]]:
        """Who defines each of these names, among the objects that `records` gave."""
        return defining(names, self._defines)

    def words(self) -> Iterator[tuple[int, bytes]]:
        """By the number of each file, the numbers of its most telling words."""
        yield from self._index.words()

    def sketches(self, numbers: AbstractSet[int]) -> dict[int, bytes]:
        """Sketches of these objects, by number."""
        return {number: facts.sketch for number, _, facts in self._objects() if number in numbers}

    def relate(self) -> None:
        """Make all relations anew from the kept facts, with the counts that go with them."""
        generation = self._index.generation()
        with uncollected():
            related, counts = self._made
            del self._made
            self._index.relate(generation, related, msgspec.json.encode(counts))

    @cached_property
    def _made(self) -> tuple[list[Related], catalogue.Counts]:
        """Relations, made from the kept facts, and the counts that go with them."""
        from plantwin.private.relate import Node, relate

        corrections = self._index.corrections()
        nodes = [
            Node(number, entry.path, facts, freshness_time(entry, self._past))
            for number, entry, facts in self._objects()
        ]
        relations = relate(nodes)
        edges: dict[int, list[Edge]] = {}
        for edge in relations.edges:
            edges.setdefault(edge.source, []).append(edge)
        bound = {number for edge in relations.edges if edge.reason in BINDING for number in (edge.source, edge.target)}
        counts = catalogue.Counts()
        related = []
        for node in nodes:
            out = sorted(edges.get(node.number, ()), key=lambda edge: -edge.weight)
            counts.add(node.facts, corrections.get((node.path, node.facts.part)), out)
            component = relations.components.get(node.number, "")
            lacks = relations.lacks.get(node.number, ())
            told = tuple(edge[1:] for edge in out)
            related.append(Related(node.number, component, tuple(lacks), node.number in bound, told))
        counts.files = len({node.number // PARTS for node in nodes})
        counts.components = len(set(relations.components.values()))
        return related, counts
