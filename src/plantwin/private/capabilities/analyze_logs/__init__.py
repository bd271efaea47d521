"""What logs say: levels, templates, bursts, slow requests, failed sign-ins, restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.ANALYZE_LOGS,
    doc="Finds what stands out in logs: errors, bursts, new patterns, slow requests, failed sign-ins, restarts.",
    example="Look through the application log and the access log for what went wrong.",
    kinds=frozenset({Kind.LOG_STREAM, Kind.STRUCTURED_RECORD}),
    returns=ResultType.EVENTS,
    required_fields=("semantic_class", "contains"),
    tags=frozenset(
        {
            OutcomeTag.ERRORS,
            OutcomeTag.TIMEOUT,
            OutcomeTag.CONNECTION_FAILURE,
            OutcomeTag.RESOURCE_EXHAUSTION,
            OutcomeTag.BURST,
            OutcomeTag.NEW_PATTERN,
            OutcomeTag.SILENCE,
            OutcomeTag.SLOW,
            OutcomeTag.RESTARTS,
            OutcomeTag.AUTH_FAILURES,
            OutcomeTag.ATTACK_SIGNS,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """Examine every log; list what stands out, the worst first."""
    from plantwin.private.capabilities.analyze_logs.analysis import analyze

    return analyze(job)
