"""Stage 2: secrets and identifiers, with their spans. Bytes in, findings out; compiled once, streaming.

    detector().scan(b"...")      findings, sorted, not overlapping
    detector().stream()          the same over chunks, in bounded memory
    summarize, sensitivity       from findings to counts, and from counts to the object's level

Nothing heavy is imported until a detector is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plantwin.private.config import Config
    from plantwin.private.detect.column_findings import ColumnFinding as ColumnFinding
    from plantwin.private.detect.engine import Detector as Detector
    from plantwin.private.detect.stream import Stream as Stream
    from plantwin.private.detect.summary import Summary as Summary
    from plantwin.private.detect.summary import allowed_here as allowed_here
    from plantwin.private.detect.summary import sensitivity as sensitivity
    from plantwin.private.detect.summary import summarize as summarize

    RULES_VERSION: str

__all__ = [
    "RULES_VERSION",
    "ColumnFinding",
    "Detector",
    "Stream",
    "Summary",
    "allowed_here",
    "detector",
    "sensitivity",
    "summarize",
]

_HOMES = {
    "ColumnFinding": "column_findings",
    "allowed_here": "summary",
    "Detector": "engine",
    "Stream": "stream",
    "Summary": "summary",
    "sensitivity": "summary",
    "summarize": "summary",
}
_detectors: dict[tuple[str, str], Detector] = {}


def detector(cache: str | None = None, config: Config | None = None) -> Detector:
    """The process's detector, made at the first call. `cache` is the folder for its compiled form."""
    key = (cache or "", config.digest if config else "")
    found = _detectors.get(key)
    if found is None:
        from plantwin.private.detect.compiled import compiled
        from plantwin.private.detect.engine import Detector

        made = compiled(cache, config.rules if config else ())
        found = _detectors[key] = Detector(made, config.policy if config else None)
    return found


def __getattr__(name: str) -> object:
    """Resolve the public names on first use, so that importing this package costs nothing."""
    if name == "RULES_VERSION":
        from plantwin.private.detect.rules import version

        return version()
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(name)
