"""Words that mean much the same in the work that this is for: a goal says `login`, the code `authenticate`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from plantwin.private.selection.stems import stem

MEANINGS: Final = Path(__file__).with_name("meanings.txt")


def meanings() -> tuple[tuple[str, ...], ...]:
    """Each is a row of words with one meaning; a word may be in several."""
    lines = MEANINGS.read_text(encoding="ascii").splitlines()
    return tuple(tuple(line.split()) for line in lines if not line.startswith("#"))


@cache
def alike() -> dict[str, frozenset[str]]:
    """By the stem of each word, the stems of those that mean much the same."""
    found: dict[str, set[str]] = {}
    for words in meanings():
        stems = {stem(word) for word in words}
        for each in stems:
            found.setdefault(each, set()).update(stems - {each})
    return {each: frozenset(others) for each, others in found.items()}
