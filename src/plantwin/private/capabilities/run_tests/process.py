"""Run one program of the tests within the time and memory that are left, and leave nothing of it running.

The limit on a process's address space holds for each process alone. So the worker, which is the first process of its
namespace and which no test can stop, adds up what the others have, and what lies in the folders that are in memory.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from plantwin.private.facts import private

MARGIN = 8.0
"""Seconds kept back for reading the results and handing them over."""
LONGEST = 600.0
TAIL = 8000
PAUSE = 0.05
"""Seconds between two looks at a program's memory."""
MEMORY_FOLDERS = ("/tmp", "/dev/shm")  # noqa: S108 (its own)
_RESIDENT = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+) kB", re.MULTILINE)
_PROPORTIONAL = re.compile(rb"^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB", re.MULTILINE)


@private
class Done(NamedTuple):
    """How a program ended: its exit code, whether its time was up, and the end of what it wrote."""

    code: int
    late: bool
    tail: str


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
    with Path(log).open("wb") as out:
        try:
            process = subprocess.Popen(
                list(command), cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        except OSError:
            return Done(127, False, "")
        try:
            late = not _finished(process, clock)
        finally:
            _kill(process)
    with Path(log).open("rb") as written:
        written.seek(max(0, Path(log).stat().st_size - TAIL))
        tail = written.read().decode("utf-8", "replace")
    return Done(process.returncode, late, tail)


def _finished(process: subprocess.Popen[bytes], clock: Clock) -> bool:
    """Wait for its end, and watch it meanwhile; tell whether it ended before its time was up."""
    first, most = os.getpid() == 1, _memory_limit()
    while True:
        try:
            process.wait(max(0.0, min(PAUSE, clock.left)))
            return True
        except subprocess.TimeoutExpired:
            if clock.left <= 0:
                return False
        if first:
            if most and _uses_more_than(most):
                raise MemoryError
            _reap(process.pid)


def _kill(process: subprocess.Popen[bytes]) -> None:
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


def _reap(awaited: int) -> None:
    """Reap what others left to this process; `awaited` is waited for elsewhere."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid != awaited:
            os.waitpid(ended.si_pid, 0)


def _memory_limit() -> int:
    """Return the bytes that all processes may have: as much as one; none where there is no limit."""
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    return 0 if soft == resource.RLIM_INFINITY else soft


def _uses_more_than(most: int) -> bool:
    """Tell whether the processes of this namespace, and its folders in memory, hold more than `most` bytes."""
    processes = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]  # noqa: PTH208
    left = most - sum(map(_used_bytes, MEMORY_FOLDERS))
    if sum(map(_resident, processes)) <= left:
        return False
    # Pages that a fork shares with its parent count once. Reading this takes long, so only where it may matter; a
    # process that lets nobody look counts in full, as it is now: one that has ended meanwhile holds nothing.
    shares = (_sum(f"/proc/{process}/smaps_rollup", _PROPORTIONAL) or _resident(process) for process in processes)
    return sum(shares) > left


def _resident(process: str) -> int:
    """Return the bytes that a process holds by itself."""
    return _sum(f"/proc/{process}/status", _RESIDENT)


def _sum(file: str, pattern: re.Pattern[bytes]) -> int:
    try:
        with open(file, "rb") as opened:  # noqa: PTH123 (asked often)
            return 1024 * sum(map(int, pattern.findall(opened.read())))
    except OSError:
        return 0


def _used_bytes(folder: str) -> int:
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return (found.f_blocks - found.f_bfree) * found.f_frsize
