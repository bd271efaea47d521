"""The twin as a graph: its nodes and links, and which of them a picture shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Node(NamedTuple):
    """One object, with what the picture says of it."""

    kind: str
    semantic_class: str
    sensitivity: str
    label: str
    """An opaque id, or a local name."""
    component: str = ""
    tools: int = 0
    """Local tools it needs."""


class Link(NamedTuple):
    """One relation between two nodes, by their positions."""

    source: int
    target: int
    edge: str


class Graph(NamedTuple):
    """Nodes with the links among them, and how much was left out."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    hidden: Counter[str]
    """Nodes left out, by kind."""
    components: Counter[str]
    """Nodes left out, by component."""
    hidden_links: int = 0


def chosen(nodes: Sequence[Node], links: Sequence[Link], most: int) -> Graph:
    """The nodes with the most links, in an order that neither names nor ids decide, and the rest counted."""
    degree = Counter(end for link in links for end in (link.source, link.target))
    rank = _ranks(nodes, links)
    order = sorted(range(len(nodes)), key=lambda index: (-degree[index], rank[index], nodes[index].label))
    kept, rest = order[:most], order[most:]
    place = {old: new for new, old in enumerate(kept)}
    among = sorted(
        {
            Link(place[link.source], place[link.target], link.edge)
            for link in links
            if link.source in place and link.target in place
        }
    )
    return Graph(
        nodes=tuple(nodes[old] for old in kept),
        links=tuple(among),
        hidden=Counter(nodes[old].kind for old in rest),
        hidden_links=len(set(links)) - len(among),
        components=Counter(nodes[old].component for old in rest),
    )


def _ranks(nodes: Sequence[Node], links: Iterable[Link], rounds: int = 3) -> list[int]:
    """Colour refinement: equal ranks for nodes that look alike, so that one twin gives one picture."""
    around: list[list[tuple[int, str, bool]]] = [[] for _ in nodes]
    for link in links:
        around[link.source].append((link.target, link.edge, True))
        around[link.target].append((link.source, link.edge, False))
    ranks = _dense([(node.kind, node.semantic_class, node.sensitivity, node.tools) for node in nodes])
    for _ in range(rounds):
        ranks = _dense(
            [
                (ranks[index], sorted((edge, out, ranks[other]) for other, edge, out in near))
                for index, near in enumerate(around)
            ]
        )
    return ranks


def _dense(keys: Sequence[tuple[object, ...]]) -> list[int]:
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ranks = [0] * len(keys)
    rank = 0
    for before, index in pairwise(order):
        rank += keys[before] != keys[index]
        ranks[index] = rank
    return ranks
