"""What the planner has been shown so far. A field that was not told is unknown, never false."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plantwin.types.capability import Capability
from plantwin.vocabulary import Family, Kind, SemanticClass, member

LEVELS = {"high": 0, "restricted": 1, "low": 2}


@dataclass(frozen=True)
class Thing:
    """One object, as far as it was told."""

    id: str
    kind: Kind
    leaf: SemanticClass | None
    family: Family | None
    tags: frozenset[str]
    lacks: frozenset[str]
    role: str
    component: str
    sensitivity: str
    order: tuple[object, ...]
    """The same objects in the same order, whatever their ids: by what was told, the most sensitive first."""

    def fits(self, capability: Capability) -> bool:
        """Whether it is a possible input, as far as what was told says so."""
        if self.kind not in capability.kinds:
            return False
        if not capability.selective:
            return True
        return self.leaf is not None and capability.accepts(self.kind, self.leaf)

    def may_fit(self, capability: Capability) -> bool:
        """Whether it could be one, once its class is told."""
        if self.leaf is not None or self.kind not in capability.kinds or not capability.selective:
            return False
        return _possible(capability, self.family)


@dataclass(frozen=True)
class Edge:
    """A relation between two things that were shown."""

    source: str
    target: str
    type: str
    reason: str


@dataclass(frozen=True)
class Group:
    """Objects that were counted and not shown."""

    id: str
    kind: Kind
    family: Family | None

    def may_hold(self, capability: Capability) -> bool:
        """Whether an input of this capability can be among them."""
        return self.kind in capability.kinds and (not capability.selective or _possible(capability, self.family))


def _possible(capability: Capability, family: Family | None) -> bool:
    return family is None or family in capability.families or any(each.family is family for each in capability.classes)


@dataclass
class Sight:
    """Objects, relations and groups, gathered from all envelopes."""

    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: dict[Edge, None] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    _things: dict[str, Thing] | None = None

    def take(self, message: Mapping[str, Any]) -> None:
        """Add what one envelope tells."""
        for each in message.get("objects", ()):
            self.told.setdefault(each["object_id"], {}).update(each)
            self._things = None
        for each in message.get("edges", ()):
            if "target" in each:
                edge = Edge(each["source"], each["target"], each["edge"], each.get("reason", ""))
                self.edges[edge] = None
        for each in message.get("groups", ()):
            if "group_id" in each:
                family = member(Family, each["family"]) if "family" in each else None
                self.groups[each["group_id"]] = Group(each["group_id"], member(Kind, each["kind"]), family)

    @property
    def things(self) -> dict[str, Thing]:
        """Every object that was shown, by id."""
        if self._things is None:
            made = sorted((_thing(each) for each in self.told.values()), key=lambda each: each.order)
            self._things = {each.id: each for each in made}
        return self._things

    def pairs(self, *reasons: str) -> Iterator[tuple[Thing, Thing]]:
        """Pairs of things that are joined by an edge of one of these types or reasons."""
        for edge in self.edges:
            if {edge.type, edge.reason} & set(reasons):
                source, target = self.things.get(edge.source), self.things.get(edge.target)
                if source and target:
                    yield source, target

    def near(self, ids: Iterable[str], *reasons: str) -> list[str]:
        """Ids that an edge of one of these reasons joins to these, either way."""
        of = set(ids)
        found: dict[str, None] = {}
        for edge in self.edges:
            if edge.reason in reasons or edge.type in reasons:
                for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
                    if one in of and other not in of and other in self.told:
                        found[other] = None
        return sorted(found, key=lambda each: self.things[each].order)


def _thing(told: Mapping[str, Any]) -> Thing:
    leaf = member(SemanticClass, told["semantic_class"]) if "semantic_class" in told else None
    family = leaf.family if leaf else member(Family, told["family"]) if "family" in told else None
    values = tuple(f"{key}={told[key]}" for key in sorted(told) if key not in ("object_id", "component"))
    level = str(told.get("sensitivity", ""))
    return Thing(
        id=told["object_id"],
        kind=member(Kind, told["kind"]),
        leaf=leaf,
        family=family,
        tags=frozenset(told.get("contains", ())),
        lacks=frozenset(told.get("lacks", ())),
        role=str(told.get("role", "")),
        component=str(told.get("component", "")),
        sensitivity=level,
        order=(LEVELS.get(level, 3), values),
    )
