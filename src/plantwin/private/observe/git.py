"""What git knows of a folder: tracked paths, and when each was last committed. A few calls, never one per file.

The repository is untrusted. Git runs with a scrubbed environment and without the person's own settings;
every setting of the repository that could start a program is overridden, no protocol is allowed, and no
command is used that compares file contents (that would run the repository's `filter` programs). So whether a
tracked file was modified is decided here, from the index's record of its size and time.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from pathlib import Path

import msgspec

from plantwin.private.facts import Entry, Private
from plantwin.private.observe.command import Command, CommandError
from plantwin.private.observe.ignore import repository

DAY = 86_400
SLOP = 16
"""Commits older than the window in a row after which the rest is taken to be older too."""
MAX_LISTING = 1 << 30
MAX_LOG = 1 << 26
MAX_RECORD = 1 << 20

_RECORD = re.compile(
    rb"([^\0]++)\0  ctime: \d+:\d+\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: \d+\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: [0-9a-f]+\n"
)
_COMMIT = re.compile(rb"//([0-9a-f]{40,64}) (\d{1,12})\Z")

# No path can start with `//`, so a path is never taken for a commit's line.
_LOG = (
    "log",
    "-z",
    "--first-parent",
    "--diff-merges=first-parent",
    "--format=tformat:%x2f%x2f%H %ct",
    "--name-only",
    "--no-renames",
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
_STAGED = (
    "diff-index",
    "-z",
    "--cached",
    "--name-only",
    "--no-renames",
    "--relative",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    "-O/dev/null",
    "HEAD",
    "--",
)


class History(Private, msgspec.Struct):
    """What git knows of the files below a root. Paths are relative to it and `os.fsdecode`d."""

    head: str
    """Id of the current commit; empty when there is none."""
    since: float
    """Start of the window, in seconds."""
    committed: dict[str, int]
    """Seconds of the last commit of each path that was touched inside the window."""
    complete: bool
    """Whether `committed` covers the whole window."""
    index: dict[str, int] = msgspec.field(default_factory=dict)
    """Tracked paths, with the size and time at which git last saw each unmodified."""
    staged: frozenset[str] = frozenset()
    """Paths that differ between the index and the current commit."""

    @property
    def tracked(self) -> AbstractSet[str]:
        """The paths that git tracks."""
        return self.index.keys()


def history(
    root: Path,
    now: float,
    window_days: int = 31,
    timeout: float = 20,
    *,
    previous: History | None = None,
    warn: Callable[[str], None] | None = None,
) -> History | None:
    """What git knows of `root`, or nothing when it is in no repository that can be read.

    Modified and untracked files are not listed: `freshness_time` tells them by their size and time.
    With a `previous` result only newer commits are read, and none when the current commit is the same.
    """
    real = Path(os.path.realpath(root))
    if repository(real) is None:
        return None
    since = now - window_days * DAY
    known = History("", since, {}, complete=False)
    try:
        command = Command(real, time.monotonic() + timeout)
        known.index = _index(command)
        _commits(command, known, previous)
        known.staged = frozenset(os.fsdecode(each) for each in command.fields(_STAGED, MAX_LOG) if each)
    except CommandError as error:
        if warn is not None:
            warn(error.code)
        known.complete = False
        return known if known.index else None
    return known


def _index(command: Command) -> dict[str, int]:
    """Tracked paths with their recorded size and time, as `_mark` puts them."""
    index: dict[str, int] = {}
    rest = b""
    for piece in command.output(("ls-files", "-z", "--debug"), MAX_LISTING):
        rest += piece
        end = 0
        while (record := _RECORD.match(rest, end)) is not None:
            path, seconds, nanoseconds, size = record.groups()
            mark = _mark(int(seconds) * 1_000_000_000 + int(nanoseconds), int(size))
            index[path.decode("utf-8", "surrogateescape")] = mark
            end = record.end()
        rest = rest[end:]
        if len(rest) > MAX_RECORD:
            raise CommandError("git_unknown_output")
    if rest:
        raise CommandError("git_unknown_output")
    return index


def _mark(mtime_ns: int, size: int) -> int:
    """Time and size in one number; git keeps 32 bits of each size."""
    return mtime_ns << 32 | size & 0xFFFFFFFF


def _commits(command: Command, known: History, previous: History | None) -> None:
    """Fill in the current commit and what was committed inside the window, newest first."""
    if previous is not None and not (previous.complete and previous.since <= known.since):
        previous = None
    committed, since = known.committed, known.since
    seconds, older, first = 0, 0, False
    fields = command.fields(_LOG, MAX_LOG)
    try:
        for field in fields:
            commit = _COMMIT.match(field)
            if commit is None:
                # One line end stands between a commit and its first path.
                path = field[1:] if first and field.startswith(b"\n") else field
                first = False
                if path and seconds >= since:
                    committed.setdefault(path.decode("utf-8", "surrogateescape"), seconds)
                continue
            identity, seconds, first = commit[1].decode(), int(commit[2]), True
            known.head = known.head or identity
            if previous is not None and identity == previous.head:
                for known_path, when in previous.committed.items():
                    if when >= since:
                        committed.setdefault(known_path, when)
                break
            older = older + 1 if seconds < since else 0
            if older > SLOP:
                break
    finally:
        fields.close()
    known.complete = True


def freshness_time(entry: Entry, history: History | None) -> float:
    """When a file last changed, in seconds.

    The last commit for a file that git tracks and that is unmodified (just before the window, if it was
    not committed inside it), otherwise the time of the file.
    """
    modified = entry.mtime_ns / 1_000_000_000
    if history is None:
        return modified
    path = entry.path
    mark = history.index.get(path)
    if mark is None or not _unmodified(entry, mark) or path in history.staged:
        return modified
    committed = history.committed.get(path)
    if committed is not None:
        return float(committed)
    return history.since - 1 if history.complete else modified


def _unmodified(entry: Entry, mark: int) -> bool:
    if mark == _mark(entry.mtime_ns, entry.size):
        return True
    # Some programs write an index without nanoseconds.
    whole = entry.mtime_ns // 1_000_000_000 * 1_000_000_000
    return mark == _mark(whole, entry.size)
