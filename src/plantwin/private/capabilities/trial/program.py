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

from plantwin.private.capabilities.trial.memory import exceeded, limit

MARGIN = 8.0
"""Seconds kept back for reading the results and handing them over."""
LONGEST = 600.0
TAIL = 8000
PAUSE = 0.05
"""Seconds between two looks at a program's memory."""


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
    """Run a program in `folder`; what it writes goes to the file `log`, of which the end is kept.

    `MemoryError` where all that it started takes more memory than one process may have.
    """
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
            late = _waited(process, clock)
        finally:
            _end(process)
    with Path(log).open("rb") as written:
        written.seek(max(0, Path(log).stat().st_size - TAIL))
        tail = written.read().decode("utf-8", "replace")
    return Done(process.returncode, late, tail)


def _waited(process: subprocess.Popen[bytes], clock: Clock) -> bool:
    """Wait for its end, and watch it meanwhile; whether its time was up before."""
    alone, most = os.getpid() == 1, limit()
    while True:
        try:
            process.wait(max(0.0, min(PAUSE, clock.left)))
            return False
        except subprocess.TimeoutExpired:
            if clock.left <= 0:
                return True
        if alone:
            if most and exceeded(most):
                raise MemoryError
            _reap(process.pid)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill it with all that it started: as the first process of a namespace, everything else in there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if os.getpid() == 1:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
    process.wait()
    if os.getpid() == 1:
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)


def _reap(but: int) -> None:
    """Take note of the ends of what others left to this process; `but` is waited for elsewhere."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid != but:
            os.waitpid(ended.si_pid, 0)
