"""What a project is built from, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.AUDIT_DEPENDENCIES,
    doc="Checks manifests, lock files, images and workflow actions: open versions, odd sources, known weaknesses.",
    example="Audit the dependency manifest and its lock file for risky packages.",
    kinds=frozenset({Kind.CONFIG, Kind.CODE_FILE, Kind.STRUCTURED_RECORD, Kind.DOCUMENT}),
    families=frozenset({Family.DEPENDENCIES}),
    classes=frozenset(
        {
            SemanticClass.BUILD_MANIFEST,
            SemanticClass.CONTAINER_BUILD,
            SemanticClass.DEPLOY_MANIFEST,
            SemanticClass.CI_PIPELINE,
            SemanticClass.TOOLING_CONFIG,
        }
    ),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.UNPINNED,
            OutcomeTag.UNTRUSTED_SOURCE,
            OutcomeTag.MISSING_INTEGRITY,
            OutcomeTag.OUT_OF_STEP,
            OutcomeTag.VERSION_CONFLICT,
            OutcomeTag.DUPLICATION,
            OutcomeTag.END_OF_LIFE,
            OutcomeTag.KNOWN_VULNERABILITY,
            OutcomeTag.LOOKALIKE_NAME,
            OutcomeTag.OBLIGATIONS,
            OutcomeTag.STYLE,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """Audit every input, and all of them together."""
    from plantwin.private.capabilities.audit_dependencies.check import checked

    return checked(job)
