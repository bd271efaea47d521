"""The same settings in two to six environments: what is missing, what differs, what should not be shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.COMPARE_ENVIRONMENTS,
    doc="Finds what differs between environments: missing keys, values, and secrets or places that they share.",
    example="Compare the settings of staging and production and say what production lacks.",
    kinds=frozenset({Kind.CONFIG, Kind.SECRET_CONTAINER, Kind.CODE_FILE, Kind.STRUCTURED_RECORD}),
    families=frozenset({Family.CONFIGURATION, Family.DELIVERY, Family.INFRASTRUCTURE, Family.CREDENTIALS}),
    classes=frozenset({SemanticClass.MODEL_CONFIG, SemanticClass.DEPENDENCY_MANIFEST}),
    least=2,
    most=6,
    returns=ResultType.COMPARISON,
    tags=frozenset(
        {
            OutcomeTag.IDENTICAL,
            OutcomeTag.SIMILAR,
            OutcomeTag.DIFFERENT,
            OutcomeTag.VALUE_DIFFERS,
            OutcomeTag.KEY_MISSING,
            OutcomeTag.MIXED_TYPES,
            OutcomeTag.INSECURE_SETTING,
            OutcomeTag.CROSS_ENVIRONMENT,
            OutcomeTag.REUSED_SECRET,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """Set environments side by side."""
    from plantwin.private.capabilities.compare_environments.comparison import compare

    return compare(job)
