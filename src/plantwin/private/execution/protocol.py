"""What goes to a worker and what comes back.

one job     the request on its stdin, as JSON up to the end; the reply on its stdout, as JSON
many jobs   `SERVE`, then frames on both: the request without inputs, answered by an empty reply; then one `Task`
            (MessagePack) after another, each answered by a reply (JSON), until its stdin ends
"""

from __future__ import annotations

import math
import resource
import struct
import sys
from typing import Literal

import msgspec

from plantwin.errors import InputError
from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.facts import Private

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


MOST_DEPTH = 64
"""Levels of lists and tables that a result may nest."""

READY = b"\n"
"""What a worker says before it is given its job."""

SERVE = b"\0"
"""What a worker is told first that gets many jobs. No JSON begins with it."""

HEAD = struct.Struct(">I")
"""What a frame begins with: the number of bytes that follow."""

Identity = tuple[int, int]
"""Device and inode of an open file."""


class Extension(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Python function or a command line; or the question what a module declares."""

    sort: Literal["declare", "function", "command"]
    own: str = ""
    """The capability's own name."""
    file: str = ""
    """The Python file, where it is not an installed module."""
    module: str = ""
    command: tuple[str, ...] = ()
    """Words of the command line. `{input}` stands for a path."""
    exits: dict[str, tuple[str, ...]] = {}
    """Words of the outcome by exit code."""
    pattern: str = ""
    """What a line of output looks like that is a finding."""
    severities: dict[str, str] = {}
    """Words of the tool for severity, with ours."""
    severity: str = "medium"
    """Of a finding that states none."""
    tag: str = ""
    """Of every finding."""
    shown: tuple[str, ...] = ()
    """Files and folders that the worker sees besides its inputs, read-only."""


class Request(Job, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A job with what the worker needs in order to confine itself."""

    limits: Limits
    sandboxed: bool
    identities: tuple[tuple[str, Identity], ...] = ()
    """What each input's file has to be: a path swapped before it was mounted shows here."""
    copies: tuple[tuple[str, bytes], ...] = ()
    """Files that the worker writes for itself: inputs of one that was started before it had any."""
    programs: bool = False
    """Whether other programs may be started."""
    hidden: tuple[bytes, ...] = ()
    """Paths below `folder` that nothing in there may see."""
    unprivileged: bool = False
    """Whether the worker is root outside, and has to become somebody else."""
    extension: Extension | None = None
    """How a capability of the person's own is run; none for a built-in."""

    @property
    def job(self) -> Job:
        """The part that the capability sees."""
        return Job(
            capability=self.capability,
            inputs=self.inputs,
            options=self.options,
            surroundings=self.surroundings,
            folder=self.folder,
        )


class Task(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One of the jobs of a worker that gets many. All else is as in its request."""

    inputs: tuple[Input, ...]
    contents: tuple[bytes | None, ...] = ()
    """What the file of each input holds; none for results, and for inputs that are known by name alone."""
    places: tuple[int, ...] = ()
    """Positions of the inputs in the request's surroundings."""


class Reply(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A result, or how it failed."""

    result: Result | None = None
    failure: Literal["memory", "crashed", "unreadable"] | None = None
    error: str = ""
    """Type of the exception and the line of our own code; never its message."""


def frame(data: bytes) -> bytes:
    """Data with its length in front."""
    return HEAD.pack(len(data)) + data


def shallow(value: object, most: int = MOST_DEPTH) -> bool:
    """Whether nothing in these plain values is nested deeper than `most`."""
    level: list[object] = [value]
    for _ in range(most):
        level = [
            child
            for inner_value in level
            if isinstance(inner_value, (dict, list))
            for child in (inner_value.values() if isinstance(inner_value, dict) else inner_value)
        ]
        if not level:
            return True
    return False


def decoded(output: bytes) -> Reply:
    """The worker's reply; whatever is none is a crash."""
    try:
        reply = msgspec.json.decode(output, type=Reply)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return Reply(failure="crashed", error="not a reply")
    if reply.result is not None and not (shallow(reply.result.facts) and shallow(reply.result.outcome)):
        return Reply(failure="crashed", error="nested too deeply")
    return reply


def kept_result(data: bytes) -> Result | None:
    """A result as it was kept; none where that is damaged."""
    try:
        return _KEPT.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


_KEPT = msgspec.json.Decoder(Result)
