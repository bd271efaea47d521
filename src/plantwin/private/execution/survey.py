"""What the folder's own code would see of the folder: a digest of it, and every path that has to be covered."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

HISTORY = frozenset((".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", ".pijul", "CVS"))
"""Version control keeps what files held before: deleted secrets, and old versions of what is hidden. No test runner
needs it: the copy in which tests run never had it."""
_BARE = frozenset(("HEAD", "objects", "refs"))
"""A folder with all of these is a repository without a working tree."""


class Survey(NamedTuple):
    """One look at a folder."""

    covers: tuple[str, ...]
    """Paths to cover, relative to the folder: what was asked for, its other names, and version control's history."""
    digest: str
    """Of everything else: each path with its kind, mode, inode, size and times, and where each link leads."""
    replaced: tuple[tuple[int, int] | None, ...]
    """Which file lay at each covered path. The kernel drops a cover when the file beneath is replaced."""

    def __repr__(self) -> str:
        return "<Survey private>"


def look(root: str, hidden: Collection[str]) -> Survey:
    """Walk the folder once, links never followed. `OSError` where a path to hide does not lie below it."""
    root = os.path.realpath(root)
    asked = _normal(root, hidden)
    inodes = set(_inodes(root, asked))
    covers, seen = dict.fromkeys(sorted(asked)), hashlib.sha256()
    folders = [""]
    while folders:
        here = folders.pop()
        try:
            with os.scandir(f"{root}/{here}") as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            seen.update(b"unreadable\0")
            continue
        bare = {entry.name for entry in entries} >= _BARE
        lines = []
        for entry in entries:
            path = f"{here}/{entry.name}" if here else entry.name
            if path in asked:
                continue
            try:
                status = entry.stat(follow_symlinks=False)
                link = os.readlink(entry.path) if stat.S_ISLNK(status.st_mode) else ""  # noqa: PTH115
            except OSError:
                continue  # gone meanwhile
            folder = stat.S_ISDIR(status.st_mode)
            if entry.name in HISTORY or (bare and entry.name == "objects") or (status.st_dev, status.st_ino) in inodes:
                covers[path] = None
                continue
            if folder:
                folders.append(path)
                times = ""  # those of a folder say no more than the names in it
            else:
                times = f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
            lines.append(f"{path}\0{status.st_mode} {status.st_dev} {status.st_ino} {times}\0{link}\0")
        seen.update("".join(lines).encode("utf-8", "surrogateescape"))
    return Survey(tuple(covers), seen.hexdigest(), replaced(root, covers))


def replaced(root: str, paths: Iterable[str]) -> tuple[tuple[int, int] | None, ...]:
    """Which file lies at each of these paths now; none where there is none."""
    return tuple(_identity(f"{root}/{path}") for path in paths)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _normal(root: str, hidden: Collection[str]) -> set[str]:
    """The paths without detours, and where links lead, what these lead to as well."""
    found = set()
    for path in hidden:
        plain = os.path.normpath(f"{root}/{path}")
        for place in (plain, os.path.realpath(plain)):
            if place.startswith(f"{root}/"):
                found.add(place[len(root) + 1 :])
            elif place == plain:
                raise OSError("hidden: a path that is not below the folder")
    return found


def _inodes(root: str, paths: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Every file at or below these paths: the same file can have a second name elsewhere."""
    for path in paths:
        place = f"{root}/{path}"
        found = _identity(place)
        if found is not None and not os.path.islink(place):  # noqa: PTH114
            yield found
        for here, _, files in os.walk(place):
            for name in files:
                inner = _identity(f"{here}/{name}")
                if inner is not None:
                    yield inner
