"""Weaknesses in code and settings, with their lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.SECURITY_AUDIT,
    doc="Looks for weaknesses in code and settings: injection, authentication, cryptography, exposure, secrets.",
    example="Review the authentication module and the payment module for security issues.",
    kinds=frozenset({Kind.CODE_FILE, Kind.CONFIG, Kind.SECRET_CONTAINER}),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.HARDCODED_SECRET,
            OutcomeTag.PRIVATE_KEY,
            OutcomeTag.INJECTION,
            OutcomeTag.WEAK_CRYPTO,
            OutcomeTag.WEAK_AUTHENTICATION,
            OutcomeTag.UNSAFE_DESERIALIZATION,
            OutcomeTag.UNSAFE_EXECUTION,
            OutcomeTag.PATH_TRAVERSAL,
            OutcomeTag.DISABLED_VERIFICATION,
            OutcomeTag.INSECURE_SETTING,
            OutcomeTag.EXPOSED_SERVICE,
            OutcomeTag.EXCESSIVE_PERMISSION,
            OutcomeTag.SENSITIVE_LOGGING,
            OutcomeTag.MISSING_CHECK,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=90.0,
)


def run(job: Job) -> Result:
    """Examine every input; list weaknesses, the worst first."""
    from plantwin.private.capabilities.security_audit.audit import audit

    return audit(job)
