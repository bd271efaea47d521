"""The twin drawn as a graph: lines between boxes."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import NamedTuple

MEASURED = 500
"""Rows that decide the widths of columns; later ones are fitted to them."""
GAP = "  "

COLOURS: dict[str, str] = {
    "code_file": "34",
    "log_stream": "36",
    "structured_record": "32",
    "config": "33",
    "secret_container": "31",
    "document": "35",
    "high": "1",
    "restricted": "33",
}


class Column(NamedTuple):
    """A column: its heading, its narrowest and widest form, and how soon it gives way (0: never)."""

    name: str
    least: int = 0
    most: int = 40
    rank: int = 0
    keep: str = "start"
    coloured: bool = False


def write_lines(columns: Sequence[Column], rows: Iterable[Sequence[str]], wide: bool) -> tuple[int, list[str]]:
    """Print the rows, already escaped; return how many, and the columns that found no room."""
    stream = iter(rows)
    first = list(islice(stream, MEASURED))
    if not first:
        return 0, []
    terminal = sys.stdout.isatty()
    natural = [
        max(len(column.name), *map(_width, cells))
        for column, cells in zip(columns, zip(*first, strict=True), strict=True)
    ]
    whole = wide or not terminal
    widths: list[int | None] = [*natural] if whole else [*fit(columns, natural, shutil.get_terminal_size().columns)]
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    heading = _line(columns, [column.name for column in columns], widths, whole, False)
    sys.stdout.write(f"\x1b[1m{heading}\x1b[0m\n" if colour else f"{heading}\n")
    shown = 0
    for row in chain(first, stream):
        sys.stdout.write(_line(columns, row, widths, whole, colour) + "\n")
        shown += 1
    return shown, [column.name for column, width in zip(columns, widths, strict=True) if width is None]


def fit(columns: Sequence[Column], natural: Sequence[int], room: int) -> list[int | None]:
    """Widths that fit the room: long columns shrink first, then those of the highest rank disappear."""
    widths: list[int | None] = [
        min(width, max(column.most, len(column.name))) for column, width in zip(columns, natural, strict=True)
    ]
    floor = [max(column.least, len(column.name)) if column.least else 0 for column in columns]
    order = sorted((index for index, column in enumerate(columns) if column.rank), key=lambda i: -columns[i].rank)
    for dropped in [None, *order]:
        if dropped is not None:
            widths[dropped] = None
        tight = [
            width if width is None or not least else min(width, least)
            for width, least in zip(widths, floor, strict=True)
        ]
        if _total(tight) <= room:
            return _widen(tight, widths, room - _total(tight))
    return tight


def _widen(tight: list[int | None], wanted: Sequence[int | None], spare: int) -> list[int | None]:
    """Give spare room to the columns that want it, from the left."""
    for index, (have, want) in enumerate(zip(tight, wanted, strict=True)):
        if have is not None and want is not None and have < want:
            extra = min(spare, want - have)
            tight[index] = have + extra
            spare -= extra
    return tight


def _total(widths: Iterable[int | None]) -> int:
    present = [width for width in widths if width is not None]
    return sum(present) + len(GAP) * (len(present) - 1)


def _line(
    columns: Sequence[Column], row: Sequence[str], widths: Sequence[int | None], whole: bool, colour: bool
) -> str:
    return GAP.join(_cells(columns, row, widths, whole, colour)).rstrip()


def _cells(
    columns: Sequence[Column], row: Sequence[str], widths: Sequence[int | None], whole: bool, colour: bool
) -> Iterator[str]:
    for column, cell, width in zip(columns, row, widths, strict=True):
        if width is None:
            continue
        text = cell if whole else cut(cell, width, column.keep)
        padding = " " * max(0, width - _width(text))
        code = COLOURS.get(cell) if colour and column.coloured else None
        yield f"\x1b[{code}m{text}\x1b[0m{padding}" if code else text + padding


def cut(text: str, width: int, keep: str) -> str:
    """The text in at most so many cells; a path keeps its end, where its name is."""
    if _width(text) <= width:
        return text
    if text.isascii():
        return f"…{text[len(text) - width + 1 :]}" if keep == "end" else f"{text[: width - 1]}…"
    kept: list[str] = []
    room = width - 1
    for character in reversed(text) if keep == "end" else text:
        room -= _width(character)
        if room < 0:
            break
        kept.append(character)
    return "…" + "".join(reversed(kept)) if keep == "end" else "".join(kept) + "…"


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


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
    order = sorted(range(len(nodes)), key=lambda each: (-degree[each], rank[each], nodes[each].label))
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
