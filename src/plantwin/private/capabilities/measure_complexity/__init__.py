"""How complex code is: by function and by file, with what stands more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.MEASURE_COMPLEXITY,
    doc="Measures cyclomatic and cognitive complexity, length, nesting, parameters, maintainability and repeated code.",
    example="Find the functions of the payment module that most need refactoring.",
    kinds=frozenset({Kind.CODE_FILE}),
    returns=ResultType.MEASURES,
    tags=frozenset(
        {
            OutcomeTag.HIGH_COMPLEXITY,
            OutcomeTag.OVERSIZED,
            OutcomeTag.DUPLICATION,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=90.0,
)


def run(job: Job) -> Result:
    """Measure every input; list what stands out, the worst first."""
    from plantwin.private.capabilities.measure_complexity.report import report

    return report(job)
