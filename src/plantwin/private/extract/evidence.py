"""Evidence for a class: what was seen, where, and how many points it is worth.

Points are capped per source. The caps are the defence against content that lies: no path and no
prose can reach what one decisive structural feature is worth (`DECISIVE`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

SOURCES = ("structure", "imports", "names", "manifest", "path", "prose")
STRUCTURE, IMPORTS, NAMES, MANIFEST, PATH, PROSE = range(6)
CAPS = (14.0, 6.0, 5.0, 6.0, 3.0, 4.5)
"""Most points that one class can get from each source."""
DECISIVE = 5.0
"""What a structural feature that decides alone is worth at least."""

GROWTH = (0.0, 1.0, 1.15, 1.3, 1.35, 1.4, 1.45, 1.5, 1.5, 1.55, 1.6)
"""How points grow with the number of occurrences: repetition convinces slowly."""


class Evidence(NamedTuple):
    """One observation that speaks for a class."""

    target: str
    points: float
    source: str
    detail: str


class Row(NamedTuple):
    """One rule. `words` are alternatives; `when` are conditions, all of which must hold."""

    target: str
    on: str
    """What is looked at: feature, format, import, name, file, stem, folder, path, heading or text."""
    words: str
    points: float
    when: str = ""


ON: dict[str, int] = {
    "feature": STRUCTURE,
    "format": STRUCTURE,
    "import": IMPORTS,
    "name": NAMES,
    "file": MANIFEST,
    "stem": MANIFEST,
    "folder": MANIFEST,
    "path": PATH,
    "heading": PROSE,
    "text": PROSE,
}

_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\n")
_SEGMENTS = re.compile(r"[^a-z0-9_\-\n]+")


def split_words(names: Iterable[str]) -> list[str]:
    """Identifiers as lower-case words in order, a line end between two identifiers."""
    return list(map(str.lower, _PIECES.findall("\n".join(names))))


def segments(calls: Iterable[str]) -> list[str]:
    """The parts of dotted, scoped or slashed names, lower case, a line end between two names."""
    return _SEGMENTS.sub(" ", "\n".join(calls).lower()).replace("\n", " \n ").split(" ")


def plural(word: str) -> str:
    """The usual plural, so that tables need the singular alone."""
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
