"""Other readings of the same bytes: what is wrapped, escaped or split is unwrapped and looked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plantwin.private.redact.context import Context
    from plantwin.private.redact.engine import Detector
    from plantwin.private.redact.resolve import Candidate


def candidates(detector: Detector, data: bytes, context: Context, quiet: bool) -> list[Candidate]:
    """Candidates of every other reading, in offsets of the data."""
    return []
