"""Files of the state folder: regular ones of the person's own. Links, pipes and others' files are never opened."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

_OURS: Final = "not a regular file of your own: move it away"
_CLOSED: Final = "a folder that others own or may write: choose another, or run chmod go-w on it"


def open_own(path: Path, flags: int) -> int:
    """Open a regular file of this user or of root; made with mode 0600 where `flags` say so."""
    try:
        # Without O_NONBLOCK a pipe would hang until somebody writes to it.
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise OSError(error.errno, _OURS if error.errno in (errno.ELOOP, errno.ENXIO) else error.strerror) from None
    try:
        _need_own(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


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
