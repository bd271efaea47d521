"""What one goal is about: which objects are shown, which fields it needs of them, and what their real names are."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from plantwin.boundary import goal as gate
from plantwin.boundary.held import Held
from plantwin.boundary.identity import Issuer
from plantwin.private.mentions import Mentioned, mentions
from plantwin.private.project import build
from plantwin.private.records import Record, Relation
from plantwin.types.capability import FIELDS, Catalog
from plantwin.types.goal import MAX_MENTIONS, Goal
from plantwin.types.twin import TwinEdge
from plantwin.vocabulary import CapabilityName, Kind, SemanticClass, member

DEFAULT = (CapabilityName.SUMMARIZE,)
"""What a goal without any intent is taken to ask for."""


class Scene(NamedTuple):
    """The selected part of the environment, for one session."""

    goal: Goal
    held: tuple[Held, ...]
    rest: tuple[Kind, ...]
    """Kinds of the objects that are counted, not listed."""
    fields: dict[str, tuple[str, ...]]
    """What the goal's capabilities need to know of each object."""
    records: dict[str, Record]
    """The way back, by id. Stays local."""

    def __repr__(self) -> str:
        return "<Scene private>"


def compose(
    text: str,
    records: list[Record],
    relations: Sequence[Relation],
    *,
    catalog: Catalog,
    keys: Callable[[Sequence[Record]], dict[int, bytes]],
    labels: Callable[[str], frozenset[str]],
    most: int,
    only: Collection[tuple[str, str]] | None = None,
) -> Scene:
    """Select what the goal needs, or `only` these by path and part, under fresh ids."""
    wanted = gate.intents(text, frozenset(each.name for each in catalog.values()))
    kinds = gate.families(text)
    mentioned = mentions(text, records)
    if only is not None:
        records = [each for each in records if (each.path, each.part) in only]
    # Ties are broken at random: no name that the goal does not mention decides what a planner sees.
    random = secrets.SystemRandom().random
    chosen = sorted(records, key=lambda each: (-_score(each, mentioned, wanted, kinds, catalog), random()))
    chosen, others = chosen[:most], chosen[most:]
    issuer = Issuer()
    made = build(list(chosen), relations, issuer)
    ids = {record.number: id_ for id_, record in made.objects.items()}
    by_number = keys(chosen)
    edges: dict[str, list[TwinEdge]] = {}
    for edge in made.twin.edges:
        edges.setdefault(edge.source, []).append(edge)
    held = tuple(
        Held(
            object=each,
            key=by_number[made.objects[each.object_id].number],
            edges=tuple(edges.get(each.object_id, ())),
            labels=labels(made.objects[each.object_id].path),
            ambiguous=made.objects[each.object_id].number in mentioned.ambiguous,
        )
        for each in made.twin.objects
    )
    named = sorted(mentioned.weights, key=lambda number: -mentioned.weights[number])
    objects = [ids[number] for number in named if number in ids][:MAX_MENTIONS]
    return Scene(
        goal=Goal(intents=wanted, families=kinds, objects=tuple(sorted(objects))),
        held=held,
        rest=tuple(member(Kind, each.kind) for each in others),
        # A goal that names objects needs to know about those; of the others a planner can ask.
        fields={each.id: _fields(each, wanted, catalog) for each in held if not objects or each.id in objects},
        records=made.objects,
    )


def _score(
    record: Record,
    mentioned: Mentioned,
    wanted: Sequence[CapabilityName],
    families: Sequence[str],
    catalog: Catalog,
) -> int:
    kind, leaf = member(Kind, record.kind), member(SemanticClass, record.semantic_class)
    score = 10 * mentioned.weights.get(record.number, 0)
    score += 40 * sum(any(each.accepts(kind, leaf) for each in catalog.alike(word)) for word in wanted)
    score += 60 * (record.family in families)
    score += {"production": 30, "test": 5}.get(record.role, 0)
    score += {"high": 20, "restricted": 10}.get(record.sensitivity, 0)
    return score + {"today": 10, "recent": 5}.get(record.freshness, 0)


def _fields(held: Held, wanted: Sequence[CapabilityName], catalog: Catalog) -> tuple[str, ...]:
    """Required fields of the capabilities that could be asked for and accept this object, in one order."""
    needed = {
        field
        for word in wanted or DEFAULT
        for capability in catalog.alike(word)
        if capability.accepts(held.object.kind, held.semantic_class)
        for field in capability.required_fields
    }
    return tuple(field for field in FIELDS if field in needed)
