"""Which fields of which object a request tells, from what the goal asks for and what is told of the object anyway.

Whether a field is told never depends on a value that is not told with it: otherwise silence would tell it for nothing.
"""

from __future__ import annotations

from collections.abc import Collection

from plantwin.boundary.held import Held
from plantwin.types.capability import FIELDS, Catalog
from plantwin.types.goal import Goal
from plantwin.vocabulary import Family, Sensitivity

OPEN = ("semantic_class", "sensitivity", "sensitivity_causes", "role", "component", "lacks")
"""What a planner needs of an object in order to choose, where the goal does not say which objects or what to do."""
TELLING = ("contains", "edges")
"""What it needs besides of those that plans are mostly made of."""
NOTABLE = frozenset(
    (
        Family.LOGS, Family.CREDENTIALS, Family.CONFIGURATION, Family.DELIVERY, Family.INFRASTRUCTURE,
        Family.CONTRACTS, Family.DATASET, Family.DATABASE, Family.SECURITY, Family.AGREEMENTS, Family.MACHINE_LEARNING,
    )
)  # fmt: skip
"""Families whose content and relations decide plans."""


def needed(held: Held, goal: Goal, catalog: Catalog) -> tuple[str, ...]:
    """What the goal needs to know of this object, the most important first; nothing where its kind is enough."""
    required = _required(held, goal, catalog)
    if goal.objects:
        # A goal that names objects needs to know about those; of the others a planner can ask.
        if held.id not in goal.objects:
            return ()
        return required if goal.intents else _open(held)
    family = held.semantic_class.family
    if goal.intents and goal.families and not required and family not in goal.families:
        return ("semantic_class",)
    return _merged(_open(held), required)


def _required(held: Held, goal: Goal, catalog: Catalog) -> tuple[str, ...]:
    """Required fields of the capabilities that are asked for and accept this object."""
    found = {
        field
        for word in goal.intents
        for capability in catalog.alike(word)
        if capability.accepts(held.object.kind, held.semantic_class)
        for field in capability.required_fields
    }
    return tuple(field for field in FIELDS if field in found)


def _open(held: Held) -> tuple[str, ...]:
    notable = held.semantic_class.family in NOTABLE or held.object.sensitivity is not Sensitivity.LOW
    return (*OPEN[:3], *TELLING[:1], *OPEN[3:], *TELLING[1:]) if notable else OPEN


def _merged(first: tuple[str, ...], second: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
