"""The seam of accountants: who sets prices and limits of what is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from plantwin.types.capability import Capability
from plantwin.types.ledger import Known
from plantwin.types.local import LocalObject
from plantwin.types.outcome import Outcome


class Hiding(Protocol):
    """Whom statements about an object could be about."""

    def hides(self, held: LocalObject, units: Iterable[str], known: Iterable[str] = ()) -> bool:
        """Whether enough objects stay possible when these units of one are told to somebody who knows others of it.

        It says the same of all of them.
        """
        ...


class Noise(Protocol):
    """Answers at random, so that what is told of several objects hardly depends on any one of them."""

    def randomized(self, outcome: Outcome, capability: Capability, telling: str, heard: Iterable[str]) -> Outcome:
        """The words to tell. `heard`: units that were told before; an answer is drawn once and stays."""
        ...


class Accountant(Protocol):
    """Prices a unit, given what is known already, and limits an object."""

    anonymity: Hiding | None
    """What besides its price decides on a unit."""
    noise: Noise | None
    """What randomizes outcomes of steps on sets, each of whose cells then pays the whole price."""
    most: Callable[[str, Known], int] | None
    """The price of the dearest word that could stand in a unit's place, where prices follow from the word itself.

    It decides whether a unit fits: otherwise that one does not fit would tell which word it is.
    """

    @property
    def least(self) -> int:
        """The least threshold that any object can have of which something may be told."""
        ...

    def price(self, unit: str, known: Known) -> int:
        """Thousandths for telling `unit` to someone who knows `known`; nothing for what is known."""
        ...

    def threshold(self, held: LocalObject, known: Known) -> int:
        """Most that one audience, which knows `known` of this object, may ever be told of it, in thousandths."""
        ...
