"""The most that outcomes can tell, and what is left of one when it does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from plantwin.boundary.budget import Accountant
from plantwin.boundary.ledger.interface import Charge, Known
from plantwin.types.capability import Capability
from plantwin.types.outcome import Outcome
from plantwin.vocabulary import MAX_OUTCOME_TAGS

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
