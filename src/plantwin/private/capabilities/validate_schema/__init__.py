"""Data against a schema, or a schema in itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.VALIDATE_SCHEMA,
    doc="Checks data against a schema (JSON Schema, Avro, SQL, dbt, another table), and schemas themselves.",
    example="Check the exported orders against the table definitions.",
    kinds=frozenset({Kind.STRUCTURED_RECORD, Kind.CODE_FILE, Kind.CONFIG, Kind.LOG_STREAM}),
    families=frozenset({Family.DATASET, Family.DATABASE, Family.CONTRACTS, Family.LOGS}),
    classes=frozenset(
        {
            SemanticClass.DATA_SOURCE_SPEC,
            SemanticClass.DATA_QUALITY_CHECK,
            SemanticClass.TEST_FIXTURE,
            SemanticClass.EXPERIMENT_METRICS,
            SemanticClass.APP_CONFIG,
            SemanticClass.ENVIRONMENT_CONFIG,
            SemanticClass.TOOLING_CONFIG,
            SemanticClass.MODEL_CONFIG,
        }
    ),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.SCHEMA_MISMATCH,
            OutcomeTag.KEY_MISSING,
            OutcomeTag.MISSING_VALUES,
            OutcomeTag.DUPLICATION,
            OutcomeTag.BROKEN_REFERENCE,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=90.0,
)


def run(job: Job) -> Result:
    """Check every table among the inputs against the schema that is about it."""
    from plantwin.private.capabilities.validate_schema.check import checked

    return checked(job)
