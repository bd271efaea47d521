"""Z: the twin's types. If one exists, it is valid: every leaf is a vocabulary word or an id.

Undisclosed fields are absent (`UNSET`), never null or a default.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from plantwin.errors import VocabularyError
from plantwin.vocabulary import (
    FACETS,
    MAX_CAUSES,
    MAX_EDGES,
    MAX_TAGS,
    Absence,
    Affordance,
    Age,
    Amount,
    Confidence,
    ContentTag,
    DeploymentEnvironment,
    Dialect,
    Ecosystem,
    EdgeReason,
    EdgeType,
    Family,
    Freshness,
    Kind,
    Provider,
    Readiness,
    ReadinessCause,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    SizeBucket,
)

OBJECT_ID = "^artifact_[a-z2-7]{8}$"
COMPONENT_ID = "^component_[a-z2-7]{8}$"
SET_ID = "^set_[a-z2-7]{8}$"

ObjectId = Annotated[str, Meta(pattern=OBJECT_ID, max_length=17)]
ComponentId = Annotated[str, Meta(pattern=COMPONENT_ID, max_length=18)]
SetId = Annotated[str, Meta(pattern=SET_ID, max_length=12)]

_object_id = re.compile(OBJECT_ID.removeprefix("^").removesuffix("$"))
_component_id = re.compile(COMPONENT_ID.removeprefix("^").removesuffix("$"))
_set_id = re.compile(SET_ID.removeprefix("^").removesuffix("$"))


W = TypeVar("W", bound=StrEnum)


def need(condition: bool, code: str) -> None:
    """Refuse to construct; the code names the field and never quotes the value."""
    if not condition:
        raise VocabularyError(code)


def check_word(value: object, vocabulary: type[StrEnum], field: str) -> None:
    need(type(value) is vocabulary, f"{field}: not a word of {vocabulary.__name__}")


def _words(values: object, vocabulary: type[StrEnum], most: int, field: str) -> None:
    if type(values) is not tuple:  # a subclass could show the checks other members than the encoder
        raise VocabularyError(f"{field}: not a tuple")
    need(0 < len(values) <= most, f"{field}: between 1 and {most} members")
    for value in values:
        check_word(value, vocabulary, field)
    # One order for one set: otherwise the order itself would be a channel.
    need(values == canonical(values), f"{field}: a member twice or out of order")


def object_id_like(value: object) -> bool:
    """Whether a value has the form of an object's id."""
    return type(value) is str and _object_id.fullmatch(value) is not None


def set_id_like(value: object) -> bool:
    """Whether a value has the form of a set's id."""
    return type(value) is str and _set_id.fullmatch(value) is not None


def check_set_id(value: object, field: str) -> None:
    """Refuse what is no id of a set."""
    _id(value, _set_id, field)


def check_component(value: object) -> None:
    """Refuse what is no id of a component."""
    _id(value, _component_id, "component")


def canonical(words: Iterable[W]) -> tuple[W, ...]:
    """The one order in which a set of words may be written."""
    return tuple(sorted(set(words)))


def _id(value: object, pattern: re.Pattern[str], field: str) -> None:
    need(type(value) is str and pattern.fullmatch(value) is not None, f"{field}: not an id")


class TagAmount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much of one content tag an object holds."""

    tag: ContentTag
    amount: Amount

    def __post_init__(self) -> None:
        check_word(self.tag, ContentTag, "amounts.tag")
        check_word(self.amount, Amount, "amounts.amount")


class TwinObject(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One object as a planner may see it."""

    object_id: ObjectId
    kind: Kind
    semantic_class: SemanticClass | UnsetType = UNSET
    family: Family | UnsetType = UNSET
    role: Role | UnsetType = UNSET
    component: ComponentId | UnsetType = UNSET
    sensitivity: Sensitivity | UnsetType = UNSET
    sensitivity_causes: (
        Annotated[tuple[SensitivityCause, ...], Meta(min_length=1, max_length=MAX_CAUSES)] | UnsetType
    ) = UNSET
    freshness: Freshness | UnsetType = UNSET
    age: Age | UnsetType = UNSET
    environment: DeploymentEnvironment | UnsetType = UNSET
    provider: Provider | UnsetType = UNSET
    ecosystem: Ecosystem | UnsetType = UNSET
    dialect: Dialect | UnsetType = UNSET
    size_bucket: SizeBucket | UnsetType = UNSET
    contains: Annotated[tuple[ContentTag, ...], Meta(min_length=1, max_length=MAX_TAGS)] | UnsetType = UNSET
    amounts: Annotated[tuple[TagAmount, ...], Meta(min_length=1, max_length=MAX_TAGS)] | UnsetType = UNSET
    usable_for: Annotated[tuple[Affordance, ...], Meta(min_length=1, max_length=MAX_TAGS)] | UnsetType = UNSET
    lacks: Annotated[tuple[Absence, ...], Meta(min_length=1, max_length=MAX_TAGS)] | UnsetType = UNSET
    readiness: Readiness | UnsetType = UNSET
    readiness_cause: ReadinessCause | UnsetType = UNSET
    confidence: Confidence | UnsetType = UNSET
    within: SetId | UnsetType = UNSET
    """The set that it is a member of, where it is told of by itself too."""

    def __post_init__(self) -> None:
        _id(self.object_id, _object_id, "object_id")
        check_word(self.kind, Kind, "kind")
        for field, vocabulary in _SINGLE.items():
            value = getattr(self, field)
            if value is not UNSET:
                check_word(value, vocabulary, field)
        for field, (vocabulary, most) in _MANY.items():
            value = getattr(self, field)
            if value is not UNSET:
                _words(value, vocabulary, most, field)
        if self.component is not UNSET:
            check_component(self.component)
        if self.within is not UNSET:
            check_set_id(self.within, "within")
        if self.amounts is not UNSET:
            self._check_amounts()
        if self.semantic_class is not UNSET and self.family is not UNSET:
            need(self.semantic_class.family is self.family, "family: not the family of semantic_class")

    def _check_amounts(self) -> None:
        """An amount qualifies a disclosed tag, once."""
        amounts, contains = self.amounts, self.contains
        need(type(amounts) is tuple and 0 < len(amounts) <= MAX_TAGS, "amounts: between 1 and 6 members")
        need(all(type(each) is TagAmount for each in amounts), "amounts: not amounts")  # type: ignore[union-attr]
        tags = [each.tag for each in amounts]  # type: ignore[union-attr]
        need(tuple(tags) == canonical(tags), "amounts: a tag twice or out of order")
        need(contains is not UNSET and set(tags) <= set(contains), "amounts: a tag that is not disclosed")


_SINGLE: dict[str, type[StrEnum]] = {
    "semantic_class": SemanticClass,
    "family": Family,
    "role": Role,
    "sensitivity": Sensitivity,
    "freshness": Freshness,
    **FACETS,
    "size_bucket": SizeBucket,
    "readiness": Readiness,
    "readiness_cause": ReadinessCause,
    "confidence": Confidence,
}
_MANY: dict[str, tuple[type[StrEnum], int]] = {
    "sensitivity_causes": (SensitivityCause, MAX_CAUSES),
    "contains": (ContentTag, MAX_TAGS),
    "usable_for": (Affordance, MAX_TAGS),
    "lacks": (Absence, MAX_TAGS),
}


class TwinEdge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One relation. `requires_capability` has no target: its reason says which tool."""

    source: ObjectId
    edge: EdgeType
    target: ObjectId | UnsetType = UNSET
    reason: EdgeReason | UnsetType = UNSET

    def __post_init__(self) -> None:
        _id(self.source, _object_id, "edge.source")
        check_word(self.edge, EdgeType, "edge.edge")
        if self.edge is EdgeType.REQUIRES_CAPABILITY:
            need(self.target is UNSET, "edge.target: a tool is not an object")
        else:
            _id(self.target, _object_id, "edge.target")
            need(self.target != self.source, "edge.target: an object's edge to itself")
        if self.reason is not UNSET:
            check_word(self.reason, EdgeReason, "edge.reason")
            need(self.reason.edge is self.edge, "edge.reason: belongs to another edge type")


class Twin(msgspec.Struct, frozen=True, kw_only=True):
    """The typed graph: objects and the relations among them."""

    objects: tuple[TwinObject, ...]
    edges: tuple[TwinEdge, ...] = ()

    def __post_init__(self) -> None:
        _instances(self.objects, TwinObject, "objects")
        _instances(self.edges, TwinEdge, "edges")
        check_graph(self.objects, self.edges)


def _instances(values: object, of: type, field: str) -> None:
    need(type(values) is tuple and all(type(each) is of for each in values), f"{field}: of the wrong type")


def check_graph(objects: Iterable[TwinObject], edges: Iterable[TwinEdge]) -> None:
    """Ids are unique, edges join known objects, none has too many and none is told twice."""
    ids = [each.object_id for each in objects]
    known = set(ids)
    need(len(known) == len(ids), "objects: an id twice")
    per_source: Counter[str] = Counter()
    seen: set[TwinEdge] = set()
    for edge in edges:
        need(edge.source in known, "edges: an unknown source")
        need(edge.target is UNSET or edge.target in known, "edges: an unknown target")
        need(edge not in seen, "edges: an edge twice")
        seen.add(edge)
        per_source[edge.source] += 1
    need(all(count <= MAX_EDGES for count in per_source.values()), "edges: too many of one object")
