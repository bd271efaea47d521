"""Z: the twin's types. If one exists, it is valid: every leaf is a vocabulary word or an id.

Undisclosed fields are absent (`UNSET`), never null or a default.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from plantwin.errors import VocabularyError
from plantwin.text import plural, table
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


def check_several(values: object, of: type, most: int, field: str, word: Callable[[Any], str] = str) -> None:
    """At least one and not too many of a type, each word once and in one order: else the order would be a channel."""
    # A subclass of tuple could show the checks other members than the encoder.
    if type(values) is not tuple or not 0 < len(values) <= most or any(type(value) is not of for value in values):
        raise VocabularyError(f"{field}: not between 1 and {most} of {of.__name__}")
    words = [word(value) for value in values]
    need(words == sorted(set(words)), f"{field}: a member twice or out of order")


def object_id_like(value: object) -> bool:
    """Whether a value has the form of an object's id."""
    return type(value) is str and _object_id.fullmatch(value) is not None


def set_id_like(value: object) -> bool:
    """Whether a value has the form of a set's id."""
    return type(value) is str and _set_id.fullmatch(value) is not None


def check_set_id(value: object, field: str) -> None:
    """Refuse what is no id of a set."""
    _id(value, _set_id, field)


def check_fields(told: Any, single: Mapping[str, type[StrEnum]]) -> None:
    """Refuse what is wrong in fields that objects and sets have alike: single words, and ids of what it is in."""
    for field, vocabulary in single.items():
        if (value := getattr(told, field)) is not UNSET:
            check_word(value, vocabulary, field)
    if told.component is not UNSET:
        _id(told.component, _component_id, "component")
    if told.within is not UNSET:
        check_set_id(told.within, "within")
    if told.semantic_class is not UNSET and told.family is not UNSET:
        need(told.semantic_class.family is told.family, "family: not the family of semantic_class")


def check_reason(edge: EdgeType, reason: EdgeReason | UnsetType, field: str) -> None:
    """Refuse what is no type of a relation, or a reason of another type."""
    check_word(edge, EdgeType, f"{field}.edge")
    if reason is not UNSET:
        check_word(reason, EdgeReason, f"{field}.reason")
        need(reason.edge is edge, f"{field}.reason: belongs to another edge type")


def check_ends(relations: Iterable[Any], known: Collection[str], field: str) -> None:
    """Relations join what is known, none is told twice, and nothing has too many."""
    told = list(relations)
    for relation in told:
        need(relation.source in known, f"{field}: an unknown source")
        need(relation.target is UNSET or relation.target in known, f"{field}: an unknown target")
    need(len(set(told)) == len(told), f"{field}: one twice")
    most = max(Counter(relation.source for relation in told).values(), default=0)
    need(most <= MAX_EDGES, f"{field}: too many of one source")


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
        check_fields(self, _SINGLE)
        for field, (of, most) in _MANY.items():
            if (values := getattr(self, field)) is not UNSET:
                check_several(values, of, most, field)
        if self.amounts is not UNSET:
            check_several(self.amounts, TagAmount, MAX_TAGS, "amounts", lambda amount: str(amount.tag))
            disclosed = () if self.contains is UNSET else self.contains
            need({each.tag for each in self.amounts} <= set(disclosed), "amounts: a tag that is not disclosed")


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
        check_reason(self.edge, self.reason, "edge")
        if self.edge is EdgeType.REQUIRES_CAPABILITY:
            need(self.target is UNSET, "edge.target: a tool is not an object")
        else:
            _id(self.target, _object_id, "edge.target")
            need(self.target != self.source, "edge.target: an object's edge to itself")


class Twin(msgspec.Struct, frozen=True, kw_only=True):
    """The typed graph: objects and the relations among them."""

    objects: tuple[TwinObject, ...]
    edges: tuple[TwinEdge, ...] = ()

    def __post_init__(self) -> None:
        _instances(self.objects, TwinObject, "objects")
        _instances(self.edges, TwinEdge, "edges")
        check_graph(self.objects, self.edges)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        objects = [
            (
                each.object_id,
                each.kind,
                each.semantic_class or "",
                each.sensitivity or "",
                ", ".join(each.contains or ()),
            )
            for each in self.objects
        ]
        edges = [(each.source, each.edge, each.target or "", each.reason or "") for each in self.edges]
        head = ("object", "kind", "class", "sensitivity", "contains")
        return table(f"Twin: {plural(len(objects), 'object')}", head, objects) + table(
            plural(len(edges), "relation"), ("from", "relation", "to", "reason"), edges
        )


def _instances(values: object, of: type, field: str) -> None:
    need(type(values) is tuple and all(type(each) is of for each in values), f"{field}: of the wrong type")


def check_graph(objects: Iterable[TwinObject], edges: Iterable[TwinEdge]) -> None:
    """Ids are unique, and edges join known objects."""
    ids = [each.object_id for each in objects]
    need(len(set(ids)) == len(ids), "objects: an id twice")
    check_ends(edges, frozenset(ids), "edges")
