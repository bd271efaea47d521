"""What the planner has been shown so far: objects, and sets of them. A field that was not told is unknown, never false.

Both are `Thing`s, so that everything else is written once. A set whose members are of several classes is one thing for
each class; what a step takes of it is written back as the set, or as the set narrowed to those classes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log2
from typing import Any, Final

from plantwin.types.capability import Capability
from plantwin.types.twin import set_id_like
from plantwin.vocabulary import Family, Kind, SemanticClass, SetSize, Share, member

LEVELS: Final = {"high": 0, "restricted": 1, "low": 2}
PORTION: Final = {Share.SOME: 0.25, Share.MOST: 0.7, Share.ALL: 1.0}
"""Part of a set that a share stands for."""
ENDS: Final[dict[str, tuple[Family, ...]]] = {
    "overlaps": (Family.LOGS, Family.SECURITY),
    "value": (Family.CONFIGURATION, Family.DELIVERY, Family.CREDENTIALS, Family.INFRASTRUCTURE),
    "precedes": (Family.DATASET, Family.MACHINE_LEARNING, Family.LOGS),
    "sibling": (
        Family.CONFIGURATION, Family.DELIVERY, Family.CREDENTIALS, Family.INFRASTRUCTURE, Family.DATASET,
        Family.MACHINE_LEARNING,
    ),
}  # fmt: skip
"""What a relation within mixed sets mostly joins: it is told of the sets, and holds for some of their classes."""
HIDDEN: Final = 0.6
"""How much a tag counts for one class of a mixed set of which only some members hold it."""
MOST_NARROWED: Final = 3
"""Classes to which one set is narrowed in one step; beyond, the whole set is taken."""

ONE_KIND: Final = {Family.DATASET: Kind.STRUCTURED_RECORD, Family.LOGS: Kind.LOG_STREAM}
"""Families whose members are of one kind, which need not be told of them."""

Input = str | dict[str, Any]
"""An input of a step, as a plan writes it."""


@dataclass(frozen=True)
class Thing:
    """One object, one set, or the members of a set that are of one class; as far as it was told."""

    id: str
    kind: Kind | None
    """None where a set has several kinds."""
    leaf: SemanticClass | None
    family: Family | None
    tags: frozenset[str]
    lacks: frozenset[str]
    role: str
    component: str
    sensitivity: str
    order: tuple[object, ...]
    """The same things in the same order, whatever their ids: by what was told, the most sensitive first."""
    source: str = ""
    """The id that a plan knows: of the object, or of the set."""
    count: int = 1
    """About how many objects it stands for."""
    room: int = 1
    """How many objects it may stand for, at least: of a class in a set, all of the set."""
    partly: frozenset[str] = frozenset()
    """Tags that only some members of a set hold, and absences (`-tests`)."""
    named: bool = False
    """Whether the goal names this set."""
    within: str = ""
    """The set that an object is a member of, where that stands for others too."""
    mixed: bool = False
    """Whether it is one class of a set with several families: what is told of the set may hold for the others."""
    where: tuple[tuple[str, str], ...] = ()
    """Fields and values by which it is cut from its set, where its class or family is not what is meant."""

    @property
    def weight(self) -> float:
        """How much it counts beside others: a large set more than a small one, and not as much as all its members."""
        return 1.0 + log2(self.count)

    def bears(self, mark: str) -> float:
        """How surely it has a tag, an absence or a level that was told of it: of a set's, perhaps other members."""
        return HIDDEN if self.mixed and (mark in self.partly or mark.startswith("!")) else 1.0

    @property
    def dark(self) -> bool:
        """Whether nothing is known of a set that says what may be in it."""
        return self.several and self.kind is None and self.family is None

    @property
    def several(self) -> bool:
        """Whether it is a set, or a part of one."""
        return set_id_like(self.source)

    def fits(self, capability: Capability) -> bool:
        """Whether it is a possible input, as far as was told. Members of a set that are none are skipped."""
        if self.kind is not None and self.kind not in capability.kinds:
            return False
        if not capability.selective:
            return True
        if self.leaf is None:
            return self.several and _possible(capability, self.family)
        return self.leaf.family in capability.families or self.leaf in capability.classes

    def may_fit(self, capability: Capability) -> bool:
        """Whether an object could be one, once its class is told."""
        if self.several or self.leaf is not None or not capability.selective:
            return False
        return self.kind in capability.kinds and _possible(capability, self.family)

    def may_be(self, word: str) -> bool:
        """Whether members of a set, of which it was not told, may be of this class or family."""
        if not self.several or self.leaf is not None or word == self.family:
            return False
        leaf = SemanticClass._value2member_map_.get(word)
        return self.family is None or (isinstance(leaf, SemanticClass) and leaf.family is self.family)


def _possible(capability: Capability, family: Family | None) -> bool:
    return family is None or family in capability.families or any(each.family is family for each in capability.classes)


@dataclass(frozen=True)
class Edge:
    """A relation between two ids that were shown."""

    source: str
    target: str
    type: str
    reason: str


@dataclass
class Sight:
    """Objects, sets and relations, gathered from all envelopes."""

    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: dict[Edge, None] = field(default_factory=dict)
    _sets: dict[str, dict[str, Any]] = field(default_factory=dict)
    _named: set[str] = field(default_factory=set)
    _things: dict[str, Thing] | None = None
    _parts: dict[str, Thing] = field(default_factory=dict)
    """Members of sets that a goal means by a class of which nothing was told."""

    def take(self, message: Mapping[str, Any]) -> None:
        """Add what one envelope tells."""
        self._named |= set(message.get("goal", {}).get("objects", ()))
        for rows, name, known in (("objects", "object_id", self.told), ("sets", "set_id", self._sets)):
            for each in message.get(rows, ()):
                known.setdefault(each[name], {}).update(each)
                self._things = None
        for each in (*message.get("edges", ()), *message.get("relations", ())):
            if "target" in each:
                self.edges[Edge(each["source"], each["target"], each["edge"], each.get("reason", ""))] = None
                self._things = None

    @property
    def things(self) -> dict[str, Thing]:
        """Everything that was shown, by id. A set that was split is told by its parts."""
        if self._things is None:
            split = {each["within"] for each in self._sets.values() if "within" in each}
            whole = {id_: each for id_, each in self._sets.items() if id_ not in split and not self._listed(id_)}
            made = [_object(each, whole) for each in self.told.values()]
            tested = {edge.source for edge in self.edges if edge.reason == "tests"}
            for id_, each in whole.items():
                parts = _members(each)
                made += [*parts, *_tests(parts)] if id_ in tested else parts
            self._things = {each.id: each for each in sorted(made, key=lambda each: each.order)}
        return self._things

    def _listed(self, set_id: str) -> bool:
        """Whether a set's members are listed one by one, as far as can be known: then it stands for no others."""
        if self.over_sets:
            return False
        listed = [each for each in self.told.values() if each.get("within") == set_id]
        return len(listed) >= member(SetSize, self._sets[set_id]["size"]).least

    @property
    def over_sets(self) -> bool:
        """Whether the folder is told as sets, and only what the goal names object by object."""
        return bool(self._sets) and self.told.keys() <= self._named

    @property
    def weight(self) -> float:
        """What everything that was shown counts; objects of a set that was shown count with it."""
        return weighed(each for each in self.things.values() if not each.within)

    def thing(self, id_: str) -> Thing:
        """What is known by this id."""
        return self._parts[id_] if id_ in self._parts else self.things[id_]

    def part(self, thing: Thing, word: str) -> Thing:
        """Those members of a set that are of this class or family, whichever they are."""
        leaf = member(SemanticClass, word) if word in SemanticClass._value2member_map_ else None
        family = leaf.family if leaf else member(Family, word)
        return self._cut(thing, f"{thing.source}/{word}", leaf=leaf, family=family)

    def cut(self, thing: Thing, **where: str) -> Thing:
        """Those members of a set that have these values, whichever they are."""
        return self._cut(thing, "/".join((thing.source, *where.values())), where=tuple(where.items()))

    def _cut(self, thing: Thing, id_: str, **fields: Any) -> Thing:
        made = replace(thing, id=id_, **fields)
        self._parts[made.id] = made
        return made

    def pairs(self, *reasons: str) -> Iterator[tuple[Thing, Thing]]:
        """Pairs of things that are joined by a relation of one of these types or reasons; a set may be its own."""
        for edge in self.edges:
            if {edge.type, edge.reason} & set(reasons):
                yield from self._joined(edge)

    def _joined(self, edge: Edge) -> Iterator[tuple[Thing, Thing]]:
        """The things at both ends, of mixed sets those of one class where there are any."""
        sources, targets = self._ends(edge.source, edge.reason), self._ends(edge.target, edge.reason)
        if edge.source == edge.target:
            yield from ((each, each) for each in sources)
            return
        every = [(one, other) for one in sources for other in targets]
        yield from [pair for pair in every if pair[0].leaf is pair[1].leaf] or every

    def _ends(self, id_: str, reason: str) -> list[Thing]:
        """The things at one end of a relation: of a mixed set those that it mostly joins, where there are any."""
        found = self._at(id_)
        return [each for each in found if each.family in ENDS.get(reason, ())] or found

    def _at(self, id_: str) -> list[Thing]:
        return [each for each in self.things.values() if each.source == id_]

    def near(self, ids: Iterable[str], *reasons: str) -> list[str]:
        """Ids that a relation of one of these reasons joins to these, either way."""
        of = {self.thing(each).source for each in ids}
        found: dict[str, None] = {}
        for edge in self.edges:
            if edge.reason in reasons or edge.type in reasons:
                for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
                    if one in of and other not in of:
                        found |= dict.fromkeys(each.id for each in self._at(other))
        return sorted(found, key=lambda each: self.things[each].order)

    def written(self, ids: Sequence[str], tags: Iterable[str] = (), *, sides: bool = False) -> list[Input]:
        """These things as inputs of a step.

        `tags`: what is meant of sets in which only some members hold it. `sides`: whether an object stays beside its
        set, to be compared with the other members.
        """
        unique = list(dict.fromkeys(ids))
        chosen = [self.thing(each) for each in (unique if sides else self.uncovered(unique))]
        wanted = frozenset(tags)
        made: list[Input] = []
        for source in dict.fromkeys(each.source for each in chosen):
            mine = [each for each in chosen if each.source == source]
            made += self._narrowed(source, mine, wanted) if mine[0].several else [source]
        return made

    def uncovered(self, ids: Sequence[str]) -> list[str]:
        """Without objects that are members of a set which is among these too."""
        chosen = [self.thing(each) for each in ids]
        return [each.id for each in chosen if not any(_covers(other, each) for other in chosen)]

    def _narrowed(self, source: str, mine: Sequence[Thing], tags: frozenset[str]) -> list[Input]:
        """A set, or those of its members that are meant."""
        held = sorted(tags & mine[0].tags)
        # Where several tags are meant, or most members hold one, narrowing by one of them would lose what is meant.
        marked = {"contains": held[0]} if len(held) == 1 and held[0] in mine[0].partly else {}
        whole: Input = {"set": source, "where": marked} if marked else source
        ids = {each.id for each in mine}
        if source in ids or ids >= {each.id for each in self._at(source)}:
            return [whole]
        families = dict.fromkeys(each.family for each in mine)
        rest = {each.family for each in self._at(source) if each.id not in ids}
        alike = len(families) < len(mine) and not any(each.where for each in mine)
        if alike and None not in families and not rest & set(families):
            conditions = [{"family": each.value} for each in families if each is not None]
        else:
            conditions = [_condition(each) for each in mine]
        if len(conditions) > MOST_NARROWED:
            return [whole]
        return [{"set": source, "where": {**each, **marked}} for each in conditions]


def counted(things: Iterable[Thing]) -> int:
    """About how many objects these stand for."""
    return sum(each.count for each in things)


def possible(things: Iterable[Thing]) -> int:
    """How many objects these may stand for: whether there are two for a capability that needs two."""
    return sum(each.room for each in things)


def weighed(things: Iterable[Thing]) -> float:
    """What these count together."""
    return sum(each.weight for each in things)


def _covers(wider: Thing, thing: Thing) -> bool:
    """Whether a set that is chosen holds an object that is chosen too."""
    return wider.source == thing.within and wider.leaf in (None, thing.leaf)


def _condition(thing: Thing) -> dict[str, Any]:
    if thing.where:
        return dict(thing.where)
    if thing.leaf is not None:
        return {"semantic_class": thing.leaf.value}
    return {"family": thing.family.value} if thing.family is not None else {}


def _object(told: Mapping[str, Any], sets: Collection[str]) -> Thing:
    within = str(told.get("within", ""))
    return replace(
        _thing(told, told["object_id"]),
        tags=frozenset(told.get("contains", ())),
        lacks=frozenset(told.get("lacks", ())),
        within=within if within in sets else "",
    )


def _members(told: Mapping[str, Any]) -> list[Thing]:
    """A set as one thing; where its members are of several classes, as one for each."""
    tags = {each["tag"]: each["share"] for each in told.get("contains", ())}
    lacking = {each["absence"]: each["share"] for each in told.get("lacks", ())}
    size = member(SetSize, told["size"]).least
    whole = replace(
        _thing(told, told["set_id"]),
        tags=frozenset(tags),
        lacks=frozenset(lacking),
        partly=frozenset(
            [tag for tag, share in tags.items() if share == Share.SOME]
            + [f"-{absence}" for absence, share in lacking.items() if share == Share.SOME]
        ),
        count=size,
        room=size,
        named=bool(told.get("named")),
    )
    if whole.leaf is not None or "classes" not in told:
        return [whole]
    made = []
    shares = {member(SemanticClass, each["semantic_class"]): each["share"] for each in told["classes"]}
    mixed = len({leaf.family for leaf in shares}) > 1
    for leaf, share in shares.items():
        count = max(1, round(size * PORTION[member(Share, share)]))
        id_, order = f"{whole.source}/{leaf.value}", (*whole.order, leaf.value)
        kind = whole.kind or ONE_KIND.get(leaf.family)
        made.append(
            replace(whole, id=id_, order=order, kind=kind, leaf=leaf, family=leaf.family, count=count, mixed=mixed)
        )
    return made


def _tests(parts: Sequence[Thing]) -> list[Thing]:
    """The tests in a mixed set that tests something, where its told classes leave them out."""
    leaf, first = SemanticClass.TEST_SUITE, parts[0]
    if first.id == first.source or any(each.leaf is leaf for each in parts) or first.kind not in (None, Kind.CODE_FILE):
        return []
    id_, order = f"{first.source}/{leaf.value}", (*first.order, leaf.value)
    return [replace(first, id=id_, order=order, leaf=leaf, family=leaf.family, count=1)]


def _thing(told: Mapping[str, Any], id_: str) -> Thing:
    """What objects and sets are told alike."""
    leaf = member(SemanticClass, told["semantic_class"]) if "semantic_class" in told else None
    family = leaf.family if leaf else member(Family, told["family"]) if "family" in told else None
    values = tuple(f"{key}={told[key]}" for key in sorted(told) if key not in IDS)
    level = str(told.get("sensitivity", ""))
    return Thing(
        id=id_,
        kind=member(Kind, told["kind"]) if "kind" in told else None,
        leaf=leaf,
        family=family,
        tags=frozenset(),
        lacks=frozenset(),
        role=str(told.get("role", "")),
        component=str(told.get("component", "")),
        sensitivity=level,
        order=(LEVELS.get(level, 3), values),
        source=id_,
    )


IDS: Final = ("object_id", "set_id", "component", "within")
"""Fields that say nothing by themselves."""
