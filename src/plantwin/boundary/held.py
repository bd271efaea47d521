"""The trusted core's view of one object: its vocabulary values and its key in the ledger. No name, no content."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.vocabulary import Confidence, SemanticClass


class Held(NamedTuple):
    """An object of this session with everything that could be told of it."""

    object: TwinObject
    """All fields set that have a value."""
    key: bytes
    """HMAC of its stable identity: the same in every session, whatever the file is called."""
    edges: tuple[TwinEdge, ...] = ()
    """Edges that start here."""
    labels: frozenset[str] = frozenset()
    """Labels that the person's configuration gives its path."""
    ambiguous: bool = False
    """Whether the goal may have meant another object."""

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

    @property
    def unsure(self) -> bool:
        """Whether the local side itself is not sure what it is, or whether it is meant."""
        return self.ambiguous or self.object.confidence is Confidence.LOW
