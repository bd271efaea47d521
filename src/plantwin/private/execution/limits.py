"""How much a worker may use. The worker sets these on itself, for good, before it loads the capability."""

from __future__ import annotations

import math
import resource
import sys

import msgspec

from plantwin.errors import InputError

MB = 1 << 20
OPEN_FILES = 256


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most that one step may use. Bytes, seconds and numbers."""

    seconds: float = 60.0
    """By the clock; a capability may declare less."""
    memory: int = 2048 * MB
    """Address space."""
    processes: int = 16
    """Threads; other processes cannot be started at all where the kernel filters system calls."""
    output: int = 16 * MB
    """The full result."""
    scratch: int = 64 * MB
    """The private temporary folder, and the largest file in it."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.seconds) or self.seconds <= 0:
            raise InputError("limits.seconds: a positive number")
        if self.memory < 256 * MB:
            raise InputError("limits.memory: at least 256 MB")
        if self.processes < 1 or self.output < 1 or self.scratch < 1:
            raise InputError("limits: processes, output and scratch are at least 1")

    def within(self, seconds: float) -> Limits:
        """The same with no more time than this."""
        return msgspec.structs.replace(self, seconds=min(self.seconds, seconds)) if seconds > 0 else self

    @property
    def cpu(self) -> int:
        """Whole seconds of processor time: more than one thread can use within the time by the clock."""
        return math.ceil(self.seconds) + 1

    def impose(self) -> None:
        """Bind this process, irrevocably."""
        # SIGXCPU at the first number, SIGKILL at the second for one that ignores it.
        _lower(resource.RLIMIT_CPU, self.cpu, self.cpu + 1)
        if sys.platform.startswith("linux"):
            # Elsewhere the kernel does not hold to it, or refuses it.
            _lower(resource.RLIMIT_AS, self.memory)
        _lower(resource.RLIMIT_FSIZE, self.scratch)
        _lower(resource.RLIMIT_NPROC, self.processes)
        _lower(resource.RLIMIT_NOFILE, OPEN_FILES)
        _lower(resource.RLIMIT_CORE, 0)


def _lower(which: int, soft: int, hard: int | None = None) -> None:
    """Set a limit, never above the one that already holds."""
    held = resource.getrlimit(which)[1]
    hard = soft if hard is None else hard
    if held != resource.RLIM_INFINITY:
        hard = min(hard, held)
    resource.setrlimit(which, (min(soft, hard), hard))
