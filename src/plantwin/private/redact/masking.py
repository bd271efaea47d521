"""Values as they may be shown: the first and last characters, never how many lie between."""

from __future__ import annotations

HIDDEN = "****"
MOST = 4
"""Characters shown at either end, of a long value."""
SHARE = 6
"""One character in so many is shown at either end: a third of a value at most."""


def preview(value: str) -> str:
    """A value masked: `ghp_****9Ev2`. A short one is hidden whole."""
    shown = min(MOST, len(value) // SHARE)
    return f"{value[:shown]}{HIDDEN}{value[-shown:]}" if shown else HIDDEN
