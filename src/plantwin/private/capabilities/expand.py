"""Further objects of a group, at the price of their kind and family. The gatekeeper does it: nothing runs here."""

from __future__ import annotations

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, ResultType

CAPABILITY = Capability(
    name=CapabilityName.EXPAND,
    doc="Shows the planner further objects of a group, those that fit the goal best, as far as their budgets allow.",
    example="Expand the group of many logs, then analyze those it shows.",
    most=1,
    returns=ResultType.FIELDS,
    required_fields=(),
    seconds=5.0,
)
