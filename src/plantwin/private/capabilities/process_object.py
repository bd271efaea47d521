"""`process_object`: everything that can be done with one object, in one call with one outcome."""

from __future__ import annotations

from plantwin.private.capabilities.common.everything import TAGS, processed
from plantwin.private.capabilities.job import Job, Result
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, ResultType, Risk

CAPABILITY = Capability(
    name=CapabilityName.PROCESS_OBJECT,
    doc="Does everything that can be done with one object, in one call.",
    example="Look at this file in every way.",
    most=1,
    returns=ResultType.SUMMARY,
    required_fields=(),
    tags=TAGS,
    risk=Risk.MEDIUM,
)


def run(job: Job) -> Result:
    """One outcome for all of it."""
    return processed(job)
