"""What is broken, missing, repeated or inconsistent in data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.private.capabilities.profile_data import CAPABILITY as PROFILE
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.CHECK_DATA_QUALITY,
    doc="Looks for missing, repeated, impossible, inconsistent and broken values, and for references between tables.",
    example="Check the quality of the orders, and whether each belongs to a customer.",
    kinds=PROFILE.kinds,
    families=PROFILE.families,
    classes=PROFILE.classes,
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.MISSING_VALUES,
            OutcomeTag.DUPLICATION,
            OutcomeTag.MIXED_TYPES,
            OutcomeTag.INVALID_VALUES,
            OutcomeTag.OUTLIERS,
            OutcomeTag.INCONSISTENT_VALUES,
            OutcomeTag.BROKEN_REFERENCE,
            OutcomeTag.CONSTANT,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=120.0,
)


def run(job: Job) -> Result:
    """Check every table of every input."""
    from plantwin.private.capabilities.check_data_quality.quality import quality

    return quality(job)
