"""Words of goals and objects as stems and numbers: forms of a word, words that mean alike, words that say little."""

from __future__ import annotations

import re
from array import array
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from sys import byteorder
from typing import Final
from zlib import crc32

from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)


STOP: Final = _LEXICON.words("everywhere")
"""Words of English, of code and of markup that say nothing of what a file is about."""
POLITE: Final = _LEXICON.words("asking")
"""Words of a goal that ask, or stand for anything."""


SHORTEST: Final = 3
_KEPT: Final = 4
"""Letters that a stem keeps at least."""
_ENDINGS: Final = (
    "izations", "isations", "ization", "isation", "abilities", "ability", "ations", "ators", "ating", "ation", "ative",
    "ities", "izing", "ising", "izers", "ments", "ates", "ated", "ator", "able", "ible", "ized", "ised", "izes", "ises",
    "izer", "ment", "ness", "ings", "ions", "ate", "ing", "ion", "ers", "ies", "ied", "ity", "ize", "ise", "ous", "ors",
    "ed", "er", "or", "es", "ly", "s", "e", "y",
)  # fmt: skip
_LASTS: Final = frozenset(each[-1] for each in _ENDINGS)
_BY_SIZE: Final = tuple(
    (-size, frozenset(each for each in _ENDINGS if len(each) == size))
    for size in sorted({len(each) for each in _ENDINGS}, reverse=True)
)
_FORMS: Final = dict(each.split(":") for each in _LEXICON.tables["odd"].split())


def stem(word: str) -> str:
    """A word without its endings, roughly."""
    word = _FORMS.get(word, word)
    while len(word) > SHORTEST and word[-1] in _LASTS and word[-2:] != "ss":
        kept = len(word) - _KEPT
        for size, endings in _BY_SIZE:
            if -size <= kept and word[size:] in endings:
                word = word[:size]
                break
        else:
            return word[:-1] if len(word) == _KEPT and word[-1] == "s" else word
    # `cancelled` and `cancel`, `install` and `instal`
    if len(word) > _KEPT and word[-1] == word[-2] and word[-1] not in "saeiou":
        return word[:-1]
    return word


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


MOST: Final = 160
"""Words of one file that are kept at most."""
HEAD: Final = 2 << 10
TAIL: Final = 1 << 9
"""Bytes from both ends of a file in which words are looked for."""
LONGEST: Final = 24
REMEMBERED: Final = 100_000
"""Words whose number is remembered in a process at most."""

_UPPER: Final = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LETTERS = bytes(
    each if chr(each).isascii() and chr(each).isalpha() else ord("1") if chr(each).isdigit() else 32
    for each in range(256)
)
"""Digits stay part of their word, so that it can be left out; all else that is no letter divides words."""


class _Numbers(dict[bytes, tuple[int, ...]]):
    """Numbers of the words that a piece of text stands for, remembered."""

    def __missing__(self, piece: bytes) -> tuple[int, ...]:
        if piece.isalpha() and piece.islower() and SHORTEST <= len(piece) <= LONGEST:
            word = piece.decode("ascii")  # as most are
            found: tuple[int, ...] = () if word in STOP else (number(word),)
        else:
            found = tuple(map(number, parts(piece)))
        if len(self) < REMEMBERED:
            self[piece] = found
        return found


@lru_cache(REMEMBERED)
def number(word: str) -> int:
    """The number of a word: the same for all that share its stem."""
    return crc32(stem(word).encode())


def parts(piece: bytes) -> list[str]:
    """Words inside an identifier of letters: `parseHTTPReply` is three."""
    if b"1" in piece or len(piece) > 3 * LONGEST:
        return []
    pieces = [piece] if piece.islower() else _UPPER.findall(piece)
    words = [each.decode("ascii").lower() for each in pieces]
    return [each for each in words if SHORTEST <= len(each) <= LONGEST and each not in STOP]


def pieces_of(text: bytes) -> list[str]:
    """Words of a text, those inside its identifiers too, in its order."""
    return [word for piece in text.translate(_LETTERS).split() for word in parts(piece)]


_numbers = _Numbers()


def terms(data: bytes, names: list[str]) -> bytes:
    """The most telling words of a file as ascending numbers: of its beginning and end, and the names it defines."""
    text = data if len(data) <= HEAD + TAIL else data[:HEAD] + b" " + data[-TAIL:]
    called = " ".join(names[:MOST]).encode("ascii", "replace")
    pieces = set((text + b" " + called).translate(_LETTERS).split())
    found = set(chain.from_iterable(map(_numbers.__getitem__, pieces)))
    if len(found) > MOST:
        named = set(chain.from_iterable(map(_numbers.__getitem__, called.translate(_LETTERS).split())))
        found = named if len(named) >= MOST else named | _longest(pieces, found - named, MOST - len(named))
    kept = array("I", sorted(found)[:MOST])
    if byteorder == "big":
        kept.byteswap()
    return kept.tobytes()


def _longest(pieces: set[bytes], found: set[int], most: int) -> set[int]:
    """Of too many, those of the longest identifiers: they say more than short words."""
    if len(found) <= most:
        return found
    kept: set[int] = set()
    for piece in sorted(pieces, key=len, reverse=True):
        kept.update(each for each in _numbers[piece] if each in found)
        if len(kept) >= most:
            break
    return kept


def read(kept: bytes) -> array[int]:
    """Numbers that were kept."""
    found = array("I", kept[: len(kept) // 4 * 4])
    if byteorder == "big":
        found.byteswap()
    return found


def has(kept: bytes, word: str) -> bool:
    """Whether a word, or one of its stem, is among those that were kept."""
    return number(word) in read(kept)
