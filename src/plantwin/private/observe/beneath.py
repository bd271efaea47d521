"""Open what lies below a root and nothing else (links are never followed), and read a file once.

The digest is of all of it, every byte goes to detection, a bounded sample to extraction.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from plantwin.errors import RootError
from plantwin.private.facts import Sample

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


WHOLE = 1 << 20
"""Files up to this size are kept whole in `Sample.head`."""
CHUNK = 1 << 20
HEAD = 1 << 18
WINDOW = 1 << 16
MIDDLES = 3
"""Windows between the head and the tail."""
SLACK = 1 << 26
"""A file may grow this far, or to twice its size, while it is read."""
SPARSE = 1 << 32
"""From this size on, the holes of a sparse file are passed over: they cost nothing to make and hours to read."""

GROWING = "file_growing"
FAILED = "read_failed"

Sink = Callable[[bytes, int], None]
"""Takes a chunk and its offset."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read(fd: int, path: str, expected_size: int, sink: Sink | None = None) -> Sample:
    """Read an open file to its end.

    A file of more than `WHOLE` bytes passes to `sink` in order and completely; a smaller one does not,
    since the caller has all of it in `head`. Never raises for what the file does: `Sample.warnings` says.
    The digest is the SHA-256 of the content, except that a hole passed over counts by its place alone.
    """
    warnings: tuple[str, ...] = ()
    try:
        status = os.fstat(fd)
        # One byte more than expected: the usual file is then read in one call, and its end seen in the next.
        head = os.read(fd, min(expected_size, WHOLE) + 1)
    except OSError:
        return Sample(path=path, size=0, head=b"", digest=sha256().digest(), warnings=(FAILED,))
    if head:
        head, warnings = _filled(fd, head)
    if len(head) <= WHOLE:
        return Sample(
            path=path,
            size=len(head),
            head=head,
            digest=sha256(head).digest(),
            executable=bool(status.st_mode & 0o111),
            warnings=warnings,
        )
    sparse = status.st_size >= SPARSE and status.st_blocks * 512 < status.st_size // 2
    sample = _large(fd, path, head, expected_size, sink, sparse)
    sample.executable = bool(status.st_mode & 0o111)
    return sample


def _filled(fd: int, start: bytes) -> tuple[bytes, tuple[str, ...]]:
    """`start` and what follows it, up to one byte more than a whole file may have."""
    parts, size = [start], len(start)
    while size <= WHOLE:
        try:
            # A small read first: it is all that it takes to see the end.
            more = os.read(fd, min(4096, WHOLE + 1 - size) if len(parts) == 1 else WHOLE + 1 - size)
        except OSError:
            return b"".join(parts), (FAILED,)
        if not more:
            break
        parts.append(more)
        size += len(more)
    return (parts[0] if len(parts) == 1 else b"".join(parts)), ()


def _large(fd: int, path: str, start: bytes, expected_size: int, sink: Sink | None, sparse: bool) -> Sample:
    digest, offset, chunk = sha256(), 0, start
    limit = max(expected_size * 2, SLACK)
    middles = _Middles(expected_size)
    tail = b""
    warnings: tuple[str, ...] = ()
    while chunk:
        digest.update(chunk)
        if sink is not None:
            sink(chunk, offset)
        middles.feed(chunk, offset)
        tail = chunk[-WINDOW:] if len(chunk) >= WINDOW else (tail + chunk)[-WINDOW:]
        offset += len(chunk)
        if offset >= limit:
            warnings = (GROWING,)
            break
        try:
            if sparse and (data := _next_data(fd, offset)) > offset:
                digest.update(b"%d-%d" % (offset, data))
                offset, tail = data, b""
            chunk = os.read(fd, min(CHUNK, limit - offset))
        except OSError:
            warnings = (FAILED,)
            break
    wide = start.startswith(_UTF16)
    windows = [_cut(window, at, wide) for at, window in middles.windows()]
    windows.append(_cut(tail, offset - len(tail), wide, last=True))
    head = start[:HEAD]
    return Sample(
        path=path,
        size=offset,
        head=head if wide else head[: head.rfind(b"\n") + 1] or head,
        windows=tuple(window for window in windows if window),
        digest=digest.digest(),
        warnings=warnings,
    )


def _next_data(fd: int, offset: int) -> int:
    """Where the next bytes are that the file system really holds, or the end; the position moves there."""
    try:
        return os.lseek(fd, offset, os.SEEK_DATA)
    except OSError as error:
        if error.errno != errno.ENXIO:
            return os.lseek(fd, offset, os.SEEK_SET)
        return max(offset, os.lseek(fd, 0, os.SEEK_END))


class _Middles:
    """Collects the windows between head and tail while the file passes by."""

    __slots__ = ("_parts", "_starts")

    def __init__(self, size: int) -> None:
        span = size - HEAD - WINDOW
        # Even offsets keep the two bytes of a UTF-16 character together.
        self._starts = [HEAD + (span * number // (MIDDLES + 1) & ~1) for number in range(1, MIDDLES + 1)]
        if span < (MIDDLES + 1) * WINDOW:
            self._starts = []
        self._parts: list[bytes] = [b""] * len(self._starts)

    def feed(self, chunk: bytes, offset: int) -> None:
        """Take what belongs to a window from the bytes at `offset`."""
        end = offset + len(chunk)
        for number, start in enumerate(self._starts):
            if start < end and offset < start + WINDOW:
                self._parts[number] += chunk[max(start - offset, 0) : start + WINDOW - offset]

    def windows(self) -> list[tuple[int, bytes]]:
        """Offset and bytes of each window that the file reached."""
        return [(start, part) for start, part in zip(self._starts, self._parts, strict=True) if part]


def _cut(window: bytes, offset: int, wide: bool, last: bool = False) -> bytes:
    """Only the whole lines of a window; all of it when it holds no line end."""
    if wide:
        return window[offset & 1 :]
    first = window.find(b"\n") + 1
    # The last line of the file may lack its end and is whole all the same.
    end = len(window) if last else window.rfind(b"\n") + 1
    return window[first:end] if first < end else window
