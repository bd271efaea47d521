"""Shuts a worker in that starts programs: covers what they may not see, then gives up every right, for good.

The sandbox lets such a worker mount inside it and nothing else; `bwrap` itself takes seconds for a thousand covers.
No program has been started and no input been read when this runs. Whatever fails raises, and the worker ends.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from plantwin.private.facts import private

HISTORY = frozenset((".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", ".pijul", "CVS"))
"""Version control keeps what files held before: deleted secrets, and old versions of what is hidden. No test runner
needs it: the copy in which tests run never had it."""
_BARE = frozenset(("HEAD", "objects", "refs"))
"""A folder with all of these is a repository without a working tree."""


@private
class Survey(NamedTuple):
    """One look at a folder."""

    covers: tuple[str, ...]
    """Paths to cover, relative to the folder: what was asked for, its other names, and version control's history."""
    digest: str
    """Of everything else: each path with its kind, mode, inode, size and times, and where each link leads."""
    replaced: tuple[tuple[int, int] | None, ...]
    """Which file lay at each covered path. The kernel drops a cover when the file beneath is replaced."""


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


NOBODY = 65534
EMPTY = "/tmp/.empty"  # noqa: S108 (its own)
PROC = "/proc"
SHOWN = frozenset(("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version"))
"""Files of `/proc` about the machine that programs ask for. Every other is covered, and `/proc/sys` is read-only."""

_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _REC = 1, 2, 4, 8, 32, 4096, 16384
_COVER = _RDONLY | _NOSUID | _NODEV | _NOEXEC
_AMBIENT, _AMBIENT_CLEAR = 47, 4
_CAPABILITIES_VERSION = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def enclose(folder: str, hidden: Sequence[bytes], *, unprivileged: bool) -> None:
    """Cover `hidden` below `folder`, and `/proc` as far as it is not the programs' own; then give up all rights.

    `unprivileged`: we are root outside, so become the other user of this namespace.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    os.close(os.open(EMPTY, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444))
    _mount(libc, EMPTY.encode(), EMPTY.encode(), None, _BIND)
    _mount(libc, None, EMPTY.encode(), None, _REMOUNT | _BIND | _COVER)
    for path in hidden:
        _hide(libc, os.fsencode(folder), path)
    _cover_proc(libc)
    _give_up(libc, unprivileged)


def _hide(libc: ctypes.CDLL, folder: bytes, path: bytes) -> None:
    """Cover what lies at this path, wherever links of the folder lead; what is gone needs no cover."""
    place = os.path.realpath(os.path.join(folder, path))  # noqa: PTH118 (bytes throughout)
    if place != folder and not place.startswith(folder + b"/"):
        return  # a link to a place that is not shown, or that every worker sees
    try:
        _cover(libc, place)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR):
            raise


def _cover(libc: ctypes.CDLL, place: bytes) -> None:
    if stat.S_ISDIR(os.lstat(place).st_mode):
        _mount(libc, b"tmpfs", place, b"tmpfs", _COVER, b"size=4k,mode=0555")
    else:
        _mount(libc, EMPTY.encode(), place, None, _BIND)


def _cover_proc(libc: ctypes.CDLL) -> None:
    system = f"{PROC}/sys".encode()
    _mount(libc, system, system, None, _BIND | _REC)
    _mount(libc, None, system, None, _REMOUNT | _BIND | _COVER)
    for name in os.listdir(PROC):  # noqa: PTH208 (pathlib costs start-up time)
        place = f"{PROC}/{name}"
        if not (name.isdigit() or name == "sys" or name in SHOWN or os.path.islink(place)):  # noqa: PTH114
            _cover(libc, place.encode())
    # This worker itself, the first process in here: what it starts shall not see who started it.
    _cover(libc, f"{PROC}/{os.getpid()}".encode())


def _mount(
    libc: ctypes.CDLL, source: bytes | None, place: bytes, kind: bytes | None, flags: int, data: bytes | None = None
) -> None:
    if libc.mount(source, place, kind, ctypes.c_ulong(flags), data):
        raise OSError(ctypes.get_errno(), "mount")


def _give_up(libc: ctypes.CDLL, unprivileged: bool) -> None:
    if unprivileged:
        os.setgroups(())
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    header, none, held = _Header(_CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    libc.prctl(_AMBIENT, _AMBIENT_CLEAR, 0, 0, 0)
    if libc.capset(ctypes.byref(header), none) or libc.capget(ctypes.byref(header), held) or any(held):
        raise OSError(errno.EPERM, "rights are left")
    if NOBODY not in os.getresuid() or len({*os.getresuid(), *os.getresgid()}) > 1:
        raise OSError(errno.EPERM, "still another user")
