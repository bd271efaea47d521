"""Sets of objects as a planner may see them: closed values that hold for all, and how many of them hold what else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from plantwin.types.twin import (
    ComponentId,
    SetId,
    check_ends,
    check_fields,
    check_reason,
    check_set_id,
    check_several,
    check_word,
    need,
    object_id_like,
    set_id_like,
)
from plantwin.vocabulary import (
    MAX_FACETS,
    MAX_TAGS,
    Absence,
    Age,
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
    Role,
    SemanticClass,
    Sensitivity,
    SetSize,
    Share,
)

End = Annotated[str, Meta(pattern="^(?:set|artifact)_[a-z2-7]{8}$", max_length=17)]
"""What a relation joins: a set or a named object."""
MAX_SETS: Final = 64
"""Most sets that one envelope tells of."""
MAX_CLASSES: Final = 8
"""Most classes that a mixed set is told to hold."""


class Shared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a share of the members has: a word of `vocabulary`, in the last field."""

    vocabulary: ClassVar[type[StrEnum]]
    share: Share

    def __post_init__(self) -> None:
        check_word(self.share, Share, "share")
        check_word(self.word, self.vocabulary, self.__struct_fields__[-1])

    @property
    def word(self) -> str:
        """What the share is of."""
        return getattr(self, self.__struct_fields__[-1])  # type: ignore[no-any-return]


class ClassShare(Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many members are of a class."""

    vocabulary = SemanticClass
    semantic_class: SemanticClass


class TagShare(Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many members hold a content tag."""

    vocabulary = ContentTag
    tag: ContentTag


class AbsenceShare(Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many members lack something."""

    vocabulary = Absence
    absence: Absence


class AgeShare(Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many members are of an age."""

    vocabulary = Age
    age: Age


class EnvironmentShare(Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many members are for an environment."""

    vocabulary = DeploymentEnvironment
    environment: DeploymentEnvironment


class ProviderShare(Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many members are for a provider."""

    vocabulary = Provider
    provider: Provider


class EcosystemShare(Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many members are of an ecosystem."""

    vocabulary = Ecosystem
    ecosystem: Ecosystem


class DialectShare(Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many members are of a database's dialect."""

    vocabulary = Dialect
    dialect: Dialect


class TwinSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Objects that are told of together. A single value holds for every member; what is not told is absent."""

    set_id: SetId
    size: SetSize
    kind: Kind | UnsetType = UNSET
    """Absent where they are of several kinds."""
    family: Family | UnsetType = UNSET
    semantic_class: SemanticClass | UnsetType = UNSET
    role: Role | UnsetType = UNSET
    component: ComponentId | UnsetType = UNSET
    freshness: Freshness | UnsetType = UNSET
    age: Annotated[tuple[AgeShare, ...], Meta(min_length=1, max_length=MAX_FACETS)] | UnsetType = UNSET
    environment: Annotated[tuple[EnvironmentShare, ...], Meta(min_length=1, max_length=MAX_FACETS)] | UnsetType = UNSET
    provider: Annotated[tuple[ProviderShare, ...], Meta(min_length=1, max_length=MAX_FACETS)] | UnsetType = UNSET
    ecosystem: Annotated[tuple[EcosystemShare, ...], Meta(min_length=1, max_length=MAX_FACETS)] | UnsetType = UNSET
    dialect: Annotated[tuple[DialectShare, ...], Meta(min_length=1, max_length=MAX_FACETS)] | UnsetType = UNSET
    sensitivity: Sensitivity | UnsetType = UNSET
    """The strongest of any member."""
    classes: Annotated[tuple[ClassShare, ...], Meta(min_length=1, max_length=MAX_CLASSES)] | UnsetType = UNSET
    contains: Annotated[tuple[TagShare, ...], Meta(min_length=1, max_length=MAX_TAGS)] | UnsetType = UNSET
    lacks: Annotated[tuple[AbsenceShare, ...], Meta(min_length=1, max_length=MAX_TAGS)] | UnsetType = UNSET
    ready: Share | UnsetType = UNSET
    """How many can be worked with now."""
    named: Literal[True] | UnsetType = UNSET
    """Whether the goal names it."""
    within: SetId | UnsetType = UNSET
    """The set that it was split from."""

    def __post_init__(self) -> None:
        check_set_id(self.set_id, "set_id")
        check_word(self.size, SetSize, "size")
        check_fields(self, _SINGLE)
        need(self.named is UNSET or self.named is True, "named: true, or absent")
        for field, (of, most) in SHARED.items():
            if (values := getattr(self, field)) is not UNSET:
                check_several(values, of, most, field, lambda shared: str(shared.word))


_SINGLE: Final[Mapping[str, type[StrEnum]]] = {
    "kind": Kind,
    "family": Family,
    "semantic_class": SemanticClass,
    "role": Role,
    "freshness": Freshness,
    "sensitivity": Sensitivity,
    "ready": Share,
}


SHARED: Final[Mapping[str, tuple[type[Shared], int]]] = {
    "age": (AgeShare, MAX_FACETS),
    "environment": (EnvironmentShare, MAX_FACETS),
    "provider": (ProviderShare, MAX_FACETS),
    "ecosystem": (EcosystemShare, MAX_FACETS),
    "dialect": (DialectShare, MAX_FACETS),
    "classes": (ClassShare, MAX_CLASSES),
    "contains": (TagShare, MAX_TAGS),
    "lacks": (AbsenceShare, MAX_TAGS),
}
"""Fields of several words with their shares, and most of each."""


class SetRelation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A relation from members of a set, or a named object, to members of another or of the same set."""

    source: End
    edge: EdgeType
    target: End
    reason: EdgeReason | UnsetType = UNSET
    share: Share = Share.SOME
    """How many of the source's members have it."""

    def __post_init__(self) -> None:
        for end in (self.source, self.target):
            need(set_id_like(end) or object_id_like(end), "relation: neither a set nor an object")
        need(set_id_like(self.source) or set_id_like(self.target), "relation: two objects have an edge")
        check_reason(self.edge, self.reason, "relation")
        check_word(self.share, Share, "relation.share")


def check_sets(sets: Iterable[TwinSet], relations: Iterable[SetRelation], objects: Iterable[str]) -> None:
    """Ids are unique, and relations join what is known."""
    ids = [each.set_id for each in sets]
    need(ids == sorted(set(ids)), "sets: one twice or out of order")
    check_ends(relations, {*ids, *objects}, "relations")
