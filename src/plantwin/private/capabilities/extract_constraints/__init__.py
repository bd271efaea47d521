"""Duties, prohibitions, permissions, limits and deadlines that texts, settings and schemas state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.EXTRACT_CONSTRAINTS,
    doc="Lists what documents, settings, schemas and comments demand, forbid and permit, and where they disagree.",
    example="List the obligations and deadlines in the requirements and check them against the production settings.",
    returns=ResultType.CONSTRAINTS,
    tags=frozenset(
        {
            OutcomeTag.OUT_OF_STEP,
            OutcomeTag.OBLIGATIONS,
            OutcomeTag.PROHIBITIONS,
            OutcomeTag.PERMISSIONS,
            OutcomeTag.DEADLINES,
            OutcomeTag.NUMBERS,
            OutcomeTag.OPEN_POINTS,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """One section for each input; disagreements between inputs first."""
    from plantwin.private.capabilities.extract_constraints.extraction import extraction

    if "weights" not in job.options:
        return extraction(job)
    from plantwin.private.model.commentary import with_commentary

    return with_commentary(job, extraction(job))
