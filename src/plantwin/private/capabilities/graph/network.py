"""Objects and what they use, as a directed graph: reach, cycles, layers. Everything is linear, and nothing recurses."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from plantwin.private.capabilities.job import Input, Job, Neighbour, Surroundings

USES = frozenset(("depends_on", "derived_from"))
"""Edges from what uses to what is used."""


class Arc(NamedTuple):
    """One end of a relation: the other object, why, and what says so."""

    other: int
    reason: str
    evidence: str

    def __repr__(self) -> str:
        return "<Arc private>"


class Network:
    """What uses what, among the objects around a job's inputs."""

    def __init__(self, around: Surroundings) -> None:
        self.objects: tuple[Neighbour, ...] = around.objects
        self.uses: dict[int, list[Arc]] = defaultdict(list)
        self.used: dict[int, list[Arc]] = defaultdict(list)
        self.needs: dict[int, list[str]] = defaultdict(list)
        """Local tools that an object cannot do without."""
        number = len(self.objects)
        seen: set[tuple[int, int, str]] = set()
        for link in around.links:
            if link.edge == "requires_capability" and 0 <= link.source < number:
                self.needs[link.source].append(link.reason)
            if link.edge not in USES or not (0 <= link.source < number and 0 <= link.target < number):
                continue
            key = (link.source, link.target, link.reason)
            if link.source == link.target or key in seen:
                continue
            seen.add(key)
            self.uses[link.source].append(Arc(link.target, link.reason, link.evidence))
            self.used[link.target].append(Arc(link.source, link.reason, link.evidence))

    def __repr__(self) -> str:
        return "<Network private>"

    def label(self, position: int) -> str:
        """How the local report names an object."""
        each = self.objects[position]
        return f"{each.name}#{each.part}" if each.part else each.name

    def outgoing(self, position: int, reasons: frozenset[str] | None = None) -> set[int]:
        """What an object uses directly."""
        return {arc.other for arc in self.uses[position] if reasons is None or arc.reason in reasons}

    def incoming(self, position: int, reasons: frozenset[str] | None = None) -> set[int]:
        """What uses an object directly."""
        return {arc.other for arc in self.used[position] if reasons is None or arc.reason in reasons}

    def reach(self, start: Iterable[int], step: Callable[[int], Iterable[int]], most: int) -> dict[int, int]:
        """Everything that can be reached in at most so many steps, with its distance."""
        found = dict.fromkeys(start, 0)
        queue = deque(found)
        while queue:
            at = queue.popleft()
            if found[at] >= most:
                continue
            for other in step(at):
                if other not in found:
                    found[other] = found[at] + 1
                    queue.append(other)
        return found

    def cycles(self, among: Iterable[int], reasons: frozenset[str]) -> list[list[int]]:
        """Groups of objects that use each other in a circle (Tarjan), the largest first."""
        inside = set(among)
        edges = {node: sorted(self.outgoing(node, reasons) & inside) for node in inside}
        found = [group for group in components(edges) if len(group) > 1]
        return sorted(found, key=lambda group: (-len(group), group))

    def circle(self, group: Iterable[int], reasons: frozenset[str]) -> list[int]:
        """One shortest way around within a group of a cycle, for showing."""
        inside = set(group)
        start = min(inside)
        came: dict[int, int] = {}
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for other in sorted(self.outgoing(at, reasons) & inside):
                if other == start:
                    way = [at]
                    while way[-1] != start:
                        way.append(came[way[-1]])
                    return way[::-1]
                if other not in came:
                    came[other] = at
                    queue.append(other)
        return sorted(inside)

    def layers(self, among: Iterable[int], reasons: frozenset[str]) -> list[list[int]]:
        """Objects by how far they stand above what uses nothing; a circle stands on one layer."""
        inside = set(among)
        edges = {node: sorted(self.outgoing(node, reasons) & inside) for node in inside}
        height: dict[int, int] = {}
        # Components come out in an order in which everything used comes before what uses it.
        for group in components(edges):
            own = set(group)
            below = [height[other] for node in group for other in edges[node] if other not in own]
            for node in group:
                height[node] = max(below, default=-1) + 1
        rows: list[list[int]] = [[] for _ in range(max(height.values(), default=-1) + 1)]
        for node in sorted(height):
            rows[height[node]].append(node)
        return rows


def components(edges: dict[int, list[int]]) -> list[list[int]]:
    """Strongly connected components by Tarjan's algorithm, what is used before what uses it."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    held: list[int] = []
    on: set[int] = set()
    found: list[list[int]] = []
    for root in sorted(edges):
        if root in order:
            continue
        work = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                order[node] = low[node] = len(order)
                held.append(node)
                on.add(node)
            following = edges[node]
            while at < len(following):
                other = following[at]
                at += 1
                if other not in order:
                    work += [(node, at), (other, 0)]
                    break
                if other in on:
                    low[node] = min(low[node], order[other])
            else:
                if low[node] == order[node]:
                    group = []
                    while True:
                        each = held.pop()
                        on.discard(each)
                        group.append(each)
                        if each == node:
                            break
                    found.append(sorted(group))
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
    return found


def starts(job: Job) -> list[int]:
    """Where a job's inputs are: objects by position, results by the objects that they speak of."""
    found: list[int] = []
    around = job.surroundings
    by_name: dict[str, int] = {}
    for position, each in enumerate(around.objects):
        by_name.setdefault(f"{each.name}#{each.part}" if each.part else each.name, position)
    for given, place in zip(job.inputs, around.inputs or [-1] * len(job.inputs), strict=False):
        if given.is_result:
            found += [by_name[name] for name in spoken_of(given) if name in by_name]
        elif 0 <= place < len(around.objects):
            found.append(place)
        elif given.label in by_name:
            found.append(by_name[given.label])
    return list(dict.fromkeys(found))


def spoken_of(given: Input) -> list[str]:
    """The objects that a result speaks of: those of its findings, and those that it lists itself."""
    names = [each.name for each in given.findings()]
    facts = (given.result or {}).get("facts")
    for key in ("objects", "examined", "modules"):
        listed = facts.get(key) if isinstance(facts, dict) else None
        names += [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    return list(dict.fromkeys(names))
