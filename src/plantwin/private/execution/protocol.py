"""What goes to a worker and what comes back, as JSON: one request on its stdin, one reply on its stdout."""

from __future__ import annotations

from typing import Literal

import msgspec

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.private.execution.limits import Limits
from plantwin.private.extensions.declaration import Extension
from plantwin.private.facts import Private

MOST_DEPTH = 64
"""Levels of lists and tables that a result may nest."""

READY = b"\n"
"""What a worker says before it is given its job."""

Identity = tuple[int, int]
"""Device and inode of an open file."""


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


class Reply(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A result, or how it failed."""

    result: Result | None = None
    failure: Literal["memory", "crashed", "unreadable"] | None = None
    error: str = ""
    """Type of the exception and the line of our own code; never its message."""


def shallow(value: object, most: int = MOST_DEPTH) -> bool:
    """Whether nothing in these plain values is nested deeper than `most`."""
    level: list[object] = [value]
    for _ in range(most):
        level = [
            child
            for each in level
            if isinstance(each, (dict, list))
            for child in (each.values() if isinstance(each, dict) else each)
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
