"""Pages and components by the rules of WCAG 2.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.CHECK_ACCESSIBILITY,
    doc="Checks pages for accessibility: text alternatives, labels, keyboard, structure, contrast, ARIA.",
    example="Check the pages and forms for accessibility.",
    kinds=frozenset({Kind.CODE_FILE, Kind.DOCUMENT, Kind.CONFIG}),
    families=frozenset({Family.INTERFACE, Family.GUIDES}),
    classes=frozenset(
        {
            SemanticClass.APP_ENTRYPOINT,
            SemanticClass.BUSINESS_LOGIC,
            SemanticClass.API_HANDLER,
            SemanticClass.REPORT_GENERATOR,
            SemanticClass.GENERATED_ARTIFACT,
            SemanticClass.UTILITY_LIBRARY,
        }
    ),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.MISSING_TEXT,
            OutcomeTag.LOW_CONTRAST,
            OutcomeTag.KEYBOARD_ACCESS,
            OutcomeTag.PAGE_STRUCTURE,
            OutcomeTag.BROKEN_REFERENCE,
            OutcomeTag.INVALID_VALUES,
            OutcomeTag.MISSING_PART,
            OutcomeTag.DUPLICATION,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.LOW,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """Check every page, with the style sheets among the inputs."""
    from plantwin.private.capabilities.check_accessibility.check import checked

    return checked(job)
