"""Two snapshots of data, and what has changed between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.private.capabilities.profile_data import CAPABILITY as PROFILE
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.DETECT_DRIFT,
    doc="Compares two snapshots of data: columns, types, missing values, distributions. The first is the reference.",
    example="Has the training data drifted from last month's snapshot?",
    kinds=PROFILE.kinds,
    families=PROFILE.families,
    classes=PROFILE.classes,
    takes=frozenset({ResultType.PROFILE}),
    least=2,
    most=2,
    returns=ResultType.COMPARISON,
    tags=frozenset(
        {
            OutcomeTag.SCHEMA_CHANGED,
            OutcomeTag.DISTRIBUTION_SHIFT,
            OutcomeTag.MISSING_VALUES,
            OutcomeTag.DIFFERENT,
            OutcomeTag.SIMILAR,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=120.0,
)


def run(job: Job) -> Result:
    """Set the second snapshot beside the first."""
    from plantwin.private.capabilities.detect_drift.drift import drift

    return drift(job)
