"""More vocabulary fields of an object, at their price. The gatekeeper carries it out: nothing runs here."""

from __future__ import annotations

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, ResultType

CAPABILITY = Capability(
    name=CapabilityName.DESCRIBE,
    doc="Tells the planner further vocabulary fields of objects, as far as their budgets allow.",
    example="Describe the two configuration objects before choosing which to compare.",
    returns=ResultType.FIELDS,
    required_fields=("kind",),
    seconds=5.0,
)
