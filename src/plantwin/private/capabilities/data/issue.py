"""Something wrong with the values of a column."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from plantwin.private.capabilities.data.cells import Cell
from plantwin.vocabulary import OutcomeTag, Severity

Test = Callable[[Cell], bool]


class Issue(NamedTuple):
    """Something wrong, and the test that finds its rows."""

    column: str
    tag: OutcomeTag
    severity: Severity
    message: str
    hint: str = ""
    test: Test | None = None

    def __repr__(self) -> str:
        return "<Issue private>"
