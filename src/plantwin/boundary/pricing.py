"""The most that outcomes can tell, and what is left of one when it does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from plantwin.boundary.budget import Accountant
from plantwin.boundary.held import Held
from plantwin.boundary.ledger.interface import Charge, Known
from plantwin.types.capability import Capability
from plantwin.types.outcome import Outcome
from plantwin.vocabulary import MAX_OUTCOME_TAGS

RESERVED = ("any.status=", "any.severity=", "any.count=", *(f"any.tag={number}" for number in range(MAX_OUTCOME_TAGS)))
"""Units of the dearest outcome that any step can have."""


def reserve(held: Held, accountant: Accountant, outcomes: int = 1) -> int:
    """What telling fields leaves: knowing an object is worth nothing when nothing can be done with it any more."""
    return outcomes * sum(accountant.price(held, unit, Known()) for unit in RESERVED)


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


def spent_by(charges: Sequence[Charge], ids: Mapping[bytes, str]) -> tuple[tuple[str, int], ...]:
    """What was spent on each object, by its id in this session."""
    total: dict[str, int] = dict.fromkeys(ids.values(), 0)
    for charge in charges:
        total[ids[charge.key]] += charge.cost
    return tuple(total.items())
