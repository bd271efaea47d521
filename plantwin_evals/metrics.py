"""The metrics, as the paper defines them, and those beyond it. Each function is one definition."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from plantwin.types.outcome import Outcome
from plantwin.types.prices import COSTS, field_of


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """F1 = 2PR / (P + R)."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def score(found: Collection[object], expected: Collection[object]) -> Score:
    """Of two sets. Nothing found is of no precision."""
    hits = len(set(found) & set(expected))
    return Score(hits / len(set(found)) if found else 0.0, hits / len(set(expected)) if expected else 1.0)


def lenient_score(
    approved: Collection[str],
    expected: Collection[str],
    alternatives: Mapping[Any, Collection[str]],
    optional: Collection[str],
) -> Score:
    """Like `score`, but an alternative stands for what it replaces, and optional ones are free."""
    found: set[str] = set()
    for word in approved:
        if word in expected:
            found.add(word)
            continue
        replaced = [each for each in expected if word in alternatives.get(each, ()) and each not in approved]
        if replaced:
            found.add(replaced[0])
        elif word not in optional and not any(word in alternatives.get(each, ()) for each in expected):
            found.add(word)
    return score(found, expected)


def non_disclosure(sensitive: int, seen: int) -> float:
    """SND: the share of sensitive items that do not appear in the planner-visible bytes."""
    return 1.0 - seen / sensitive if sensitive else 1.0


def leakage(spent: Iterable[tuple[int, int]]) -> float:
    """NL of a task: what was spent of the budgets of the objects shown, over those budgets."""
    pairs = list(spent)
    budget = sum(most for _, most in pairs)
    return sum(used for used, _ in pairs) / budget if budget else 0.0


def worst_leakage(spent: Iterable[tuple[int, int]]) -> float:
    """NL by object: the largest share of its own budget that any object has used."""
    return max((used / most for used, most in spent if most), default=0.0)


def grain(outcome: Outcome) -> float:
    """Weighted fields that the outcome of one call tells, whether or not they were known before."""
    return sum(COSTS[field_of(unit)] for unit in outcome.units("any")) / 1000


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean; of nothing, 0."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
