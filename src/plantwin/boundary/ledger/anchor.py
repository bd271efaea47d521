"""The anchor: a small file beside the ledger that holds where it stands, under a MAC; witnesses hold it elsewhere.

A ledger whose end was cut off, or an old copy put back in its place, stands before its anchor. One that was removed, or
put back with its anchor, stands before its witnesses. All of them move after each commit: a crash may leave them behind
the ledger, nothing leaves them ahead. They are written in place: one write within one sector, which is whole or not
there. Who writes holds the anchor's lock from before the transaction to after the anchor, so that anchors follow one
another in order of commit.
"""

from __future__ import annotations

import fcntl
import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from plantwin.boundary.ledger.chain import Chain, Mark
from plantwin.boundary.ledger.transaction import LESS
from plantwin.errors import LedgerError
from plantwin.statefiles import need_own, open_own

PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""

NEXT = 0.00004
LATER = 0.003
"""Seconds between two tries of the one who is next, and of those who wait to be."""

_MOST = 512
_FORGED = (
    "the ledger's anchor was changed, or belongs to another key or to another version of plantwin: restore it from a "
    "backup, use the version that wrote it, or move the ledger's folder away to begin anew"
)
_OTHERS = (
    "a ledger with another key was kept in this place: restore its state folder from a backup, or run "
    "`plantwin audit accept-rollback` to begin anew"
)


class Anchor:
    """The files, and the lock that makes local writers take turns."""

    def __init__(
        self,
        path: Path,
        chain: Chain,
        first: Callable[[], Mark],
        witnesses: Sequence[Path] = (),
        *,
        accept: bool = False,
    ) -> None:
        """`first` says where a missing anchor is to be set, or raises when none may be missing.

        `accept`: begin with whatever the ledger holds; the caller moves the anchor there.
        """
        self._chain = chain
        self._seen = Mark()
        self._files: list[int] = []
        try:
            self._queue = self._open(path.with_name(f"{path.name}.queue"), os.O_CREAT)
            _take(self._queue)
            self._witnesses = [self._open(each, os.O_CREAT) for each in witnesses]
            if accept:
                self._create(path, Mark())
            elif not need_own(path):
                if any(self.witnessed()):
                    raise LedgerError(LESS)
                self._create(path, first())
            self._file = self._open(path, 0)
        except BaseException:
            self.close()
            raise
        _release(self._queue)

    def _open(self, path: Path, flags: int) -> int:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._files.append(open_own(path, os.O_RDWR | flags))
        return self._files[-1]

    def witnessed(self) -> list[Mark]:
        """Where the witnesses say that the ledger stood. The lock must be held."""
        found = [self._chain.open(data) for file in self._witnesses if (data := os.pread(file, _MOST, 0))]
        marks = [mark for mark in found if mark is not None]
        if len(marks) < len(found):
            raise LedgerError(_OTHERS)
        return marks

    def _create(self, path: Path, mark: Mark) -> None:
        draft = path.with_name(f"{path.name}.new")
        descriptor = open_own(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        try:
            os.write(descriptor, self._chain.seal(mark))
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
            return self._read(os.pread(self._file, _MOST, 0))
        except BaseException:
            _release(self._file)
            raise

    def __exit__(self, *_: object) -> None:
        """Release the lock."""
        _release(self._file)

    def peek(self) -> Mark:
        """Read the anchor without waiting for who writes, unless it is just being written."""
        data = os.pread(self._file, _MOST, 0)
        if self._chain.open(data) is not None:
            return self._read(data)
        with self as mark:
            return mark

    def _read(self, data: bytes) -> Mark:
        mark = self._chain.open(data)
        if mark is None:
            raise LedgerError(_FORGED)
        if mark.serial < self._seen.serial:
            raise LedgerError(LESS)
        self._seen = mark
        return mark

    def move(self, mark: Mark) -> None:
        """Set it, and the witnesses, where the ledger stands after a commit. The lock must be held."""
        data = self._chain.seal(mark)
        for file in (self._file, *self._witnesses):
            os.pwrite(file, data, 0)
        self._seen = mark

    def close(self) -> None:
        """Let go of the files."""
        while self._files:
            os.close(self._files.pop())


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
