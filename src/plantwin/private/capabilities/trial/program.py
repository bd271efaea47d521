"""Runs one program of the tests, within the time that is left, and leaves nothing of it running."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

MARGIN = 8.0
"""Seconds kept back for reading the results and handing them over."""
LONGEST = 600.0
TAIL = 8000


class Done(NamedTuple):
    """How a program ended: its exit code, whether its time was up, and the end of what it wrote."""

    code: int
    late: bool
    tail: str

    def __repr__(self) -> str:
        return "<Done private>"


class Clock:
    """How much time is left. The limit on processor time tells how long this step may take by the clock."""

    def __init__(self, seconds: float | None = None) -> None:
        if seconds is None:
            soft = resource.getrlimit(resource.RLIMIT_CPU)[0]
            seconds = LONGEST if soft == resource.RLIM_INFINITY else float(soft) - 1.0
        self._until = time.monotonic() + max(2.0, min(LONGEST, seconds) - MARGIN)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._until - time.monotonic()


def run(command: Sequence[str], folder: str, clock: Clock, environment: Mapping[str, str], log: str) -> Done:
    """Run a program in `folder`; what it writes goes to the file `log`, of which the end is kept."""
    late = False
    with Path(log).open("wb") as out:
        try:
            process = subprocess.Popen(
                list(command), cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        except OSError:
            return Done(127, False, "")
        try:
            process.wait(max(0.1, clock.left))
        except subprocess.TimeoutExpired:
            late = True
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    with Path(log).open("rb") as written:
        written.seek(max(0, Path(log).stat().st_size - TAIL))
        tail = written.read().decode("utf-8", "replace")
    return Done(process.returncode, late, tail)
