"""The re-identification game: whose twin is this?

An adversary holds everything that is true of `k` candidate files (auxiliary knowledge), is told some units about one of
them, and ranks the candidates by how much of what it was told fits each. Ties are broken at random. A unit is one field
with one value, as the ledger counts it, so that what a budget let through is exactly what the adversary is given.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import UNSET

from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.vocabulary import FACETS

Units = frozenset[str]
Strategy = Callable[[str], bool]

SET: Final = "set="
STRATEGIES: Final[Mapping[str, Strategy]] = {
    "random": lambda unit: False,
    "kind": lambda unit: unit.startswith("kind="),
    "kind+class": lambda unit: unit.startswith(("kind=", "semantic_class=", "family=")),
    "full": lambda unit: not unit.startswith(SET),
    "full+sets": lambda unit: True,
}
"""Which units each adversary looks at. The last one knows which files make up every set that was told."""
PAPER: Final = ("kind=", "semantic_class=", "family=", "contains=", "sensitivity=")
"""What the paper's full fingerprint consists of."""
_MANY: Final = ("sensitivity_causes", "contains", "usable_for", "lacks")
_ONE: Final = (
    "kind", "role", "sensitivity", "freshness", *FACETS, "size_bucket", "readiness", "readiness_cause", "confidence"
)  # fmt: skip


class Case(NamedTuple):
    """One file: what is true of it, and what the audience was told."""

    truth: Units
    told: Units


class Result(NamedTuple):
    """Of many trials."""

    accuracy: float
    deviation: float
    """Over trials."""
    mrr: float
    """Mean reciprocal rank of the right candidate."""


def units_of(each: TwinObject) -> Units:
    """Everything that could be told of an object, but for its edges."""
    found: set[str] = set()
    for field in _ONE:
        value = getattr(each, field)
        if value is not UNSET:
            found.add(f"{field}={value}")
    for field in _MANY:
        values = getattr(each, field)
        if values is not UNSET:
            found |= {f"{field}={value}" for value in values}
    leaf = each.semantic_class
    if leaf is not UNSET:
        found |= {f"semantic_class={leaf}", f"family={leaf.family}"}
    if each.amounts is not UNSET:
        found |= {f"amounts={item.tag}:{item.amount}" for item in each.amounts}
    return frozenset(found)


def paper_units(units: Units) -> Units:
    """Of these, what the paper's adversary knows."""
    return frozenset(unit for unit in units if unit.startswith(PAPER))


def structure_of(object_id: str, edges: Sequence[TwinEdge]) -> Units:
    """What edges alone say of an object: how many of each type leave it and arrive."""
    counts: dict[str, int] = {}
    for edge in edges:
        for way, end in (("out", edge.source), ("in", edge.target)):
            if end == object_id:
                key = f"{way}.{edge.edge}"
                counts[key] = counts.get(key, 0) + 1
    # One unit per step of the count, so that 3 and 4 are closer than 0 and 4.
    return frozenset(f"degree={key}:{number}" for key, most in counts.items() for number in range(1, most + 1))


def play(
    cases: Sequence[Case], strategy: str, *, pool: int, trials: int, targets: int = 5, seed: int = 20
) -> Result | None:
    """The game with pools drawn at random; None where there are fewer files than a pool needs."""
    if len(cases) < pool:
        return None
    masks = _masked(cases, STRATEGIES[strategy])
    source = random.Random(seed)  # noqa: S311 - a simulation, the same each time
    rates: list[float] = []
    reciprocal = 0.0
    for _ in range(trials):
        drawn = source.sample(masks, pool)
        right = 0
        for target in drawn[:targets]:
            place = _rank(drawn, target, source)
            right += place == 1
            reciprocal += 1 / place
        rates.append(right / min(targets, pool))
    accuracy = sum(rates) / trials
    spread = math.sqrt(sum((rate - accuracy) ** 2 for rate in rates) / trials)
    return Result(accuracy, spread, reciprocal / (trials * min(targets, pool)))


def ranks(cases: Sequence[Case], targets: Sequence[int], *, pool: int, draws: int, seed: int = 20) -> list[int]:
    """The places of these among so many files drawn from all of them, so many times each, by every word."""
    masks = _masked(cases, STRATEGIES["full"])
    source = random.Random(seed)  # noqa: S311 - a simulation, the same each time
    places = []
    for target in targets:
        others = [*masks[:target], *masks[target + 1 :]]
        places += [
            _rank([masks[target], *source.sample(others, pool - 1)], masks[target], source) for _ in range(draws)
        ]
    return places


def reidentified(cases: Sequence[Case]) -> tuple[float, float]:
    """The share of what was told of that is picked out of the whole folder: by its words, and by its sets as well."""
    words, sets = (_picked(cases, STRATEGIES[strategy]) for strategy in ("full", "full+sets"))
    return words, sets


def _picked(cases: Sequence[Case], looks: Strategy) -> float:
    """How often the right one comes first on average, ties at random."""
    folder = _masked(cases, looks)
    shown = [masks for masks, case in zip(folder, cases, strict=True) if case.told]
    total = 0.0
    for target in shown:
        scores = [_fit(target, candidate) for candidate in folder]
        own = _fit(target, target)
        total += 1 / scores.count(own) if max(scores) == own else 0.0
    return total / len(shown) if shown else 0.0


class _Masks(NamedTuple):
    """A case with one bit per unit."""

    truth: int
    seen: int
    """What was told and is looked at."""
    fields: int
    """Every unit of the fields of what is seen."""


def _masked(cases: Sequence[Case], looks: Strategy) -> list[_Masks]:
    bits: dict[str, int] = {}
    by_field: dict[str, int] = {}
    for unit in sorted({unit for case in cases for unit in case.truth | case.told}):
        bits[unit] = 1 << len(bits)
        field = unit.partition("=")[0]
        by_field[field] = by_field.get(field, 0) | bits[unit]
    made = []
    for case in cases:
        seen = [unit for unit in case.told if looks(unit)]
        fields = 0
        for unit in seen:
            fields |= by_field[unit.partition("=")[0]]
        made.append(_Masks(sum(bits[unit] for unit in case.truth), sum(bits[unit] for unit in seen), fields))
    return made


def _rank(drawn: Sequence[_Masks], target: _Masks, source: random.Random) -> int:
    """The place of the right candidate among all, ties at random."""
    scores = [_fit(target, candidate) for candidate in drawn]
    own = _fit(target, target)
    return sum(score > own for score in scores) + source.randint(1, scores.count(own))


def _fit(target: _Masks, candidate: _Masks) -> tuple[int, int]:
    """How much of what was told is true of a candidate; then how little more is true of it in those fields."""
    more = target.fields & ~target.seen
    return (target.seen & candidate.truth).bit_count(), -(more & candidate.truth).bit_count()


def linked(first: Sequence[Units], second: Sequence[Units], *, pool: int, trials: int, seed: int = 20) -> Result | None:
    """Linkage: the same objects in two sessions under new ids; which of the second is this one of the first?"""
    if len(first) < pool:
        return None
    # What the second session told is all that the adversary knows of its objects.
    pairs = list(zip(first, second, strict=True))
    source = random.Random(seed)  # noqa: S311 - a simulation, the same each time
    rates, reciprocal = [], 0.0
    for _ in range(trials):
        drawn = source.sample(pairs, pool)
        target = drawn[0][0]
        scores = [_likeness(target, other) for _, other in drawn]
        better = sum(score > scores[0] for score in scores)
        place = better + source.randint(1, sum(score == scores[0] for score in scores))
        rates.append(float(place == 1))
        reciprocal += 1 / place
    accuracy = sum(rates) / trials
    return Result(accuracy, math.sqrt(accuracy * (1 - accuracy)), reciprocal / trials)


def _likeness(one: Units, other: Units) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0
