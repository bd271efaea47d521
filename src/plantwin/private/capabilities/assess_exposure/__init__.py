"""What is exposed when an object leaks, and what to replace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.ASSESS_EXPOSURE,
    doc="Says what a leak of an object exposes: its secrets, what they open, who else holds them, what depends on it.",
    example="Assess what is exposed if the environment file leaked, and what has to be replaced.",
    takes=frozenset({ResultType.FINDINGS}),
    returns=ResultType.FINDINGS,
    required_fields=("semantic_class", "sensitivity"),
    tags=frozenset(
        {
            OutcomeTag.HARDCODED_SECRET,
            OutcomeTag.PRIVATE_KEY,
            OutcomeTag.PERSONAL_DATA,
            OutcomeTag.REUSED_SECRET,
            OutcomeTag.WIDE_ACCESS,
            OutcomeTag.WIDE_IMPACT,
            OutcomeTag.EXPOSED_SERVICE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.MEDIUM,
    seconds=60.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """List what is exposed, the worst first, with what to do."""
    from plantwin.private.capabilities.assess_exposure.exposure import assess

    return assess(job)
