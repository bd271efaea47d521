"""Text that is safe to show, in as many cells as there are, and names for JSON."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from plantwin.text import plural, printable, size

__all__ = ["GAP", "cut", "path_fields", "plural", "printable", "size", "well_formed", "width_of", "wrapped"]

GAP = "  "
"""Between two columns."""


def path_fields(path: str, name: str = "path") -> dict[str, Any]:
    """A path for JSON: valid Unicode, and the exact bytes in base64 beside it where it is not."""
    if _sound(path):
        return {name: path}
    exact = _bytes(path)
    return {name: exact.decode("utf-8", "replace"), f"{name}_bytes": base64.b64encode(exact).decode("ascii")}


def well_formed(text: str) -> str:
    """The text without lone surrogates, which no JSON reader is bound to accept."""
    return text if _sound(text) else _bytes(text).decode("utf-8", "replace")


def _sound(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _bytes(text: str) -> bytes:
    """The bytes that `os.fsdecode` made the text from; other surrogates keep their own three bytes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def cut(text: str, width: int, keep: str) -> str:
    """The text in at most so many cells; a path keeps its end, where its name is."""
    if width_of(text) <= width:
        return text
    if text.isascii():
        return f"…{text[len(text) - width + 1 :]}" if keep == "end" else f"{text[: width - 1]}…"
    kept: list[str] = []
    room = width - 1
    for character in reversed(text) if keep == "end" else text:
        room -= width_of(character)
        if room < 0:
            break
        kept.append(character)
    return "…" + "".join(reversed(kept)) if keep == "end" else "".join(kept) + "…"


def width_of(text: str) -> int:
    """Cells that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(text: str, width: int, indent: str = "") -> Iterator[str]:
    """Lines of at most so many cells, broken between words and, where a word is longer, inside it."""
    room = max(8, width - len(indent))
    line = ""
    for word in text.split():
        if line and width_of(line) + 1 + width_of(word) > room:
            yield indent + line
            line = ""
        line = f"{line} {word}" if line else word
        while width_of(line) > room:
            head = _head(line, room)
            yield indent + head
            line = line[len(head) :]
    yield indent + line


def _head(text: str, room: int) -> str:
    """As much of the beginning of a text as fits, at least one character."""
    end = min(len(text), room)
    while end > 1 and width_of(text[:end]) > room:
        end -= 1
    return text[:end]
