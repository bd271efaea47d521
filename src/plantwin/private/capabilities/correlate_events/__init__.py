"""Sources set beside each other in time: what came before errors, and what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.CORRELATE_EVENTS,
    doc="Aligns logs, settings and results in time: which change came before errors, and which identifiers they share.",
    example="Find out whether the deployment caused the errors in the application log.",
    kinds=frozenset({Kind.LOG_STREAM, Kind.CONFIG, Kind.DOCUMENT, Kind.STRUCTURED_RECORD}),
    takes=frozenset({ResultType.EVENTS, ResultType.FINDINGS}),
    least=2,
    most=8,
    returns=ResultType.EVENTS,
    required_fields=("semantic_class", "edges"),
    tags=frozenset(
        {
            OutcomeTag.ERRORS,
            OutcomeTag.BURST,
            OutcomeTag.RECENT_CHANGE,
            OutcomeTag.SUSPECT_FOUND,
            OutcomeTag.SHARED_IDENTIFIERS,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """List incidents with what came before and after them."""
    from plantwin.private.capabilities.correlate_events.correlation import correlate

    return correlate(job)
