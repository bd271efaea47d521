"""Where things go in a picture of a graph: deterministic, and near linear in its size.

Nodes of one component settle in a disc of their own (springs along links, a push between
neighbours found through a grid); discs are then packed beside the discs they have links to, and
turned so that the links between them are short.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

SPACING = 72.0
ROUNDS = 140
GOLDEN = math.pi * (3 - math.sqrt(5))
MARGIN = 38.0
"""Room around the nodes of a disc, for labels."""
GUTTER = 16.0
STRETCH = 1.5
"""Pictures are wider than high."""
DIRECTIONS = 24

Point = tuple[float, float]
Pairs = Sequence[tuple[int, int]]


class Disc(NamedTuple):
    """A component in the picture."""

    name: str
    x: float
    y: float
    radius: float
    members: tuple[int, ...]


class Layout(NamedTuple):
    """The place of every node, and the discs they lie in."""

    points: list[Point]
    discs: list[Disc]


def arrange(groups: Sequence[str], pairs: Pairs) -> Layout:
    """Place nodes, given each one's group (empty for none) and which of them are joined."""
    members: dict[str, list[int]] = defaultdict(list)
    for index, group in enumerate(groups):
        members[group].append(index)
    loose = members.pop("", [])
    local: dict[str, dict[int, Point]] = {}
    inside: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for one, other in pairs:
        if groups[one] == groups[other]:
            inside[groups[one]].append((one, other))
    for name, within in members.items():
        local[name] = _settle(within, inside[name])
    # Nodes without a component: each connected bunch becomes an unnamed disc.
    for number, bunch in enumerate(_bunches(loose, inside[""])):
        name = f"\0{number}"
        members[name] = bunch
        local[name] = _settle(bunch, inside[""])
    return _pack(members, local, pairs, len(groups))


def _bunches(nodes: Sequence[int], pairs: Pairs) -> list[list[int]]:
    """Connected parts, and all single nodes together as the last one."""
    leader = {node: node for node in nodes}

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    for one, other in _within(nodes, pairs):
        leader[find(one)] = find(other)
    parts: dict[int, list[int]] = defaultdict(list)
    for node in nodes:
        parts[find(node)].append(node)
    single = [node for part in parts.values() if len(part) == 1 for node in part]
    return [part for part in parts.values() if len(part) > 1] + ([single] if single else [])


def _within(nodes: Sequence[int], pairs: Pairs) -> list[tuple[int, int]]:
    inside = set(nodes)
    return [pair for pair in pairs if pair[0] in inside and pair[1] in inside]


def _settle(nodes: Sequence[int], pairs: Pairs) -> dict[int, Point]:
    """Positions around the origin for one disc: its connected parts side by side, the largest in the middle."""
    parts: list[dict[int, Point]] = []
    for bunch in _bunches(nodes, pairs):
        joined = _within(bunch, pairs)
        if joined:
            parts.append(_spring(bunch, joined))
        else:
            parts += [{node: (0.0, 0.0)} for node in bunch]
    parts.sort(key=len, reverse=True)
    taken: list[Disc] = []
    settled: dict[int, Point] = {}
    for part in parts:
        x, y, radius = _circle(part)
        radius += SPACING * 0.42
        to_x, to_y = _free((0.0, 0.0), radius, taken, gap=0.0)
        taken.append(Disc("", to_x, to_y, radius, ()))
        settled |= {node: (at[0] - x + to_x, at[1] - y + to_y) for node, at in part.items()}
    if len(parts) > 1:
        settled = _drawn_together(settled)
    x, y, _ = _circle(settled)
    return {node: (at[0] - x, at[1] - y) for node, at in settled.items()}


def _drawn_together(places: dict[int, Point]) -> dict[int, Point]:
    """Parts are seldom round: close the gaps between them, and keep nodes apart."""
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    for _ in range(20):
        xs, ys = [x * 0.98 for x in xs], [y * 0.98 for y in ys]
        _separate(xs, ys)
    for _ in range(8):
        _separate(xs, ys)
    return dict(zip(places, zip(xs, ys, strict=True), strict=True))


def _circle(places: dict[int, Point]) -> tuple[float, float, float]:
    """A small circle around the points: from the middle of their box, then drawn to the farthest few times."""
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    for step in range(1, 60):
        far_x, far_y = max(places.values(), key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2)
        x, y = x + (far_x - x) / (step + 4), y + (far_y - y) / (step + 4)
    return x, y, max(math.hypot(at[0] - x, at[1] - y) for at in places.values())


def _spring(nodes: Sequence[int], pairs: Pairs) -> dict[int, Point]:
    """Positions of one connected part."""
    place = {node: position for position, node in enumerate(nodes)}
    joined = [(place[one], place[other]) for one, other in pairs]
    xs = [SPACING * 0.62 * math.sqrt(each) * math.cos(each * GOLDEN) for each in range(len(nodes))]
    ys = [SPACING * 0.62 * math.sqrt(each) * math.sin(each * GOLDEN) for each in range(len(nodes))]
    for step in range(ROUNDS):
        _move(xs, ys, joined, SPACING * 0.5 * (1 - step / ROUNDS) + 0.5)
    for _ in range(12):
        _separate(xs, ys)
    return {node: (xs[position], ys[position]) for node, position in place.items()}


def _near(xs: Sequence[float], ys: Sequence[float], reach: float) -> list[tuple[int, int]]:
    """Pairs of nodes in the same or neighbouring cells of a grid: linear while nodes keep their distance."""
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, (x, y) in enumerate(zip(xs, ys, strict=True)):
        cells[int(x // reach), int(y // reach)].append(index)
    pairs: list[tuple[int, int]] = []
    for (column, row), here in cells.items():
        for position, one in enumerate(here):
            pairs += [(one, other) for other in here[position + 1 :]]
        for side in ((1, 0), (0, 1), (1, 1), (1, -1)):
            there = cells.get((column + side[0], row + side[1]))
            if there:
                pairs += [(one, other) for one in here for other in there]
    return pairs


def _move(xs: list[float], ys: list[float], joined: Pairs, heat: float) -> None:
    """One round of Fruchterman and Reingold's forces with a weak pull to the middle."""
    fx = [-0.035 * SPACING * x / (abs(x) + SPACING) for x in xs]
    fy = [-0.05 * SPACING * y / (abs(y) + SPACING) for y in ys]
    square = SPACING * SPACING
    for one, other in _near(xs, ys, 2 * SPACING):
        dx, dy = xs[one] - xs[other], ys[one] - ys[other]
        distance = dx * dx + dy * dy + 0.01
        push = square / distance * 0.9
        fx[one] += dx * push
        fy[one] += dy * push
        fx[other] -= dx * push
        fy[other] -= dy * push
    for one, other in joined:
        dx, dy = xs[one] - xs[other], ys[one] - ys[other]
        pull = math.sqrt(dx * dx + dy * dy) / SPACING
        fx[one] -= dx * pull
        fy[one] -= dy * pull
        fx[other] += dx * pull
        fy[other] += dy * pull
    for index, (x, y) in enumerate(zip(fx, fy, strict=True)):
        force = math.sqrt(x * x + y * y) or 1.0
        step = min(force, heat) / force
        xs[index] += x * step
        ys[index] += y * step


def _separate(xs: list[float], ys: list[float]) -> None:
    """Push apart what still overlaps; labels are wide, so sideways counts less."""
    for one, other in _near(xs, ys, SPACING):
        dx, dy = (xs[one] - xs[other]) * 0.72, ys[one] - ys[other]
        distance = math.sqrt(dx * dx + dy * dy) or 0.1
        least = SPACING * 0.8
        if distance < least:
            shift = (least - distance) / distance / 2
            xs[one] += dx * shift
            ys[one] += dy * shift
            xs[other] -= dx * shift
            ys[other] -= dy * shift


def _pack(members: dict[str, list[int]], local: dict[str, dict[int, Point]], pairs: Pairs, number: int) -> Layout:
    """Discs side by side: the most linked first, the others near what they are joined to."""
    home = {node: name for name, nodes in members.items() for node in nodes}
    across: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    beyond: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for one, other in pairs:
        if home[one] != home[other]:
            across[home[one]][home[other]] += 1
            across[home[other]][home[one]] += 1
            beyond[home[one]].append((one, other))
            beyond[home[other]].append((other, one))
    radius = {name: max(math.hypot(x, y) for x, y in places.values()) + MARGIN for name, places in local.items()}
    points: list[Point] = [(0.0, 0.0)] * number
    discs: list[Disc] = []
    placed: dict[str, Disc] = {}
    waiting = sorted(members, key=lambda name: (-sum(across[name].values()), -radius[name], name))
    while waiting:
        # The disc with the most links to what is placed comes next; ties go to the larger.
        name = (
            max(waiting, key=lambda each: sum(n for to, n in across[each].items() if to in placed))
            if placed
            else waiting[0]
        )
        waiting.remove(name)
        towards = [(placed[to], n) for to, n in across[name].items() if to in placed]
        weight = sum(n for _, n in towards)
        start = (
            (sum(disc.x * n for disc, n in towards) / weight, sum(disc.y * n for disc, n in towards) / weight)
            if weight
            else (0.0, 0.0)
        )
        x, y = _free(start, radius[name], discs)
        disc = Disc(name.partition("\0")[0], x, y, radius[name], tuple(members[name]))
        discs.append(disc)
        placed[name] = disc
        turn = _turn(
            local[name],
            (x, y),
            [(one, points[other]) for one, other in beyond[name] if home[other] in placed and home[other] != name],
        )
        for node, (dx, dy) in local[name].items():
            points[node] = (
                x + dx * math.cos(turn) - dy * math.sin(turn),
                y + dx * math.sin(turn) + dy * math.cos(turn),
            )
    return Layout(points, discs)


def _free(start: Point, radius: float, discs: Sequence[Disc], gap: float = GUTTER) -> Point:
    """The best free place in sight of the start: near it, and near the middle of the picture."""
    # Each disc looks in directions of its own; shared ones would line up into spokes.
    first = len(discs) * GOLDEN
    angles = (first + each * 2 * math.pi / DIRECTIONS for each in range(DIRECTIONS))
    places = [_outward(start, angle, radius + gap, discs) for angle in angles]
    return min(
        places,
        key=lambda at: math.hypot(at[0] - start[0], at[1] - start[1]) + 0.7 * math.hypot(at[0] / STRETCH, at[1]),
    )


def _outward(start: Point, angle: float, radius: float, discs: Sequence[Disc]) -> Point:
    """The first free place on a ray: past every disc that blocks it."""
    ux, uy = math.cos(angle), math.sin(angle)
    blocked: list[tuple[float, float]] = []
    for disc in discs:
        dx, dy = disc.x - start[0], disc.y - start[1]
        along = dx * ux + dy * uy
        room = (disc.radius + radius) ** 2 - (dx * dx + dy * dy - along * along)
        if room > 0 and along + (half := math.sqrt(room)) > 0:
            blocked.append((along - half, along + half))
    reach = 0.0
    for begin, end in sorted(blocked):
        if begin > reach:
            break
        reach = max(reach, end)
    return start[0] + reach * ux, start[1] + reach * uy


def _turn(places: dict[int, Point], centre: Point, outward: Sequence[tuple[int, Point]]) -> float:
    """The angle at which links to what is already placed are shortest."""
    if not outward or len(places) < 2:
        return 0.0

    def length(angle: float) -> float:
        cos, sin = math.cos(angle), math.sin(angle)
        return sum(
            math.hypot(
                centre[0] + places[node][0] * cos - places[node][1] * sin - x,
                centre[1] + places[node][0] * sin + places[node][1] * cos - y,
            )
            for node, (x, y) in outward
        )

    return min((each * math.pi / 12 for each in range(24)), key=length)
