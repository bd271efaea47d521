"""The twin as a picture: one SVG document, without scripts, fonts or links to anything.

Nodes of one component stand in a box, in rows; boxes stand on shelves, the highest first.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape as _html
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from plantwin.surfaces.render.text import printable

PAPER, PANEL, LINE, INK, FAINT, ALARM = "#fbfaf7", "#ffffff", "#dedad2", "#22262b", "#6b7078", "#b3400a"
EDGE, HEAD, PANEL_WIDTH, ROW = 28.0, 74.0, 236.0, 22.0
CELL_WIDTH, CELL_HEIGHT, BOX_HEAD, GUTTER = 112.0, 68.0, 24.0, 18.0
LETTERS = 20
"""Of a label at most: so many fit the width of a cell."""
STYLE = (
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
)
KINDS: dict[str, tuple[str, str]] = {
    "code_file": ("#0072b2", '<circle r="1"/>'),
    "config": ("#b27b00", '<path d="M-.56-.97h1.12L1.12 0 .56.97H-.56L-1.12 0z"/>'),
    "document": ("#9c4f86", '<path d="M-.8-1H.25L.8-.45V1H-.8z"/>'),
    "structured_record": ("#00845f", '<rect x="-.88" y="-.88" width="1.76" height="1.76" rx=".28"/>'),
    "log_stream": ("#53626f", '<rect x="-1.15" y="-.68" width="2.3" height="1.36" rx=".68"/>'),
    "secret_container": ("#c8380b", '<path d="M0-1.24 1.24 0 0 1.24-1.24 0z"/>'),
}
"""Fill and shape of each kind, of about the same area, around the origin."""


class Stroke(NamedTuple):
    """How a relation or a ring is drawn."""

    colour: str
    width: float
    dashes: str = ""
    arrow: bool = True

    @property
    def paint(self) -> str:
        """Attributes of a line."""
        dashes = f' stroke-dasharray="{self.dashes}"' if self.dashes else ""
        return f'fill="none" stroke="{self.colour}" stroke-width="{self.width}"{dashes}'


STROKES: dict[str, Stroke] = {
    "depends_on": Stroke("#8d959e", 1.2),
    "derived_from": Stroke("#0072b2", 1.4, "7 3"),
    "similar_to": Stroke("#00845f", 1.6, "1.5 3.5", arrow=False),
    "blocks": Stroke("#c8380b", 2.0),
    "conflicts_with": Stroke("#a3116a", 1.8, "8 3 2 3", arrow=False),
}
RINGS: dict[str, Stroke] = {"high": Stroke("#c8380b", 2.2), "restricted": Stroke("#b27b00", 1.4, "3 2.5")}
"""The ring around what is sensitive."""
Point = tuple[float, float]


class Caption(NamedTuple):
    """What the picture says about itself."""

    title: str
    note: str
    warning: str = ""


class Box(NamedTuple):
    """A component in the picture."""

    name: str
    x: float
    y: float
    width: float
    height: float


def draw(graph: Graph, caption: Caption) -> str:
    """The whole document."""
    boxes, points = arrange([node.component for node in graph.nodes])
    degree = Counter(end for link in graph.links for end in link[:2])
    radii = [min(15.0, 7.0 + 1.5 * math.sqrt(degree[index])) for index in range(len(graph.nodes))]
    width = max((box.x + box.width for box in boxes), default=320.0)
    panel, panel_height = _legend(graph, width + EDGE)
    height = max(max((box.y + box.height for box in boxes), default=HEAD), HEAD + panel_height) + EDGE
    full = width + EDGE + PANEL_WIDTH + EDGE
    heads = "".join(
        f'<marker id="to-{edge}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
        f' markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .8 7.2 4 0 7.2z" fill="{stroke.colour}"/></marker>'
        for edge, stroke in STROKES.items()
        if stroke.arrow
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full:.0f} {height:.0f}" width="{full:.0f}"'
        f' height="{height:.0f}" role="img" aria-labelledby="title note">',
        f'<title id="title">{escape(caption.title)}</title><desc id="note">{escape(caption.note)}</desc>',
        f"<style>{STYLE}</style><defs>{heads}</defs>",
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        _text(EDGE, 38, caption.title, size=19, weight=650),
        _text(EDGE, 57, caption.note, size=11, fill=FAINT),
        _text(full - EDGE, 38, caption.warning, size=13, weight=650, fill=ALARM, anchor="end"),
        *(_box(box, graph.components[box.name]) for box in boxes),
        *_links(graph, points, radii),
        *(_node(*each) for each in zip(graph.nodes, points, radii, strict=True)),
        *panel,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def arrange(components: Sequence[str]) -> tuple[list[Box], list[Point]]:
    """A box for each component, and the place of every node in it."""
    members: dict[str, list[int]] = {}
    for index, component in enumerate(components):
        members.setdefault(component, []).append(index)
    columns = {name: math.ceil(math.sqrt(len(inside) * 0.9)) for name, inside in members.items()}
    rows = {name: math.ceil(len(inside) / columns[name]) for name, inside in members.items()}
    area = sum(columns[name] * CELL_WIDTH * (rows[name] * CELL_HEIGHT + BOX_HEAD) for name in members)
    wide = max(math.sqrt(area * 1.7), max(columns.values(), default=0) * CELL_WIDTH)
    boxes: list[Box] = []
    points: list[Point] = [(0.0, 0.0)] * len(components)
    x, y, shelf = EDGE, HEAD, 0.0
    for name in sorted(members, key=lambda name: (-rows[name], members[name][0])):
        width, height = columns[name] * CELL_WIDTH, rows[name] * CELL_HEIGHT + BOX_HEAD
        if x > EDGE and x + width > EDGE + wide:
            x, y, shelf = EDGE, y + shelf + GUTTER, 0.0
        boxes.append(Box(name, x, y, width, height))
        for place, index in enumerate(members[name]):
            row, column = divmod(place, columns[name])
            points[index] = (x + (column + 0.5) * CELL_WIDTH, y + BOX_HEAD + row * CELL_HEIGHT + 22)
        x, shelf = x + width + GUTTER, max(shelf, height)
    return boxes, points


def escape(words: str) -> str:
    """Text for XML: printable characters only, with markup escaped."""
    return _html(printable(words), quote=True)


def shortened(text: str, most: int) -> str:
    """At most so many letters; the end of a name says more than its middle."""
    tail = most // 3
    return text if len(text) <= most else f"{text[: most - tail - 1]}…{text[-tail:]}"


def _text(
    x: float, y: float, words: str, *, size: float, fill: str = INK, weight: int = 400, anchor: str = "start"
) -> str:
    """One line of text, escaped."""
    heavy = f' font-weight="{weight}"' if weight != 400 else ""
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    clear = ' class="halo"' if anchor == "middle" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{heavy}{side}{clear}>{escape(words)}</text>'


def _box(box: Box, more: int) -> str:
    """A component, with its name and how many of its objects are not shown."""
    look = f'fill="{PANEL}" stroke="{LINE}"' if box.name else f'fill="none" stroke="{LINE}" stroke-dasharray="2 5"'
    letters = int(box.width / 6) - (8 if more else 0)
    name = f"…{box.name[len(box.name) - letters + 1 :]}" if len(box.name) > letters else box.name
    label = _text(box.x + 8, box.y + 15, f"{name}  +{more:,}" if more else name, size=9.5, weight=600, fill=FAINT)
    place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    return f'<rect {place} rx="6" {look}/>{label}'


def _links(graph: Graph, points: Sequence[Point], radii: Sequence[float]) -> Iterator[str]:
    """Links as shallow arcs from rim to rim; those between components step back."""
    for link in graph.links:
        if (stroke := STROKES.get(link.edge)) is None:
            continue
        (x1, y1), (x2, y2) = points[link.source], points[link.target]
        across = graph.nodes[link.source].component != graph.nodes[link.target].component
        bend = 0.10 if across else 0.22
        mx, my = (x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend
        sx, sy = _rim((x1, y1), (mx, my), radii[link.source] + 2.5)
        ex, ey = _rim((x2, y2), (mx, my), radii[link.target] + 4.5)
        opacity = 0.42 if across and link.edge == "depends_on" else 0.85
        head = f' marker-end="url(#to-{link.edge})"' if stroke.arrow else ""
        curve = f"M{sx:.1f} {sy:.1f}Q{mx:.1f} {my:.1f} {ex:.1f} {ey:.1f}"
        yield f'<path d="{curve}" {stroke.paint} opacity="{opacity}"{head}/>'


def _rim(centre: Point, towards: Point, radius: float) -> Point:
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    length = math.hypot(dx, dy) or 1.0
    return centre[0] + dx / length * radius, centre[1] + dy / length * radius


def _mark(kind: str, x: float, y: float, radius: float) -> str:
    fill, form = KINDS[kind]
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({radius:.2f})" fill="{fill}">{form}</g>'


def _node(node: Node, point: Point, radius: float) -> str:
    """One node with its ring, its tool dot, its labels and its tooltip."""
    x, y = point
    ring = RINGS.get(node.sensitivity)
    about = f"{node.label}: {node.semantic_class} ({node.kind}), sensitivity {node.sensitivity}"
    first, second = shortened(node.label, LETTERS), shortened(node.semantic_class.replace("_", " "), LETTERS)
    return "".join(
        (
            f"<g><title>{escape(about)}</title>",
            _mark(node.kind, x, y, radius),
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * 1.24 + 3:.1f}" {ring.paint}/>' if ring else "",
            f'<circle cx="{x + radius:.1f}" cy="{y - radius:.1f}" r="3.4" fill="{INK}"/>' if node.tools else "",
            _text(x, y + 31, first, size=9.5, anchor="middle"),
            _text(x, y + 41, second, size=8, fill=FAINT, anchor="middle"),
            "</g>",
        )
    )


def _legend(graph: Graph, x: float) -> tuple[list[str], float]:
    """What colours, lines and rings mean, from the given left edge, and how high that is."""
    kinds = Counter(node.kind for node in graph.nodes)
    edges = Counter(link.edge for link in graph.links)
    levels = Counter(node.sensitivity for node in graph.nodes)
    tools = sum(bool(node.tools) for node in graph.nodes)
    middle = x + 16
    sections: dict[str, list[tuple[str, str, int]]] = {
        "KIND": [(_mark(kind, middle, 0, 7.5), kind, kinds[kind]) for kind in KINDS],
        "RELATION": [
            (
                f'<path d="M{x + 2:.1f} 0h28" {stroke.paint}'
                + (f' marker-end="url(#to-{edge})"/>' if stroke.arrow else "/>"),
                edge,
                edges[edge],
            )
            for edge, stroke in STROKES.items()
        ]
        + [(f'<circle cx="{middle:.1f}" r="3.4" fill="{INK}"/>', "needs a local tool", tools)],
        "SENSITIVITY": [
            (f'<circle cx="{middle:.1f}" r="8" {ring.paint}/>', level, levels[level]) for level, ring in RINGS.items()
        ],
        "NOT SHOWN": [("", kind, number) for kind, number in sorted(graph.hidden.items(), key=lambda row: -row[1])]
        + [("", "relations", graph.hidden_links)],
    }
    parts: list[str] = []
    y = 0.0
    for title, rows in sections.items():
        rows = [row for row in rows if row[2]]
        if not rows:
            continue
        parts.append(_text(x, HEAD + y + 12, title, size=11, weight=650, fill=FAINT))
        for mark, words, number in rows:
            y += ROW
            at = HEAD + y
            parts.append(f'<g transform="translate(0 {at + 8:.1f})">{mark}</g>')
            parts.append(_text(x + 38, at + 12, words.replace("_", " "), size=12))
            parts.append(_text(x + PANEL_WIDTH - 8, at + 12, f"{number:,}", size=12, fill=FAINT, anchor="end"))
        y += ROW + 14
    return parts, y


ZOOMING = Path(__file__).with_name("zoom.css").read_text("utf-8")
SCRIPT = Path(__file__).with_name("zoom.js").read_text("utf-8")


def page(svg: str, title: str) -> str:
    """The page. `title`: text that is escaped already."""
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(SCRIPT)}'; base-uri 'none'"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{ZOOMING}</style></head>\n'
        f'<body><div id="view">{svg}</div>\n'
        '<nav><input id="find" type="search" placeholder="Find" aria-label="Find">'
        '<button value="+" aria-label="Zoom in">+</button><button value="-" aria-label="Zoom out">-</button>'
        f'<button value="0">Fit</button></nav>\n<script>{SCRIPT}</script></body></html>\n'
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


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
