"""One remark at one line, before it gets the name of its object."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.vocabulary import OutcomeTag, Severity

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
BROKEN, DEFECT, SWALLOWED = OutcomeTag.UNPARSABLE, OutcomeTag.LIKELY_DEFECT, OutcomeTag.SWALLOWED_ERROR
UNUSED, DEBUG, STYLE, REPEATED = OutcomeTag.UNUSED, OutcomeTag.DEBUG_LEFTOVER, OutcomeTag.STYLE, OutcomeTag.DUPLICATION


class Remark(NamedTuple):
    """What a rule has to say."""

    line: int
    severity: Severity
    tag: OutcomeTag
    rule: str
    """The rule's name where it is known best: `F401`, `no-var`, `SC2086`."""
    message: str
    hint: str = ""

    def __repr__(self) -> str:
        return "<Remark private>"
