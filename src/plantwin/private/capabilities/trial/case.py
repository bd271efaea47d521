"""One test and how it went."""

from __future__ import annotations

from typing import NamedTuple

PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"


class Case(NamedTuple):
    """One test."""

    id: str
    file: str
    line: int
    outcome: str
    seconds: float = 0.0
    message: str = ""
    """Why it failed or was skipped, in one line."""
    frames: tuple[tuple[str, int], ...] = ()
    """Places of the failure, the outermost first."""
    missing: str = ""
    """The package without which it could not be loaded."""

    def __repr__(self) -> str:
        return "<Case private>"


class Ran(NamedTuple):
    """What one runner did with its part of the tests."""

    runner: str
    files: tuple[str, ...]
    cases: tuple[Case, ...] = ()
    lacking: str = ""
    """What would have been needed in order to run at all."""
    late: bool = False
    """Whether the time was up before all had run."""
    note: str = ""

    def __repr__(self) -> str:
        return "<Ran private>"
