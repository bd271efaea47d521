"""Which words an audience has ever heard in goals: recorded with what else it was told, at no price."""

from __future__ import annotations

import hashlib
from typing import Final

from msgspec import UNSET

from plantwin.boundary.ledger.interface import Charge, Known
from plantwin.types.goal import BLANKS, MARKS, Goal
from plantwin.types.twin import object_id_like

WORDS: Final = hashlib.sha256(b"plantwin: words of goals").digest()
"""The ledger's key for them: they belong to no object and to no folder."""


def spoken(goal: Goal, known: Known) -> tuple[Charge, ...]:
    """Words of the goal's text that this audience has not heard before."""
    text = () if goal.text is UNSET else goal.text
    said = {each for each in text if each not in BLANKS and each not in MARKS and not object_id_like(each)}
    return tuple(Charge(WORDS, unit, 0) for unit in sorted(f"word={each}" for each in said) if unit not in known.units)
