"""One part of an object with its kind."""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """A line, column, section, definition, setting or finding."""

    kind: str
    name: str
    line: int = 0
    detail: str = ""
    group: str = ""
    """A second way to sort: the subsystem of a log line, the object of a finding."""
    times: int = 1

    def __repr__(self) -> str:
        return "<Part private>"
