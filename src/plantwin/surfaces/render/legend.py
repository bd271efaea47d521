"""The panel beside the picture: what colours, shapes, lines and rings mean, and how many there are."""

from __future__ import annotations

from collections import Counter
from html import escape as _html

from plantwin.surfaces.render.graph import Graph
from plantwin.surfaces.render.palette import FAINT, INK, KINDS, RINGS, STROKES, shape
from plantwin.surfaces.render.text import printable

ROW = 22.0
WIDTH = 236.0


def escape(words: str) -> str:
    """Text for XML: printable characters only, with markup escaped."""
    return _html(printable(words), quote=True)


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float,
    fill: str = INK,
    weight: int = 400,
    anchor: str = "start",
    halo: bool = False,
) -> str:
    """One line of text, escaped."""
    heavy = f' font-weight="{weight}"' if weight != 400 else ""
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    clear = ' class="halo"' if halo else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{heavy}{side}{clear}>{escape(words)}</text>'


class _Panel:
    """Rows from the top down."""

    def __init__(self, x: float) -> None:
        self.x = x
        self.y = 0.0
        self.parts: list[str] = []

    def heading(self, words: str) -> None:
        self.y += 14 if self.parts else 0
        self.parts.append(text(self.x, self.y + 12, words, size=11, weight=650, fill=FAINT))
        self.y += ROW

    def row(self, mark: str, words: str, number: int) -> None:
        self.parts.append(mark)
        self.parts.append(text(self.x + 38, self.y + 12, words, size=12))
        self.parts.append(text(self.x + WIDTH - 8, self.y + 12, f"{number:,}", size=12, fill=FAINT, anchor="end"))
        self.y += ROW

    @property
    def middle(self) -> float:
        return self.y + 8


def legend(graph: Graph, x: float) -> tuple[list[str], float]:
    """The panel's parts, placed from the given left edge, and its height."""
    panel = _Panel(x)
    _kinds(panel, graph)
    _relations(panel, graph)
    _sensitivity(panel, graph)
    if graph.hidden:
        panel.heading("NOT SHOWN")
        for kind, number in sorted(graph.hidden.items(), key=lambda item: (-item[1], item[0])):
            panel.row("", kind.replace("_", " "), number)
        if graph.hidden_links:
            panel.row("", "relations", graph.hidden_links)
    return panel.parts, panel.y


def _kinds(panel: _Panel, graph: Graph) -> None:
    counts = Counter(node.kind for node in graph.nodes)
    panel.heading("KIND")
    for kind, (fill, form) in KINDS.items():
        if counts[kind]:
            panel.row(shape(form, panel.x + 16, panel.middle, 7.5, fill), kind.replace("_", " "), counts[kind])


def _relations(panel: _Panel, graph: Graph) -> None:
    counts = Counter(link.edge for link in graph.links)
    tools = sum(1 for node in graph.nodes if node.tools)
    if not counts and not tools:
        return
    panel.heading("RELATION")
    for edge, stroke in STROKES.items():
        if counts[edge]:
            dashes = f' stroke-dasharray="{stroke.dashes}"' if stroke.dashes else ""
            head = f' marker-end="url(#to-{edge})"' if stroke.arrow else ""
            line = (
                f'<path d="M{panel.x + 2:.1f} {panel.middle:.1f}h28" fill="none" stroke="{stroke.colour}"'
                f' stroke-width="{stroke.width}"{dashes}{head}/>'
            )
            panel.row(line, edge.replace("_", " "), counts[edge])
    if tools:
        dot = f'<circle cx="{panel.x + 16:.1f}" cy="{panel.middle:.1f}" r="3.4" fill="{INK}"/>'
        panel.row(dot, "needs a local tool", tools)


def _sensitivity(panel: _Panel, graph: Graph) -> None:
    counts = Counter(node.sensitivity for node in graph.nodes)
    if not any(counts[level] for level in RINGS):
        return
    panel.heading("SENSITIVITY")
    for level, ring in RINGS.items():
        if counts[level]:
            dashes = f' stroke-dasharray="{ring.dashes}"' if ring.dashes else ""
            mark = (
                f'<circle cx="{panel.x + 16:.1f}" cy="{panel.middle:.1f}" r="8" fill="none" stroke="{ring.colour}"'
                f' stroke-width="{ring.width}"{dashes}/>'
            )
            panel.row(mark, level, counts[level])
