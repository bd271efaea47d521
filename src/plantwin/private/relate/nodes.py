"""What relating takes and gives."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.private.facts import Edge, Facts


class Node(NamedTuple):
    """One object of the index: its number, its place, what is known of it, and when it last changed."""

    number: int
    path: str
    facts: Facts
    changed: float
    """Unix seconds."""

    def __repr__(self) -> str:
        return "<Node private>"


class Relations(NamedTuple):
    """The graph over node numbers. The most useful edges of each source come first."""

    edges: list[Edge]
    components: dict[int, str]
    """Node number to the local name of its component."""
    lacks: dict[int, tuple[str, ...]]
    """`Absence` words for what one would expect beside a node."""
    missing: set[int]
    """Nodes that read a file which is not there."""

    def __repr__(self) -> str:
        return "<Relations private>"
