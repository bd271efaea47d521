"""The objects that are not listed, the best for the goal first: counted by kind and family, drawn on demand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from plantwin.boundary.groups import Place
from plantwin.boundary.identity import Issuer
from plantwin.boundary.local_object import LocalObject
from plantwin.boundary.policy import Subject
from plantwin.private.lineage.lineage import Identity
from plantwin.private.project import USEFUL, Identities, build
from plantwin.private.records import Record, Relation
from plantwin.types.twin import TwinEdge
from plantwin.vocabulary import (
    Confidence,
    EdgeReason,
    Family,
    Freshness,
    Kind,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    member,
)

_rank = {reason: position for position, reason in enumerate(USEFUL)}


def subject_of(record: Record, labels: frozenset[str]) -> Subject:
    """A record as a policy sees it."""
    causes = record.sensitivity_causes
    return _subject(
        record.kind, record.semantic_class, record.sensitivity, causes, record.freshness, record.confidence, labels
    )


@lru_cache(8192)
def _subject(
    kind: str,
    leaf: str,
    sensitivity: str,
    causes: tuple[str, ...],
    freshness: str,
    confidence: str,
    labels: frozenset[str],
) -> Subject:
    return Subject(
        member(Kind, kind),
        member(SemanticClass, leaf),
        member(Sensitivity, sensitivity),
        frozenset(member(SensitivityCause, each) for each in causes),
        member(Freshness, freshness),
        member(Confidence, confidence),
        labels,
    )


class SessionObjects:
    """Makes objects of this session from records: ids, edges to what is there already, ledger keys, labels."""

    def __init__(
        self,
        relations: Sequence[Relation],
        keys: Callable[[Sequence[Record]], Mapping[int, Identity]],
        labels: Callable[[str], frozenset[str]],
        ambiguous: frozenset[int],
    ) -> None:
        self._relations = relations
        self._keys, self.labels, self._ambiguous = keys, labels, ambiguous
        self._issuer = Issuer()
        self._known = Identities({}, {})
        self.records: dict[str, Record] = {}
        """The way back, by id. Stays local."""

    def __repr__(self) -> str:
        return "<SessionObjects private>"

    def id_of(self, number: int) -> str | None:
        """The id of an object that is on the objects."""
        return self._known.objects.get(number)

    def enter(self, records: Sequence[Record]) -> tuple[LocalObject, ...]:
        """These objects, in random order, under fresh ids."""
        new = {each.number for each in records}
        made = build([*self.records.values(), *records], self._relations, self._issuer, self._known)
        keys = self._keys(records)
        edges = _edges(made.twin.edges)
        entering = [each for each in made.twin.objects if made.objects[each.object_id].number in new]
        self.records |= {each.object_id: made.objects[each.object_id] for each in entering}
        return tuple(
            LocalObject(
                object=each,
                key=keys[self.records[each.object_id].number].key,
                edges=edges.get(each.object_id, ()),
                labels=self.labels(self.records[each.object_id].path),
                ambiguous=self.records[each.object_id].number in self._ambiguous,
                version=keys[self.records[each.object_id].number].version,
            )
            for each in entering
        )


def _edges(edges: Iterable[TwinEdge]) -> dict[str, tuple[TwinEdge, ...]]:
    """By source, the most useful first."""
    found: dict[str, list[TwinEdge]] = {}
    for edge in edges:
        found.setdefault(edge.source, []).append(edge)
    return {id_: tuple(sorted(each, key=_usefulness)) for id_, each in found.items()}


def _usefulness(edge: TwinEdge) -> int:
    return _rank[edge.reason] if isinstance(edge.reason, EdgeReason) else len(_rank)


class Unlisted:
    """What is left of the folder when the listed objects are taken out. Implements the boundary's `Unlisted`."""

    def __init__(self, objects: SessionObjects, ranked: Iterable[Record]) -> None:
        self._objects = objects
        self._waiting: dict[Place, list[Record]] = {}
        for each in ranked:
            self._waiting.setdefault((member(Kind, each.kind), member(Family, each.family)), []).append(each)
        self.drawn: list[LocalObject] = []
        """Objects that came into the session from here."""

    def __repr__(self) -> str:
        return "<Unlisted private>"

    def subjects(self) -> Counter[Subject]:
        """How many there are of each, as a policy sees them."""
        waiting = (each for records in self._waiting.values() for each in records)
        return Counter(subject_of(each, self._objects.labels(each.path)) for each in waiting)

    def draw(self, kind: Kind, families: frozenset[Family], most: int) -> Sequence[LocalObject]:
        """The next ones of this kind and these families, families in turn."""
        rows = [self._waiting.get((kind, family), []) for family in sorted(families)]
        chosen: list[Record] = []
        while len(chosen) < most and any(rows):
            chosen += [row.pop(0) for row in rows if row][: most - len(chosen)]
        held = self._objects.enter(chosen) if chosen else ()
        self.drawn += held
        return held
