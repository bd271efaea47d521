"""Defects of style and use, as a linter of each language sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.LINT,
    doc="Checks code and settings for likely defects: syntax, unused and unreachable parts, forgotten failures, style.",
    example="Lint the order service and the checkout script before the release.",
    kinds=frozenset({Kind.CODE_FILE, Kind.CONFIG, Kind.STRUCTURED_RECORD}),
    returns=ResultType.FINDINGS,
    tags=frozenset(
        {
            OutcomeTag.LIKELY_DEFECT,
            OutcomeTag.SWALLOWED_ERROR,
            OutcomeTag.UNUSED,
            OutcomeTag.DEBUG_LEFTOVER,
            OutcomeTag.STYLE,
            OutcomeTag.DUPLICATION,
            OutcomeTag.UNPARSABLE,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.MEDIUM,
    programs=True,
    seconds=90.0,
)


def run(job: Job) -> Result:
    """Lint every input; list findings, the worst first."""
    from plantwin.private.capabilities.lint.check import lint

    return lint(job)
