"""What the colours, labels and marks of a drawn graph mean."""

from __future__ import annotations

from collections import Counter, defaultdict
from html import escape as _html
from typing import NamedTuple

from plantwin.surfaces.render.graph import Graph
from plantwin.surfaces.render.text import printable

PAPER = "#fbfaf7"
PANEL = "#ffffff"
LINE = "#dedad2"
INK = "#22262b"
FAINT = "#6b7078"
ALARM = "#b3400a"

KINDS: dict[str, tuple[str, str]] = {
    "code_file": ("#0072b2", "circle"),
    "config": ("#b27b00", "hexagon"),
    "document": ("#9c4f86", "page"),
    "structured_record": ("#00845f", "square"),
    "log_stream": ("#53626f", "pill"),
    "secret_container": ("#c8380b", "diamond"),
}
"""Fill and shape of each kind."""


class Stroke(NamedTuple):
    """How a relation is drawn."""

    colour: str
    width: float
    dashes: str = ""
    arrow: bool = True


STROKES: dict[str, Stroke] = {
    "depends_on": Stroke("#8d959e", 1.2),
    "derived_from": Stroke("#0072b2", 1.4, "7 3"),
    "similar_to": Stroke("#00845f", 1.6, "1.5 3.5", arrow=False),
    "blocks": Stroke("#c8380b", 2.0),
    "conflicts_with": Stroke("#a3116a", 1.8, "8 3 2 3", arrow=False),
}

RINGS: dict[str, Stroke] = {
    "high": Stroke("#c8380b", 2.2),
    "restricted": Stroke("#b27b00", 1.4, "3 2.5"),
}
"""The ring around what is sensitive."""


def shape(name: str, x: float, y: float, radius: float, fill: str) -> str:
    """One mark, of about the same area whatever its shape."""
    paint = f'fill="{fill}"'
    if name == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {paint}/>'
    if name == "square":
        side = radius * 1.76
        return _box(x, y, side, side, radius * 0.28, paint)
    if name == "pill":
        return _box(x, y, radius * 2.3, radius * 1.36, radius * 0.68, paint)
    if name == "diamond":
        far = radius * 1.24
        return _polygon(((x, y - far), (x + far, y), (x, y + far), (x - far, y)), paint)
    if name == "hexagon":
        wide, half, high = radius * 1.12, radius * 0.56, radius * 0.97
        corners = (
            (x - half, y - high), (x + half, y - high), (x + wide, y),
            (x + half, y + high), (x - half, y + high), (x - wide, y),
        )  # fmt: skip
        return _polygon(corners, paint)
    width, height, fold = radius * 0.8, radius * 1.02, radius * 0.55
    page = (
        (x - width, y - height), (x + width - fold, y - height), (x + width, y - height + fold),
        (x + width, y + height), (x - width, y + height),
    )  # fmt: skip
    return _polygon(page, paint)


def _box(x: float, y: float, width: float, height: float, corner: float, paint: str) -> str:
    return (
        f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}"'
        f' rx="{corner:.1f}" {paint}/>'
    )


def _polygon(corners: tuple[tuple[float, float], ...], paint: str) -> str:
    return f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)}" {paint}/>'


CELL = 96.0


class Box(NamedTuple):
    """A rectangle that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class Room:
    """Rectangles that are taken, in a grid so that asking is quick."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[Box]] = defaultdict(list)

    def take(self, box: Box) -> None:
        """Mark a rectangle as taken."""
        for cell in self._over(box):
            self._cells[cell].append(box)

    def free(self, box: Box) -> bool:
        """Whether nothing lies there."""
        return not any(box.meets(other) for cell in self._over(box) for other in self._cells.get(cell, ()))

    @staticmethod
    def _over(box: Box) -> list[tuple[int, int]]:
        columns = range(int(box.left // CELL), int(box.right // CELL) + 1)
        rows = range(int(box.top // CELL), int(box.bottom // CELL) + 1)
        return [(column, row) for column in columns for row in rows]


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a common sans-serif face."""
    return sum(1.0 if ord(letter) > 0x2E80 else 0.3 if letter in "ilj.,:;|!'" else 0.55 for letter in text) * size


def shortened(text: str, most: int) -> str:
    """At most so many letters; the end of a name says more than its middle."""
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: most - tail - 1]}…{text[-tail:]}"


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
