"""What objects use and what uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.MAP_DEPENDENCIES,
    doc="Maps what objects use and what uses them: layers, circles, what is used most, what nothing uses, packages.",
    example="Map what the payment module depends on and who depends on it.",
    takes=frozenset({ResultType.FINDINGS, ResultType.MEASURES, ResultType.TEST_RESULTS, ResultType.DEPENDENCIES}),
    returns=ResultType.DEPENDENCIES,
    tags=frozenset(
        {
            OutcomeTag.CIRCULAR_DEPENDENCY,
            OutcomeTag.HIGH_COUPLING,
            OutcomeTag.UNUSED,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """Map from the inputs outwards."""
    from plantwin.private.capabilities.map_dependencies.map import examine

    return examine(job)
