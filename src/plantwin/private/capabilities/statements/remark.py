"""One thing to say about a statement."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.vocabulary import OutcomeTag, Severity


class Remark(NamedTuple):
    """One thing to say about a statement."""

    rule: str
    line: int
    severity: Severity
    tag: OutcomeTag
    message: str
    hint: str

    def __repr__(self) -> str:
        return "<Remark private>"
