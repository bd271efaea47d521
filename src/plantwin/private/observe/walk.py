"""Walks a folder tree without following links, opening only folders and ignore files."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from plantwin.private.facts import Entry
from plantwin.private.observe.beneath import Beneath, Descent, open_root
from plantwin.private.observe.ignore import (
    DEFAULT_FILES,
    DEFAULTS,
    FORBIDDEN,
    GIT,
    KEPT,
    NEVER,
    OWN,
    Ignore,
    Scope,
    Warn,
)

MAX_PATH = 1 << 16
"""Characters of a folder's path: what lies deeper is left out, with a warning."""

_RULES = frozenset({GIT, OWN, ".git"})
_FILES = NEVER | DEFAULT_FILES
_FOLDERS = NEVER | DEFAULTS
_VANISHED = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_name = attrgetter("name")


class Tally:
    """What a walk met and did not yield; the caller may read it at any time."""

    __slots__ = ("files", "folders", "ignored", "links", "specials", "unreadable")

    def __init__(self) -> None:
        self.files = 0
        self.folders = 0
        self.ignored = 0
        """Entries that a rule leaves out; a folder counts once, whatever it holds."""
        self.links = 0
        self.specials = 0
        """FIFOs, sockets and devices."""
        self.unreadable = 0
        """Folders that cannot be listed or entered."""

    @property
    def skipped(self) -> int:
        """Links, FIFOs, sockets and devices: never opened."""
        return self.links + self.specials


def _forbidden(name: str, folder: bool) -> int:
    """Without rules, only the names that are never entered are asked about."""
    return FORBIDDEN


class _Frame(NamedTuple):
    depth: int
    prefix: str
    pending: list[str]
    """Subfolders still to be entered, last first."""
    scope: Scope | None
    tracked_only: set[str]
    """Of `pending`, those that are left out but hold tracked files."""


def walk(
    root: Path,
    *,
    ignore: bool = True,
    warn: Warn | None = None,
    tracked: AbstractSet[str] | None = None,
    tally: Tally | None = None,
) -> Iterator[Entry]:
    """Every regular file below `root`, folder by folder, in the order of names.

    Raises `RootError` at once when the root cannot be opened. `tracked` are the paths that git tracks:
    they are kept whatever `.gitignore` says.
    """
    os.close(open_root(root))
    return _Walk(root, ignore, warn or _silent, tracked, tally or Tally()).entries()


def named(root: Path, paths: Iterable[str], tally: Tally, warn: Warn) -> Iterator[Entry]:
    """The regular files among these paths below `root`, in the order of names; no link is followed."""
    with Beneath(root) as beneath:
        for path in sorted(set(paths)):
            try:
                fd = beneath.open(path)
            except OSError:
                tally.unreadable += 1
                warn("file_unreadable", path)
                continue
            status = os.fstat(fd)
            os.close(fd)
            tally.files += 1
            yield Entry(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_mode)


def _silent(code: str, path: str) -> None:
    """Warnings that nobody asked for."""


class _Walk:
    def __init__(self, root: Path, ignore: bool, warn: Warn, tracked: AbstractSet[str] | None, tally: Tally) -> None:
        self._root = root
        self._ignore = Ignore(warn) if ignore else None
        self._warn = warn
        self._tracked: AbstractSet[str] = tracked if tracked is not None else frozenset()
        self._holders: frozenset[str] | None = None
        self._tally = tally

    def entries(self) -> Iterator[Entry]:
        """Depth first, with a frame for each folder that still has subfolders to enter."""
        scope = self._ignore.outside(self._root) if self._ignore is not None else None
        frames: list[_Frame] = []
        with Descent(self._root) as descent:
            yield from self._folder(descent.fd, 0, "", scope, False, frames)
            while frames:
                frame = frames[-1]
                if not frame.pending:
                    frames.pop()
                    continue
                name = frame.pending.pop()
                path = frame.prefix + name
                if self._entered(descent, frame, name, path):
                    scope = frame.scope.below(name) if frame.scope is not None else None
                    only = name in frame.tracked_only
                    yield from self._folder(descent.fd, frame.depth + 1, path + "/", scope, only, frames)

    def _entered(self, descent: Descent, frame: _Frame, name: str, path: str) -> bool:
        if len(path) >= MAX_PATH:
            self._unreadable("folder_too_deep", path)
            return False
        try:
            descent.up(frame.depth)
        except OSError:
            # An ancestor was moved while the walk was below it: the next scan observes what it holds.
            self._unreadable("folder_moved", path)
            frame.pending.clear()
            return False
        try:
            descent.down(name)
        except OSError as error:
            # Gone, or swapped for a file or a link, since it was listed: not there to be observed.
            if error.errno not in _VANISHED:
                self._unreadable("folder_unreadable", path)
            return False
        return True

    def _unreadable(self, code: str, path: str) -> None:
        self._tally.unreadable += 1
        self._warn(code, path)

    def _folder(
        self, fd: int, depth: int, prefix: str, scope: Scope | None, tracked_only: bool, frames: list[_Frame]
    ) -> Iterator[Entry]:
        """Yield the files of one open folder, and leave its subfolders in a new frame."""
        try:
            with os.scandir(fd) as listing:
                entries = sorted(listing, key=_name)
        except OSError:
            self._unreadable("folder_unreadable", prefix[:-1])
            return
        if scope is not None and self._ignore is not None:
            present = _RULES.intersection(map(_name, entries))
            if present:
                scope = self._ignore.enter(scope, fd, prefix[:-1], present)
        tally = self._tally
        tally.folders += 1
        files, folders = (NEVER, NEVER) if scope is None else (_FILES, _FOLDERS)
        ruled = tracked_only or (scope is not None and not scope.quiet)
        decide = _forbidden if scope is None else scope.spared if tracked_only else scope.verdict
        pending: list[str] = []
        only: set[str] = set()
        blocked = False
        make, entry_type = tuple.__new__, Entry  # half the cost of calling the named tuple
        for entry in entries:
            name = entry.name
            try:
                if entry.is_file(follow_symlinks=False):
                    verdict = decide(name, False) if ruled or name in files else KEPT
                    if verdict and (verdict == FORBIDDEN or prefix + name not in self._tracked):
                        tally.ignored += 1
                        continue
                    status = entry.stat(follow_symlinks=False)
                    tally.files += 1
                    yield make(
                        entry_type,
                        (
                            prefix + name,
                            status.st_size,
                            status.st_mtime_ns,
                            status.st_ctime_ns,
                            status.st_ino,
                            status.st_mode,
                        ),
                    )
                elif entry.is_dir(follow_symlinks=False):
                    verdict = decide(name, True) if ruled or name in folders else KEPT
                    if verdict and (verdict == FORBIDDEN or not self._holds_tracked(prefix + name)):
                        tally.ignored += 1
                        continue
                    if verdict:
                        only.add(name)
                    pending.append(name)
                elif entry.is_symlink():
                    tally.links += 1
                else:
                    tally.specials += 1
            except FileNotFoundError:
                continue
            except OSError:
                blocked = True
        if blocked:
            # A folder that can be listed and not searched: its names are known, its files are not.
            self._unreadable("folder_unreadable", prefix[:-1])
        if pending:
            pending.reverse()
            frames.append(_Frame(depth, prefix, pending, scope, only))

    def _holds_tracked(self, path: str) -> bool:
        """Whether git tracks something below a folder; worked out only when a folder is left out."""
        if self._holders is None:
            holders: set[str] = set()
            for tracked in self._tracked:
                folder = tracked.rpartition("/")[0]
                while folder and folder not in holders:
                    holders.add(folder)
                    folder = folder.rpartition("/")[0]
            self._holders = frozenset(holders)
        return path in self._holders


INSTALLED = frozenset({"node_modules", ".venv", "venv", ".tox", ".nox"})
"""Folders of packages that tests import. What else is left out by default, caches above all, holds what hidden files
hold: a compiled module has its strings."""


def unobserved(root: Path, observed: Collection[str]) -> set[str]:
    """Paths of files and whole folders that hold nothing observed, but for links and installed packages."""
    inhabited = {str(parent) for path in observed for parent in PurePosixPath(path).parents}
    base, found, folders = os.path.realpath(root), set(), [""]
    while folders:
        here = folders.pop()
        try:
            with os.scandir(f"{base}/{here}") as opened:
                entries = list(opened)
        except OSError:
            found.add(here)
            continue
        for entry in entries:
            path = f"{here}/{entry.name}" if here else entry.name
            if entry.is_symlink() or path in observed:
                continue
            if not entry.is_dir(follow_symlinks=False) or (entry.name not in INSTALLED and path not in inhabited):
                found.add(path)
            elif entry.name not in INSTALLED:
                folders.append(path)
    return found - {""}
