"""How the picture of a twin looks: colours that people with colour blindness tell apart, and a shape per kind."""

from __future__ import annotations

from typing import NamedTuple

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
