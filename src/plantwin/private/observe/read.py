"""Reads a file once: digest of all of it, every byte to detection, a bounded sample to extraction."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from hashlib import sha256

from plantwin.private.facts import Sample

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
