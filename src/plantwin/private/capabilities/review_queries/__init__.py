"""Queries in SQL files and in code: risk and cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.REVIEW_QUERIES,
    doc="Reviews SQL, in files and inside code, for risk and cost. Definitions among the inputs serve as the schema.",
    example="Review the queries of the order service against the table definitions.",
    kinds=frozenset({Kind.CODE_FILE, Kind.STRUCTURED_RECORD}),
    families=frozenset(
        {
            Family.DATABASE,
            Family.APPLICATION,
            Family.DATA_PIPELINE,
            Family.LIBRARY,
            Family.MACHINE_LEARNING,
            Family.TESTING,
            Family.INTERFACE,
        }
    ),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.INJECTION,
            OutcomeTag.SLOW_QUERY,
            OutcomeTag.MISSING_INDEX,
            OutcomeTag.UNBOUNDED_CHANGE,
            OutcomeTag.DATA_LOSS,
            OutcomeTag.LIKELY_DEFECT,
            OutcomeTag.BROKEN_REFERENCE,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=90.0,
)


def run(job: Job) -> Result:
    """Review every query of every input."""
    from plantwin.private.capabilities.review_queries.review import review

    return review(job)
