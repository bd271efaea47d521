"""Settings: syntax, values that cannot be right, references, and what well-known files have to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.VALIDATE_CONFIG,
    doc="Checks settings for errors and risks: syntax, doubled keys, values, references, required parts.",
    example="Validate the deployment manifests and the settings of production before the release.",
    kinds=frozenset({Kind.CONFIG, Kind.SECRET_CONTAINER, Kind.CODE_FILE, Kind.STRUCTURED_RECORD}),
    families=frozenset(
        {
            Family.CONFIGURATION,
            Family.DELIVERY,
            Family.INFRASTRUCTURE,
            Family.DEPENDENCIES,
            Family.CONTRACTS,
            Family.CREDENTIALS,
        }
    ),
    classes=frozenset(
        {
            SemanticClass.MODEL_CONFIG,
            SemanticClass.PIPELINE_DEFINITION,
            SemanticClass.DATA_SOURCE_SPEC,
            SemanticClass.SECURITY_RULE,
            SemanticClass.TEST_FIXTURE,
        }
    ),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.INVALID_VALUES,
            OutcomeTag.MISSING_PART,
            OutcomeTag.BROKEN_REFERENCE,
            OutcomeTag.DUPLICATION,
            OutcomeTag.CIRCULAR_DEPENDENCY,
            OutcomeTag.END_OF_LIFE,
            OutcomeTag.SCHEMA_MISMATCH,
            OutcomeTag.INSECURE_SETTING,
            OutcomeTag.DISABLED_VERIFICATION,
            OutcomeTag.WEAK_AUTHENTICATION,
            OutcomeTag.WEAK_CRYPTO,
            OutcomeTag.EXPOSED_SERVICE,
            OutcomeTag.HARDCODED_SECRET,
            OutcomeTag.MISSING_CHECK,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """Validate every input, each seen with the others."""
    from plantwin.private.capabilities.validate_config.check import validate

    return validate(job)
