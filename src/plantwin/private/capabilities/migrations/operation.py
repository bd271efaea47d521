"""What a migration does, whatever it is written in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Operation(NamedTuple):
    """One change. `kind` is one of the words of `rules.py`."""

    kind: str
    line: int
    table: str = ""
    column: str = ""
    type: str = ""
    required: bool = False
    """NOT NULL."""
    default: str = ""
    """As it is written; empty where there is none."""
    gentle: bool = False
    """CONCURRENTLY, NOT VALID, or what an engine offers instead of a lock."""
    reversible: bool = True
    text: str = ""

    def __repr__(self) -> str:
        return "<Operation private>"


@dataclass
class Migration:
    """One file."""

    label: str
    tool: str
    engine: str = ""
    up: list[Operation] = field(default_factory=list)
    down: list[Operation] | None = None
    """None where the tool has no way back in the same file."""
    no_way_back: bool = False
    """The tool has a place for the way back, and it is empty or refuses."""
    transaction: bool | None = None
    """Whether it runs in one; None where that is not known."""
    revision: str = ""
    parents: tuple[str, ...] = ()
    unparsed: list[int] = field(default_factory=list)

    def __repr__(self) -> str:
        return "<Migration private>"
