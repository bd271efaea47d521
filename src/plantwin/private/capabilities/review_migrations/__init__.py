"""Schema changes: what they lose, what they lock, whether there is a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.REVIEW_MIGRATIONS,
    doc="Reviews schema changes: what is lost, what is locked, whether there is a way back, whether their order holds.",
    example="Review the pending migrations before the release.",
    kinds=frozenset({Kind.CODE_FILE, Kind.STRUCTURED_RECORD}),
    classes=frozenset(
        {
            SemanticClass.DATABASE_MIGRATION,
            SemanticClass.TABLE_SCHEMA,
            SemanticClass.SQL_QUERY,
            SemanticClass.STORED_PROCEDURE,
            SemanticClass.DATABASE_DUMP,
        }
    ),
    most=24,
    returns=ResultType.FINDINGS,
    required_fields=("semantic_class", "lacks"),
    tags=frozenset(
        {
            OutcomeTag.DATA_LOSS,
            OutcomeTag.LOCKING,
            OutcomeTag.IRREVERSIBLE,
            OutcomeTag.WRONG_ORDER,
            OutcomeTag.SCHEMA_CHANGED,
            OutcomeTag.LIKELY_DEFECT,
            OutcomeTag.EXCESSIVE_PERMISSION,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """Review every migration among the inputs."""
    from plantwin.private.capabilities.review_migrations.review import review

    return review(job)
