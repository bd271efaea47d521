"""`process_project`: everything that can be done with many objects, in one call with one outcome."""

from __future__ import annotations

from plantwin.private.capabilities.process_object import TAGS, run
from plantwin.types.capability import Capability
from plantwin.types.plan import MAX_INPUTS
from plantwin.vocabulary import CapabilityName, ResultType, Risk

__all__ = ("CAPABILITY", "run")

CAPABILITY = Capability(
    name=CapabilityName.PROCESS_PROJECT,
    doc="Does everything that can be done with these objects, in one call.",
    example="Look at the project in every way.",
    most=MAX_INPUTS,
    returns=ResultType.SUMMARY,
    required_fields=(),
    tags=TAGS,
    risk=Risk.MEDIUM,
    seconds=300.0,
)
