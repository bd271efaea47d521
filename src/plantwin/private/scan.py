"""What a scan yields: the local view of a folder, with its objects and how they relate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property

import msgspec

from plantwin.errors import StateError
from plantwin.private import catalogue, generalize
from plantwin.private.ages import Clock, ages, in_series
from plantwin.private.facts import Edge, Entry, Facts, Private
from plantwin.private.index import PARTS, DamageError, Index, Related, unpack
from plantwin.private.memory import Memory
from plantwin.private.observe.git import History, freshness_time
from plantwin.private.records import Record, Relation, Summary
from plantwin.private.selection.phrases import defining
from plantwin.vocabulary import Age

BINDING = ("similar_to", "conflicts_with", "blocks", "derived_from")
"""Edges that a change of either end may end."""


class Scan(Private):
    """The local view of one scan. Records and relations are loaded when asked for."""

    summary: Summary

    def __init__(self, index: Index | Memory, past: History | None, now: float) -> None:
        self._index = index
        self._past = past
        self._now = now
        self._defines: dict[int, bytes] = {}

    def records(self) -> Iterator[Record]:
        """Every object with its real name, in the order of paths."""
        try:
            yield from self._records()
        except DamageError:
            self._index.renew()
            raise StateError("the index was damaged and has been set aside: run the command again") from None

    def _records(self) -> Iterator[Record]:
        corrections = self._index.corrections()
        related = {each.number: each for each in self._index.relations()}
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
        for each in self._index.relations():
            for edge, reason, target, _weight, evidence in each.edges:
                yield Relation(source=each.number, edge=edge, reason=reason, target=target, evidence=evidence)

    def _objects(self) -> Iterator[tuple[int, Entry, Facts]]:
        for file, path, modified, blob in self._index.files():
            parts = unpack(blob)
            entry = Entry(path, parts[0].size if parts else 0, modified, 0, 0, 0)
            for part, facts in enumerate(parts):
                yield file * PARTS + part, entry, facts

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
        from plantwin.private.relate import Node, relate

        generation = self._index.generation()
        corrections = self._index.corrections()
        nodes = [
            Node(number, entry.path, facts, freshness_time(entry, self._past))
            for number, entry, facts in self._objects()
        ]
        relations = relate(nodes)
        edges: dict[int, list[Edge]] = {}
        for edge in relations.edges:
            edges.setdefault(edge.source, []).append(edge)
        bound = {number for edge in relations.edges if edge.edge in BINDING for number in (edge.source, edge.target)}
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
        self._index.relate(generation, related, msgspec.json.encode(counts))
