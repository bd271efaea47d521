"""Options with several values: every combination is a capability of its own, so that a plan chooses without arguments.

An argument that a planner could fill would be a question to the content. A choice among a few names that the person
wrote down is not: each name is priced and charged like any other capability.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

MOST = 8
"""Combinations of one command or tool."""
PLACEHOLDER = re.compile(r"\{([a-z_]{1,40})\}")
_LONGEST = 40


class Variant(NamedTuple):
    """One combination: its name, and the value of each option."""

    name: str
    values: Mapping[str, str]

    def fill(self, word: str) -> str:
        """A word with these values in the places of their options. Values are not looked into again."""
        return PLACEHOLDER.sub(lambda found: self.values.get(found[1], found[0]), word)


def used(words: Iterable[str]) -> tuple[str, ...]:
    """Options that these words name, in order."""
    return tuple(dict.fromkeys(name for word in words for name in PLACEHOLDER.findall(word)))


def variants(name: str, options: Mapping[str, Sequence[str]], names: Sequence[str]) -> list[Variant]:
    """Every combination of the values of these options; more than `MOST` are none.

    The names say the values where these make a name; else they are numbered, the first being 1.
    """
    lists = [tuple(dict.fromkeys(options[each])) for each in names]
    total = 1
    for each in lists:
        total *= len(each)
    if total > MOST:
        return []
    found = [dict(zip(names, values, strict=True)) for values in product(*lists)]
    if total == 1:
        return [Variant(name, found[0])]
    varied = [each for each, values in zip(names, lists, strict=True) if len(values) > 1]
    spelled = ["_".join((name, *(_spelled(each[option]) for option in varied))) for each in found]
    plain = all(_spelled(each[option]) for each in found for option in varied)
    if not plain or len(set(spelled)) != total or max(map(len, spelled)) > _LONGEST:
        spelled = [f"{name}_{number}" for number in range(1, total + 1)]
    return [Variant(own, each) for own, each in zip(spelled, found, strict=True)]


def _spelled(value: str) -> str:
    return re.sub(r"[^a-z0-9]{1,200}", "_", value.lower()).strip("_")
