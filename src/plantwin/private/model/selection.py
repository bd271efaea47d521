"""Which small model the person's settings choose for private text, if any."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from plantwin.config.settings import Settings
from plantwin.weights import installed

VERSION = "1"
"""Names the prompt for classes: opinions of another are not reused."""


class Chosen(NamedTuple):
    """The model that extraction may ask, and for how long in one scan."""

    weights: Path
    runtime: Path
    seconds: float = 60.0

    @property
    def name(self) -> str:
        """Names weights and prompt."""
        found = self.weights.stat()
        return f"{VERSION}/{self.weights.name}/{found.st_size}/{found.st_mtime_ns}"


def for_extraction(settings: Settings) -> Chosen | None:
    """The model for doubtful files; an `InputError` with a remedy where it is wanted and not installed."""
    if settings.extract.model == "none":
        return None
    return Chosen(*installed(settings.model.weights), settings.extract.seconds)


def for_text(settings: Settings) -> tuple[str, str] | None:
    """Weights and runtime for text work, likewise."""
    if not settings.model.text:
        return None
    weights, runtime = installed(settings.model.weights)
    return str(weights), str(runtime)
