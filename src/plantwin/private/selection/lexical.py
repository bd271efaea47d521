"""How much each object speaks of what a goal speaks of: names, places, contents and classes, weighed by rarity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log, sqrt
from typing import Final

from plantwin.private.index import PARTS
from plantwin.private.records import Record, Relation
from plantwin.private.selection.query import Wanted
from plantwin.private.selection.terms import number, parts, read, stem

NAME: Final = 2.2
PLACE: Final = 1.0
VALUES: Final = 0.9
CONTENT: Final = 1.2
"""What a word counts in a file's name, in its folders, in its vocabulary values and in its content."""
SATURATION: Final = 0.8
BEGINNING: Final = 5
"""Letters that two words must share at the beginning."""
SEEDS: Final = 64
"""Objects from which nearness spreads."""
NEAR: Final = 0.3
"""Share of its score that an object lends to those beside it."""

_DIVIDING: Final = bytes(each if chr(each).isascii() and chr(each).isalpha() else 32 for each in range(256))
"""In names, all that is no letter divides words."""


def scores(
    goal: Sequence[Wanted],
    records: Sequence[Record],
    relations: Iterable[Relation],
    words: Iterable[tuple[int, bytes]],
) -> dict[int, float]:
    """Scores of the objects that speak of the goal, or lie beside one that does, by number."""
    if not goal:
        return {}
    found = _found(goal, records, words)
    scored = _scored(goal, found, len(records))
    for number_, near in _nearness(scored, relations).items():
        scored[number_] = scored.get(number_, 0.0) + near
    return scored


def _found(
    goal: Sequence[Wanted], records: Sequence[Record], words: Iterable[tuple[int, bytes]]
) -> dict[int, dict[int, float]]:
    """For each object, the numbers of words that it has and how much they count there."""
    looked = frozenset(each for word in goal for each in word.numbers)
    inside = {file: here for file, kept in words if (here := looked.intersection(read(kept)))}
    names = _Names(looked, {stem(word.word): number(word.word) for word in goal})
    found: dict[int, dict[int, float]] = {}
    for record in records:
        folder, _, name = record.path.rpartition("/")
        counts = dict.fromkeys(inside.get(record.number // PARTS, ()), CONTENT)
        for field, numbers in (
            (NAME, names.of(f"{name} {record.part}" if record.part else name)),
            (PLACE, names.recurring(folder)),
            (VALUES, names.recurring(_values(record))),
        ):
            for each in numbers:
                counts[each] = counts.get(each, 0.0) + field
        if counts:
            found[record.number] = counts
    return found


def _values(record: Record) -> str:
    return " ".join((record.semantic_class, *[tag for tag, _ in record.contains[:3]]))


class _Names:
    """Finds the words that are looked for in names. Most names have none, and folders and values recur."""

    def __init__(self, looked: frozenset[int], stems: Mapping[str, int]) -> None:
        self._looked, self._stems = looked, stems
        self._pieces: dict[bytes, tuple[int, ...]] = {}
        self._seen: dict[str, tuple[int, ...]] = {}

    def of(self, text: str) -> tuple[int, ...]:
        """Numbers of the words in a name, each once."""
        found: tuple[int, ...] = ()
        for piece in text.encode("ascii", "replace").translate(_DIVIDING).split():
            here = self._pieces.get(piece)
            if here is None:
                words = parts(piece)
                here = tuple(self._looked.intersection(map(number, words))) or tuple(self._begun(words))
                self._pieces[piece] = here
            if here:
                found += here
        return found if len(found) < 2 else tuple(dict.fromkeys(found))

    def _begun(self, words: Sequence[str]) -> Iterator[int]:
        """Words of the goal that begin like one of these, or the other way round: `thermo` and `thermometer`."""
        for known, found in self._stems.items():
            if any(_begins(each, known) for each in map(stem, words)):
                yield found

    def recurring(self, text: str) -> tuple[int, ...]:
        """The same of what is asked for again and again."""
        here = self._seen.get(text)
        if here is None:
            here = self._seen[text] = self.of(text)
        return here


def _begins(one: str, two: str) -> bool:
    short, long = sorted((one, two), key=len)
    return long.startswith(short) and (len(short) >= BEGINNING or len(long) - len(short) == 1)


def _scored(goal: Sequence[Wanted], found: Mapping[int, Mapping[int, float]], total: int) -> dict[int, float]:
    rarity = Counter(each for counts in found.values() for each in counts)
    whole = sum(word.weight for word in goal) or 1.0
    says: dict[int, list[tuple[int, float]]] = {}
    for place, word in enumerate(goal):
        for each, share in word.numbers.items():
            if many := rarity[each]:
                says.setdefault(each, []).append((place, share * log(1 + (total - many + 0.5) / (many + 0.5))))
    weights = [word.weight for word in goal]
    scored: dict[int, float] = {}
    for number_, counts in found.items():
        # A word and those that mean the same count once: for where one of them says most.
        best: dict[int, float] = {}
        for each, count in counts.items():
            for place, weight in says[each]:
                best[place] = max(best.get(place, 0.0), weight * count / (count + SATURATION))
        score = sum(weights[place] * each for place, each in best.items())
        covered = sum(weights[place] for place in best)
        scored[number_] = score * (0.7 + 0.3 * covered / whole)
    return scored


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
