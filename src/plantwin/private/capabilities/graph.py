"""Objects and what they use, as a directed graph: reach, cycles, layers, drawings. Linear, without recursion."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Input, Job, Neighbour, Surroundings
from plantwin.private.facts import Private
from plantwin.private.formats.values import words

USES = frozenset(("depends_on", "derived_from"))
"""Edges from what uses to what is used."""
MOST_NODES = 40
MOST_ARCS = 80
MOST_ROWS = 60
READ = words(
    "python notebook javascript jsx typescript tsx vue svelte java kotlin scala go ruby php csharp rust shell c cpp "
    "sql html css"
)
"""Languages of which references to other files are known."""
WHOLE_FOLDER = re.compile(r"(?<!_test)\.(?:go|tf)")
"""Endings of languages in which the files of a folder are one unit, imported as a whole and open to each other."""
PACKAGE = "package"
"""Why files of such a folder are joined."""
_SPECIAL = re.compile(r"[^\w./ @#+-]")


class Arc(NamedTuple):
    """One end of a relation: the other object, and why."""

    other: int
    reason: str


class Network(Private):
    """What uses what, among the objects around a job's inputs."""

    def __init__(self, around: Surroundings) -> None:
        self.objects: tuple[Neighbour, ...] = around.objects
        self.uses: dict[int, list[Arc]] = defaultdict(list)
        self.used: dict[int, list[Arc]] = defaultdict(list)
        self.needs: dict[int, list[str]] = defaultdict(list)
        """Local tools that an object cannot do without."""
        known = range(len(self.objects))
        seen: set[tuple[int, int, str]] = set()
        for link in around.links:
            if link.edge == "requires_capability" and link.source in known:
                self.needs[link.source].append(link.reason)
            key = (link.source, link.target, link.reason)
            proper = link.source in known and link.target in known and link.source != link.target
            if link.edge in USES and proper and key not in seen:
                seen.add(key)
                self.uses[link.source].append(Arc(link.target, link.reason))
                self.used[link.target].append(Arc(link.source, link.reason))
        self._join_packages()

    def _join_packages(self) -> None:
        """Let who uses one file of a package use all of it: an import names the folder, and one file stands for it."""
        packages: dict[tuple[str, str], list[int]] = defaultdict(list)
        for position, held in enumerate(self.objects):
            ending = WHOLE_FOLDER.search(held.name, max(0, len(held.name) - 3))
            if ending:
                packages[held.name.rpartition("/")[0], ending[0]].append(position)
        for members in packages.values():
            inside = set(members)
            users = {arc for member in members for arc in self.used[member] if arc.other not in inside}
            for member in members if len(members) > 1 else ():
                siblings = {Arc(other, PACKAGE) for other in members if other != member}
                self.used[member] = sorted(users | siblings)

    def label(self, position: int) -> str:
        """Return how the local report names an object."""
        return _label(self.objects[position])

    def outgoing(self, position: int, reasons: frozenset[str] | None = None) -> set[int]:
        """Return what an object uses directly."""
        return {arc.other for arc in self.uses[position] if reasons is None or arc.reason in reasons}

    def incoming(self, position: int, reasons: frozenset[str] | None = None) -> set[int]:
        """Return what uses an object directly."""
        return {arc.other for arc in self.used[position] if reasons is None or arc.reason in reasons}

    def reach(self, start: Iterable[int], step: Callable[[int], Iterable[int]], most: int) -> dict[int, int]:
        """Return everything that can be reached in at most so many steps, with its distance."""
        found = dict.fromkeys(start, 0)
        queue = deque(found)
        while queue:
            at = queue.popleft()
            for other in step(at) if found[at] < most else ():
                if other not in found:
                    found[other] = found[at] + 1
                    queue.append(other)
        return found

    def _edges(self, among: Iterable[int], reasons: frozenset[str]) -> dict[int, list[int]]:
        inside = set(among)
        return {node: sorted(self.outgoing(node, reasons) & inside) for node in inside}

    def cycles(self, among: Iterable[int], reasons: frozenset[str]) -> list[list[int]]:
        """Return groups of objects that use each other in a circle, the largest first."""
        found = [group for group in components(self._edges(among, reasons)) if len(group) > 1]
        return sorted(found, key=lambda group: (-len(group), group))

    def circle(self, group: Iterable[int], reasons: frozenset[str]) -> list[int]:
        """Return one shortest way around within a group of a cycle, for showing."""
        edges = self._edges(group, reasons)
        start = min(edges)
        came: dict[int, int] = {}
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for other in edges[at]:
                if other == start:
                    way = [at]
                    while way[-1] != start:
                        way.append(came[way[-1]])
                    return way[::-1]
                if other not in came:
                    came[other] = at
                    queue.append(other)
        return sorted(edges)

    def layers(self, among: Iterable[int], reasons: frozenset[str]) -> list[list[int]]:
        """Return objects by how far they stand above what uses nothing; a circle stands on one layer."""
        edges = self._edges(among, reasons)
        height: dict[int, int] = {}
        # Components come out in an order in which everything used comes before what uses it.
        for group in components(edges):
            below = [height[other] for node in group for other in edges[node] if other not in group]
            height.update(dict.fromkeys(group, max(below, default=-1) + 1))
        rows: list[list[int]] = [[] for _ in range(max(height.values(), default=-1) + 1)]
        for node in sorted(height):
            rows[height[node]].append(node)
        return rows


def components(edges: dict[int, list[int]]) -> list[list[int]]:
    """Return strongly connected components by Tarjan's algorithm, what is used before what uses it."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: dict[int, None] = {}
    found: list[list[int]] = []
    for root in sorted(edges):
        work = [(root, 0)] if root not in order else []
        while work:
            node, at = work.pop()
            if at == 0:
                order[node] = low[node] = len(order)
                stack[node] = None
            following = edges[node]
            while at < len(following):
                other = following[at]
                at += 1
                if other not in order:
                    work += [(node, at), (other, 0)]
                    break
                if other in stack:
                    low[node] = min(low[node], order[other])
            else:
                if low[node] == order[node]:
                    group = [stack.popitem()[0]]
                    while group[-1] != node:
                        group.append(stack.popitem()[0])
                    found.append(sorted(group))
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
    return found


def _label(neighbour: Neighbour) -> str:
    return f"{neighbour.name}#{neighbour.part}" if neighbour.part else neighbour.name


def starts(job: Job) -> list[int]:
    """Return where a job's inputs are: objects by position, results by the objects that they speak of."""
    found: list[int] = []
    around = job.surroundings
    by_name: dict[str, int] = {}
    for position, neighbour in enumerate(around.objects):
        by_name.setdefault(_label(neighbour), position)
    for given, place in zip(job.inputs, around.inputs or [-1] * len(job.inputs), strict=False):
        if given.is_result:
            found += [by_name[name] for name in spoken_of(given) if name in by_name]
        elif 0 <= place < len(around.objects):
            found.append(place)
        elif given.label in by_name:
            found.append(by_name[given.label])
    return list(dict.fromkeys(found))


def spoken_of(given: Input) -> list[str]:
    """Return the objects that a result speaks of: those of its findings, and those that it lists itself."""
    names = [finding.name for finding in given.findings()]
    facts = (given.result or {}).get("facts")
    # What looked around its inputs speaks of these; the others are what it found there.
    first = "inputs" if isinstance(facts, dict) and "inputs" in facts else "objects"
    for key in (first, "examined", "modules"):
        listed = facts.get(key) if isinstance(facts, dict) else None
        names += [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    return list(dict.fromkeys(names))


def unresolved(network: Network, nodes: Iterable[int]) -> list[str]:
    """Return code among these objects of which no relation is known, in languages whose imports are not read."""
    found = (network.objects[node] for node in nodes if not network.uses[node] and not network.used[node])
    return [_label(held) for held in found if held.kind == "code_file" and held.format and held.format not in READ]


def mermaid(
    nodes: Sequence[int], arcs: Iterable[tuple[int, int, str]], label: Callable[[int], str], marked: set[int]
) -> list[str]:
    """Draw at most forty objects in Mermaid, those marked boldly."""
    shown = list(nodes)[:MOST_NODES]
    drawn = [(one, other, reason) for one, other, reason in arcs if one in shown and other in shown][:MOST_ARCS]
    lines = ["```mermaid", "graph LR"]
    lines += [f'  n{node}["{_SPECIAL.sub("_", label(node)[-60:])}"]' for node in shown]
    lines += [f"  n{one} -->|{reason}| n{other}" for one, other, reason in drawn]
    bold = [f"n{node}" for node in shown if node in marked]
    lines += [f"  style {','.join(bold)} stroke-width:3px"] if bold else []
    return [*lines, "```"]


def tree(
    start: int, step: Callable[[int], Sequence[tuple[int, str]]], label: Callable[[int], str], depth: int = 3
) -> list[str]:
    """Draw what hangs on an object as an indented tree; each object is opened once."""
    lines = [_printable(label(start))]
    seen = {start}
    stack: list[tuple[int, str, str, bool, int]] = []

    def push(node: int, lead: str, level: int) -> None:
        last = True
        for other, reason in reversed(step(node)):
            stack.append((other, reason, lead, last, level))
            last = False

    push(start, "", 1)
    while stack and len(lines) < MOST_ROWS:
        node, reason, lead, last, level = stack.pop()
        again = node in seen
        lines.append(f"{lead}{'└─' if last else '├─'} {_printable(label(node))} ({reason}){' …' if again else ''}")
        if not again and level < depth:
            seen.add(node)
            push(node, f"{lead}{'   ' if last else '│  '}", level + 1)
    return [*lines, f"… and {len(stack)} more"] if stack else lines


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() and character != "`" else "?" for character in text[:160])
