"""Parts of objects and results, sorted into kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.CLASSIFY,
    doc="Sorts parts into kinds: log lines, columns, sections, functions, settings, findings; with counts.",
    example="Sort the lines of the application log by level and subsystem.",
    takes=frozenset(ResultType) - {ResultType.FIELDS},
    returns=ResultType.CLASSES,
    tags=frozenset(
        {
            OutcomeTag.ERRORS,
            OutcomeTag.HARDCODED_SECRET,
            OutcomeTag.PERSONAL_DATA,
            OutcomeTag.OBLIGATIONS,
            OutcomeTag.OPEN_POINTS,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """One section for each input."""
    from plantwin.private.capabilities.classify.classification import classification

    if "weights" not in job.options:
        return classification(job)
    from plantwin.private.model.commentary import with_commentary

    return with_commentary(job, classification(job))
