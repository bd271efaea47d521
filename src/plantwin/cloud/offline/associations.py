"""What the words of a clause are associated with: weights learned from sentences in which people ask for things.

The table is data, made by `scripts/associations` from written examples; reading it is a sum. A clause is its stems, its
neighbouring pairs of stems, and the sorts of object that its nouns and ids name.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import member

TABLE: Final = Path(__file__).parent / "associations.json"
SCALE: Final = 50
"""Weights are whole numbers of so many to one."""


def features(stems: Sequence[str], sorts: Iterable[str]) -> set[str]:
    """What a clause says, as the table knows it."""
    pairs = (f"{one} {other}" for one, other in zip(stems, stems[1:], strict=False))
    return {*stems, *pairs, *(f"={each}" for each in sorts)}


@cache
def table() -> tuple[dict[Can, float], dict[str, tuple[tuple[Can, float], ...]]]:
    """What each capability starts from, and what each feature adds."""
    tree = json.loads(TABLE.read_text(encoding="utf-8"))
    cans = [member(Can, word) for word in tree["capabilities"]]
    base = {can: weight / SCALE for can, weight in zip(cans, tree["base"], strict=True)}
    rows = {
        feature: tuple((cans[at], weight / SCALE) for at, weight in zip(row[::2], row[1::2], strict=True))
        for feature, row in tree["features"].items()
    }
    return base, rows


def associated(said: Collection[str]) -> dict[Can, float]:
    """How surely a clause with these features asks for each capability, from 0 to 1."""
    base, rows = table()
    sums = dict(base)
    for feature in sorted(said):
        for can, weight in rows.get(feature, ()):
            sums[can] += weight
    return {can: 1 / (1 + math.exp(-max(-30.0, min(30.0, value)))) for can, value in sums.items()}
