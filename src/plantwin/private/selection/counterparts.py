"""Files that a goal names by how they differ from others: `the dev one`, `the production and the development setup`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from plantwin.private.facts import Record
from plantwin.private.selection.phrases import Directory, Phrase
from plantwin.private.selection.words import POLITE, STOP

FORMS: Final = (
    frozenset(["production", "prod", "live"]),
    frozenset(["staging", "stage", "stg"]),
    frozenset(["development", "develop", "dev"]),
    frozenset(["test", "testing", "ci"]),
    frozenset(["local"]),
)
"""Environments, each with the words that name it."""
MOST: Final = 4
"""Files of one side."""
SIDES: Final = 2
_one = re.compile(r"(?i)\b([a-z]{2,})(?: (?:one|version|variant|counterpart|equivalent))\b")
_piece = re.compile(r"[a-z]+")
_word = re.compile(r"[A-Za-z]{2,}")
_comparing = re.compile(
    r"compar\w*|differ\w*|setups?|configs?|configuration|settings?|environments?|between|versus|vs|same"
)
"""Words that say nothing of which files are compared."""


def counterparts(goal: str, named: Sequence[Phrase], here: Directory) -> Iterator[Phrase]:
    """Return what is named by the word that tells it from its counterpart."""
    files = {record.number: record for record in here.records}
    bases = [files[phrase.numbers[0]] for phrase in named if len(phrase.numbers) == 1 and phrase.start < phrase.end]
    for match in _one.finditer(goal) if bases else ():
        forms = _forms(match[1].lower())
        found = [record for record in here.records if any(_differs(record, base, forms) for base in bases)]
        if 0 < len(found) <= MOST:
            yield Phrase(match.start(1), match.end(), tuple(record.number for record in found))
    if not bases:
        yield from _sides(goal, here)


def _sides(goal: str, here: Directory) -> Iterator[Phrase]:
    """Each side of two environments, as far as files are called after them and after what is compared."""
    words = [(match, forms) for match in _word.finditer(goal) if (forms := _environment(match[0].lower()))]
    about = {match[0].lower() for match in _word.finditer(goal)} - STOP - POLITE
    about = {word for word in about if not _environment(word) and not _comparing.fullmatch(word)}
    # Environments alone (`staging and production`) are all settings of theirs: no file of those is meant by itself.
    if len({forms for _, forms in words}) != SIDES or len(words) != SIDES or not about:
        return
    meant = [record for record in here.records if _pieces(record) & about]
    sides = [[record for record in meant if _pieces(record) & forms] for _, forms in words]
    paired = [[each for each in side if _base(each) in set(map(_base, other))] for side, other in (sides, sides[::-1])]
    sides = paired if all(paired) else sides
    for at, side in enumerate(sides):
        # The file without such a word is the one that the other side differs from.
        other = sides[1 - at]
        whole = side or [
            record for record in meant if any(_base(record) == _base(each) for each in other if each is not record)
        ]
        if 0 < len(whole) <= MOST:
            yield Phrase(*words[at][0].span(), tuple(record.number for record in whole))


def _environment(word: str) -> frozenset[str]:
    return next((forms for forms in FORMS if word in forms), frozenset())


def _forms(word: str) -> frozenset[str]:
    return _environment(word) or frozenset([word])


def _pieces(record: Record) -> set[str]:
    """Words of a path."""
    return set(_piece.findall(record.path.lower()))


def _base(record: Record) -> tuple[str, ...]:
    """Words of a path without those for environments."""
    return tuple(piece for piece in _piece.findall(record.path.lower()) if not _environment(piece))


def _differs(record: Record, base: Record, forms: frozenset[str]) -> bool:
    """Whether a file is called like another, with one of these words besides."""
    own, other = (_piece.findall(each.path.rpartition("/")[2].lower()) for each in (record, base))
    return own != other and bool(forms & set(own)) and [piece for piece in own if piece not in forms] == other
