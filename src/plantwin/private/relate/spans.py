"""similar_to by time: logs that cover the same period."""

from __future__ import annotations

from plantwin.private.relate.bonds import Bonds
from plantwin.private.relate.tables import Tables

_ACTIVE = 16
"""Logs still running that a later one is compared with: those that end last."""
_MOST = 3


def overlaps(tables: Tables, bonds: Bonds) -> None:
    """Add an overlap from each log to the few that share most time with it, in one sweep."""
    logs = sorted(
        (facts.span[0], facts.span[1], position)
        for position, facts in enumerate(tables.facts)
        if facts.span is not None and facts.span[0] <= facts.span[1]
    )
    active: list[tuple[int, int, int]] = []
    for start, end, position in logs:
        active = [each for each in active if each[0] > start]
        shared = sorted(((min(end, until) - start, -place, other) for until, place, other in active), reverse=True)
        for seconds, _, other in shared[:_MOST]:
            if seconds > 0:
                bonds.add(position, "overlaps", other, "covers the same time")
        active.append((end, position, position))
        if len(active) > _ACTIVE:
            active.remove(min(active))
