"""The likeness of two objects: by their lines, their settings, what they define, their names and their class."""

from __future__ import annotations

import re
import struct
from typing import NamedTuple

from plantwin.private.capabilities.job import Neighbour

FULL = 32
"""Hashes in a full sketch."""
NEAR, MUCH = 0.7, 0.4
"""Shares of equal lines from which two are near duplicates, or have much in common."""
_PLACE = re.compile(
    r"(?<![a-z])(?:prod(?:uction)?|stag(?:e|ing)|dev(?:elopment)?|test(?:ing)?|qa|uat|preprod|sandbox|local|demo|live|example|sample"
    r"|template|dist|default|bak|backup|old|new|copy|orig|legacy|draft|final|en|de|fr|es|it|pt|nl|sv|ja|zh|us|eu)(?![a-z])"
    r"|\d{4}[-_]?\d\d[-_]?\d\d|v?\d+(?:[._]\d+){0,3}"
)
_RELATED = {
    "copy": (1.0, "the same content"),
    "diverged": (0.8, "once the same, since changed"),
    "supersedes": (0.8, "a version of it"),
    "sibling": (0.7, "the same structure for another environment, language or period"),
    "overlaps": (0.5, "covers the same period"),
    "instance": (0.7, "a filled-in copy of a template"),
    "generated": (0.4, "generated from a source"),
    "compiled": (0.4, "compiled or filled from a template"),
    "exported": (0.4, "exported from it"),
}


class Match(NamedTuple):
    """One object that is like the input."""

    position: int
    score: float
    sort: str
    """copy, near duplicate, much in common, same structure, related, same kind."""
    why: tuple[str, ...]
    values: int = 0
    """Settings of the same name whose values differ."""


def hashes(sketch: bytes) -> frozenset[int]:
    """The hashes of a sketch."""
    return frozenset(struct.unpack(f">{len(sketch) // 4}I", sketch[: len(sketch) // 4 * 4]))


def overlap(ours: frozenset[int], theirs: frozenset[int]) -> float:
    """Jaccard similarity as the smallest hashes of the union estimate it."""
    shared = ours & theirs
    if not shared:
        return 0.0
    smallest = sorted(ours | theirs)
    if max(len(ours), len(theirs)) == FULL:
        smallest = smallest[:FULL]
    return sum(each in shared for each in smallest) / len(smallest)


def base(name: str) -> str:
    """A file's name without what tells environments, languages, versions and dates apart."""
    return re.sub(r"[._ -]+", " ", _PLACE.sub(" ", name.rpartition("/")[2].lower())).strip()


class Likeness:
    """Compares one object with others."""

    def __init__(self, mine: Neighbour, links: dict[int, str], copies: frozenset[int]) -> None:
        """`links`: reasons of relations by position. `copies`: those that relations call the same."""
        self._mine = mine
        self._links = links
        self._copies = copies
        self._hashes = hashes(mine.sketch)
        self._keys = dict(mine.keys)
        self._provides = frozenset(mine.provides)
        self._base = base(mine.name)

    def __repr__(self) -> str:
        return "<Likeness private>"

    def match(self, position: int, other: Neighbour) -> Match:
        """How like the other is, and why."""
        mine = self._mine
        why: list[str] = []
        score, sort, values = 0.0, "same kind", 0
        lines = overlap(self._hashes, hashes(other.sketch)) if self._hashes and other.sketch else 0.0
        if position in self._copies or (lines == 1.0 and mine.sketch == other.sketch):
            exact = position in self._copies
            score, sort = (1.0, "copy") if exact else (0.97, "near duplicate")
            why.append("the same content" if exact else "all sampled lines are equal")
        elif lines >= MUCH:
            score, sort = lines, "near duplicate" if lines >= NEAR else "much in common"
            why.append(f"about {lines:.0%} of the lines are equal")
        elif lines >= 0.15:
            score = max(score, 0.2 + lines / 2)
            why.append(f"about {lines:.0%} of the lines are equal")
        related = _RELATED.get(self._links.get(position, ""))
        if related is not None and sort != "copy":
            score = max(score, related[0])
            sort = sort if sort == "near duplicate" else "related"
            why.append(related[1])
        named, reasons, values = self._structure(other)
        if named > score and sort not in ("copy", "near duplicate"):
            score, sort = named, "same structure"
        why += reasons
        kind, said = self._kind(other)
        if kind and not score:
            score = kind
        elif kind:
            score = min(1.0 if sort == "copy" else 0.99, score + kind / 10)
        why += said
        return Match(position, round(score, 2), sort, tuple(why), values)

    def _structure(self, other: Neighbour) -> tuple[float, list[str], int]:
        """Settings of the same names, and definitions of the same names."""
        why: list[str] = []
        score, values = 0.0, 0
        theirs = dict(other.keys)
        shared = self._keys.keys() & theirs.keys()
        union = len(self._keys.keys() | theirs.keys())
        if len(shared) >= 3 and len(shared) >= 0.5 * union:
            values = sum(self._keys[key] != theirs[key] for key in shared)
            score = 0.4 + 0.5 * len(shared) / union
            why.append(f"{len(shared)} of {union} settings have the same name; {values} of them have another value")
        provides = frozenset(other.provides)
        both = self._provides & provides
        if len(both) >= 2 and len(both) >= 0.5 * len(self._provides | provides):
            score = max(score, 0.4 + 0.4 * len(both) / len(self._provides | provides))
            why.append(f"{len(both)} definitions have the same name")
        return score, why, values

    def _kind(self, other: Neighbour) -> tuple[float, list[str]]:
        """The same class, component, role and name: a weak likeness."""
        mine = self._mine
        if mine.semantic_class != other.semantic_class or mine.kind != other.kind:
            return 0.0, []
        score, why = 0.15, ["the same class"]
        if mine.component and mine.component == other.component:
            score += 0.15
            why = ["the same class and component"]
        if self._base and self._base == base(other.name):
            score += 0.25
            why.append("a like name")
        return score, why
