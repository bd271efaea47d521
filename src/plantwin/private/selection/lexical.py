"""How much each object speaks of what a goal speaks of: names, places, contents and classes, weighed by rarity."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log, sqrt
from typing import Final, NamedTuple
from zlib import crc32

from plantwin.private.facts import Record, Relation
from plantwin.private.index import PARTS
from plantwin.private.selection.intents import FAMILIES, INTENTS
from plantwin.private.selection.words import POLITE, STOP, alike, number, parts, read, stem

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
        self._one_more: dict[str, int] = {each[:-1]: count for each, count in stems.items()}
        self._one_less = dict(stems)
        for each, count in stems.items():
            self._beginnings.setdefault(each[:BEGINNING], {})[each] = count

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


NAME: Final = 2.2
PLACE: Final = 1.0
VALUES: Final = 0.9
CONTENT: Final = 1.2
"""What a word counts in a file's name, in its folders, in its vocabulary values and in its content."""
COVERED: Final = 0.3
"""Share of a score that depends on how much of the goal an object speaks of."""
LENGTH: Final = 0.9
"""How far a word of many counts less than a word of few."""
ORDINARY: Final = 80
"""Words that are kept of an ordinary file."""
TAGS: Final = 3
"""Content tags of an object that count as its values."""
SATURATION: Final = 1.6
SEEDS: Final = 64
"""Objects from which nearness spreads."""
NEAR: Final = 0.3
"""Share of its score that an object lends to those beside it."""

_Counts = dict[int, dict[int, float]]
"""By number of a word, the objects that have it, and how much it counts there."""


def scores(
    goal: Sequence[Wanted],
    records: Sequence[Record],
    relations: Iterable[Relation],
    words: Iterable[tuple[int, bytes]],
) -> dict[int, float]:
    """Scores of the objects that speak of the goal, or lie beside one that does, by number."""
    if not goal or not records:
        return {}
    scored = _scored(goal, _counted(goal, records, words), len(records))
    for number_, near in _nearness(scored, relations).items():
        scored[number_] = scored.get(number_, 0.0) + near
    return scored


def _counted(goal: Sequence[Wanted], records: Sequence[Record], words: Iterable[tuple[int, bytes]]) -> _Counts:
    """Where each word is, and how much it counts there."""
    # Numbers and few containers: what is made here for every object would cost more to collect than to make.
    counts: _Counts = {each: {} for word in goal for each in word.numbers}
    looked = frozenset(counts)
    objects = [each.number for each in records]
    first = {each // PARTS: each for each in reversed(objects)}
    further = [each for each in objects if first[each // PARTS] != each]
    for file, kept in words:
        if file in first:
            said = CONTENT / (1.0 - LENGTH + LENGTH * len(kept) / (4 * ORDINARY))
            for each in looked.intersection(read(kept)):
                counts[each][first[file]] = said
    for held in counts.values() if further else ():
        held.update([(each, held[first[each // PARTS]]) for each in further if first[each // PARTS] in held])
    names = Names(looked, {stem(word.word): number(word.word) for word in goal})
    paths = [each.path for each in records]
    slashes = [each.rfind("/") for each in paths]
    _add(counts, objects, NAME, names.of([path[at + 1 :] for path, at in zip(paths, slashes, strict=True)]))
    _add(counts, objects, NAME, names.of_recurring([each.part for each in records]))
    folders = [path[: max(at, 0)] for path, at in zip(paths, slashes, strict=True)]
    _add(counts, objects, PLACE, names.of_recurring(folders))
    _add(counts, objects, VALUES, names.of_recurring([each.semantic_class for each in records]))
    _add(counts, objects, VALUES, _tagged(names, [each.contains for each in records]))
    return counts


def _tagged(names: Names, contained: Sequence[tuple[tuple[str, str], ...]]) -> list[tuple[int, ...]]:
    told = {each: " ".join([tag for tag, _ in each[:TAGS]]) for each in dict.fromkeys(contained)}
    return names.of_recurring([told[each] for each in contained])


def _add(counts: _Counts, objects: Sequence[int], field: float, found: Sequence[tuple[int, ...]]) -> None:
    for object_, numbers in zip(objects, found, strict=True):
        for each in numbers:
            held = counts[each]
            held[object_] = held.get(object_, 0.0) + field


def _scored(goal: Sequence[Wanted], counts: _Counts, total: int) -> dict[int, float]:
    whole = sum(word.weight for word in goal) or 1.0
    scored: dict[int, float] = {}
    covered: dict[int, float] = {}
    for word in goal:
        # A word and those that mean the same count once: for where one of them says most.
        best: dict[int, float] = {}
        for each, share in word.numbers.items():
            many = len(counts[each])
            weight = word.weight * share * log(1 + (total - many + 0.5) / (many + 0.5))
            for object_, count in counts[each].items():
                says = weight * count / (count + SATURATION)
                if says > best.get(object_, 0.0):
                    best[object_] = says
        for object_, says in best.items():
            scored[object_] = scored.get(object_, 0.0) + says
            covered[object_] = covered.get(object_, 0.0) + word.weight
    return {each: score * (1.0 - COVERED + COVERED * covered[each] / whole) for each, score in scored.items()}


def _nearness(scored: Mapping[int, float], relations: Iterable[Relation]) -> dict[int, float]:
    """What the best lend to the objects beside them, the less to each the more there are."""
    seeds = set(sorted(scored, key=lambda each: -scored[each])[:SEEDS])
    beside: dict[int, set[int]] = {}
    for each in relations:
        for here, there in ((each.source, each.target), (each.target, each.source)):
            if here in seeds and there >= 0:
                beside.setdefault(here, set()).add(there)
    near: dict[int, float] = {}
    for here, others in beside.items():
        lent = NEAR * scored[here] / sqrt(len(others))
        for there in others:
            near[there] = max(near.get(there, 0.0), lent)
    return near
