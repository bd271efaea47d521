"""The twin as a picture: one SVG document, without scripts, fonts or links to anything."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.surfaces.render.graph import Graph, Node
from plantwin.surfaces.render.layout import Disc, Layout, Point, arrange
from plantwin.surfaces.render.legend import (
    ALARM,
    FAINT,
    INK,
    KINDS,
    LINE,
    PANEL,
    PAPER,
    RINGS,
    STROKES,
    Box,
    Room,
    escape,
    legend,
    shape,
    shortened,
    text,
    text_width,
)

PANEL_WIDTH = 236.0
EDGE = 28.0
HEAD = 74.0
LABEL = 9.5
SMALL = 8.0

STYLE = (
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
)


class Caption(NamedTuple):
    """What the picture says about itself."""

    title: str
    note: str
    warning: str = ""


def draw(graph: Graph, caption: Caption) -> str:
    """The whole document."""
    pairs = sorted({(min(link[:2]), max(link[:2])) for link in graph.links})
    layout = arrange([node.component for node in graph.nodes], pairs)
    degree = Counter(end for link in graph.links for end in link[:2])
    radii = [min(17.0, 7.0 + 1.7 * math.sqrt(degree[index])) for index in range(len(graph.nodes))]
    layout, width, height = _framed(layout)
    panel, panel_height = legend(graph, width + EDGE)
    height = max(height, HEAD + panel_height) + EDGE
    full = width + EDGE + PANEL_WIDTH + EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full:.0f} {height:.0f}" width="{full:.0f}"'
        f' height="{height:.0f}" role="img" aria-labelledby="title note">',
        f'<title id="title">{escape(caption.title)}</title><desc id="note">{escape(caption.note)}</desc>',
        f"<style>{STYLE}</style>",
        _markers(),
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        text(EDGE, 38, caption.title, size=19, weight=650),
        text(EDGE, 57, caption.note, size=11, fill=FAINT),
        *_warning(caption.warning, full),
        *(_disc(disc, graph) for disc in layout.discs),
        *_links(graph, layout.points, radii),
        *(_mark(node, point, radius) for node, point, radius in zip(graph.nodes, layout.points, radii, strict=True)),
        *_labels(graph.nodes, layout, radii),
        f'<g transform="translate(0 {HEAD:.0f})">',
        *panel,
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _framed(layout: Layout) -> tuple[Layout, float, float]:
    """The layout moved into the page, with the page's size."""
    if not layout.discs:
        return layout, 320.0, HEAD
    left = min(disc.x - disc.radius for disc in layout.discs) - EDGE
    top = min(disc.y - disc.radius for disc in layout.discs) - HEAD
    right = max(disc.x + disc.radius for disc in layout.discs)
    bottom = max(disc.y + disc.radius for disc in layout.discs)
    points = [(x - left, y - top) for x, y in layout.points]
    discs = [disc._replace(x=disc.x - left, y=disc.y - top) for disc in layout.discs]
    return Layout(points, discs), right - left, bottom - top


def _markers() -> str:
    heads = (
        f'<marker id="to-{edge}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
        f' markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .8 7.2 4 0 7.2z" fill="{stroke.colour}"/></marker>'
        for edge, stroke in STROKES.items()
        if stroke.arrow
    )
    return f"<defs>{''.join(heads)}</defs>"


def _warning(words: str, width: float) -> Iterator[str]:
    if words:
        span = text_width(words, 12) + 26
        yield f'<rect x="{width - EDGE - span:.0f}" y="20" width="{span:.0f}" height="26" rx="13" fill="{ALARM}"/>'
        yield text(width - EDGE - span / 2, 37.5, words, size=12, weight=600, fill="#fff", anchor="middle")


def _disc(disc: Disc, graph: Graph) -> str:
    circle = f'<circle cx="{disc.x:.1f}" cy="{disc.y:.1f}" r="{disc.radius:.1f}"'
    if not disc.name:
        return f'{circle} fill="none" stroke="{LINE}" stroke-dasharray="2 5"/>'
    more = graph.components[disc.name]
    # As much as the disc is wide at the height of the label: the name, or at least how many are missing.
    letters = int(2 * math.sqrt(disc.radius**2 - (disc.radius - 17) ** 2) / 5.4)
    name = f"{_tail(disc.name, max(letters - 8, 8))}  +{more:,}" if more else _tail(disc.name, letters)
    if len(name) > letters:
        name = f"+{more:,}" if more else ""
    label = text(disc.x, disc.y - disc.radius + 17, name, size=9.5, weight=600, fill=FAINT, anchor="middle")
    return f'{circle} fill="{PANEL}" stroke="{LINE}" stroke-width="1.2"/>{label}'


def _tail(name: str, most: int) -> str:
    """The end of a component's name, which tells it from its neighbours."""
    return name if len(name) <= most else f"…{name[len(name) - most + 1 :]}"


def _links(graph: Graph, points: list[Point], radii: list[float]) -> Iterator[str]:
    """Links as shallow arcs from rim to rim; those between components step back."""
    for link in graph.links:
        stroke = STROKES.get(link.edge)
        if stroke is None:
            continue
        (x1, y1), (x2, y2) = points[link.source], points[link.target]
        distance = math.hypot(x2 - x1, y2 - y1) or 1.0
        across = graph.nodes[link.source].component != graph.nodes[link.target].component
        bend = 0.10 if across else 0.06
        mx, my = (x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend
        sx, sy = _rim((x1, y1), (mx, my), radii[link.source] + 2.5)
        ex, ey = _rim((x2, y2), (mx, my), radii[link.target] + 4.5)
        if distance <= radii[link.source] + radii[link.target] + 8:
            sx, sy, ex, ey = x1, y1, x2, y2
        opacity = 0.42 if across and link.edge == "depends_on" else 0.85
        dashes = f' stroke-dasharray="{stroke.dashes}"' if stroke.dashes else ""
        head = f' marker-end="url(#to-{link.edge})"' if stroke.arrow else ""
        yield (
            f'<path d="M{sx:.1f} {sy:.1f}Q{mx:.1f} {my:.1f} {ex:.1f} {ey:.1f}" fill="none" stroke="{stroke.colour}"'
            f' stroke-width="{stroke.width}" opacity="{opacity}"{dashes}{head}/>'
        )


def _rim(centre: Point, towards: Point, radius: float) -> Point:
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    length = math.hypot(dx, dy) or 1.0
    return centre[0] + dx / length * radius, centre[1] + dy / length * radius


def _mark(node: Node, point: Point, radius: float) -> str:
    """One node with its ring, its tool dot and its tooltip."""
    x, y = point
    fill, form = KINDS[node.kind]
    ring = RINGS.get(node.sensitivity)
    marks = [shape(form, x, y, radius, fill)]
    if ring:
        dashes = f' stroke-dasharray="{ring.dashes}"' if ring.dashes else ""
        marks.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * 1.24 + 3.2:.1f}" fill="none" stroke="{ring.colour}"'
            f' stroke-width="{ring.width}"{dashes}/>'
        )
    if node.tools:
        marks.append(
            f'<circle cx="{x + radius * 0.8:.1f}" cy="{y - radius * 0.8:.1f}" r="3.4" fill="{INK}" stroke="#fff"'
            f' stroke-width="1.2"/>'
        )
    told = f"{node.label}: {node.semantic_class} ({node.kind}), sensitivity {node.sensitivity}"
    return f"<g><title>{escape(told)}</title>{''.join(marks)}</g>"


def _labels(nodes: tuple[Node, ...], layout: Layout, radii: list[float]) -> Iterator[str]:
    room = Room()
    for (x, y), radius in zip(layout.points, radii, strict=True):
        room.take(Box(x - radius, y - radius, x + radius, y + radius))
    for disc in layout.discs:
        if disc.name:  # the name of a component stays readable
            half = min(disc.radius / 2, text_width(disc.name, LABEL) / 2 + 14)
            top = disc.y - disc.radius + 8
            room.take(Box(disc.x - half, top, disc.x + half, top + 11))
    # Nodes come with the most linked first.
    for node, (x, y), radius in zip(nodes, layout.points, radii, strict=True):
        first, second = shortened(node.label, 24), shortened(node.semantic_class.replace("_", " "), 24)
        half = max(text_width(first, LABEL), text_width(second, SMALL)) / 2 + 1
        reach = radius * 1.24 + 4
        for lines in ((first, second), (first,)):
            tall = LABEL + (SMALL + 1.5 if len(lines) > 1 else 0) + 1
            tops = (
                (x, y + reach),
                (x, y - reach - tall),
                (x + reach + half, y - tall / 2),
                (x - reach - half, y - tall / 2),
            )
            place = next((each for each in tops if room.free(_box(each, half, tall))), None)
            if place is not None:
                room.take(_box(place, half, tall))
                yield text(place[0], place[1] + LABEL - 1, first, size=LABEL, anchor="middle", halo=True)
                if len(lines) > 1:
                    below = place[1] + LABEL + SMALL
                    yield text(place[0], below, second, size=SMALL, fill=FAINT, anchor="middle", halo=True)
                break


def _box(top: Point, half: float, tall: float) -> Box:
    return Box(top[0] - half, top[1], top[0] + half, top[1] + tall)
