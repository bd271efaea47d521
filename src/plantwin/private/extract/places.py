"""What a path says: conventional names and folders, and the words in it. Weak evidence, cached per folder."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from plantwin.private.extract.evidence import MANIFEST, PATH
from plantwin.private.extract.rules import Rule, rules

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NUMBERED = re.compile(r"v?\d{1,14}(?:[._]\d{1,4})?_{1,2}|v?\d{2,14}-")
"""A place in a fixed order, as migrations have."""
_NEAR, _FAR = 0.7, 0.4


class Place(NamedTuple):
    """One rule that a path triggers."""

    rule: Rule
    points: float
    source: int
    detail: str


def words_of(name: str) -> list[str]:
    """The words of one path component, lower case."""
    return [word.lower() for word in _WORDS.findall(name[:200])]


@lru_cache(maxsize=4096)
def folder_places(folder: str) -> tuple[Place, ...]:
    """The rules that the folders of a path trigger, the nearest folders counting most."""
    table = rules()
    found: list[Place] = []
    parts = folder[-400:].split("/")[-8:]
    for distance, part in enumerate(reversed(parts)):
        weight = _NEAR if distance < 2 else _FAR
        lower = part.lower()
        for rule in table.folder.get(lower, ()):
            found.append(Place(rule, rule.points * (1.0 if distance < 3 else _FAR), MANIFEST, lower + "/"))
        for word in words_of(part):
            for rule in table.path.get(word, ()):
                found.append(Place(rule, rule.points * weight, PATH, word))
    for first, second in pairwise(parts):
        pair = f"{first}/{second}".lower()
        for rule in table.folder.get(pair, ()):
            found.append(Place(rule, rule.points, MANIFEST, pair + "/"))
    return tuple(found)


def file_places(base: str) -> list[Place]:
    """The rules that a file's own name triggers."""
    table = rules()
    lower = base[:200].lower()
    stem = lower.lstrip(".").split(".", 1)[0]
    found = [Place(rule, rule.points, MANIFEST, lower) for rule in table.file.get(lower, ())]
    found += [Place(rule, rule.points, MANIFEST, stem) for rule in table.stem.get(stem, ())]
    _, dot, rest = lower.lstrip(".").partition(".")
    if dot:
        found += [Place(rule, rule.points, MANIFEST, "." + rest) for rule in table.file.get("*." + rest, ())]
    words = words_of(base.rpartition(".")[0] or base)
    if _NUMBERED.match(lower):
        words.append("#numbered")
    for word in dict.fromkeys(words):
        for rule in table.path.get(word, ()):
            found.append(Place(rule, rule.points, PATH, word))
    return found
