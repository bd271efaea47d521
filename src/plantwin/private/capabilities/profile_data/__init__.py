"""Columns of data: types, missing values, ranges, distributions, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.PROFILE_DATA,
    doc="Describes data column by column: types, missing values, ranges, distributions, keys, relations of tables.",
    example="Profile the customer records and the orders before the migration.",
    kinds=frozenset({Kind.STRUCTURED_RECORD, Kind.LOG_STREAM, Kind.CODE_FILE, Kind.CONFIG}),
    families=frozenset({Family.DATASET, Family.LOGS}),
    classes=frozenset(
        {
            SemanticClass.DATABASE_DUMP,
            SemanticClass.EXPERIMENT_METRICS,
            SemanticClass.TEST_FIXTURE,
            SemanticClass.TABLE_SCHEMA,
            SemanticClass.LOCALIZATION,
            SemanticClass.INCIDENT_RECORD,
            SemanticClass.SECURITY_REPORT,
        }
    ),
    returns=ResultType.PROFILE,
    tags=frozenset(
        {
            OutcomeTag.PERSONAL_DATA,
            OutcomeTag.MISSING_VALUES,
            OutcomeTag.MIXED_TYPES,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=120.0,
)


def run(job: Job) -> Result:
    """One section for each table of each input."""
    from plantwin.private.capabilities.profile_data.profile import profile

    return profile(job)
