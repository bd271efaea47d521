"""Declared infrastructure: what is open, unencrypted, too powerful or unprotected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.AUDIT_INFRASTRUCTURE,
    doc="Checks declared infrastructure for risks: open networks, public storage, missing encryption, too many rights.",
    example="Audit the Terraform modules and the cluster manifests for what is exposed to the internet.",
    kinds=frozenset({Kind.CONFIG, Kind.CODE_FILE, Kind.SECRET_CONTAINER}),
    families=frozenset({Family.INFRASTRUCTURE}),
    classes=frozenset(
        {
            SemanticClass.DEPLOY_MANIFEST,
            SemanticClass.CONTAINER_BUILD,
            SemanticClass.JOB_SCRIPT,
            SemanticClass.SERVER_CONFIG,
            SemanticClass.ENVIRONMENT_CONFIG,
            SemanticClass.SECURITY_RULE,
            SemanticClass.CREDENTIALS_FILE,
        }
    ),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.EXPOSED_SERVICE,
            OutcomeTag.EXCESSIVE_PERMISSION,
            OutcomeTag.WEAK_CRYPTO,
            OutcomeTag.WEAK_AUTHENTICATION,
            OutcomeTag.MISSING_SAFEGUARD,
            OutcomeTag.MISSING_CHECK,
            OutcomeTag.INSECURE_SETTING,
            OutcomeTag.DISABLED_VERIFICATION,
            OutcomeTag.HARDCODED_SECRET,
            OutcomeTag.PRIVATE_KEY,
            OutcomeTag.UNSAFE_EXECUTION,
            OutcomeTag.PATH_TRAVERSAL,
            OutcomeTag.INJECTION,
            OutcomeTag.SENSITIVE_LOGGING,
            OutcomeTag.UNPINNED,
            OutcomeTag.END_OF_LIFE,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """Audit every input, each seen with the others."""
    from plantwin.private.capabilities.audit_infrastructure.check import audit

    return audit(job)
