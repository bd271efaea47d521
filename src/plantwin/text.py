"""Text that is safe to show, and tables of it: names from a hostile tree cannot speak to terminals or add to pages."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def printable(text: str) -> str:
    r"""The text on one line, with control, format and undecodable characters written as escapes.

    Backslashes are doubled, so that two different names never look the same.
    """
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(map(_escape, text))


def _escape(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable():
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # an undecodable byte, as `os.fsdecode` marks it
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def plural(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun: `1 file`, `12,930 files`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def size(number: float) -> str:
    """A number of bytes for people: `1.2 MB`."""
    if number < 1000:
        return plural(int(number), "byte")
    for unit in ("kB", "MB"):
        number /= 1000
        if number < 1000:
            return f"{number:,.1f} {unit}"
    return f"{number / 1000:,.1f} GB"


def letters_apart(one: str, other: str, most: int) -> int:
    """Letters that are missing, added, wrong or swapped; `most` + 1 where there are more."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        earlier, before, row = before, row, [place]
        for at, wanted in enumerate(other, 1):
            cost = min(before[at] + 1, row[-1] + 1, before[at - 1] + (letter != wanted))
            if earlier and at > 1 and letter == other[at - 2] and one[place - 2] == wanted:
                cost = min(cost, earlier[at - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


MOST_ROWS = 200
"""Rows of one table; how many more there are is said."""


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a titled table. Cells are shown as text on one line, whatever is in them."""
    all_rows = list(rows)
    parts = [f"<h4>{cell(title)}</h4>", "<table><thead><tr>", *(f"<th>{cell(name)}</th>" for name in head)]
    parts.append("</tr></thead><tbody>")
    for row in all_rows[:MOST_ROWS]:
        parts += ["<tr>", *(f'<td style="text-align:left">{cell(value)}</td>' for value in row), "</tr>"]
    parts.append("</tbody></table>")
    if len(all_rows) > MOST_ROWS:
        parts.append(f"<p>and {len(all_rows) - MOST_ROWS:,} more</p>")
    return "".join(parts)


def cell(value: object) -> str:
    """Return one value as text that means nothing to a browser."""
    return html.escape(printable(str(value)), quote=True)
