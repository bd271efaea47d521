"""What a change touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.FIND_IMPACT,
    doc="Finds what a change of objects would touch, how far away and why, which tests to run, and how risky it is.",
    example="What breaks if the database helper changes, and which tests should run?",
    takes=frozenset({ResultType.FINDINGS, ResultType.MEASURES, ResultType.TEST_RESULTS, ResultType.DEPENDENCIES}),
    returns=ResultType.DEPENDENCIES,
    tags=frozenset(
        {
            OutcomeTag.WIDE_IMPACT,
            OutcomeTag.PUBLIC_INTERFACE,
            OutcomeTag.UNTESTED,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """Follow a change of the inputs outwards."""
    from plantwin.private.capabilities.find_impact.impact import examine

    return examine(job)
