"""Vectors that were made, by path: a file that did not change is not looked at again. Only a cache.

A vector holds for one card. Where the file system says that the file is as it was, the card is not even made.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

EVERY: Final = 64
"""Files between two looks at the clock, and between two writes."""


class Kept(NamedTuple):
    """One file's vector."""

    stamp: bytes
    """What the file system said of it."""
    digest: bytes
    """Names the card and the model."""
    vector: bytes

    def __repr__(self) -> str:
        return "<Kept private>"


class Vectors:
    """One file per observed root, readable by its owner alone. Without it they are kept in memory."""

    def __init__(self, file: Path | None, size: int) -> None:
        self._file, self._size = file, size
        self._known: dict[str, Kept] = {}
        if file is not None:
            self._load(file)

    def __repr__(self) -> str:
        return "<Vectors private>"

    def get(self, path: str) -> Kept | None:
        """What is kept of a file."""
        return self._known.get(path)

    def keep(self, new: Mapping[str, Kept]) -> None:
        """Remember these. A file that cannot be written costs time later, nothing else."""
        self._known.update(new)
        rows = [(os.fsencode(path), *kept) for path, kept in new.items()]
        self._write("INSERT OR REPLACE INTO vectors VALUES (?,?,?,?)", rows)

    def drop(self, gone: Collection[str]) -> None:
        """Forget these."""
        for path in gone:
            self._known.pop(path, None)
        self._write("DELETE FROM vectors WHERE path = ?", [(os.fsencode(path),) for path in gone])

    def paths(self) -> Collection[str]:
        """Files of which something is kept."""
        return self._known.keys()

    def _write(self, statement: str, rows: Sequence[tuple[bytes, ...]]) -> None:
        if self._file is None or not rows:
            return
        try:
            with closing(self._opened(self._file)) as connection, connection:
                connection.executemany(statement, rows)
        except (sqlite3.Error, OSError):
            return

    def _load(self, file: Path) -> None:
        try:
            with closing(self._opened(file)) as connection:
                for path, *kept in connection.execute("SELECT path, stamp, digest, vector FROM vectors"):
                    if len(kept[-1]) == self._size:
                        self._known[os.fsdecode(path)] = Kept(*kept)
        except (sqlite3.Error, OSError, TypeError, ValueError):
            self._known.clear()

    @staticmethod
    def _opened(file: Path) -> sqlite3.Connection:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = sqlite3.connect(file, timeout=10)
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors"
            " (path BLOB PRIMARY KEY, stamp BLOB NOT NULL, digest BLOB NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID"
        )
        return connection
