"""Opinions by content: a file that was moved, touched or copied is not read by the model again. Only a cache."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

MOST = 50_000
"""Opinions that are kept; the oldest go first."""


class Opinions:
    """Picked classes by a keyed digest of kind and text. Without a file they are kept in memory alone."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[bytes, str] = {}
        self._new: dict[bytes, str] = {}
        if file is not None:
            self._load(file)

    def __repr__(self) -> str:
        return "<Opinions private>"

    def get(self, digest: bytes) -> str | None:
        """The pick for this content; None where nobody asked."""
        return self._known.get(digest)

    def put(self, digest: bytes, pick: str) -> None:
        """Remember a pick; an empty one as well."""
        self._known[digest] = self._new[digest] = pick

    def keep(self) -> None:
        """Write what is new. A file that cannot be written costs time later, nothing else."""
        if self._file is None or not self._new:
            return
        try:
            with closing(self._opened(self._file)) as connection, connection:
                connection.executemany("INSERT OR REPLACE INTO opinions VALUES (?,?)", list(self._new.items()))
                connection.execute("DELETE FROM opinions WHERE rowid <= (SELECT max(rowid) FROM opinions) - ?", (MOST,))
            self._new.clear()
        except (sqlite3.Error, OSError):
            return

    def _load(self, file: Path) -> None:
        try:
            with closing(self._opened(file)) as connection:
                self._known.update(connection.execute("SELECT digest, pick FROM opinions"))
        except (sqlite3.Error, OSError, TypeError, ValueError):
            self._known.clear()

    @staticmethod
    def _opened(file: Path) -> sqlite3.Connection:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = sqlite3.connect(file, timeout=10)
        connection.execute("CREATE TABLE IF NOT EXISTS opinions (digest BLOB UNIQUE, pick TEXT NOT NULL)")
        return connection
