"""The words of a goal in names: file names, folders, vocabulary values. Most names have none, and most pieces recur."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final
from zlib import crc32

from plantwin.private.selection.stems import stem
from plantwin.private.selection.terms import parts

BEGINNING: Final = 5
"""Letters that two words must share at the beginning."""
REMEMBERED: Final = 50_000
"""Pieces of names whose stems are remembered in a process at most."""
_DIVIDING: Final = bytes(
    each if each == 10 or (chr(each).isascii() and chr(each).isalpha()) else 32 for each in range(256)
)
"""In names, all that is no letter divides words; line feeds divide names."""


@lru_cache(REMEMBERED)
def _stems(piece: bytes) -> tuple[tuple[str, int], ...]:
    found = [stem(word) for word in parts(piece)]
    return tuple((each, crc32(each.encode())) for each in found)


class Names(dict[bytes, tuple[int, ...]]):
    """Numbers of the goal's words that a piece of a name speaks of, found once for each piece."""

    def __init__(self, looked: frozenset[int], stems: Mapping[str, int]) -> None:
        super().__init__()
        self._looked = looked
        self._beginnings: dict[str, dict[str, int]] = {}
        self._one_more: dict[str, int] = {each[:-1]: number for each, number in stems.items()}
        self._one_less = dict(stems)
        for each, number in stems.items():
            self._beginnings.setdefault(each[:BEGINNING], {})[each] = number

    def __missing__(self, piece: bytes) -> tuple[int, ...]:
        words = _stems(piece)
        found = tuple([number for _, number in words if number in self._looked])
        if not found and words:
            found = tuple(dict.fromkeys(self._begun(each for each, _ in words)))
        self[piece] = found
        return found

    def _begun(self, stems: Iterable[str]) -> Iterator[int]:
        """Words of the goal that begin like one of these, or the other way round: `thermo` and `thermometer`."""
        for each in stems:
            if each in self._one_more:
                yield self._one_more[each]
            if each[:-1] in self._one_less:
                yield self._one_less[each[:-1]]
            if len(each) >= BEGINNING:
                for known, number in self._beginnings.get(each[:BEGINNING], {}).items():
                    if len(known) >= BEGINNING and (known.startswith(each) or each.startswith(known)):
                        yield number

    def of(self, names: Iterable[str]) -> list[tuple[int, ...]]:
        """For each name, numbers of the words in it."""
        lines = [each.replace("\n", " ") for each in names]
        text = "\n".join(lines)
        pieces = text.encode("ascii", "replace").translate(_DIVIDING).split(b"\n")
        return [self._line(line) for line in pieces] if lines else []

    def of_recurring(self, names: Sequence[str]) -> list[tuple[int, ...]]:
        """The same where most names are there many times."""
        distinct = list(dict.fromkeys(names))
        found = dict(zip(distinct, self.of(distinct), strict=True))
        return [found[each] for each in names]

    def _line(self, line: bytes) -> tuple[int, ...]:
        here = [found for piece in line.split() if (found := self[piece])]
        if not here:
            return ()
        return here[0] if len(here) == 1 else tuple({each: None for found in here for each in found})
