"""What is in objects or results, in short: structure and the parts that carry most. Deterministic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.SUMMARIZE,
    doc="Says in short what objects or earlier results hold: definitions, sections, columns, levels, key sentences.",
    example="Summarize the requirements and the findings of the audit.",
    takes=frozenset(ResultType) - {ResultType.FIELDS},
    most=8,
    returns=ResultType.SUMMARY,
    tags=frozenset(
        {
            OutcomeTag.OBLIGATIONS,
            OutcomeTag.DEADLINES,
            OutcomeTag.OPEN_POINTS,
            OutcomeTag.NUMBERS,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """One section for each input."""
    from plantwin.private.capabilities.summarize.summary import summary

    if "weights" not in job.options:
        return summary(job)
    from plantwin.private.model.commentary import with_commentary

    return with_commentary(job, summary(job))
