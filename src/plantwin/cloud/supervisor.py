"""Runs a planner's program and ends it with all that it started: when it is over, or when the one who asked is gone.

Started by path as a program of its own, on the standard library alone: `supervisor.py PIPE PROGRAM ARGUMENT…`. Whoever
started it holds the other end of the pipe and writes nothing: when that end closes, even by `kill -9`, all is ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ROUNDS = 200
"""Looks at what is left, a hundredth of a second apart: a program that forks faster than it is killed is let go."""


def main() -> NoReturn:
    """Run the program; exit as it does."""
    pipe, program = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(pipe, False)
    # What detaches itself from its parent becomes a child of this process, and can be found and ended.
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if not child:
        _become(program)
    for stream in (0, 1):  # they are the program's: its output ends when it closes it
        os.close(stream)
    signal.signal(signal.SIGTERM, lambda *_: _abandon(child))
    _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)  # besides the pipe, whose other end a forked worker might hold
    threading.Thread(target=_ended_with, args=(pipe, child), daemon=True).start()
    _, status = os.waitpid(child, 0)
    _end(child)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:  # end as it did, so that the signal is seen
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)


def _become(program: list[str]) -> NoReturn:
    os.setsid()
    # Should this supervisor be killed, its program goes too.
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        os.execvp(program[0], program)  # noqa: S606 - the program that the person named
    except OSError:
        os._exit(127)


def _ended_with(pipe: int, child: int) -> None:
    while os.read(pipe, 1):
        pass
    _abandon(child)


def _abandon(child: int) -> NoReturn:
    _end(child)
    os._exit(1)


def _end(child: int) -> None:
    """Kill the program, its process group and all that descends from it, until nothing is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    for _ in range(ROUNDS):
        below = _descendants()
        if not below:
            return
        for process in below:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)


def _descendants() -> list[int]:
    """Who runs below this process; nobody where there is no /proc to tell."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            state, parent = path.read_bytes().rpartition(b")")[2].split()[:2]
            if state != b"Z":
                parents[int(path.parent.name)] = int(parent)
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {os.getpid()})


def _prctl(option: int, value: int) -> None:
    """Ask the kernel of Linux; others know neither option."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
