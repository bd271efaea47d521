"""Rate limits per audience: what repetition can learn in an hour is bounded, whatever the budgets allow."""

from __future__ import annotations

from typing import Final, NamedTuple

HOUR: Final = 3600.0


class Limits(NamedTuple):
    """Counted by the ledger over all sessions of an audience and of those who share with it."""

    turns_per_hour: int = 60
    fields_per_hour: int = 2000
    """Units newly told."""
    refusals_per_hour: int = 100


UNLIMITED: Final = Limits(1 << 40, 1 << 40, 1 << 40)
"""For planners that cannot send anything to anybody."""
