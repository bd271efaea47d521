"""Measured results of several runs, and which are better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.COMPARE_METRICS,
    doc="Compares measured results with the first input's: better, worse or within noise, by what each measure means.",
    example="Compare the metrics of the new model with those of the last one.",
    kinds=frozenset({Kind.STRUCTURED_RECORD, Kind.LOG_STREAM, Kind.CONFIG, Kind.DOCUMENT}),
    families=frozenset({Family.DATASET, Family.MACHINE_LEARNING, Family.LOGS, Family.TESTING}),
    classes=frozenset({SemanticClass.GENERATED_ARTIFACT, SemanticClass.APP_CONFIG, SemanticClass.GENERAL_DOCUMENT}),
    takes=frozenset({ResultType.MEASURES, ResultType.PROFILE, ResultType.TEST_RESULTS}),
    returns=ResultType.COMPARISON,
    tags=frozenset(
        {
            OutcomeTag.IMPROVED,
            OutcomeTag.REGRESSED,
            OutcomeTag.INCONCLUSIVE,
            OutcomeTag.SIMILAR,
            OutcomeTag.KEY_MISSING,
            OutcomeTag.UNPARSABLE,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """Set every run beside the first."""
    from plantwin.private.capabilities.compare_metrics.comparison import compare

    return compare(job)
