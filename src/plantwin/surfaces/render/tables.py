"""Tables for a terminal, made with rich. Imported only by commands that print for a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from plantwin.surfaces.render.text import printable

STYLES: dict[str, str] = {
    "code_file": "blue",
    "log_stream": "cyan",
    "structured_record": "green",
    "config": "yellow",
    "secret_container": "red",
    "document": "magenta",
    "high": "bold",
    "restricted": "yellow",
    "fine": "green",
    "missing": "yellow",
    "broken": "bold red",
}
"""Colours that repeat what the word beside them says."""

BAR = 16


def tallies(*stacks: Mapping[str, Mapping[str, int]]) -> RenderableType:
    """Small tables of counts, stack beside stack where the terminal is wide enough."""
    tables = [[_tally(name, counts) for name, counts in stack.items() if counts] for stack in stacks]
    groups = [Group(*stack) for stack in tables if stack]
    return Columns(groups, padding=(0, 4)) if groups else Text("nothing found")


def _tally(name: str, counts: Mapping[str, int]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column(name)
    table.add_column("", justify="right")
    table.add_column("", width=BAR)
    most = max(counts.values(), default=0) or 1
    for word, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        style = STYLES.get(word, "")
        bar = "▇" * max(1, round(BAR * number / most)) if number else ""
        table.add_row(Text(printable(word), style=style), f"{number:,}", Text(bar, style=style or "bright_black"))
    table.add_row("", "", "")
    return table


def listing(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Sequence[str] = (),
    title: str = "",
    styled: bool = True,
) -> RenderableType:
    """A plain table; every cell is escaped, long cells wrap."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell), style=STYLES.get(cell, "") if styled else "") for cell in row))
    return Group(Text(title, style="bold"), table) if title else table
