"""Others of the folder that are like an object: copies, near duplicates, the same structure, the same kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.SEARCH_SIMILAR,
    doc="Looks through the folder for copies, near duplicates, and objects of the same structure or kind.",
    example="Find other files like the legacy login module.",
    most=2,
    returns=ResultType.MATCHES,
    required_fields=("semantic_class", "kind"),
    tags=frozenset({OutcomeTag.IDENTICAL, OutcomeTag.SIMILAR, OutcomeTag.VALUE_DIFFERS}),
    risk=Risk.LOW,
    seconds=30.0,
    surroundings=True,
)


def run(job: Job) -> Result:
    """Rank what lies around the inputs by likeness."""
    from plantwin.private.capabilities.search_similar.search import search

    return search(job)
