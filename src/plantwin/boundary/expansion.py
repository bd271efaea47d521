"""Objects on demand: an `expand` step shows the next ones of a group, each charged its kind and family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from plantwin.boundary.budget import Accountant, price_of
from plantwin.boundary.groups import Empty, Gathered, Shelf
from plantwin.boundary.local_object import LocalObject
from plantwin.types.envelope import MAX_OBJECTS
from plantwin.vocabulary import Count

AT_ONCE: Final = 8
"""Objects that one step shows at most."""
PER_SESSION: Final = 8
"""Steps of one session that may show further objects."""


class Expansion:
    """The groups that one session has told of, and how often it may still look into one."""

    def __init__(self, groups: Mapping[str, Gathered] | None = None, shelf: Shelf | None = None) -> None:
        self._groups = {} if groups is None else groups
        self._shelf = shelf or Empty()
        self._left = PER_SESSION

    def knows(self, group_id: str) -> bool:
        """Whether a planner has been told of this group."""
        return group_id in self._groups

    def price(self, group_id: str, accountant: Accountant) -> int:
        """The most that looking into it can cost, over all objects that it then shows."""
        most = 1 if self._groups[group_id].group.count is Count.ONE else AT_ONCE
        return most * price_of(("kind=", "family="), accountant)

    def draw(self, group_id: str, listed: int) -> Sequence[LocalObject] | None:
        """The next objects of a group, none when it has no more; None when the session has had its share."""
        most = min(AT_ONCE, MAX_OBJECTS - listed)
        if not self._left or most <= 0:
            return None
        self._left -= 1
        group, families = self._groups[group_id]
        return self._shelf.draw(group.kind, families, most)
