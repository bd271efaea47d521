"""The default ledger: one SQLite file, readable by its owner alone, every commit synced to disk."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from plantwin.boundary.ledger.anchor import PATIENCE, Anchor
from plantwin.boundary.ledger.base import BaseLedger
from plantwin.boundary.ledger.chain import Chain, Mark
from plantwin.boundary.ledger.transaction import (
    LESS,
    NOT_OURS,
    WriteTransaction,
    checked,
    initial,
    recognised,
    tables,
)
from plantwin.boundary.ledger.tree import CHANGED
from plantwin.errors import LedgerError
from plantwin.statefiles import connect_own, need_own, need_own_folder
from plantwin.types.ledger import Rows

T = TypeVar("T")

_APPLICATION: Final = 0x50545769
_RESTORE = "restore it with its anchor from a backup (an empty one would forget what was told)"
_SETTINGS: Final = (
    "journal_mode = WAL", "synchronous = FULL", "trusted_schema = OFF", "writable_schema = OFF", "cell_size_check = ON",
)  # fmt: skip
_TABLES: Final = tables(blob="BLOB", integer="INTEGER", real="REAL", serial="INTEGER PRIMARY KEY")
_SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
_MEANING: Final = {
    sqlite3.SQLITE_BUSY: "another program holds the ledger: end it, then try again",
    sqlite3.SQLITE_FULL: "the disk is full: make room, then try again",
    sqlite3.SQLITE_READONLY: "the ledger cannot be written: check the owner and mode of its file and folder",
    sqlite3.SQLITE_CANTOPEN: "the ledger cannot be opened: check the owner and mode of its file and folder",
    sqlite3.SQLITE_CORRUPT: f"the ledger is damaged: {_RESTORE}",
    sqlite3.SQLITE_NOTADB: f"the ledger is damaged or no database: {_RESTORE}",
}


class _Rows:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, values).fetchall()

    def many(self, query: str, values: Sequence[tuple[object, ...]]) -> None:
        self._connection.executemany(query, values)


class SqliteLedger(BaseLedger):
    """A ledger in a file, with `.anchor` beside it. It is made when there is none, and never made anew."""

    _anchor: Anchor

    def __init__(
        self,
        path: str | os.PathLike[str],
        key: bytes,
        *,
        witnesses: Sequence[str | os.PathLike[str]] = (),
        accept: bool = False,
        refresh: float | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Open it, or begin it where there is none and none was.

        `witnesses`: files in other places that remember where the ledger stood. `accept`: go on with an older copy,
        or anew, because the person says so. `refresh`: seconds after which what was told no longer counts as spent.
        """
        super().__init__(Chain(key), refresh, clock)
        self._path = Path(path).absolute()
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            need_own_folder(self._path.parent)
            beside = self._path.with_name(f"{self._path.name}.anchor")
            self._anchor = Anchor(beside, self._chain, self._first, [Path(file) for file in witnesses], accept=accept)
        except OSError as error:
            raise LedgerError(f"the ledger cannot be opened ({error.strerror}): check its folder") from None
        try:
            with self._anchor as mark:
                self._connection = self._opened([mark] if accept else [mark, *self._anchor.witnessed()])
        except BaseException:
            self._anchor.close()
            raise
        self._rows = _Rows(self._connection)

    def _first(self) -> Mark:
        """The anchor is made before the ledger: one that has content has lost its own."""
        if need_own(self._path) and self._path.stat().st_size:
            raise LedgerError(f"the ledger's anchor is missing: {_RESTORE}")
        return Mark()

    def _opened(self, marks: Sequence[Mark]) -> sqlite3.Connection:
        try:
            connection = connect_own(self._path, timeout=PATIENCE, isolation_level=None, cached_statements=256)
            try:
                self._prepare(connection, marks)
            except BaseException:
                connection.close()
                raise
            return connection
        except OSError as error:
            raise LedgerError(f"the ledger cannot be opened ({error.strerror}): check its file and folder") from None
        except sqlite3.Error as error:
            raise _meaning(error) from None

    def _prepare(self, connection: sqlite3.Connection, marks: Sequence[Mark]) -> None:
        rows = _Rows(connection)
        (application,) = rows.all("PRAGMA application_id")[0]
        if application != _APPLICATION:
            if rows.all("SELECT COUNT(*) FROM sqlite_master") != [(0,)]:
                raise LedgerError(NOT_OURS)
            if any(mark.serial for mark in marks):
                raise LedgerError(LESS)
        for setting in _SETTINGS:
            rows.all(f"PRAGMA {setting}")
        if application != _APPLICATION:
            rows.all("BEGIN IMMEDIATE")
            for each in _TABLES:
                rows.all(each)
            initial(rows, self._chain)
            rows.all(f"PRAGMA application_id = {_APPLICATION}")
            rows.all("COMMIT")
            self.is_new = True
        recognised(rows, self._chain)
        if rows.all(_SCHEMA) != _schema():
            raise LedgerError(CHANGED)
        self._anchor.move(checked(rows, self._chain, marks))

    def _commit(self, work: Callable[[Rows], WriteTransaction[T]]) -> WriteTransaction[T]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            value = work(self._rows)
            self._connection.execute("COMMIT")
            return value
        except BaseException as error:
            with suppress(sqlite3.Error):  # nothing to roll back where it did not begin
                self._connection.execute("ROLLBACK")
            raise _meaning(error) if isinstance(error, sqlite3.Error) else error from None

    def _read(self, work: Callable[[Rows], T]) -> T:
        try:
            self._connection.execute("BEGIN")
            try:
                return work(self._rows)
            finally:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise _meaning(error) from None

    def _close(self) -> None:
        self._connection.close()


def _meaning(error: sqlite3.Error) -> LedgerError:
    """What to do about it, by its code alone."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return LedgerError(_MEANING.get(code, f"the ledger cannot be used ({name}): {_RESTORE}"))


@cache
def _schema() -> list[tuple[Any, ...]]:
    """What SQLite itself makes of our statements: an index, trigger or view more, or one that differs, is not ours."""
    connection = sqlite3.connect(":memory:")
    try:
        for each in _TABLES:
            connection.execute(each)
        return connection.execute(_SCHEMA).fetchall()
    finally:
        connection.close()
