"""Small worlds, all of them: what a transcript tells of one object against what was charged to it.

Every environment of a few objects is played with the same planner: opening, a step on the set, steps on parts and on a
narrower set. Prices are calibrated: a word costs at least the logarithm of how many there are of its sort. Two
adversaries read the transcript: one knows nothing of the other objects, one knows all of them.

Objects differ in nothing but what is enumerated, and the planner cannot name one, so a transcript depends on how many
objects have which values, and not on which: it is computed once for every such count, and that is checked.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import pytest
from crowds import Crowd, record

from plantwin.boundary.budget import Weighted
from plantwin.types.ledger import Known
from plantwin.types.plan import Narrowed, Where
from plantwin.types.prices import BOUNDLESS, field_of
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import Affected, ContentTag, Examined, Findings, Sensitivity, Share

ABSENT = 1
"""A word that may be absent has one value more."""
CHOICES = {
    "contains": len(Share) + ABSENT,
    "sensitivity": len(Sensitivity),
    "status": len(("done", "partial")),
    "severity": len(("high", "none")) + ABSENT,
    "count": len(Findings) + ABSENT,
    "examined": len(Examined) + ABSENT,
    "affected": len(Affected) + ABSENT,
    "tag": len(("found",)) + ABSENT,
}
"""How many values a word can have in these worlds: no more than that is paid for, so that the comparison is tight."""
FLOAT = 1e-9

Value = tuple[bool, str]
"""Of one object: whether it holds credentials, and how sensitive it is. What a step finds follows from both."""
BINARY: tuple[Value, ...] = tuple(product((False, True), ("low", "high")))
TERNARY: tuple[Value, ...] = tuple(product((False, True), ("low", "restricted", "high")))


class Calibrated(Weighted):
    """A word costs the logarithm of how many there are of its sort, in thousandths of a nat, rounded up."""

    least = BOUNDLESS

    def price(self, unit: str, known: Known) -> int:
        """As said; what is the same in all of these worlds costs nothing."""
        field = field_of(unit)
        if field == "nothing":  # it is one of the values of that field
            field = unit.partition("=")[2].partition("@")[0]
        return 0 if unit in known.units else math.ceil(1000 * math.log(CHOICES.get(field, 1)))

    def threshold(self, held: object, known: Known) -> int:
        """What may be told is another matter: here all of it is, to see what it costs."""
        return BOUNDLESS


class Played(NamedTuple):
    """What a planner heard in one environment, and what each object was charged for it, in nats."""

    heard: str
    charged: tuple[float, ...]


def finds(name: str, one) -> bool:
    """What two capabilities find."""
    if name == "lint":
        return one.sensitivity == "high"
    return bool(one.contains) and one.sensitivity != "low"


def nothing(crowd: Crowd, _: str) -> None:
    """A planner that asks nothing."""


def parts(crowd: Crowd, whole: str) -> list[object]:
    """Asks about the set, then about parts, complements and parts of parts."""
    heard = [crowd.ask("lint", whole)]
    source = crowd.last
    heard += [crowd.ask("secret_scan", f"{source}.affected"), crowd.ask("secret_scan", f"{source}.clean")]
    again = crowd.last
    return [*heard, crowd.ask("validate_config", f"{again}.affected"), crowd.ask("secret_scan", whole)]


def narrowing(crowd: Crowd, whole: str) -> list[object]:
    """Asks about the set, and about it narrowed by crossing conditions."""
    tag, high = {"contains": ContentTag.CREDENTIALS}, {"sensitivity": Sensitivity.HIGH}
    narrower = [Narrowed(set=whole, where=Where(**where)) for where in (tag, high, {**tag, **high})]
    return [crowd.ask("secret_scan", each) for each in (whole, *narrower)]


STRATEGIES: dict[str, Callable[[Crowd, str], list[object] | None]] = {
    "opening": nothing, "parts": parts, "narrowing": narrowing,
}  # fmt: skip


def play(values: Sequence[Value], strategy: str, k: int, known: bool) -> Played:
    """One session in one environment."""
    records = [
        record(number, sensitivity=level, contains=(("credentials", "few"),) if holds else ())
        for number, (holds, level) in enumerate(values)
    ]
    crowd = Crowd(records, finds, k=k, others_known=known, limit=BOUNDLESS, accountant=Calibrated())
    opening = crowd.opening(("contains", "sensitivity"))
    (whole,) = [each.id for each in crowd.sets]
    verdicts = STRATEGIES[strategy](crowd, whole) or []
    heard = [each.outcome.units("x") if isinstance(each, Allowed) else "refused" for each in verdicts]
    told = json.dumps([opening, heard]).replace(whole, "set")
    return Played(told, tuple(crowd.charged(one) / 1000 for one in records))


class World:
    """All environments of so many objects, with what is heard and charged in each."""

    def __init__(self, values: Sequence[Value], number: int, strategy: str, k: int, known: bool) -> None:
        self.values, self.number = tuple(values), number
        counts = combinations_with_replacement(range(len(values)), number)
        self._played = {count: play([values[place] for place in count], strategy, k, known) for count in counts}
        for count in random.Random(7).sample(sorted(self._played), 6):
            mixed = list(count)
            random.Random(3).shuffle(mixed)
            other = play([values[place] for place in mixed], strategy, k, known)
            same = self._played[count]
            assert other.heard == same.heard
            assert [dict(zip(count, same.charged, strict=True))[place] for place in mixed] == list(other.charged)

    def heard(self, environment: tuple[int, ...]) -> str:
        return self._played[tuple(sorted(environment))].heard

    def charged(self, environment: tuple[int, ...], place: int) -> float:
        """To the object at a place: objects with the same values are charged the same."""
        count = tuple(sorted(environment))
        return self._played[count].charged[count.index(environment[place])]

    def environments(self):
        return product(range(len(self.values)), repeat=self.number)

    def first(self) -> tuple[float, float, float]:
        """Of the first object, for who knows nothing: mean gain, mean charge, and the most that is ever gained."""
        tally: dict[str, Counter[int]] = {}
        charge = 0.0
        for environment in self.environments():
            tally.setdefault(self.heard(environment), Counter())[environment[0]] += 1
            charge += self.charged(environment, 0)
        total = len(self.values) ** self.number
        gain = worst = 0.0
        for counts in tally.values():
            here = sum(counts.values())
            gained = math.log(len(self.values)) - _entropy(counts)
            gain += here / total * gained
            worst = max(worst, gained)
        return gain, charge / total, worst

    def second(self) -> tuple[float, float, int]:
        """Of the first object, for who knows all others: mean gain, mean charge, environments with more gain."""
        gain = charge = 0.0
        beyond = 0
        for others in product(range(len(self.values)), repeat=self.number - 1):
            heard = [self.heard((value, *others)) for value in range(len(self.values))]
            for value, words in enumerate(heard):
                gained = math.log(len(heard) / heard.count(words))
                paid = self.charged((value, *others), 0)
                gain, charge = gain + gained, charge + paid
                beyond += gained > paid + FLOAT
        total = len(self.values) ** self.number
        return gain / total, charge / total, beyond


def _entropy(counts: Counter[int]) -> float:
    total = sum(counts.values())
    return -sum(number / total * math.log(number / total) for number in counts.values())


WORLDS = [
    pytest.param(BINARY, 6, 2, id="six objects, two binary fields, k 2"),
    pytest.param(BINARY, 7, 3, id="seven objects, two binary fields, k 3"),
    pytest.param(TERNARY, 5, 2, id="five objects, a binary and a ternary field, k 2"),
]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("values", "number", "k"), WORLDS)
def test_who_knows_nothing_of_the_others_gains_no_more_than_the_charge_on_average(values, number, k, strategy):
    gain, charge, worst = World(values, number, strategy, k, known=False).first()
    assert gain <= charge + FLOAT
    assert worst > 0, "nothing was told: the comparison shows nothing"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("values", "number", "k"), WORLDS)
def test_who_knows_all_others_gains_no_more_than_the_charge_where_others_are_known(values, number, k, strategy):
    gain, charge, beyond = World(values, number, strategy, k, known=True).second()
    assert gain > 0, "nothing was told: the comparison shows nothing"
    assert gain <= charge + FLOAT
    assert beyond == 0, "in no environment at all"


def test_what_does_not_hold_is_not_claimed():
    """By default who knows all others may gain more than is charged, and so may anybody by a rare answer."""
    world = World(BINARY, 6, "opening", 2, known=False)
    assert world.second()[2] > 0
    gain, charge, worst = world.first()
    assert worst > charge > gain


if __name__ == "__main__":
    print("gained of charged, in nats: knows nothing | knows all others, with others known | the same by default")
    for (values, number, k), strategy in product([param.values for param in WORLDS], STRATEGIES):
        low = World(values, number, strategy, k, known=False)
        high = World(values, number, strategy, k, known=True).second()
        rows = (low.first()[:2], high[:2], low.second()[:2])
        figures = " | ".join(f"{gain:.3f} of {charge:.3f}" for gain, charge in rows)
        print(f"{number} objects of {len(values)} values, k = {k}, {strategy}: {figures}")
