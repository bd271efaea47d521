"""Markdown that hostile names and content cannot break out of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from plantwin.text import printable

_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*_[]<>|#~&!"})
_bar = re.compile(r"(\\*)\|")
_fence = re.compile(r"\s*(?:[>*+-]\s*)*(?:`{3,}|~{3,})")
_runs = re.compile("`+")
_tag = re.compile(r"<(?=[A-Za-z/!?])")
_link = re.compile(r"\](?=[(:\[])")
_heading = re.compile(r"[ ]{0,3}(#{1,6})(?=\s)")
_rule = re.compile(r"\s*(?:=+|-+)\s*")

_drawn = re.compile(
    r"graph LR|  n\d{1,9}\[\"[\w./ @#+-]{0,60}\"\]|  n\d{1,9} -->\|[\w ]{0,60}\| n\d{1,9}"
    r"|  style n\d{1,9}(?:,n\d{1,9}){0,60} stroke-width:3px"
)
TEXT, DRAWING, CLOSED = "```text", "```mermaid", "```"
OPEN = (TEXT, DRAWING, CLOSED)
_drawing = re.compile(rf"^{DRAWING}\n.*?^{CLOSED}$\n?", re.DOTALL | re.MULTILINE)
"""How a block begins that keeps its form."""


def plain(text: str) -> str:
    """One line that reads as it is and does nothing."""
    return printable(text).replace("\\\\", "\\").translate(_SPECIAL)


def code(text: str) -> str:
    """One line of code; the fence is longer than any run of backticks inside."""
    shown = printable(text) or " "
    fence = "`" * (1 + max((len(run) for run in _runs.findall(shown)), default=0))
    space = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{space}{shown}{space}{fence}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table of cells that are Markdown already; a column whose name ends in a colon is set to the right."""
    head = [each.removesuffix(":") for each in columns]
    marks = ["---:" if each.endswith(":") else "---" for each in columns]
    body = [[_cell(each) for each in row] for row in rows]
    return [f"| {' | '.join(row)} |" for row in (head, marks, *body)]


def _cell(text: str) -> str:
    """A bar ends a cell even inside code, unless an odd number of backslashes stands before it."""
    return _bar.sub(lambda found: found[0] if len(found[1]) % 2 else f"{found[1]}\\|", text)


def quoted(text: str, most: int = 200) -> list[str]:
    """Markdown from a capability, kept below our headings: no HTML, no links, no images, no control characters."""
    lines = text.splitlines()
    kept = lines[:most]
    made: list[str] = []
    closes = {place for place, line in enumerate(kept) if line == CLOSED}
    place = 0
    while place < len(kept):
        # A plot, a tree: its spaces count. One that is not closed would swallow the rest of the report.
        end = next((each for each in range(place + 1, len(kept)) if each in closes), 0) if kept[place] in OPEN else 0
        if end:
            made += _block(kept[place], kept[place + 1 : end])
            place = end + 1
        else:
            made.append(_tamed(kept[place]))
            place += 1
    if len(lines) > most:
        made += ["", f"… {len(lines) - most} further lines are left out."]
    return made


def undrawn(text: str) -> str:
    """Markdown without its drawings, for a screen that shows none."""
    return _drawing.sub("", text)


def _block(opened: str, lines: Sequence[str]) -> list[str]:
    """Lines that keep their spaces. A drawing stays one only if it has nothing but nodes and arrows."""
    drawing = opened == DRAWING and all(_drawn.fullmatch(line) for line in lines)
    body = ["" if _fence.match(line) else _printed(line) for line in lines]
    return [DRAWING if drawing else TEXT, *body, CLOSED]


def _printed(line: str) -> str:
    return "".join(each if each.isprintable() else _escape(each) for each in line)


def _tamed(line: str) -> str:
    shown = _printed(line)
    shown = _link.sub("] ", _tag.sub("< ", shown))
    if heading := _heading.match(shown):
        return f"**{shown[heading.end() :].strip()}**"
    if _fence.match(shown):
        # One that is not closed would swallow the rest of the report.
        return ""
    # A line of dashes below a text would make a heading of it.
    return "" if _rule.fullmatch(shown) else shown


def _escape(character: str) -> str:
    return " " if character == "\t" else printable(character)
