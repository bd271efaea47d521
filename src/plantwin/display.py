"""What notebooks show: plain tables in which every cell is text. Names from a hostile tree cannot add to the page."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from plantwin.text import printable

MOST_ROWS = 200
"""Rows of one table; how many more there are is said."""


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a titled table. Cells are shown as text on one line, whatever is in them."""
    all_rows = list(rows)
    parts = [f"<h4>{cell(title)}</h4>", "<table><thead><tr>", *(f"<th>{cell(each)}</th>" for each in head)]
    parts.append("</tr></thead><tbody>")
    for row in all_rows[:MOST_ROWS]:
        parts += ["<tr>", *(f'<td style="text-align:left">{cell(each)}</td>' for each in row), "</tr>"]
    parts.append("</tbody></table>")
    if len(all_rows) > MOST_ROWS:
        parts.append(f"<p>and {len(all_rows) - MOST_ROWS:,} more</p>")
    return "".join(parts)


def cell(value: object) -> str:
    """Return one value as text that means nothing to a browser."""
    return html.escape(printable(str(value)), quote=True)
