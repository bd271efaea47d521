"""What a goal is about, for one session: the objects that it names, and the folder as sets."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from plantwin.boundary.set_disclosure import FIELDS
from plantwin.private import goal as gate
from plantwin.private.facts import Private, Record, Relation, private
from plantwin.private.lineage.lineage import Identity
from plantwin.private.project import USEFUL, Identities, build
from plantwin.private.selection.cells import Accounting, Cell
from plantwin.private.selection.choice import Ranked, needed, select
from plantwin.private.selection.goal_text import CLOSED, Sentence, projected
from plantwin.private.selection.intents import families, intents
from plantwin.private.selection.mentions import (
    LOOSE,
    MAX_FOUND,
    NOTHING,
    Choose,
    Defined,
    Mentioned,
    Recall,
    mentions,
)
from plantwin.private.selection.sets import SessionSets
from plantwin.private.selection.words import POLITE, STOP, has, pieces_of
from plantwin.types.capability import Capability, Catalog
from plantwin.types.goal import MAX_MENTIONS, Goal
from plantwin.types.identity import Issuer
from plantwin.types.local import LocalObject, LocalSet, Subject
from plantwin.types.twin import TwinEdge
from plantwin.vocabulary import (
    FACETS,
    CapabilityName,
    Confidence,
    EdgeReason,
    Family,
    Freshness,
    Kind,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    WorksOn,
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


class SessionObjects(Private):
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
        self.issuer = Issuer()
        self._known = Identities({}, {})
        self._entered: dict[int, LocalObject] = {}
        self.records: dict[str, Record] = {}
        """The way back, by id. Stays local."""
        self.cell_of: Callable[[int], bytes] = lambda _: b""
        """The account of the cell that an object lies in, by number."""

    def id_of(self, number: int) -> str | None:
        """The id of an object of this session."""
        return self._known.objects.get(number)

    def known(self, records: Sequence[Record]) -> tuple[LocalObject, ...]:
        """These objects, entered now where they were not before."""
        new = [record for record in records if record.number not in self._entered]
        if new:
            self.enter(new)
        return tuple(self._entered[record.number] for record in records)

    @property
    def entered(self) -> tuple[LocalObject, ...]:
        """Every object that came into the session so far."""
        return tuple(self._entered.values())

    def place(self, within: Mapping[int, str], cell_of: Callable[[int], bytes]) -> None:
        """Note of which set each object is a member, and the account of its cell, by number."""
        self.cell_of = cell_of
        for number, held in self._entered.items():
            placed = held.object
            if set_id := within.get(number):
                placed = msgspec.structs.replace(placed, within=set_id)
            self._entered[number] = dataclasses.replace(held, object=placed, cell=cell_of(number))

    def enter(self, records: Sequence[Record]) -> tuple[LocalObject, ...]:
        """These objects, in random order, under fresh ids."""
        new = {each.number for each in records}
        made = build([*self.records.values(), *records], self._relations, self.issuer, self._known)
        keys = self._keys(records)
        edges = _edges(made.twin.edges)
        entering = [each for each in made.twin.objects if made.objects[each.object_id].number in new]
        self.records |= {each.object_id: made.objects[each.object_id] for each in entering}
        made_now = tuple(
            LocalObject(
                object=each,
                key=keys[self.records[each.object_id].number].key,
                edges=edges.get(each.object_id, ()),
                labels=self.labels(self.records[each.object_id].path),
                ambiguous=self.records[each.object_id].number in self._ambiguous,
                version=keys[self.records[each.object_id].number].version,
                cell=self.cell_of(self.records[each.object_id].number),
            )
            for each in entering
        )
        self._entered |= {self.records[held.id].number: held for held in made_now}
        return made_now


def _edges(edges: Iterable[TwinEdge]) -> dict[str, tuple[TwinEdge, ...]]:
    """By source, the most useful first."""
    found: dict[str, list[TwinEdge]] = {}
    for edge in edges:
        found.setdefault(edge.source, []).append(edge)
    return {id_: tuple(sorted(each, key=_usefulness)) for id_, each in found.items()}


def _usefulness(edge: TwinEdge) -> int:
    return _rank[edge.reason] if isinstance(edge.reason, EdgeReason) else len(_rank)


@private
class Selected(NamedTuple):
    """What a session is about."""

    goal: Goal
    held: tuple[LocalObject, ...]
    """Objects that are told of by themselves."""
    sets: tuple[LocalSet, ...]
    """The folder, as sets."""
    fields: dict[str, tuple[str, ...]]
    """What the goal's capabilities need to know of each object and set, by id."""
    objects: SessionObjects
    """Every object that came into the session; the way back from ids to records."""
    session_sets: SessionSets
    """The way back from sets to their members."""
    pieces: tuple[gate.Piece, ...] = ()
    """What became of each stretch of the goal. Stays local."""

    @property
    def records(self) -> dict[str, Record]:
        """Records of the objects of this session, by id. Stays local."""
        return self.objects.records

    @property
    def all_held(self) -> tuple[LocalObject, ...]:
        """Every object that came into the session so far."""
        return self.objects.entered


class Cutting(NamedTuple):
    """How a folder is cut into sets for a session."""

    cells: Callable[[Sequence[Record]], tuple[Sequence[Cell], Accounting]]
    """Cut records into cells, with what the ledger needs to know of them."""
    objects: int = 0
    """How many objects are listed one by one besides those that the goal names; none unless the paper's mode is on."""
    sets: int = 24
    """How many sets are told at first."""


def select_for_goal(
    text: str,
    records: list[Record],
    relations: Sequence[Relation],
    *,
    catalog: Catalog,
    keys: Callable[[Sequence[Record]], dict[int, Identity]],
    labels: Callable[[str], frozenset[str]],
    cutting: Cutting,
    words: Iterable[tuple[int, bytes]] = (),
    only: Collection[tuple[str, str]] | None = None,
    sentence: Sentence = CLOSED,
    defined: Defined | None = None,
    choose: Choose | None = None,
    recall: Recall | None = None,
    asks: bool = True,
    named: bool = True,
) -> Selected:
    """Select what the goal needs, or `only` these by path and part, under fresh ids.

    `sentence`: how much of it crosses. `defined`: who defines a name. `choose`: asks which of several is meant.
    `recall`: what words for what was spoken of before mean.
    `asks`: whether a person decides where it is unsure which object is meant. `named`: whether words of the goal may
    name objects; where a planner wrote it, they may not, and no word of it decides what comes first.
    """
    found = tuple(sentence.found(text))
    sentence = sentence._replace(found=lambda _: found)
    said = gate.unsecret(text, found)
    wanted = intents(said, frozenset(capability.name for capability in catalog.values()))
    lone = _lone(said) if named and not wanted else ""
    words = tuple(words) if lone else words
    parts = pieces_of(lone.encode("ascii", "replace"))
    if parts and any(all(has(kept, part) for part in parts) for _, kept in words):
        wanted = tuple({each.name for each in catalog.values()} & {CapabilityName.FIND_CODE})
    kinds = families(said)
    mentioned = mentions(text, records, defined=defined, choose=choose, recall=recall) if named else NOTHING
    if only is not None:
        records = [record for record in records if (record.path, record.part) in only]
    spoken = text if named else ""
    ranked = select(spoken, records, relations, words, mentioned, wanted, kinds, catalog, cutting.objects)
    single, folders = _named(mentioned, records)
    objects = SessionObjects(relations, keys, labels, mentioned.ambiguous if asks else frozenset())
    objects.enter([*dict.fromkeys([*single, *ranked.shown])] if only is None else records)
    cells, accounting = cutting.cells(records)
    order = {record.number: position for position, record in enumerate(_best_first(ranked))}
    known = {record.number: id_ for id_, record in objects.records.items()}
    # In the mode of the paper what is listed one by one is told of so alone, and sets are what is left.
    apart = frozenset(record.number for record in ranked.shown)
    sets = SessionSets(cells, relations, accounting, objects.issuer, order, known, apart)
    told = sets.for_goal(kinds, folders, cutting.sets)
    within = {record.number: each.id for each in told if not each.set.named for record in sets.members(each.id)}
    objects.place(within, sets.account)
    goal, pieces = projected(text, sentence, mentioned, objects.id_of, wanted, kinds)
    fields = {held.id: (*more, "within") for held in objects.entered if (more := needed(held, goal, catalog))}
    if not cutting.objects:
        single = [objects.records[id_] for id_ in goal.objects if id_ in objects.records]
        fields |= {each.id: _set_fields(each, goal, catalog, sets, single) for each in told}
    return Selected(goal, objects.entered, told, fields, objects, sets, pieces)


def _lone(said: str) -> str:
    """Return the one word that a goal says beside those that ask: where that is in files is asked for."""
    telling = [word for word in said.lower().strip(" ?!.").split() if word not in STOP | POLITE]
    return telling[0] if len(telling) == 1 and len(telling[0]) >= LONE and telling[0].isidentifier() else ""


def _best_first(ranked: Ranked) -> list[Record]:
    return [*ranked.shown, *ranked.rest]


def _named(mentioned: Mentioned, records: Sequence[Record]) -> tuple[list[Record], list[list[Record]]]:
    """Objects that the goal names one by one, and those that it names many of at once: a folder, a pattern."""
    by_number = {record.number: record for record in records}
    single: dict[int, Record] = {}
    many: dict[tuple[int, ...], list[Record]] = {}
    for start, end, numbers, ambiguous in mentioned.references:
        known = [number for number in numbers if number in by_number and mentioned.weights[number] > LOOSE]
        if start >= end or not known:
            continue
        if len(known) <= MAX_FOUND:
            single |= {number: by_number[number] for number in known}
        elif not ambiguous and len(known) < len(records):
            many[tuple(known)] = [by_number[number] for number in known]
    return list(single.values())[:MAX_MENTIONS], list(many.values())[:4]


LONE = 4
"""Letters of a word that says by itself what is looked for."""
OPEN = ("classes", "sensitivity", "contains", "lacks", "age", "relations")
"""What a planner needs of a set where the goal does not say what to do."""
_TELLING: dict[str, tuple[frozenset[Kind], frozenset[Family]]] = {
    "environment": (
        frozenset({Kind.CONFIG, Kind.SECRET_CONTAINER}),
        frozenset({Family.CONFIGURATION, Family.DELIVERY, Family.INFRASTRUCTURE, Family.CREDENTIALS}),
    ),
    "provider": (frozenset({Kind.CONFIG}), frozenset({Family.DELIVERY, Family.INFRASTRUCTURE})),
    "ecosystem": (
        frozenset({Kind.CODE_FILE, Kind.CONFIG}),
        frozenset({Family.APPLICATION, Family.LIBRARY, Family.TESTING, Family.DEPENDENCIES}),
    ),
    "dialect": (frozenset(Kind), frozenset({Family.DATABASE, Family.DATA_PIPELINE})),
}
"""Of which kinds and families a field is told where a goal says little: of others it decides nothing."""
_SET_FIELDS = {
    "semantic_class": "classes", "sensitivity": "sensitivity", "sensitivity_causes": "sensitivity", "role": "role",
    "component": "component", "freshness": "freshness", "contains": "contains", "lacks": "lacks",
    "readiness": "ready", "edges": "relations", **{field: field for field in FACETS},
}  # fmt: skip
"""What says of a set what a field says of an object."""


def _set_fields(
    held: LocalSet, goal: Goal, catalog: Catalog, sets: SessionSets, named: Sequence[Record]
) -> tuple[str, ...]:
    """What the goal needs to know of a set, the most important first; nothing where what it is is enough.

    `named`: what the goal names one by one. Of other sets only that is told which its other words ask for.
    """
    members = sets.members(held.id)
    beside = bool(goal.objects) and not held.set.named
    open_ = (*OPEN, *(field for field in _TELLING if _worth_telling(held, field)))
    if not goal.intents and not beside:
        return tuple(field for field in FIELDS if field in open_)
    found: set[str] = set()
    for capability in (capability for word in goal.intents for capability in catalog.alike(word)):
        enough = beside and len(_accepted(capability, named)) >= max(capability.least, 1)
        if not enough and _accepted(capability, members):
            found |= {"classes", *(_SET_FIELDS[field] for field in capability.required_fields if field in _SET_FIELDS)}
            if capability.works_on is WorksOn.PAIRS:
                found.add("relations")
    if beside:
        spoken = set(goal.families) - {record.family for record in named}
        found |= {"classes"} if spoken & {record.family for record in members} else set()
    elif not goal.families:  # it says neither what it is about nor, for sure, what to do
        found |= set(open_)
    return tuple(field for field in FIELDS if field in found)


def _worth_telling(held: LocalSet, field: str) -> bool:
    """Whether a field decides something of what a set was told to be."""
    kinds, families = _TELLING[field]
    family = held.set.family or (held.set.semantic_class.family if held.set.semantic_class else None)
    return held.set.kind in kinds and (family is None or family in families)


def _accepted(capability: Capability, records: Sequence[Record]) -> list[Record]:
    """Return the records that a capability takes."""
    return [
        record
        for record in records
        if capability.accepts(member(Kind, record.kind), member(SemanticClass, record.semantic_class))
    ]
