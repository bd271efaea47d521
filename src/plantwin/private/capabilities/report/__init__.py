"""Earlier results as one document: what was found over all steps, by object, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.REPORT,
    doc="Joins results of earlier steps into one document: findings once and ranked, by object, with what to do next.",
    example="Write up the findings of the audits as one report.",
    takes=frozenset(ResultType) - {ResultType.FIELDS},
    most=16,
    returns=ResultType.DOCUMENT,
    required_fields=(),
    tags=frozenset({OutcomeTag.SHARED_FINDINGS, OutcomeTag.TRUNCATED}),
    risk=Risk.LOW,
    seconds=30.0,
)


def run(job: Job) -> Result:
    """Join the results; objects among the inputs are left out."""
    from plantwin.private.capabilities.report.document import document

    return document(job)
