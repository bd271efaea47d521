"""What the words of a clause, or of a whole vague goal, ask for: weights learned from written examples.

The tables are data, made by `scripts/associations`; reading them is a sum. A clause is its stems, its neighbours,
the groups of words of like meaning that they are in, the sorts of object that its nouns and ids name, and the cues that
it holds. What the whole goal speaks of counts too: `what came first` asks for another thing among logs than among
contracts.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec

from plantwin.cloud.offline.language import stem

SENSES: Final = Path(__file__).parent / "senses.tsv"


@cache
def senses() -> Mapping[str, tuple[str, ...]]:
    """Groups by stem, read once."""
    rows = (line.split("\t") for line in SENSES.read_text(encoding="ascii").splitlines())
    return {stem(word): tuple(groups.split()) for word, groups in rows}


TABLE: Final = Path(__file__).parent / "associations.json"
WORRIES: Final = Path(__file__).parent / "worries.json"
"""The same for whole goals that name no step."""
OPEN: Final = Path(__file__).parent / "open.json"
"""The same for such a goal in a folder."""
SCALE: Final = 50
"""Weights are whole numbers of so many to one."""
NOTHING: Final = "none"
"""A clause that asks for nothing."""
VAGUE: Final = "vague"
"""A clause that asks, and does not say what for."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each meaning starts from, what each feature adds to some of them, and what a cue is worth; all scaled."""

    meanings: tuple[str, ...]
    base: tuple[int, ...]
    cue: int
    features: dict[str, list[int]]
    """Of each feature, in turn: which meaning, and how much."""


def features(stems: Sequence[str], sorts: Iterable[str]) -> set[str]:
    """What a clause says, as the table knows it."""
    near = (f"{one} {other}" for one, other in pairwise(stems))
    apart = (f"{one} _ {other}" for one, other in zip(stems, stems[2:], strict=False))
    known = senses()
    groups = (f"#{group}" for each in stems for group in known.get(each, ()))
    return {*stems, *near, *apart, *groups, *(f"={each}" for each in sorts)}


def surroundings(clauses: Iterable[tuple[Sequence[str], Iterable[str], Any]]) -> set[str]:
    """What a whole goal speaks of, as the table knows it."""
    known, found = senses(), set()
    for stems, sorts, _ in clauses:
        found |= {f"~{each}" for each in stems}
        found |= {f"~#{group}" for each in stems for group in known.get(each, ())}
        found |= {f"~={each}" for each in sorts}
    return found


@cache
def table(path: Path = TABLE) -> Table:
    """As it ships."""
    return msgspec.json.decode(path.read_bytes(), type=Table)


def sums(
    said: Collection[str] | Mapping[str, float], cues: Mapping[str, float], path: Path = TABLE
) -> dict[str, float]:
    """Add up what speaks for each meaning: what it starts from, these features, and these cues."""
    known = table(path)
    counts = said if isinstance(said, Mapping) else {}
    found: list[float] = [
        base + known.cue * cues.get(word, 0.0) for word, base in zip(known.meanings, known.base, strict=True)
    ]
    for feature in sorted(said):
        row = known.features.get(feature, ())
        for at, weight in zip(row[::2], row[1::2], strict=True):
            found[at] += weight * counts.get(feature, 1.0)
    return {word: each / SCALE for word, each in zip(known.meanings, found, strict=True)}


def meanings(
    said: Collection[str] | Mapping[str, float], cues: Mapping[str, float], path: Path = TABLE
) -> dict[str, float]:
    """How likely a clause with these features and cues means each capability, nothing, or something vague; 1 in all."""
    found = sums(said, cues, path)
    top = max(found.values())
    shares = {word: math.exp(each - top) for word, each in found.items()}
    whole = sum(shares.values())
    return {word: share / whole for word, share in shares.items()}
