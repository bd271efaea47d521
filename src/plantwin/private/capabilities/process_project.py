"""`process_project`: everything that can be done with many objects, in one call with one outcome."""

from __future__ import annotations

from plantwin.private.capabilities.common.everything import TAGS, processed
from plantwin.private.capabilities.job import Job, Result
from plantwin.types.capability import Capability
from plantwin.types.plan import MAX_INPUTS
from plantwin.vocabulary import CapabilityName, ResultType, Risk

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


def run(job: Job) -> Result:
    """One outcome for all of it."""
    return processed(job)
