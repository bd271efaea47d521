"""What an audience has learned of each object and what that cost, for reports and local views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plantwin.private.report.wording import amount, words
from plantwin.types.prices import normalized_leakage

if TYPE_CHECKING:
    from plantwin.run import Run, Spending

BAR = 10


def learned_by(run: Run) -> tuple[str, str]:
    """Whose knowledge is shown, and what the figures mean."""
    if not run.rationed:
        return "What a remote planner would have learned", "counted over all sessions; nothing left this machine"
    return f"What {run.audience} has learned", "spent of what it may ever be told of each object, over all sessions"


def told_apart(spending: Sequence[Spending]) -> tuple[list[Spending], list[Spending]]:
    """Objects of which something was told, and those of which only the kind was, now and ever."""
    barely = [one for one in spending if not one.before and not one.withheld and len(one.told) == 1]
    barely = [one for one in barely if one.told[0].startswith("kind=")]
    ids = {id(one) for one in barely}
    return [one for one in spending if id(one) not in ids], barely


def kind_of(spending: Spending) -> str:
    """The kind that was told of an object."""
    return words(spending.told[0].partition("=")[2])


def named_of(spending: Spending) -> str:
    """An object's real name."""
    return f"{spending.path}#{spending.part}" if spending.part else spending.path


def spent(spending: Spending) -> str:
    """What was told of it by itself and, where that is so, as one of many: both count towards its threshold."""
    own = amount(spending.spent)
    return f"{own} + {amount(spending.in_sets)} in sets" if spending.in_sets else own


def share(spending: Spending) -> float:
    """NL of one object."""
    return normalized_leakage(spending.spent, spending.threshold)


def bar(spending: Spending, width: int = BAR) -> str:
    """How much of its budget is used."""
    full = round(width * share(spending))
    return "█" * full + "░" * (width - full)
