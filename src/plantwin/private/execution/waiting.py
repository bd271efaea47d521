"""Workers that are started before their step, each in an empty sandbox of its own.

Starting an interpreter and loading a capability's libraries takes longer than most steps. A plan says what comes
next, so that can happen while the step before it runs. Such a worker knows the name of a built-in and nothing else
until it is given its job, or the files of one step; then it ends, like any other. None ever serves a second step.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from plantwin.private.execution.process import Bounds, Ended, Program

AHEAD = 2
"""How many wait at most."""
COPIES = "/tmp/in"  # noqa: S108 (its own)
"""Where such a worker finds its inputs, as copies in its own memory: its sandbox was made before they were known."""
MOST = 8 << 20
"""Bytes of all inputs of a step that are copied."""


class Worker:
    """One that waits, with the pipe on which its sandbox tells about itself."""

    def __init__(self, program: Program, pipe: int = -1, folder: str = COPIES, held: ExitStack | None = None) -> None:
        """`folder`: where it keeps copies of its inputs. `held`: what is given up with it."""
        self.program = program
        self.folder = folder
        self._pipe = pipe
        self._held = held

    @property
    def alive(self) -> bool:
        """Whether it still waits."""
        return self.program.alive

    def finish(self, given: bytes, bounds: Bounds) -> Ended:
        """Give it its job, and wait for its end."""
        try:
            return self.program.finish(given, bounds)
        finally:
            self.end()

    def end(self) -> None:
        """End it, used or not; once more does no harm."""
        self.program.end()
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
        if self._held is not None:
            self._held.close()


class WaitingRoom:
    """The next workers of a plan, in the order of its steps."""

    def __init__(self, start: Callable[[str], Worker | None]) -> None:
        """`start`: starts a worker for the built-in of this name; none where it cannot."""
        self._start = start
        self._expected: list[str] = []
        self._waiting: list[Worker] = []
        # However the session ends, none of them outlives it.
        self._finalizer = weakref.finalize(self, _end, self._waiting)

    def expect(self, names: Sequence[str]) -> None:
        """What will be asked for, in order; what was expected before is not any more."""
        self.close()
        self._expected = list(names)
        self.fill()

    def take(self, name: str) -> Worker | None:
        """A worker for this built-in that nobody has used, if one waits; the steps before it are taken as skipped."""
        if name not in self._expected:
            return None
        skipped = self._expected.index(name)
        del self._expected[: skipped + 1]
        gone, self._waiting[:] = self._waiting[:skipped], self._waiting[skipped:]
        _end(gone)
        found = self._waiting.pop(0) if self._waiting else None
        if found is not None and not found.alive:
            found.end()
            found = None
        return found

    def fill(self) -> None:
        """Start the next ones, now that there is room for them."""
        while len(self._waiting) < min(AHEAD, len(self._expected)):
            started = self._start(self._expected[len(self._waiting)])
            if started is None:
                self._expected = self._expected[: len(self._waiting)]
                return
            self._waiting.append(started)

    def close(self) -> None:
        """End all that wait."""
        self._expected = []
        _end(self._waiting)


def _end(workers: list[Worker]) -> None:
    while workers:
        workers.pop().end()


def copied(descriptors: Sequence[int], scratch: int) -> list[bytes] | None:
    """What these open files hold; none where that is too much, or changes meanwhile."""
    before = [os.fstat(each) for each in descriptors]
    if sum(each.st_size for each in before) > min(MOST, scratch // 4):
        return None
    contents = [read(each, found.st_size) for each, found in zip(descriptors, before, strict=True)]
    after = [os.fstat(each) for each in descriptors]
    same = all((a.st_size, a.st_mtime_ns) == (b.st_size, b.st_mtime_ns) for a, b in zip(before, after, strict=True))
    return contents if same and [len(each) for each in contents] == [each.st_size for each in before] else None


def read(descriptor: int, size: int) -> bytes:
    """The first so many bytes of an open file; fewer where it is shorter."""
    parts, at = [], 0
    while at < size and (part := os.pread(descriptor, size - at, at)):
        parts.append(part)
        at += len(part)
    return b"".join(parts)
