"""Relations between objects, and the components they form."""

from __future__ import annotations

from collections.abc import Sequence

from plantwin.private.relate.lookup import Node, Relations

__all__ = ["Node", "Relations", "relate"]


def relate(nodes: Sequence[Node]) -> Relations:
    """All relations among the nodes; the result does not depend on their order."""
    from plantwin.private.relate.graph import relations

    return relations(nodes)
