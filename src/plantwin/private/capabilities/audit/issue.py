"""One weakness at one line, before it gets the name of its object."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.vocabulary import OutcomeTag, Severity


class Issue(NamedTuple):
    """What a rule found."""

    line: int
    severity: Severity
    tag: OutcomeTag
    message: str
    hint: str = ""
    column: int = 0

    def __repr__(self) -> str:
        return "<Issue private>"


LEVELS = tuple(Severity)


def lowered(severity: Severity, most: Severity) -> Severity:
    """The severity, but no worse than `most`."""
    return min(severity, most, key=LEVELS.index)
