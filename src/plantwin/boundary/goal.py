"""What the core does with a goal: it names no object that was not shown, and its words are recorded, at no price."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from plantwin.boundary.ledger.interface import Charge, Known
from plantwin.types.goal import BLANKS, MARKS, Goal, joined
from plantwin.types.twin import object_id_like

WORDS: Final = hashlib.sha256(b"plantwin: words of goals").digest()
"""The ledger's key for them: they belong to no object and to no folder."""


def spoken(goal: Goal, known: Known) -> tuple[Charge, ...]:
    """Words of the goal's text that this audience has not heard before."""
    text = () if goal.text is UNSET else goal.text
    said = {each for each in text if each not in BLANKS and each not in MARKS and not object_id_like(each)}
    return tuple(Charge(WORDS, unit, 0) for unit in sorted(f"word={each}" for each in said) if unit not in known.units)


def unnamed(goal: Goal, shown: Collection[str]) -> Goal:
    """The goal without the objects that could not be shown: a blank stands for them in the text."""
    objects = tuple(each for each in goal.objects if each in shown)
    if goal.text is UNSET:
        return replace(goal, objects=objects)
    left = (each if not object_id_like(each) or each in shown else "<path>" for each in goal.text)
    return replace(goal, objects=objects, text=joined(left))
