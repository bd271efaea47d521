"""Two objects, or two results of earlier steps, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.COMPARE,
    doc="Sets two objects or two earlier results side by side: what is missing, what differs, which is worse.",
    example="Compare the findings of the authentication audit with those of the payment audit.",
    takes=frozenset(ResultType) - {ResultType.FIELDS},
    least=2,
    most=2,
    returns=ResultType.COMPARISON,
    tags=frozenset(
        {
            OutcomeTag.IDENTICAL,
            OutcomeTag.SIMILAR,
            OutcomeTag.DIFFERENT,
            OutcomeTag.FIRST_WORSE,
            OutcomeTag.SECOND_WORSE,
            OutcomeTag.SHARED_FINDINGS,
            OutcomeTag.VALUE_DIFFERS,
            OutcomeTag.KEY_MISSING,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """Two of a kind; an object and a result cannot be compared."""
    from plantwin.private.capabilities.engine.report import failed

    if len(job.inputs) != 2:
        return failed("Comparison", "Two inputs are needed.")
    first, second = job.inputs
    if first.is_result is not second.is_result:
        return failed("Comparison", "An object and a result cannot be compared.")
    if first.is_result:
        from plantwin.private.capabilities.compare.results import compared

        return compared(first, second)
    from plantwin.private.capabilities.compare.objects import compared as compared_objects

    return compared_objects(job)
