"""What disclosure costs. The ledger counts; an accountant sets the prices and the limits.

The default is the paper's weighted model. Its weights do not meet the calibration that the paper's
theorems ask for, so it bounds exposure by a rule and proves nothing; other accountants can be put in
its place without touching the gatekeeper.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from plantwin.boundary.held import Held
from plantwin.boundary.ledger.interface import MILL, Known
from plantwin.errors import ConfigError
from plantwin.vocabulary import Kind, Sensitivity

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
    "edge": 3000,
    "reason": 500,
    "status": 500,
    "severity": 500,
    "count": 500,
    "tag": 500,
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


class Accountant(Protocol):
    """Prices a unit, given what is known already, and limits an object."""

    def price(self, held: Held, unit: str, known: Known) -> int:
        """Thousandths for telling `unit` to someone who knows `known`; nothing for what is known."""
        ...

    def threshold(self, held: Held) -> int:
        """Most that one audience may ever be told of this object, in thousandths."""
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
        self._kinds = dict(kinds)
        self._scale = scale

    def price(self, held: Held, unit: str, known: Known) -> int:
        """The field's weight, once."""
        return 0 if unit in known.units else self._costs[field_of(unit)]

    def threshold(self, held: Held) -> int:
        """By sensitivity and kind, the smaller, times the scale factor. An unstated sensitivity is the highest."""
        sensitivity = held.object.sensitivity
        level = sensitivity if isinstance(sensitivity, Sensitivity) else Sensitivity.HIGH
        most = min(self._sensitivities[level], self._kinds.get(held.object.kind, self._sensitivities[level]))
        return int(most * self._scale)


def field_of(unit: str) -> str:
    """The priced field of a unit: `contains=tables` is `contains`, `lint.count=few` is `count`."""
    return unit.partition("=")[0].rpartition(".")[2]


def normalized_leakage(spent: int, threshold: int) -> float:
    """NL: the share of its budget that an object has used."""
    return min(1.0, spent / threshold) if threshold > 0 else 1.0
