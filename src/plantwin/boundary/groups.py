"""Objects that are there and not listed: told as groups, charged to the budget of the folder itself.

A group says of which kind and family the others are, and whether they are one, few or many. Each of these is paid for
once; a family that does not fit is told as part of its kind, and a kind that does not fit is not told.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from msgspec import UNSET

from plantwin.boundary.budget import Accountant
from plantwin.boundary.held import Held
from plantwin.boundary.identity import Issuer
from plantwin.boundary.ledger.interface import MILL, Charge, Known
from plantwin.types.twin import MAX_GROUPS, Group, TwinObject
from plantwin.vocabulary import Count, Family, Kind

FOLDER: Final = 60 * MILL
"""Most that one audience may ever be told of what a folder holds beside the listed objects."""
FEW: Final = 10
"""From so many on, they are many."""

Place = tuple[Kind, Family]
"""Where an object that is not listed belongs."""


class Folder(NamedTuple):
    """The observed folder as the ledger knows it."""

    key: bytes
    threshold: int = FOLDER


class Gathered(NamedTuple):
    """A group that a planner has been told of, and the families of the objects in it."""

    group: Group
    families: frozenset[Family]


class Shelf(Protocol):
    """The private side's part: the objects that are not listed, the best for the goal first."""

    def draw(self, kind: Kind, families: frozenset[Family], most: int) -> Sequence[Held]:
        """The next ones of this kind and these families. What was drawn once is not drawn again."""
        ...


class Empty:
    """Every object is listed."""

    def draw(self, kind: Kind, families: frozenset[Family], most: int) -> Sequence[Held]:
        """Nothing."""
        return ()


def count_of(number: int) -> Count:
    """How many, as a planner may know it."""
    few = Count.FEW if number < FEW else Count.MANY
    return Count.ONE if number == 1 else few


def gather(
    rest: Sequence[Place], unlisted: Sequence[Kind], folder: Folder, known: Known, accountant: Accountant, room: int
) -> tuple[dict[str, Gathered], tuple[Charge, ...]]:
    """Groups that fit the folder's budget, by id, and what telling them costs.

    `unlisted`: kinds of objects that may not be told of one by one any more. `room`: most units to be told.
    """
    purse = _Purse(folder, known, accountant, room)
    families = Counter(rest)
    kinds = Counter(unlisted)
    within: dict[Kind, set[Family]] = {}
    told: list[tuple[Kind, Family | None, Count, frozenset[Family]]] = []
    # What is known already costs nothing; of the others, no name and no exact number decides which are told.
    order = secrets.SystemRandom().sample(sorted(families), len(families))
    for kind, family in sorted(order, key=lambda place: (not purse.knows(*place), -_size(families[place]))):
        count = count_of(families[kind, family])
        if len(told) < MAX_GROUPS - len(Kind) and purse.take(kind, family, count):
            told.append((kind, family, count, frozenset({family})))
        else:
            kinds[kind] += families[kind, family]
            within.setdefault(kind, set()).add(family)
    for kind in (each for each in Kind if kinds[each]):
        count = count_of(kinds[kind])
        if purse.take(kind, None, count):
            told.append((kind, None, count, frozenset(within.get(kind, ()))))
    issuer = Issuer()
    made = [
        Gathered(Group(group_id=issuer.group_id(), kind=kind, family=family or UNSET, count=count), inside)
        for kind, family, count, inside in sorted(told, key=lambda each: (each[0], each[1] or ""))
    ]
    return {each.group.group_id: each for each in made}, tuple(purse.charges)


def by_kind(counts: Mapping[Kind, int]) -> tuple[Group, ...]:
    """Groups by kind alone, for showing a twin to its owner."""
    issuer = Issuer()
    return tuple(
        Group(group_id=issuer.group_id(), kind=kind, count=count_of(counts[kind]))
        for kind in sorted(Kind)
        if counts.get(kind)
    )


class _Purse:
    """What is left of the folder's budget, and what has been taken from it."""

    def __init__(self, folder: Folder, known: Known, accountant: Accountant, room: int) -> None:
        self._folder, self._accountant = folder, accountant
        self._known, self._room = known, room
        self.charges: list[Charge] = []

    def knows(self, kind: Kind, family: Family) -> bool:
        """Whether there being such a group is known."""
        return f"groups.family={kind}:{family}" in self._known.units

    def take(self, kind: Kind, family: Family | None, count: Count) -> bool:
        """Pay for a group's units, or for none of them."""
        units = [f"groups.kind={kind}", f"groups.amounts={kind}:{family or 'any'}:{count}"]
        if family is not None:
            units.insert(1, f"groups.family={kind}:{family}")
        like = Held(TwinObject(object_id="artifact_aaaaaaaa", kind=kind, family=family or UNSET), self._folder.key)
        new = [unit for unit in units if unit not in self._known.units]
        prices = [self._accountant.price(like, unit, self._known) for unit in new]
        if len(new) > self._room or (new and self._known.spent + sum(prices) > self._folder.threshold):
            return False
        self._room -= len(new)
        self.charges += [Charge(self._folder.key, unit, price) for unit, price in zip(new, prices, strict=True)]
        self._known = Known(self._known.units | set(new), self._known.spent + sum(prices))
        return True


def _size(number: int) -> int:
    return list(Count).index(count_of(number))
