"""One ordered list of what happened, from logs, documents and earlier results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.BUILD_TIMELINE,
    doc="Orders what logs, documents and earlier results tell in time, and marks when the incident began and ended.",
    example="Put the deployment log, the application log and the postmortem into one timeline.",
    kinds=frozenset({Kind.LOG_STREAM, Kind.DOCUMENT, Kind.STRUCTURED_RECORD}),
    takes=frozenset({ResultType.EVENTS, ResultType.FINDINGS}),
    most=12,
    returns=ResultType.EVENTS,
    tags=frozenset(
        {
            OutcomeTag.ERRORS,
            OutcomeTag.BURST,
            OutcomeTag.RECENT_CHANGE,
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
    """Put everything in the order of time."""
    from plantwin.private.capabilities.build_timeline.timeline import build

    return build(job)
