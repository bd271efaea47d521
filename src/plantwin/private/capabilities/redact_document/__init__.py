"""A copy of a text in which typed placeholders stand for secrets, personal data and internal names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.REDACT_DOCUMENT,
    doc="Writes a local copy of texts in which secrets, personal data and internal names are replaced.",
    example="Make a copy of the customer letters that can be shared outside.",
    returns=ResultType.DOCUMENT,
    required_fields=("semantic_class", "sensitivity"),
    tags=frozenset(
        {
            OutcomeTag.HARDCODED_SECRET,
            OutcomeTag.PRIVATE_KEY,
            OutcomeTag.PERSONAL_DATA,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.MEDIUM,
    approval=True,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """Copy every input, with the same placeholder for the same value in all of them."""
    from plantwin.private.capabilities.redact_document.copies import copies

    return copies(job)
