"""Which objects are shown, and which of their fields a request tells."""

from __future__ import annotations

import secrets
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from math import log
from typing import Final, NamedTuple

from plantwin.private.facts import Record, Relation, private
from plantwin.private.selection.lexical import scores, wanted
from plantwin.private.selection.mentions import Mentioned
from plantwin.types.capability import FIELDS, Catalog
from plantwin.types.goal import Goal
from plantwin.types.local import LocalObject
from plantwin.vocabulary import CapabilityName, Family, Kind, SemanticClass, Sensitivity, member

OPEN = ("semantic_class", "sensitivity", "sensitivity_causes", "age", "environment", "component", "lacks")
"""What a planner needs of an object in order to choose, where the goal does not say which objects or what to do."""
BESIDES = ("contains", "edges")
"""What it needs besides of those that plans are mostly made of."""
NOTABLE = frozenset(
    (
        Family.LOGS, Family.CREDENTIALS, Family.CONFIGURATION, Family.DELIVERY, Family.INFRASTRUCTURE,
        Family.CONTRACTS, Family.DATASET, Family.DATABASE, Family.SECURITY, Family.AGREEMENTS, Family.MACHINE_LEARNING,
    )
)  # fmt: skip
"""Families whose content and relations decide plans."""


def needed(held: LocalObject, goal: Goal, catalog: Catalog) -> tuple[str, ...]:
    """What the goal needs to know of this object, the most important first; nothing where its kind is enough."""
    required = _required(held, goal, catalog)
    if goal.objects:
        # A goal that names objects needs to know about those; of the others a planner can ask.
        if held.id not in goal.objects:
            return ()
        return required if goal.intents else _open(held)
    family = held.semantic_class.family
    if goal.intents and goal.families and not required and family not in goal.families:
        return ("semantic_class",)
    return _merged(_open(held), required)


def _required(held: LocalObject, goal: Goal, catalog: Catalog) -> tuple[str, ...]:
    """Required fields of the capabilities that are asked for and accept this object."""
    found = {
        field
        for word in goal.intents
        for capability in catalog.alike(word)
        if capability.accepts(held.object.kind, held.semantic_class)
        for field in capability.required_fields
    }
    return tuple(field for field in FIELDS if field in found)


def _open(held: LocalObject) -> tuple[str, ...]:
    notable = held.semantic_class.family in NOTABLE or held.object.sensitivity is not Sensitivity.LOW
    return (*OPEN[:3], *BESIDES[:1], *OPEN[3:], *BESIDES[1:]) if notable else OPEN


def _merged(first: tuple[str, ...], second: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


NAMED: Final = 80
"""From this weight on, a goal names an object; below, it speaks of objects of a class."""
MEANT: Final = 8
"""Objects that one stretch of a goal can mean; where it fits more, each counts less."""
LEXICAL: Final = 40.0
SURE: Final = 2.5
"""A lexical score from which on a goal is taken to say what it is about."""
ALIKE: Final = 45.0
BESIDE: Final = 15.0
"""What an object loses for each one of its class, and of its folder, that is shown already; less for a clear goal."""
LEAST: Final = 0.02
ABLE: Final = 25.0
OF_FAMILY: Final = 25.0
"""What an object counts that a wanted capability accepts, or that is of a wanted family: times how rare that is."""
RAREST: Final = 6.0
FITNESS: Final = {"production": 30.0, "test": 5.0}
SENSITIVE: Final = {"high": 20.0, "restricted": 10.0}
FRESH: Final = {"today": 10.0, "recent": 5.0}
TELLING: Final = {
    "error_lines": 40.0, "stack_traces": 40.0, "auth_failures": 40.0, "credentials": 40.0, "open_permissions": 35.0,
    "public_exposure": 35.0, "personal_data": 30.0, "todo_markers": 5.0,
}  # fmt: skip
"""What in an object makes it worth showing where a goal says little."""


@private
class Ranked(NamedTuple):
    """Objects to be shown, and the others, the best first."""

    shown: list[Record]
    rest: list[Record]


def select(
    goal: str,
    records: Sequence[Record],
    relations: Iterable[Relation],
    words: Iterable[tuple[int, bytes]],
    mentioned: Mentioned,
    intents: Sequence[CapabilityName],
    families: Sequence[Family],
    catalog: Catalog,
    most: int,
) -> Ranked:
    """The best `most` objects for a goal, those that it names before all others."""
    said = wanted(goal)
    spoken = scores(said, records, relations, words)
    clear = min(1.0, max(spoken.values(), default=0.0) / SURE)
    fitness = _Fitness(records, intents, families, catalog, 1.0 - clear)
    meant = _meant(mentioned)
    # Ties are broken at random: no name that the goal does not mention decides what a planner sees.
    ties = array("Q", secrets.token_bytes(8 * len(records)))
    lexical = [LEXICAL * spoken.get(each.number, 0.0) + meant.get(each.number, 0.0) for each in records]
    points = [fit + more for fit, more in zip(map(fitness.of, records), lexical, strict=True)]
    mixed = sorted(range(len(records)), key=ties.__getitem__)
    order = sorted(mixed, key=points.__getitem__, reverse=True)
    named = [each for each in order if meant.get(records[each].number, 0.0) >= 10.0 * NAMED][:most] if meant else []
    left = most - len(named)
    shown = named + _spread(records, points, order, named, left, max(LEAST, 1.0 - clear))
    taken = frozenset(shown)
    return Ranked([records[each] for each in shown], [records[each] for each in order if each not in taken])


def _meant(mentioned: Mentioned) -> dict[int, float]:
    """Points for being named or of a class that the goal speaks of: many for one of few, few for one of many."""
    fits: dict[int, int] = {}
    for phrase in mentioned.references:
        for number in phrase.numbers:
            fits[number] = min(fits.get(number, len(phrase.numbers)), len(phrase.numbers))
    many = Counter(mentioned.weights.values())
    return {
        number: (10.0 if weight >= NAMED else 3.0) * weight * min(1.0, MEANT / fits.get(number, many[weight]))
        for number, weight in mentioned.weights.items()
    }


class _Fitness:
    """Points for vocabulary values; the same values always have the same."""

    def __init__(
        self,
        records: Sequence[Record],
        intents: Sequence[CapabilityName],
        families: Sequence[Family],
        catalog: Catalog,
        vague: float,
    ) -> None:
        self._intents, self._families, self._catalog = intents, families, catalog
        self._vague = vague
        self._fits: dict[tuple[str, str], float] = {}
        self._known: dict[tuple[object, ...], float] = {}
        self._many = Counter((each.kind, each.semantic_class) for each in records)
        self._rare = {word: self._rarity(partial(self._does, word)) for word in intents}
        self._of = {family: self._rarity(partial(_belongs, family)) for family in families}

    def of(self, record: Record) -> float:
        """Fitness for the goal's intents and families, role, sensitivity, freshness, and what stands out."""
        key = (
            record.kind, record.semantic_class, record.role, record.sensitivity, record.freshness, record.contains
        )  # fmt: skip
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._of_values(record)
        return found

    def _of_values(self, record: Record) -> float:
        key = (record.kind, record.semantic_class)
        if key not in self._fits:
            self._fits[key] = self._fit(*key)
        telling = max((TELLING.get(tag, 0.0) for tag, _ in record.contains), default=0.0)
        standing = telling + 30.0 * (record.family in NOTABLE)
        return (
            self._fits[key]
            + FITNESS.get(record.role, 0.0)
            + SENSITIVE.get(record.sensitivity, 0.0)
            + FRESH.get(record.freshness, 0.0)
            + self._vague * standing
        )

    def _fit(self, kind: str, leaf: str) -> float:
        kind_, leaf_ = member(Kind, kind), member(SemanticClass, leaf)
        able = sum(self._rare[word] for word in self._intents if self._does(word, kind_, leaf_))
        return ABLE * able + OF_FAMILY * self._of.get(leaf_.family, 0.0)

    def _does(self, word: CapabilityName, kind: Kind, leaf: SemanticClass) -> bool:
        return any(each.accepts(kind, leaf) for each in self._catalog.alike(word))

    def _rarity(self, fits: Callable[[Kind, SemanticClass], bool]) -> float:
        """What fits few objects says more of which one is meant than what fits most."""
        total = self._many.total()
        many = sum(
            count for (kind, leaf), count in self._many.items() if fits(member(Kind, kind), member(SemanticClass, leaf))
        )
        return min(RAREST, log((total + 1) / (many + 1)))


def _belongs(family: Family, _: Kind, leaf: SemanticClass) -> bool:
    return leaf.family is family


def _spread(
    records: Sequence[Record],
    points: Sequence[float],
    order: Sequence[int],
    shown: Sequence[int],
    most: int,
    loss: float,
) -> list[int]:
    """One after the other the best that is left, where each that is like one shown already counts less."""
    of_folder: dict[str, int] = {}
    for each in shown:
        folder = _folder(records[each])
        of_folder[folder] = of_folder.get(folder, 0) + 1
    taken = frozenset(shown)
    left = list(points)
    classes: dict[str, list[int]] = {}
    for each in order:
        if each not in taken:
            record = records[each]
            folder = _folder(record)
            beside = of_folder.get(folder, 0)
            of_folder[folder] = beside + 1
            left[each] -= loss * BESIDE * beside
            if record.semantic_class not in classes:
                classes[record.semantic_class] = []
            classes[record.semantic_class].append(each)
    for rows in classes.values():
        rows.sort(key=left.__getitem__)  # the best is last, to be taken from there
    of_class = Counter(records[each].semantic_class for each in shown)
    chosen: list[int] = []
    while len(chosen) < most and classes:
        leaf = max(classes, key=lambda each: left[classes[each][-1]] - loss * ALIKE * of_class[each])
        chosen.append(classes[leaf].pop())
        of_class[leaf] += 1
        if not classes[leaf]:
            del classes[leaf]
    return chosen


def _folder(record: Record) -> str:
    return record.component or record.path.rpartition("/")[0]
