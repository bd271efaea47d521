"""The anchor: a small file beside the ledger that holds the number and MAC of the last line, itself under a MAC.

A trail whose end was cut off, or an old copy put back in its place, is shorter than its anchor says. The
anchor moves after each commit: a crash may leave it behind the ledger, nothing leaves it ahead. It is
written in place: one write within one sector, which is whole or not there. Who writes holds its lock, and
holds it from before the transaction to after the anchor, so anchors follow one another in order of commit.
"""

from __future__ import annotations

import fcntl
import hmac
import os
import random
import struct
import time
from collections.abc import Callable
from pathlib import Path

from plantwin.boundary.ledger.chain import Chain, Mark
from plantwin.errors import LedgerError

PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""

NEXT = 0.00004
LATER = 0.003
"""Seconds between two tries of the one who is next, and of those who wait to be."""

_FORM = struct.Struct(">Q32s")
_LENGTH = _FORM.size + 32


class Anchor:
    """The file, and the lock that makes local writers take turns."""

    def __init__(self, path: Path, chain: Chain, first: Callable[[], Mark]) -> None:
        """`first` says where a missing anchor is to be set, or raises when none may be missing."""
        self._chain = chain
        self._trusted: bytes | None = None
        """What this process has checked or written itself last."""
        self._queue = _open(path.with_name(f"{path.name}.queue"), os.O_CREAT)
        try:
            _take(self._queue)
            if not path.exists():
                self._create(path, first())
            self._file = _open(path, 0)
        except BaseException:
            os.close(self._queue)
            raise
        _release(self._queue)

    def _create(self, path: Path, mark: Mark) -> None:
        draft = path.with_name(f"{path.name}.new")
        descriptor = _open(draft, os.O_CREAT | os.O_TRUNC)
        try:
            os.write(descriptor, self._sealed(mark))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        draft.rename(path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def __enter__(self) -> Mark:
        """Take the lock and read the anchor. Only one waits for the lock itself; others wait to be that one.

        So a writer that has just finished cannot overtake the next in line, however soon it comes again.
        """
        _take(self._queue)
        try:
            _take(self._file, NEXT)
        finally:
            _release(self._queue)
        try:
            return self._read()
        except BaseException:
            _release(self._file)
            raise

    def __exit__(self, *_: object) -> None:
        """Release the lock."""
        _release(self._file)

    def _read(self) -> Mark:
        data = os.pread(self._file, _LENGTH + 1, 0)
        if data != self._trusted:
            if not hmac.compare_digest(self._chain.seal(data[: _FORM.size]), data[_FORM.size :]):
                raise LedgerError("the ledger's anchor was changed or belongs to another key: restore it from a backup")
            self._trusted = data
        return Mark(*_FORM.unpack(data[: _FORM.size]))

    def move(self, mark: Mark) -> None:
        """Set it on the line that was just committed. The lock must be held."""
        data = self._sealed(mark)
        os.pwrite(self._file, data, 0)
        self._trusted = data

    def _sealed(self, mark: Mark) -> bytes:
        data = _FORM.pack(*mark)
        return data + self._chain.seal(data)

    def close(self) -> None:
        """Let go of the files."""
        os.close(self._file)
        os.close(self._queue)


def _open(path: Path, flags: int) -> int:
    return os.open(path, os.O_RDWR | os.O_CLOEXEC | flags, 0o600)


def _take(descriptor: int, pause: float = LATER) -> None:
    """Lock, or give up in the end: a writer that was stopped midway must not hang everyone for good."""
    until = 0.0
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            now = time.monotonic()
            until = until or now + PATIENCE
            if now > until:
                raise LedgerError("another process holds the ledger: end it, then try again") from None
        time.sleep(random.uniform(0.2, 1) * pause)  # noqa: S311 - chance only spreads the tries


def _release(descriptor: int) -> None:
    fcntl.flock(descriptor, fcntl.LOCK_UN)
