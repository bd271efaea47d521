"""Routes that code answers, and calls that code makes, by framework."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST = 5000
"""Routes of one object."""


@dataclass(slots=True, repr=False)
class Route:
    """One route, or one call."""

    method: str
    """In small letters; `any` where every one is answered."""
    path: str
    line: int
    framework: str
    statuses: dict[str, int] = field(default_factory=dict)
    """Statuses that its handler answers, with their lines."""
    kinds: dict[str, str] = field(default_factory=dict)
    """Types of path parameters, where the route says them."""

    def __repr__(self) -> str:
        return "<Route private>"
