"""A goal as words to look for: what it says, what means much the same, and how much each says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from zlib import crc32

from plantwin.private.selection.common import POLITE, STOP
from plantwin.private.selection.intents import FAMILIES, INTENTS
from plantwin.private.selection.stems import stem
from plantwin.private.selection.terms import parts
from plantwin.private.selection.thesaurus import alike

LONGEST: Final = 4000
"""Characters of a goal that are looked at."""
MOST: Final = 48
"""Words of a goal that are looked for at most."""
SIMILAR: Final = 0.55
"""What a word counts that only means much the same."""
WORKING: Final = 0.35
"""What a word counts that asks for work, such as `review`: it says little of which object."""
_word = re.compile(r"[A-Za-z]+")
_work = re.compile("|".join(f"(?:{pattern})" for _, pattern in (*INTENTS, *FAMILIES)), re.IGNORECASE)


class Wanted(NamedTuple):
    """One word of a goal."""

    word: str
    weight: float
    numbers: dict[int, float]
    """Numbers of the word itself and of those that mean much the same, with what each counts."""


def wanted(goal: str) -> tuple[Wanted, ...]:
    """The telling words of a goal, each once."""
    found: dict[str, Wanted] = {}
    said = [match[0] for match in _word.finditer(goal[:LONGEST])]
    for text in (*_joined([each.lower() for each in said]), *said):
        for word in parts(text.encode("ascii")):
            root = stem(word)
            if root in found or word in STOP:
                continue
            numbers = {crc32(root.encode()): 1.0}
            for other in alike().get(root, ()):
                numbers.setdefault(crc32(other.encode()), SIMILAR)
            found[root] = Wanted(word, _weight(word), numbers)
            if len(found) == MOST:
                return tuple(found.values())
    return tuple(found.values())


def _joined(said: Sequence[str]) -> Iterator[str]:
    """Two words that are written as one elsewhere: `sign people in` speaks of `signin`."""
    for near in (1, 2):
        for one, two in zip(said, said[near:], strict=False):
            if stem(one + two) in alike():
                yield one + two


def _weight(word: str) -> float:
    if word in POLITE:
        return WORKING * WORKING
    return WORKING if _work.fullmatch(word) else 1.0
