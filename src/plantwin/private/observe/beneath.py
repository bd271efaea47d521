"""Opens what lies below a root, and nothing else: one component at a time, links never followed."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

from plantwin.errors import RootError

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a file swapped for a FIFO must not block the open; the check after it refuses.
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY

# Folders above this depth stay open while below them, then one in every `STRIDE`: so a deep tree
# holds few descriptors, and climbing back never starts at the root.
SHALLOW = 32
STRIDE = 256


def open_root(root: Path) -> int:
    """Open the folder to observe. It may be given through a link: the person chose it."""
    try:
        return os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (OSError, ValueError):
        raise RootError("root: not a folder that can be listed") from None


def open_file(name: str, folder: int) -> int:
    """Open a regular file of an open folder; anything else is an `OSError`."""
    fd = os.open(name, FILE, dir_fd=folder)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    raise OSError(errno.EINVAL, "not a regular file")


class Descent:
    """A position below a root, held as open folders, so that no path is ever resolved as text."""

    __slots__ = ("_fds", "fd", "names")

    def __init__(self, root: Path) -> None:
        self.fd = open_root(root)
        """The folder at the current position."""
        self.names: list[str] = []
        self._fds: list[int] = [self.fd]

    def down(self, name: str) -> None:
        """Enter a subfolder; on `OSError` the position is unchanged."""
        fd = os.open(name, FOLDER, dir_fd=self.fd)
        depth = len(self.names)
        if depth >= SHALLOW and depth % STRIDE:
            os.close(self.fd)
            self._fds[depth] = -1
        self.names.append(name)
        self._fds.append(fd)
        self.fd = fd

    def up(self, depth: int) -> None:
        """Return to the ancestor at this depth; `OSError` when it is no longer there."""
        if depth == len(self.names):
            return
        if depth > len(self.names):
            raise OSError(errno.ESTALE, "a folder went away")
        while len(self.names) > depth:
            self.names.pop()
            fd = self._fds.pop()
            if fd >= 0:
                os.close(fd)
        if self._fds[depth] < 0:
            self._reopen(depth)
        self.fd = self._fds[depth]

    def _reopen(self, depth: int) -> None:
        """Open an ancestor again, from the nearest one above it that stayed open."""
        kept = depth
        while self._fds[kept] < 0:
            kept -= 1
        missing = self.names[kept:depth]
        del self.names[kept:], self._fds[kept + 1 :]
        self.fd = self._fds[kept]
        for name in missing:
            self.down(name)

    def close(self) -> None:
        """Close every folder."""
        for fd in self._fds:
            if fd >= 0:
                os.close(fd)
        self._fds, self.names, self.fd = [], [], -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Beneath:
    """Opens regular files below a root by their relative path. For one thread; files come best grouped by folder."""

    __slots__ = ("_descent", "_folder")

    def __init__(self, root: Path) -> None:
        self._descent = Descent(root)
        self._folder = ""

    def open(self, path: str) -> int:
        """A descriptor of the regular file at `path`, or `OSError`: a link anywhere on the way is refused."""
        folder, _, name = path.rpartition("/")
        if folder != self._folder:
            self._enter(folder)
        elif folder == "" and path != name:
            raise OSError(errno.EINVAL, "not a relative path")
        if name in _NOT_NAMES or "\0" in name:
            raise OSError(errno.EINVAL, "not a relative path")
        return open_file(name, self._descent.fd)

    def _enter(self, folder: str) -> None:
        descent = self._descent
        wanted = folder.split("/") if folder else []
        if "\0" in folder or any(name in _NOT_NAMES for name in wanted):
            raise OSError(errno.EINVAL, "not a relative path")
        names = descent.names
        shared = 0
        for ours, theirs in zip(names, wanted, strict=False):
            if ours != theirs:
                break
            shared += 1
        try:
            descent.up(shared)
            for name in wanted[shared:]:
                descent.down(name)
        finally:
            self._folder = "/".join(descent.names)

    def close(self) -> None:
        """Close every descriptor that this object holds; those it gave away stay open."""
        self._descent.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


_NOT_NAMES = frozenset({"", ".", ".."})
