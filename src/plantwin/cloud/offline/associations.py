"""What the words of a clause ask for: weights learned from sentences in which people ask for things.

The table is data, made by `scripts/associations` from written examples; reading it is a sum. A clause is its stems, its
neighbouring stems, the sorts of object that its nouns and ids name, and the cues that it holds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

TABLE: Final = Path(__file__).parent / "associations.json"
SCALE: Final = 50
"""Weights are whole numbers of so many to one."""
NOTHING: Final = "none"
"""A clause that asks for nothing."""
VAGUE: Final = "vague"
"""A clause that asks, and does not say what for."""


class Table(NamedTuple):
    """What each meaning starts from, what each feature adds to some of them, and what a cue is worth."""

    meanings: tuple[str, ...]
    base: tuple[float, ...]
    cue: float
    rows: Mapping[str, tuple[tuple[int, float], ...]]


def features(stems: Sequence[str], sorts: Iterable[str]) -> set[str]:
    """What a clause says, as the table knows it."""
    near = (f"{one} {other}" for one, other in pairwise(stems))
    apart = (f"{one} _ {other}" for one, other in zip(stems, stems[2:], strict=False))
    return {*stems, *near, *apart, *(f"={each}" for each in sorts)}


@cache
def table() -> Table:
    """As it ships."""
    tree = json.loads(TABLE.read_text(encoding="utf-8"))
    rows = {
        feature: tuple((at, weight / SCALE) for at, weight in zip(row[::2], row[1::2], strict=True))
        for feature, row in tree["features"].items()
    }
    base = tuple(weight / SCALE for weight in tree["base"])
    return Table(tuple(tree["meanings"]), base, tree["cue"] / SCALE, rows)


def meanings(said: Collection[str], cues: Mapping[str, float]) -> dict[str, float]:
    """How likely a clause with these features and cues means each capability, nothing, or something vague; 1 in all."""
    known = table()
    sums = [base + known.cue * cues.get(word, 0.0) for word, base in zip(known.meanings, known.base, strict=True)]
    for feature in sorted(said):
        for at, weight in known.rows.get(feature, ()):
            sums[at] += weight
    top = max(sums)
    shares = [math.exp(each - top) for each in sums]
    whole = sum(shares)
    return {word: share / whole for word, share in zip(known.meanings, shares, strict=True)}
