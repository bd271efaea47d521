"""What a goal that names no step worries about: shares learned from such goals, and phrases that say it outright."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from plantwin.cloud.offline.associations import WORRIES, features, meanings
from plantwin.cloud.offline.concerns import PHRASES, Concern
from plantwin.cloud.offline.hearing import joined, spoken
from plantwin.cloud.offline.language import Sentence, find
from plantwin.cloud.offline.sight import Sight

LEAST: Final = 0.05
"""Shares below this say little."""
FEW: Final = 3
"""So many are looked at all the same."""


def voiced(sentence: Sentence) -> dict[str, float]:
    """What phrases say of each worry."""
    found = {
        concern.value: joined([(each, phrases[each.text]) for each in find(sentence, phrases)])
        for concern, phrases in PHRASES.items()
    }
    return {concern: weight for concern, weight in found.items() if weight}


def worded(clauses: Iterable[tuple[Sequence[str], Iterable[str], Any]]) -> set[str]:
    """A whole goal, as the table knows it."""
    return {feature for stems, sorts, _ in clauses for feature in features(stems, sorts)}


def worries(sentence: Sentence) -> dict[Concern, float]:
    """What a goal worries about with the share of each, the likeliest first."""
    shares = meanings(worded(spoken(sentence, Sight())), voiced(sentence), WORRIES)
    order = sorted(shares.items(), key=lambda each: -each[1])
    return {Concern(word): share for at, (word, share) in enumerate(order) if share >= LEAST or at < FEW}
