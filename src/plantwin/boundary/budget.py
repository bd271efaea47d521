"""What disclosure costs. The ledger counts; an accountant sets the prices and the limits; accounts are drawn on.

`Weighted` is the paper's model. Its weights do not meet the calibration that the paper's theorems ask for, so it
bounds exposure by a rule and proves nothing; `config/accountants.py` has others, the default among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from plantwin.errors import ConfigError
from plantwin.types.accounting import Accountant, Hiding, Noise
from plantwin.types.capability import Capability
from plantwin.types.ledger import LEFT, Charge, Known, counted
from plantwin.types.local import LocalObject, LocalSet
from plantwin.types.outcome import Outcome
from plantwin.types.prices import BOUNDLESS, BY_KIND, BY_SENSITIVITY, CELL, COSTS, field_of
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Kind, Sensitivity, SetSize

KEPT: Final = 6
"""One part in so many of the least threshold is kept for what is told of an object as one of many."""


class Payer(NamedTuple):
    """An account as one statement draws on it: an object's own, or that of a cell, whose objects are told of together.

    Of a statement about n objects each pays one n-th of its price: someone who knows nothing of the others learns no
    more of any one of them, on average. `share` is a lower bound of n that whoever listens knows.
    """

    key: bytes
    share: int = 1
    held: LocalObject | None = None
    """The object; none where it is a cell."""

    def part(self, price: int) -> int:
        """Its part of a price, rounded up."""
        return -(-price // self.share)


def payer(held: LocalObject, share: int = 1) -> Payer:
    """An object that pays from its own account: for itself alone, or as one of few."""
    return Payer(held.key, share, held)


def accounts_of(payers: Iterable[Payer], more: Iterable[bytes] = ()) -> list[bytes]:
    """Keys of all accounts that decide what these can pay, and `more`: an object's cell is told of it too."""
    found: dict[bytes, None] = {}
    for one in payers:
        found[one.key] = None
        if one.held and one.held.cell:
            found[one.held.cell] = None
    return list(found | dict.fromkeys(more))


class Sharing(NamedTuple):
    """How what is told of several objects is shared among their accounts."""

    k: int = 5
    """Fewest that are told of together at the price of a set."""
    limit: int = CELL
    """Most that may be told of an object as one of many."""
    others_known: bool = False
    """Whether whoever listens may know all others: then each pays the whole price."""

    def among(self, number: int) -> int:
        """Among how many a statement about `number` objects is shared: below `k` exactly, else as a size is told."""
        if self.others_known:
            return 1
        return max(1, number) if number < self.k else max(size.least for size in SetSize if size.least <= number)

    def cells(self, held: LocalSet) -> list[Payer]:
        """Those who pay for a statement about a set."""
        share = 1 if self.others_known else held.set.size.least
        return [Payer(key, share) for key in held.cells]

    def few(self, held: Sequence[LocalObject]) -> list[Payer]:
        """Those who pay for a statement about fewer than `k` objects."""
        return [payer(each, self.among(len(held))) for each in held]


class Weighted:
    """The paper's model: a weight per field, each unit paid for once."""

    anonymity: Hiding | None = None
    most: Callable[[str, Known], int] | None = None
    noise: Noise | None = None

    def __init__(
        self,
        costs: Mapping[str, int] = COSTS,
        sensitivities: Mapping[Sensitivity, int] = BY_SENSITIVITY,
        kinds: Mapping[Kind, int] = BY_KIND,
        scale: float = 1.0,
    ) -> None:
        if COSTS.keys() - costs.keys() or any(cost < 0 for cost in costs.values()):
            raise ConfigError("budget.costs: every field needs a cost of at least 0")
        if set(Sensitivity) - sensitivities.keys() or min(*sensitivities.values(), *kinds.values(), 0) < 0:
            raise ConfigError("budget.thresholds: every sensitivity needs a threshold of at least 0")
        if not 0 <= scale <= 100:
            raise ConfigError("budget.scale: between 0 and 100")
        self._costs = dict(costs)
        self._by_name: dict[str, int] = {}
        """The same, by what stands before the value in a unit: of that there are as few."""
        self._sensitivities = dict(sensitivities)
        self._least = min(sensitivities.values())
        self._kinds = dict(kinds)
        self._scale = scale
        self.least = int(min([self._least, *filter(None, kinds.values())]) * scale)
        """The least of all thresholds. A kind of which nothing may be told is in no set (`Authority.admits`)."""

    def price(self, unit: str, known: Known) -> int:
        """The field's weight, once."""
        name = unit.partition("=")[0]
        if name not in self._by_name:
            self._by_name[name] = self._costs[field_of(unit)]
        return 0 if unit in known.units else self._by_name[name]

    def threshold(self, held: LocalObject, known: Known) -> int:
        """By kind, and by sensitivity as far as that was told: a limit that followed an untold one would tell it."""
        level, most = held.object.sensitivity, self._least
        if level and known.units and held.unit(f"sensitivity={level}") in known.units:
            most = self._sensitivities[level]
        return int(min(most, self._kinds.get(held.object.kind, most)) * self._scale)


_SHARING: Final = Sharing()


class Accounts:
    """The accounts that one transaction draws on, as they stand within it, and what has been taken from them.

    What was told of an object's cell was told of the object, so both together are held to the object's threshold,
    whichever is drawn on later: an object may spend what its cell leaves, and a cell what the fullest of those members
    leaves of which something was told by itself. So that one such member does not close its cell, the least that a cell
    may always spend is kept for it.
    """

    def __init__(
        self,
        accountant: Accountant,
        known: Mapping[bytes, Known],
        sharing: Sharing = _SHARING,
        room: int = BOUNDLESS,
        refusals: int = BOUNDLESS,
    ) -> None:
        """`room`, `refusals`: units that may be newly told, and steps that may be refused for a reason, at all."""
        self._accountant = accountant
        self.known = dict(known)
        """What has been told, by account, with what was taken here."""
        self.room, self.refusals = room, refusals
        self.most, self._kept = min(sharing.limit, accountant.least), accountant.least // KEPT
        """Most that may be told of an object as one of many, and what of that is kept for it."""
        self._left_to: dict[bytes, int] = {}
        """What the fullest member leaves to a cell, where that has changed here."""
        self._drawn_on: dict[bytes, list[Payer]] = {}
        self._spent: dict[bytes, int] = {}
        """What was taken from each account."""
        self._taken: list[Charge] = []

    def knows(self, one: Payer, unit: str) -> bool:
        """Whether a unit has been told."""
        return unit in self.known[one.key].units

    def limit(self, one: Payer, to_cell: int = 0) -> int:
        """Most that may be spent from this account. `to_cell`: what its cell is about to spend."""
        if one.held is None:
            return max(min(self.most, self._kept), self._leaves(one.key))
        threshold = self._accountant.threshold(one.held, self.known[one.key])
        if not one.held.cell:
            return threshold
        return threshold - max(self._kept, self.known[one.held.cell].spent + to_cell)

    def _leaves(self, cell: bytes) -> int:
        """What the members of a cell leave to it."""
        if cell in self._left_to:
            return self._left_to[cell]
        return min([self.most, *(int(unit[len(LEFT) :]) for unit in self.known[cell].units if unit.startswith(LEFT))])

    def left(self, one: Payer) -> int:
        """What may still be spent from it."""
        return self.limit(one) - self.known[one.key].spent

    def price(self, one: Payer, units: Iterable[str]) -> int:
        """The most that telling these units, or others in their place, would cost it."""
        known, price = self.known[one.key], self._accountant.most or self._accountant.price
        return sum(one.part(price(unit, known)) for unit in dict.fromkeys(units))

    def take(self, *wanted: tuple[Payer, Sequence[str]], reserve: int = 0) -> bool:
        """Pay for all of these units from all of these accounts, or for none.

        `reserve`: what the first, and cells, must keep.
        """
        new: dict[bytes, dict[str, int]] = {}
        sums: dict[bytes, int] = {}
        needed: dict[bytes, int] = {}
        price, most = self._accountant.price, self._accountant.most
        for one, units in wanted:
            known, share, costs = self.known[one.key], one.share, new.get(one.key, {})
            for unit in units:
                if unit not in known.units and unit not in costs:
                    costs[unit] = -(-price(unit, known) // share)
                    if most is not None:
                        needed[one.key] = needed.get(one.key, 0) - (-most(unit, known) // share)
            # What is known already is free even where nothing is left.
            if costs:
                new[one.key], sums[one.key] = costs, sum(costs.values())
        needed = needed or sums
        for number, (one, _) in enumerate(wanted):
            if one.key in sums:
                kept = reserve if not number or one.held is None else 0
                limit = self.limit(one, needed.get(one.held.cell, 0) if one.held else 0)
                if needed[one.key] > limit - self.known[one.key].spent - kept:
                    return False
        if (anonymity := self._accountant.anonymity) is not None:
            for one, units in wanted:
                if one.held and one.key in new and not anonymity.hides(one.held, units, self.known[one.key].units):
                    return False
        charges = [Charge(key, unit, cost) for key, costs in new.items() for unit, cost in costs.items()]
        told = counted([charge.unit for charge in charges])
        if told > max(0, self.room):  # what is known already needs no room
            return False
        self.room -= told
        for key, costs in new.items():
            before, cost = self.known[key], sums[key]
            self.known[key] = Known(before.units.union(costs), before.spent + cost)
            self._spent[key] = self._spent.get(key, 0) + cost
        self._taken += charges
        for one, _ in wanted:
            self._drawn_on.setdefault(one.key, []).append(one)
            if one.held and one.held.cell and one.key in sums:
                known = self.known[one.key]
                left = max(0, self._accountant.threshold(one.held, known) - known.spent)
                if left < self._leaves(one.held.cell):
                    self._left_to[one.held.cell] = left
        return True

    def spent(self, ids: Mapping[str, bytes]) -> tuple[tuple[str, int], ...]:
        """What was taken from the account of each object, by its id in this session."""
        return tuple([(id_, self._spent.get(key, 0)) for id_, key in ids.items()])

    def remember(self, charges: Iterable[Charge]) -> None:
        """Record what costs nothing and counts as nothing told."""
        self._taken += charges

    @property
    def charges(self) -> tuple[Charge, ...]:
        """All that was taken, and what it leaves to cells."""
        return (*self._taken, *[Charge(cell, f"{LEFT}{left}", 0) for cell, left in self._left_to.items()])

    @property
    def thresholds(self) -> dict[bytes, int]:
        """The limits of what was drawn on, for the ledger to enforce. Copies on one account may differ in theirs."""
        found = {charge.key: BOUNDLESS for charge in self._taken if not charge.cost}
        found |= dict.fromkeys(self._left_to, BOUNDLESS)
        return found | {key: max(map(self.limit, payers)) for key, payers in self._drawn_on.items()}


_WORDS: Final = ("status", "examined", "severity", "affected", "count")
RESERVED = (*(f"any.{word}=" for word in _WORDS), *(f"any.tag={number}" for number in range(MAX_OUTCOME_TAGS)))
"""Units of the dearest outcome that any step can have."""


def price_of(units: Sequence[str], accountant: Accountant) -> int:
    """What these units cost someone who knows nothing."""
    return sum(accountant.price(unit, Known()) for unit in units)


def reserve(accountant: Accountant, outcomes: int = 1) -> int:
    """What telling fields leaves: knowing an object is worth nothing when nothing can be done with it any more."""
    return outcomes * price_of(RESERVED, accountant)


def worst(capability: Capability, *, several: bool = True) -> list[str]:
    """Units of the dearest outcome that a capability can have. `several`: on sets, of which it says more."""
    name = capability.unit
    words = _WORDS if several else [word for word in _WORDS if word not in ("examined", "affected")]
    tags = [f"{name}.tag={number}" for number in range(min(MAX_OUTCOME_TAGS, len(capability.tags)))]
    return [*(f"{name}.{word}=" for word in words), *tags]


def shrinking(outcome: Outcome) -> Iterator[Outcome]:
    """The outcome, and what is left of it when the least important words go first."""
    yield outcome
    for word in ("tags", "count", "affected", "severity", "examined"):
        outcome = replace(outcome, **{word: UNSET})
        yield outcome
