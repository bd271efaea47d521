"""Stack traces of logs, followed to the objects of the folder that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.TRACE_ERRORS,
    doc="Groups the stack traces and errors of logs and follows them to the code, its tests and recent changes.",
    example="Follow the errors of the application log to the code that raised them.",
    kinds=frozenset({Kind.LOG_STREAM, Kind.CODE_FILE, Kind.DOCUMENT, Kind.STRUCTURED_RECORD}),
    takes=frozenset({ResultType.EVENTS}),
    returns=ResultType.FINDINGS,
    required_fields=("semantic_class", "contains"),
    tags=frozenset(
        {
            OutcomeTag.ERRORS,
            OutcomeTag.TIMEOUT,
            OutcomeTag.CONNECTION_FAILURE,
            OutcomeTag.RESOURCE_EXHAUSTION,
            OutcomeTag.SUSPECT_FOUND,
            OutcomeTag.UNTESTED,
            OutcomeTag.RECENT_CHANGE,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """Group what was raised; rank the objects that it came from."""
    from plantwin.private.capabilities.trace_errors.tracing import trace_errors

    return trace_errors(job)
