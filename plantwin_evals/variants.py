"""Stages of the projection left out, for the ablation: the stage does not run, and nothing stands in for it.

Without stage 2 files are read with no detector at all, so tags, causes and sensitivity are what the other stages make
of a file in which nothing was detected. Without stage 3 age, size and amounts stay numbers; the schema has no word for
a number, so those fields are absent. Thresholds are the same for all objects in every variant: what a stage says does
not change how much may be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from unittest.mock import patch

from msgspec import UNSET
from msgspec.structs import replace

from plantwin.private import project
from plantwin.private.facts import Record
from plantwin.private.reading import Reader
from plantwin.types.twin import TwinObject

REDACT: Final = "redact"
GENERALIZE: Final = "generalize"
VARIANTS: Final[dict[str, tuple[str, ...]]] = {
    "full": (),
    "no-redaction": (REDACT,),
    "no-generalize": (GENERALIZE,),
    "extract-schema": (REDACT, GENERALIZE),
}
"""The stages that each variant skips."""


class _NoDetector:
    """Finds nothing, in whatever way it is asked."""

    def survey(self, data: bytes, *, path: str = "") -> tuple[()]:
        return ()

    def scan(self, data: bytes, *, path: str = "") -> tuple[()]:
        return ()

    def stream(self, path: str, *, summary: bool = False) -> _NoDetector:
        return self

    def feed(self, chunk: bytes) -> None:
        """Look at nothing."""

    def finish(self) -> None:
        """End of what was not looked at."""

    def summary(self) -> tuple[()]:
        return ()


@contextmanager
def skipped(variant: str) -> Iterator[None]:
    """Leave the stages of a variant out of every projection inside the block."""
    stages = VARIANTS[variant]
    with ExitStack() as stack:
        if REDACT in stages:
            stack.enter_context(patch.object(Reader, "detector", _NoDetector()))
        if GENERALIZE in stages:
            built = project.twin_object

            def without_buckets(record: Record, *identity: Any) -> TwinObject:
                return replace(built(record, *identity), freshness=UNSET, age=UNSET, size_bucket=UNSET, amounts=UNSET)

            stack.enter_context(patch.object(project, "twin_object", without_buckets))
        yield
