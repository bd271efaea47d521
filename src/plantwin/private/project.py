"""Π: the four stages composed. Records in, a twin out; what does not fit the vocabulary is an error.

Which edges cross is decided by vocabulary values alone, and ties are broken at random: a name must
not decide what a planner sees.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import UNSET

from plantwin.private.facts import Record, Relation, private
from plantwin.types.identity import Issuer
from plantwin.types.twin import TagAmount, Twin, TwinEdge, TwinObject, canonical
from plantwin.vocabulary import (
    FACETS,
    MAX_EDGES,
    Absence,
    Affordance,
    Amount,
    Confidence,
    ContentTag,
    EdgeReason,
    EdgeType,
    Family,
    Freshness,
    Kind,
    Readiness,
    ReadinessCause,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    SizeBucket,
    member,
)

if TYPE_CHECKING:
    from plantwin.private.environment import Environment
    from plantwin.private.scan import Scan

USEFUL = (
    EdgeReason.VALUE, EdgeReason.VERSION, EdgeReason.UNRESOLVED, EdgeReason.SPECIFIES, EdgeReason.TESTS,
    EdgeReason.CONFIGURES, EdgeReason.LOCKED, EdgeReason.INSTANCE, EdgeReason.READS, EdgeReason.WRITES,
    EdgeReason.STAGE, EdgeReason.ORDER, EdgeReason.OVERLAPS, EdgeReason.SIBLING, EdgeReason.SUPERSEDES,
    EdgeReason.PRECEDES, EdgeReason.DIVERGED, EdgeReason.COPY, EdgeReason.RUNS, EdgeReason.BUILDS,
    EdgeReason.GENERATED, EdgeReason.COMPILED, EdgeReason.EXPORTED, EdgeReason.DOCUMENTS, EdgeReason.RENDERS,
    EdgeReason.IMPORTS, EdgeReason.DATABASE_ENGINE, EdgeReason.CLUSTER, EdgeReason.CONTAINER, EdgeReason.TEST_RUNNER,
    EdgeReason.MODEL_RUNTIME, EdgeReason.NOTEBOOK_RUNTIME, EdgeReason.BUILD_TOOL, EdgeReason.RUNTIME,
)  # fmt: skip
"""Reasons, the most useful to a planner first: what is rare and decides plans before what is common."""

_rank = {reason: position for position, reason in enumerate(USEFUL)}

MUTUAL = frozenset(
    {
        EdgeReason.COPY, EdgeReason.DIVERGED, EdgeReason.OVERLAPS, EdgeReason.SIBLING, EdgeReason.VALUE,
        EdgeReason.VERSION,
    }
)  # fmt: skip
"""Reasons that hold both ways. Locally the order of names gives them a direction, which must not cross."""


Known = tuple[int, int, EdgeType, EdgeReason]
"""Source, target (-1 for a tool), edge and reason."""
ROUNDS = 3
"""How far neighbours are looked at to tell objects of the same values apart."""


@private
class Identities(NamedTuple):
    """Ids that a session has given: of components by their local name, of objects by number."""

    components: dict[str, str]
    objects: dict[int, str]


@private
class Projection(NamedTuple):
    """A twin with the way back to the real objects. The way back stays local."""

    twin: Twin
    objects: dict[str, Record]


def project(source: Scan | Environment, *, issuer: Issuer | None = None) -> Twin:
    """The fully disclosed twin of a scan: what a planner could ever be told, not what it is told."""
    return projection(source, issuer=issuer).twin


def projection(source: Scan | Environment, *, issuer: Issuer | None = None) -> Projection:
    """The twin, and which object each id stands for."""
    from plantwin.private.environment import Environment

    scan = source.scan() if isinstance(source, Environment) else source
    return build(list(scan.records()), scan.relations(), issuer or Issuer())


def build(
    records: list[Record], relations: Iterable[Relation], issuer: Issuer, known: Identities | None = None
) -> Projection:
    """Stage 4: construct the wire types, in random order, under fresh ids; `known` keeps those of earlier calls."""
    shuffle = secrets.SystemRandom().shuffle
    shuffle(records)
    known = known or Identities({}, {})
    components, ids = known
    for each in records:
        if each.component and each.component not in components:
            components[each.component] = issuer.component_id()
        if each.number not in ids:
            ids[each.number] = issuer.object_id()
    by_number = {each.number: each for each in records}
    objects = tuple(twin_object(each, ids[each.number], components.get(each.component)) for each in records)
    edges = _edges(relations, by_number, ids)
    shuffle(edges)
    return Projection(
        Twin(objects=objects, edges=tuple(edges)), {ids[number]: each for number, each in by_number.items()}
    )


def twin_object(record: Record, object_id: str, component: str | None = None) -> TwinObject:
    """A record in the words of the wire, all that there are."""
    contains = {member(ContentTag, tag): member(Amount, amount) for tag, amount in record.contains}
    tags = canonical(contains)
    causes = canonical(member(SensitivityCause, each) for each in record.sensitivity_causes)
    usable = canonical(member(Affordance, each) for each in record.usable_for)
    lacks = canonical(member(Absence, each) for each in record.lacks)
    return TwinObject(
        object_id=object_id,
        kind=member(Kind, record.kind),
        semantic_class=member(SemanticClass, record.semantic_class),
        family=member(Family, record.family),
        role=member(Role, record.role),
        component=component or UNSET,
        sensitivity=member(Sensitivity, record.sensitivity),
        sensitivity_causes=causes or UNSET,
        freshness=member(Freshness, record.freshness),
        **{field: member(FACETS[field], word) for field in FACETS if (word := getattr(record, field))},  # type: ignore[arg-type]
        size_bucket=member(SizeBucket, record.size_bucket),
        contains=tags or UNSET,
        amounts=tuple(TagAmount(tag, contains[tag]) for tag in tags) or UNSET,
        usable_for=usable or UNSET,
        lacks=lacks or UNSET,
        readiness=member(Readiness, record.readiness),
        readiness_cause=member(ReadinessCause, record.readiness_cause) if record.readiness_cause else UNSET,
        confidence=member(Confidence, record.confidence),
    )


def nameless(record: Record) -> TwinObject:
    """A record as one of the folder's objects, to be counted and not to be told of."""
    return twin_object(record, "artifact_aaaaaaaa")


def _edges(relations: Iterable[Relation], records: dict[int, Record], ids: dict[int, str]) -> list[TwinEdge]:
    """The most useful edges of each object, chosen by vocabulary values and then at random."""
    by_source: dict[int, list[tuple[int, int, float, TwinEdge]]] = {}
    random = secrets.SystemRandom().random
    known = [
        (relation.source, relation.target, member(EdgeType, relation.edge), member(EdgeReason, relation.reason))
        for relation in relations
        if relation.source in records and (relation.target < 0 or relation.target in records)
    ]
    copies = _copies(known)
    known = [each for each in known if each[3] is not EdgeReason.COPY]
    order = _order(known, copies, records)
    known += _joined(copies, order)
    degrees = Counter(end for source, target, _, reason in known if reason in MUTUAL for end in (source, target))
    for source, target, edge_type, reason in known:
        if reason in MUTUAL:
            # From the one that has fewer of them, so that few are too many; then by values, then at random.
            ends = sorted((degrees[each], order[each], random(), each) for each in (source, target))
            source, target = ends[0][-1], ends[-1][-1]
        edge = TwinEdge(source=ids[source], edge=edge_type, target=ids[target] if target >= 0 else UNSET, reason=reason)
        by_source.setdefault(source, []).append((_rank[reason], order.get(target, 0), random(), edge))
    chosen: list[TwinEdge] = []
    for candidates in by_source.values():
        candidates.sort(key=lambda each: each[:3])
        chosen += list(dict.fromkeys(each[3] for each in candidates))[:MAX_EDGES]
    return chosen


def _copies(known: Iterable[Known]) -> list[list[int]]:
    """Groups of copies. Locally each is joined to the first by name, which must not show."""
    group: dict[int, int] = {}

    def root(number: int) -> int:
        while (above := group.setdefault(number, number)) != number:
            group[number] = group[above]
            number = above
        return number

    for source, target, _, reason in known:
        if reason is EdgeReason.COPY:
            group[root(source)] = root(target)
    groups: dict[int, list[int]] = {}
    for number in group:
        groups.setdefault(root(number), []).append(number)
    return list(groups.values())


def _joined(copies: Iterable[Sequence[int]], order: Mapping[int, int]) -> Iterator[Known]:
    """Copies joined to one of them, chosen by values, then at random."""
    random = secrets.SystemRandom().random
    for group in copies:
        hub = min(group, key=lambda number: (order[number], random()))
        yield from ((number, hub, EdgeType.SIMILAR_TO, EdgeReason.COPY) for number in group if number != hub)


def _order(known: Sequence[Known], copies: Sequence[Sequence[int]], records: Mapping[int, Record]) -> dict[int, int]:
    """Objects in an order that neither a name nor chance can change: by values, then by those of their neighbours.

    Only those that differ in neither have one place: then whichever is chosen, what crosses is the same.
    """
    beside: dict[int, list[tuple[str, int]]] = {number: [] for number in records}
    for source, target, _, reason in known:
        if target >= 0:
            beside[source].append((reason if reason in MUTUAL else f"{reason} to", target))
            beside[target].append((reason if reason in MUTUAL else f"{reason} from", source))
    group_of = {number: place for place, group in enumerate(copies) for number in group}
    order = _places({number: values_of(record) for number, record in records.items()})
    for _ in range(ROUNDS):
        shapes = _places({place: sorted(order[number] for number in group) for place, group in enumerate(copies)})
        keys = {
            number: (
                order[number],
                shapes.get(group_of.get(number, -1), 0),
                sorted((reason, order[other]) for reason, other in beside[number]),
            )
            for number in records
        }
        order = _places(keys)
    return order


def _places(keys: Mapping[int, Any]) -> dict[int, int]:
    """The place of each among all different keys."""
    places: dict[int, int] = {}
    last, place = None, 0
    for number, key in sorted(keys.items(), key=lambda item: item[1]):
        place += key != last
        places[number], last = place, key
    return places


def values_of(record: Record) -> tuple[str, ...]:
    """All vocabulary values of an object."""
    lists = (record.sensitivity_causes, record.usable_for, record.lacks)
    return (
        record.kind, record.semantic_class, record.role, record.sensitivity, record.freshness, record.size_bucket,
        record.confidence, record.readiness, record.readiness_cause, record.family,
        *(getattr(record, field) for field in FACETS),
        *(word for pair in record.contains for word in pair), *(" ".join(words) for words in lists),
    )  # fmt: skip
