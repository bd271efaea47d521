"""Contracts of interfaces: sound, compatible with the version before, and kept by code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.CHECK_API_CONTRACT,
    doc="Checks a contract, what a new version of it breaks, and whether implementations and callers keep it.",
    example="Check the API handlers against the interface contract and list what is missing or undocumented.",
    kinds=frozenset({Kind.CODE_FILE, Kind.CONFIG, Kind.STRUCTURED_RECORD, Kind.DOCUMENT}),
    families=frozenset({Family.CONTRACTS, Family.APPLICATION, Family.INTERFACE, Family.TESTING}),
    classes=frozenset({SemanticClass.UTILITY_LIBRARY, SemanticClass.PACKAGE_ENTRYPOINT, SemanticClass.MODEL_SERVING}),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.BREAKING_CHANGE,
            OutcomeTag.UNDOCUMENTED,
            OutcomeTag.UNIMPLEMENTED,
            OutcomeTag.SCHEMA_MISMATCH,
            OutcomeTag.BROKEN_REFERENCE,
            OutcomeTag.DUPLICATION,
            OutcomeTag.MISSING_PART,
            OutcomeTag.MISSING_CHECK,
            OutcomeTag.INVALID_VALUES,
            OutcomeTag.WEAK_CRYPTO,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """Check contracts, their versions and their implementations."""
    from plantwin.private.capabilities.check_api_contract.check import checked

    return checked(job)
