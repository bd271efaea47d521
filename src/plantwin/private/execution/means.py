"""What a step over sets is asked to do, and what it is carried out with."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.engine.job import Input, Surroundings
from plantwin.private.execution.cache import ResultCache
from plantwin.private.execution.launcher import Worker
from plantwin.private.execution.protocol import Limits, Reply
from plantwin.private.facts import Record, private
from plantwin.private.index import Signature
from plantwin.types.capability import Capability
from plantwin.types.verdict import Failure

if TYPE_CHECKING:
    from plantwin.private.execution.elsewhere import Elsewhere


@private
class Asked(NamedTuple):
    """What a step is asked to do."""

    step: str
    capability: Capability
    sides: Sequence[Sequence[Record]]
    """The members of each input that has some."""
    results: Sequence[Input]
    """Earlier results among its inputs."""
    seconds: float
    """For all of it."""


@private
class Means(NamedTuple):
    """What a step is carried out with."""

    root: Path
    limits: Limits
    """Of one call."""
    unchanged: Callable[[str, os.stat_result], bool]
    """Whether a file is as it was at the scan."""
    start: Callable[[], Worker | None]
    """Starts a worker that serves many files."""
    setup: Callable[[Surroundings, Limits], bytes]
    """What such a worker is told first."""
    options: Mapping[str, object]
    around: Callable[[Sequence[Record]], Surroundings]
    alone: Callable[[Sequence[Record], Sequence[Input], float], Reply | Failure]
    """Carries out one call in a worker of its own, within so many seconds."""
    cache: ResultCache | None
    progress: Callable[[str, int, int], None] | None
    elsewhere: Elsewhere | None = None
    """Other machines that carry out calls; none where there are none, or they cannot."""


@private
class Call(NamedTuple):
    """One call of the capability."""

    number: int
    records: tuple[Record, ...]
    results: tuple[Input, ...] = ()


class Seen(NamedTuple):
    """When and as what a folder was last looked at."""

    root: Path
    scanned_ns: int
    """When the scan began."""
    signatures: Mapping[str, Signature]
    """What the file system said of each file, by path."""
