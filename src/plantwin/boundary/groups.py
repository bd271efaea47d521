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

from plantwin.boundary.budget import Accounts, Folder
from plantwin.boundary.identity import Issuer
from plantwin.boundary.local_object import LocalObject
from plantwin.types.twin import MAX_GROUPS, Group
from plantwin.vocabulary import Count, Family, Kind

FEW: Final = 10
"""From so many on, they are many."""

Place = tuple[Kind, Family]
"""Where an object that is not listed belongs."""


class Gathered(NamedTuple):
    """A group that a planner has been told of, and the families of the objects in it."""

    group: Group
    families: frozenset[Family]


class Shelf(Protocol):
    """The private side's part: the objects that are not listed, the best for the goal first."""

    def draw(self, kind: Kind, families: frozenset[Family], most: int) -> Sequence[LocalObject]:
        """The next ones of this kind and these families. What was drawn once is not drawn again."""
        ...


class Empty:
    """Every object is listed."""

    def draw(self, kind: Kind, families: frozenset[Family], most: int) -> Sequence[LocalObject]:
        """Nothing."""
        return ()


class Naming:
    """Ids of groups, and an order of objects, chosen at random and then kept: what is shown first is what is sent."""

    def __init__(self) -> None:
        self._issuer = Issuer()
        self._groups: dict[tuple[Kind, Family | None], str] = {}
        self._rank: dict[object, int] = {}

    def group_id(self, kind: Kind, family: Family | None) -> str:
        """The id of the group at this place."""
        return self._groups.setdefault((kind, family), self._issuer.group_id())

    def rank(self, thing: object) -> int:
        """Where it stands in the order."""
        return self._rank.setdefault(thing, secrets.randbits(64))


def count_of(number: int) -> Count:
    """How many, as a planner may know it."""
    few = Count.FEW if number < FEW else Count.MANY
    return Count.ONE if number == 1 else few


def gather(
    rest: Mapping[Place, int], unlisted: Sequence[Kind], folder: Folder, accounts: Accounts, naming: Naming
) -> dict[str, Gathered]:
    """Groups that fit the folder's budget, by id. `unlisted`: kinds of objects that cannot be told of one by one."""
    kinds = Counter(unlisted)
    within: dict[Kind, set[Family]] = {}
    told: list[tuple[Kind, Family | None, Count, frozenset[Family]]] = []

    def known_first(place: Place) -> tuple[bool, int, int]:
        # What is known already costs nothing; of the others, no name and no exact number decides which are told.
        known = accounts.knows(folder, f"groups.family={place[0]}:{place[1]}")
        return not known, -list(Count).index(count_of(rest[place])), naming.rank(place)

    for place in sorted(rest, key=known_first):
        kind, family = place
        if len(told) < MAX_GROUPS - len(Kind) and accounts.take((folder, _units(kind, family, rest[place]))):
            told.append((kind, family, count_of(rest[place]), frozenset({family})))
        else:
            kinds[kind] += rest[place]
            within.setdefault(kind, set()).add(family)
    for kind in (each for each in Kind if kinds[each]):
        if accounts.take((folder, _units(kind, None, kinds[kind]))):
            told.append((kind, None, count_of(kinds[kind]), frozenset(within.get(kind, ()))))
    made = [
        Gathered(Group(group_id=naming.group_id(kind, family), kind=kind, family=family or UNSET, count=count), inside)
        for kind, family, count, inside in sorted(told, key=lambda row: (row[0], row[1] or ""))
    ]
    return {each.group.group_id: each for each in made}


def _units(kind: Kind, family: Family | None, number: int) -> list[str]:
    """What a group tells: that there is one, and how large it is now. Another number is news, in the same word too."""
    there = [f"groups.kind={kind}", *([f"groups.family={kind}:{family}"] if family is not None else [])]
    return [*there, f"groups.amounts={kind}:{family or 'any'}:{count_of(number)}@{number}"]
