"""When files last changed, from one pass over the commits, the newest first."""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import msgspec

from plantwin.private.facts import Private

SLOP = 16
"""Commits older than the window in a row after which the rest is taken to be older too."""
_COMMIT = re.compile(rb"//([0-9a-f]{40,64}) (\d{1,12}) (-?\d{1,12})\Z")
_SHALLOW = 1 << 20

# No status starts with `//`, so a file is never taken for a commit's line. Only exact renames: one that changes
# something is a change, and what came before it says nothing of when the file last changed.
LOG = (
    "log",
    "-z",
    "--first-parent",
    "--diff-merges=first-parent",
    "--format=tformat:%x2f%x2f%H %ct %at",
    "--name-status",
    "-M100%",
    "--relative",
    "--no-color",
    "--no-decorate",
    "--no-ext-diff",
    "--no-follow",
    "--no-mailmap",
    "--no-notes",
    "--no-show-signature",
    "--no-textconv",
    "--ignore-submodules=all",
    "-O/dev/null",
    "HEAD",
    "--",
)


class Authored(Private, msgspec.Struct):
    """When each file's content last changed, as its authors say, up to one commit."""

    head: str
    times: dict[str, int]
    """Seconds by path. A tracked path that is not among them changed before all that are."""


class CommitLog:
    """Reads what git prints for `LOG`."""

    def __init__(self, since: float, shallow: frozenset[str]) -> None:
        """`since`: start of the window. `shallow`: commits at which a shallow clone ends: what they list is older."""
        self._since, self._shallow = since, shallow
        self.head = ""
        self.committed: dict[str, int] = {}
        """Seconds of the last commit of each path that was touched inside the window."""
        self.authored: dict[str, int] = {}
        self.met: str = ""
        """The commit at which reading ended, where it is one that was asked for."""
        self._now: dict[str, str] = {}
        """What a path of then is called now; nothing where it was deleted."""

    def read(self, fields: Generator[bytes, None, None], stop: frozenset[str], wanted: set[str], until: float) -> None:
        """Read until the window is over and all `wanted` paths are known, or time is up, or a commit of `stop` is met.

        `until`: of `time.monotonic`.
        """
        committed, since = self.committed, self._since
        seconds, when, older, known = 0, 0, 0, True
        rows: Iterator[bytes] = iter(fields)
        for field in rows:
            commit = _COMMIT.match(field)
            if commit is None:
                status, path = field.lstrip(b"\n")[:1], _text(next(rows, b""))
                renamed = _text(next(rows, b"")) if status in (b"R", b"C") else ""
                for name in (path, renamed):
                    if name and seconds >= since:
                        committed.setdefault(name, seconds)
                self._change(status, path, renamed, when if known else None, wanted)
                continue
            identity, seconds, when = commit[1].decode(), int(commit[2]), int(commit[3])
            known = identity not in self._shallow
            self.head = self.head or identity
            if identity in stop:
                self.met = identity
                return
            older = older + 1 if seconds < since else 0
            if older > SLOP and (not wanted or time.monotonic() > until):
                return

    def _change(self, status: bytes, path: str, renamed: str, when: int | None, wanted: set[str]) -> None:
        """Take one changed file: the newest change of what has that name today counts."""
        if status == b"R":
            self._now[path] = self._now.get(renamed, renamed)
            return
        now = self._now.get(path, path)
        if status == b"D":
            self._now[path] = ""
        elif now and when is not None and now in wanted:
            wanted.discard(now)
            self.authored[now] = when

    def older(self, known: Authored, wanted: set[str]) -> None:
        """Take what is known up to the commit that was met."""
        for path, when in known.times.items():
            now = self._now.get(path, path)
            if now in wanted:
                wanted.discard(now)
                self.authored[now] = when


def shallow(top: Path) -> frozenset[str]:
    """Commits at which the history of a shallow clone ends."""
    try:
        with (top / ".git" / "shallow").open("rb") as file:
            return frozenset(file.read(_SHALLOW).decode("ascii", "replace").split())
    except OSError:
        return frozenset()


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
