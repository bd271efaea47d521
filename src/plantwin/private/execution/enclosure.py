"""Shuts a worker in that starts programs: covers what they may not see, then gives up every right, for good.

The sandbox lets such a worker mount inside it and nothing else; `bwrap` itself takes seconds for a thousand covers.
No program has been started and no input been read when this runs. Whatever fails raises, and the worker ends.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Sequence

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
