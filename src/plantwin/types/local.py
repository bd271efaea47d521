"""Objects and sets as the trusted core knows them: vocabulary values and accounts of the ledger. No name or content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from plantwin.types.sets import SetRelation, TwinSet
from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.vocabulary import Confidence, Freshness, Kind, SemanticClass, Sensitivity, SensitivityCause


class Subject(NamedTuple):
    """All that a decision about an object may depend on: closed values and the person's labels, no name and no id."""

    kind: Kind
    semantic_class: SemanticClass
    # What is not stated is taken for the worst.
    sensitivity: Sensitivity = Sensitivity.HIGH
    causes: frozenset[SensitivityCause] = frozenset()
    freshness: Freshness = Freshness.TODAY
    confidence: Confidence = Confidence.LOW
    labels: frozenset[str] = frozenset()
    ambiguous: bool = False
    """Whether the goal may have meant another object."""

    @property
    def unsure(self) -> bool:
        """Whether the local side is not sure that it is meant. A class of low confidence is no reason to ask."""
        return self.ambiguous


@dataclass(frozen=True)
class LocalObject:
    """An object of this session with everything that could be told of it."""

    object: TwinObject
    """All fields set that have a value."""
    key: bytes
    """Its account: the same in every session, whatever the file is called; copies of one content share it."""
    edges: tuple[TwinEdge, ...] = ()
    """Edges that start here."""
    labels: frozenset[str] = frozenset()
    """Labels that the person's configuration gives its path."""
    ambiguous: bool = False
    """Whether the goal may have meant another object."""
    version: str = ""
    """A keyed digest of its content: what is told belongs to this version, and is news of another."""
    cell: bytes = b""
    """The account of the cell that it lies in: what is told of that is told of it. None where it lies in no cell."""

    @property
    def id(self) -> str:
        """Its id in this session."""
        return self.object.object_id

    @property
    def semantic_class(self) -> SemanticClass:
        """Its class: known locally always."""
        leaf = self.object.semantic_class
        if not isinstance(leaf, SemanticClass):
            raise TypeError("held: an object without a class")
        return leaf

    @cached_property
    def subject(self) -> Subject:
        """What a policy may know of it."""
        told = self.object
        return Subject(
            told.kind,
            self.semantic_class,
            told.sensitivity or Sensitivity.HIGH,
            frozenset(told.sensitivity_causes or ()),
            told.freshness or Freshness.TODAY,
            told.confidence or Confidence.LOW,
            self.labels,
            self.ambiguous,
        )

    def unit(self, statement: str) -> str:
        """A statement about this version of its content, as the ledger counts it."""
        return f"{statement}@{self.version}" if self.version else statement


@dataclass(frozen=True)
class LocalSet:
    """A set of this session with everything that could be told of it."""

    set: TwinSet
    """All fields set that have a value."""
    cells: tuple[bytes, ...]
    """Accounts of the cells that it is made of, or that its members lie in."""
    count: int
    """How many members it has."""
    version: str
    """A keyed digest of its members and their content: what is told belongs to this version."""
    relations: tuple[SetRelation, ...] = ()
    """Relations that start here, the most useful first."""

    @property
    def id(self) -> str:
        """Its id in this session."""
        return self.set.set_id

    def unit(self, statement: str) -> str:
        """A statement about this version of the set, as the ledger counts it."""
        return f"set.{statement}@{self.version}"
