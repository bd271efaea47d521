"""Files of the state folder: regular ones of the person's own. Links, pipes and others' files are never opened."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_OURS: Final = "not a regular file of your own: move it away"
_CLOSED: Final = "a folder that others own or may write: choose another, or run chmod go-w on it"


def open_own(path: Path, flags: int) -> int:
    """Open a regular file of this user or of root; made with mode 0600 where `flags` say so."""
    try:
        # Without O_NONBLOCK a pipe would hang until somebody writes to it.
        opened = (flags & ~os.O_TRUNC) | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, opened, 0o600)
    except OSError as error:
        raise OSError(error.errno, _OURS if error.errno in (errno.ELOOP, errno.ENXIO) else error.strerror) from None
    try:
        _need_own(os.fstat(descriptor))
        if flags & os.O_TRUNC:  # only now: what is not ours is left as it is
            os.truncate(descriptor, 0)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def connect_own(path: Path, **how: Any) -> sqlite3.Connection:
    """Open a database of this user; made, readable by its owner alone, where there is none."""
    for suffix in ("-wal", "-shm", "-journal"):
        need_own(path.with_name(f"{path.name}{suffix}"))
    # The file has its final mode before anything is written to it; SQLite gives the same to its others. One that is
    # there is not opened for that: to close it again would give up the locks of every connection of this process, and
    # another process would then take the file for unused and remove the log under them.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    need_own(path)
    if path.lstat().st_mode & 0o177:
        path.chmod(0o600)
    # A session may run in another thread than the one that opened its workspace; it uses them one at a time.
    connection: sqlite3.Connection = sqlite3.connect(path, **{"check_same_thread": False, **how})
    return connection


def need_own(path: Path) -> bool:
    """Whether there is such a file, by its entry alone; `OSError` where something else is in its place."""
    try:
        _need_own(os.lstat(path))
    except FileNotFoundError:
        return False
    return True


def need_own_folder(path: Path) -> None:
    """Refuse a folder in which somebody else could put files."""
    status = path.stat()
    if not stat.S_ISDIR(status.st_mode) or not _trusted(status) or status.st_mode & 0o022:
        raise OSError(errno.EPERM, _CLOSED)


def _need_own(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode) or not _trusted(status):
        raise OSError(errno.EPERM, _OURS)


def _trusted(status: os.stat_result) -> bool:
    return status.st_uid in (0, os.geteuid())
