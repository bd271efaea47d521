"""What disclosure costs. The ledger counts; an accountant sets the prices and the limits; accounts are drawn on.

The default is the paper's weighted model. Its weights do not meet the calibration that the paper's
theorems ask for, so it bounds exposure by a rule and proves nothing; other accountants can be put in
its place without touching the gatekeeper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from plantwin.boundary.ledger.interface import MILL, UNCOUNTED, Charge, Known
from plantwin.boundary.local_object import LocalObject
from plantwin.errors import ConfigError
from plantwin.types.capability import Capability
from plantwin.types.outcome import Outcome
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Kind, Sensitivity

COSTS: Final[Mapping[str, int]] = {
    "kind": 500,
    "semantic_class": 2000,
    "family": 1000,
    "role": 500,
    "component": 1000,
    "sensitivity": 1000,
    "sensitivity_causes": 500,
    "freshness": 500,
    "size_bucket": 500,
    "contains": 1000,
    "amounts": 250,
    "usable_for": 500,
    "lacks": 500,
    "readiness": 500,
    "readiness_cause": 500,
    "confidence": 500,
    "labels": 500,
    "nothing": 500,
    "edge": 3000,
    "reason": 500,
    "status": 500,
    "severity": 500,
    "count": 500,
    "tag": 500,
    "read_by_code": 2000,
}
"""Price of one unit of each field, in thousandths: one tag, one edge, one word of an outcome."""

BY_SENSITIVITY: Final[Mapping[Sensitivity, int]] = {
    Sensitivity.LOW: 30 * MILL,
    Sensitivity.RESTRICTED: 24 * MILL,
    Sensitivity.HIGH: 18 * MILL,
}
"""Everything that could be told of an object costs about 40: so much of its fingerprint, with the outcomes of steps."""
BY_KIND: Final[Mapping[Kind, int]] = {Kind.SECRET_CONTAINER: 12 * MILL}
"""Where a kind has a threshold of its own, the smaller one holds."""


FOLDER: Final = 60 * MILL
"""Most that one audience may ever be told of what a folder holds beside the listed objects."""
BOUNDLESS: Final = 1 << 40
"""A limit that is never reached."""


class Folder(NamedTuple):
    """The observed folder as the ledger knows it."""

    key: bytes
    threshold: int = FOLDER


class Accountant(Protocol):
    """Prices a unit, given what is known already, and limits an object."""

    def price(self, unit: str, known: Known) -> int:
        """Thousandths for telling `unit` to someone who knows `known`; nothing for what is known."""
        ...

    def threshold(self, held: LocalObject, known: Known) -> int:
        """Most that one audience, which knows `known` of this object, may ever be told of it, in thousandths."""
        ...


class Weighted:
    """The paper's model: a weight per field, each unit paid for once."""

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
        self._sensitivities = dict(sensitivities)
        self._least = min(sensitivities.values())
        self._kinds = dict(kinds)
        self._scale = scale

    def price(self, unit: str, known: Known) -> int:
        """The field's weight, once."""
        return 0 if unit in known.units else self._costs[field_of(unit)]

    def threshold(self, held: LocalObject, known: Known) -> int:
        """By kind, and by sensitivity as far as that was told: a limit that followed an untold one would tell it."""
        level, most = held.object.sensitivity, self._least
        if isinstance(level, Sensitivity) and held.unit(f"sensitivity={level}") in known.units:
            most = self._sensitivities[level]
        return int(min(most, self._kinds.get(held.object.kind, most)) * self._scale)


class UnlimitedAccountant:
    """Prices as another accountant does and limits nothing: for planners that cannot send anything to anybody."""

    def __init__(self, accountant: Accountant) -> None:
        self.price = accountant.price

    def threshold(self, held: LocalObject, known: Known) -> int:
        """No limit."""
        return BOUNDLESS


class Accounts:
    """The accounts that one transaction draws on, as they stand within it, and what has been taken from them."""

    def __init__(self, accountant: Accountant, known: Mapping[bytes, Known], room: int = BOUNDLESS) -> None:
        """`room`: units that may be newly told at all."""
        self._accountant = accountant
        self._known = dict(known)
        self._room = room
        self._drawn_on: dict[bytes, list[LocalObject | Folder]] = {}
        self.charges: list[Charge] = []

    def knows(self, holder: LocalObject | Folder, unit: str) -> bool:
        """Whether a unit has been told."""
        return unit in self._known[holder.key].units

    def known(self, holder: LocalObject | Folder) -> Known:
        """What has been told of it, with what was taken here."""
        return self._known[holder.key]

    def limit(self, holder: LocalObject | Folder) -> int:
        """Most that may be spent on it."""
        if isinstance(holder, Folder):
            return holder.threshold
        return self._accountant.threshold(holder, self._known[holder.key])

    def left(self, holder: LocalObject | Folder) -> int:
        """What may still be spent on it."""
        return self.limit(holder) - self._known[holder.key].spent

    def price(self, holder: LocalObject | Folder, units: Iterable[str]) -> int:
        """What telling these units of it would cost."""
        return sum(self._accountant.price(unit, self._known[holder.key]) for unit in dict.fromkeys(units))

    def take(self, *wanted: tuple[LocalObject | Folder, Sequence[str]], reserve: int = 0) -> bool:
        """Pay for all of these units of all of these holders, or for none. `reserve`: what the first must keep."""
        new: dict[tuple[bytes, str], int] = {}
        sums: dict[bytes, int] = {}
        for holder, units in wanted:
            known = self._known[holder.key]
            for unit in units:
                if unit not in known.units and (holder.key, unit) not in new:
                    new[holder.key, unit] = cost = self._accountant.price(unit, known)
                    sums[holder.key] = sums.get(holder.key, 0) + cost
        for number, (holder, _) in enumerate(wanted):
            # What is known already is free even where nothing is left.
            if holder.key in sums and sums[holder.key] > self.left(holder) - (0 if number else reserve):
                return False
        counted = sum(not unit.startswith(UNCOUNTED) for _, unit in new)
        if counted > self._room:
            return False
        self._room -= counted
        for (key, unit), cost in new.items():
            known = self._known[key]
            self._known[key] = Known(known.units | {unit}, known.spent + cost)
            self.charges.append(Charge(key, unit, cost))
        for holder, _ in wanted:
            self._drawn_on.setdefault(holder.key, []).append(holder)
        return True

    @property
    def thresholds(self) -> dict[bytes, int]:
        """The limits of what was drawn on, for the ledger to enforce. Copies on one account may differ in theirs."""
        return {key: max(map(self.limit, holders)) for key, holders in self._drawn_on.items()}


RESERVED = ("any.status=", "any.severity=", "any.count=", *(f"any.tag={number}" for number in range(MAX_OUTCOME_TAGS)))
"""Units of the dearest outcome that any step can have."""


def price_of(units: Sequence[str], accountant: Accountant) -> int:
    """What these units cost someone who knows nothing."""
    return sum(accountant.price(unit, Known()) for unit in units)


def reserve(accountant: Accountant, outcomes: int = 1) -> int:
    """What telling fields leaves: knowing an object is worth nothing when nothing can be done with it any more."""
    return outcomes * price_of(RESERVED, accountant)


def worst(capability: Capability) -> list[str]:
    """Units of the dearest outcome that a capability can have."""
    name = capability.unit
    tags = [f"{name}.tag={number}" for number in range(min(MAX_OUTCOME_TAGS, len(capability.tags)))]
    return [f"{name}.status=", f"{name}.severity=", f"{name}.count=", *tags]


def shrinking(outcome: Outcome) -> Iterator[Outcome]:
    """The outcome, and what is left of it when the least important words go first."""
    yield outcome
    yield Outcome(status=outcome.status, severity=outcome.severity, count=outcome.count)
    yield Outcome(status=outcome.status, severity=outcome.severity)
    yield Outcome(status=outcome.status)


def spent_by(charges: Sequence[Charge], ids: Mapping[str, bytes]) -> tuple[tuple[str, int], ...]:
    """What was spent on the account of each object, by its id in this session."""
    total: dict[bytes, int] = {}
    for charge in charges:
        total[charge.key] = total.get(charge.key, 0) + charge.cost
    return tuple((id_, total.get(key, 0)) for id_, key in ids.items())


def field_of(unit: str) -> str:
    """The priced field of a unit: `contains=tables` is `contains`, `lint.count=few` is `count`."""
    return unit.partition("=")[0].rpartition(".")[2]


def statement_of(unit: str) -> str:
    """A unit without the version of the content, or the run, that it is about."""
    return unit.partition("@")[0]


def normalized_leakage(spent: int, threshold: int) -> float:
    """NL: the share of its budget that an object has used."""
    return min(1.0, spent / threshold) if threshold > 0 else 1.0
