"""The tables inside a SQLite file: their shape, a sample of their rows, and every cell for detection."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from plantwin.private.facts import Private
from plantwin.private.observe.database import ERRORS, Stopwatch, opened

SECONDS = 2.0
MAX_TABLES = 200
MAX_COLUMNS = 500
MAX_INDEXES = 50
SAMPLE_ROWS = 200
SAMPLE_BYTES = 1 << 18
SAMPLE_CELL = 1 << 11
COUNTED = 100_000
"""Rows are counted up to here."""
MAX_CELLS = 1 << 26
"""Bytes of one database that `cells` gives to detection."""
CHUNK = 1 << 16
MAX_SKIPS = 64
"""Rows too large to hold that are passed over in one table."""

UNREADABLE = "database_unreadable"
CUT = "database_cut"

Warn = Callable[[str], None]
"""Takes a code."""

_Row = tuple[Any, ...]


class Table(Private, msgspec.Struct, frozen=True):
    """One table as its database declares it, with its first rows."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Name and declared type."""
    foreign_keys: tuple[tuple[str, str, str], ...] = ()
    """Column, the table it refers to, and the column there (empty: that table's key)."""
    indexes: tuple[tuple[str, bool, tuple[str, ...]], ...] = ()
    """Name, whether unique, and columns."""
    rows: int = 0
    """Exact up to `COUNTED`; above it, one more than that."""
    sample: bytes = b""
    """CSV with a header."""
    sql: str = ""
    """Its definition."""


def tables(fd: int, warn: Warn | None = None) -> list[Table]:
    """The tables of an open SQLite file; none when it is encrypted, damaged or not one. Never raises."""
    found: list[Table] = []
    warn = warn or _silent
    try:
        with opened(fd, Stopwatch(SECONDS)) as connection:
            definitions = _definitions(connection)
            if len(definitions) > MAX_TABLES:
                warn(CUT)
            for name, sql in definitions[:MAX_TABLES]:
                try:
                    found.append(_table(connection, name, sql))
                except ERRORS as error:
                    warn(CUT)
                    if _interrupted(error):
                        break
    except ERRORS:
        warn(UNREADABLE)
    return found


def cells(fd: int, warn: Warn | None = None) -> Iterator[tuple[str, bytes]]:
    """Every cell of an open SQLite file, as table name and CSV with a header, in chunks. Never raises.

    Rows of more than `database.MAX_CELL` bytes are passed over: their bytes are in the file itself.
    """
    warn = warn or _silent
    stopwatch = Stopwatch(SECONDS)
    left = MAX_CELLS
    try:
        with opened(fd, stopwatch) as connection:
            for name, _ in _definitions(connection)[:MAX_TABLES]:
                try:
                    for chunk in _chunks(connection, name, warn):
                        chunk = chunk[:left]
                        left -= len(chunk)
                        with stopwatch.paused():
                            yield name, chunk
                        if left <= 0:
                            warn(CUT)
                            return
                except ERRORS as error:
                    warn(CUT)
                    if _interrupted(error):
                        return
    except ERRORS:
        warn(UNREADABLE)


def _silent(code: str) -> None:
    """Warnings that nobody asked for."""


def _interrupted(error: BaseException) -> bool:
    return getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT"


def _definitions(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Name and definition of each ordinary table: views and virtual tables would run code to be read."""
    rows = connection.execute("SELECT name, sql, type FROM main.sqlite_master LIMIT 20000")
    found = []
    for name, sql, kind in rows:
        if kind != b"table" or not isinstance(name, bytes) or not isinstance(sql, bytes):
            continue
        # SQLite itself writes ordinary definitions so; a virtual table's begins otherwise, or was tampered with.
        if name.lower().startswith(b"sqlite_") or not sql.startswith(b"CREATE TABLE "):
            continue
        try:
            found.append((name.decode(), _text(sql)))
        except UnicodeDecodeError:
            continue
        if len(found) > MAX_TABLES:
            break
    return found


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _pragma(connection: sqlite3.Connection, what: str, of: str) -> list[_Row]:
    return connection.execute(f"PRAGMA main.{what}({_quoted(of)})").fetchmany(MAX_COLUMNS)


def _columns(connection: sqlite3.Connection, name: str) -> list[tuple[str, str]]:
    """Name and declared type of the stored columns; generated ones would run code to be read."""
    rows = _pragma(connection, "table_xinfo", name)
    return [(row[1].decode(), _text(row[2])) for row in rows if row[6] == 0]


def _table(connection: sqlite3.Connection, name: str, sql: str) -> Table:
    columns = _columns(connection, name)
    references = _pragma(connection, "foreign_key_list", name)
    indexes = []
    for index in _pragma(connection, "index_list", name)[:MAX_INDEXES]:
        parts = _pragma(connection, "index_info", _text(index[1]))
        indexes.append((_text(index[1]), bool(index[2]), tuple(_text(part[2]) for part in parts)))
    few = f"SELECT 1 FROM main.{_quoted(name)} NOT INDEXED LIMIT {COUNTED + 1}"  # noqa: S608
    (rows,) = connection.execute(f"SELECT count(*) FROM ({few})").fetchone()  # noqa: S608
    return Table(
        name=name,
        columns=tuple(columns),
        foreign_keys=tuple((_text(row[3]), _text(row[2]), _text(row[4])) for row in references),
        indexes=tuple(indexes),
        rows=rows,
        sample=_sample(connection, name, [column for column, _ in columns]),
        sql=sql,
    )


def _select(name: str, columns: list[str], rest: str = "") -> str:
    return f"SELECT {', '.join(map(_quoted, columns))} FROM main.{_quoted(name)} NOT INDEXED {rest}"  # noqa: S608


class _Csv:
    """Rows as text; bytes that are no UTF-8 pass through unchanged."""

    __slots__ = ("_buffer", "_header", "_writer")

    def __init__(self, header: list[str]) -> None:
        self._header = header
        self.clear()

    def clear(self) -> None:
        """Start again, with the header."""
        self._buffer = io.StringIO()
        self._writer = csv.writer(self._buffer, lineterminator="\n")
        self._writer.writerow(self._header)

    def add(self, row: _Row) -> int:
        """Append a row; the number of characters so far."""
        cells = [cell.decode("utf-8", "surrogateescape") if isinstance(cell, bytes) else cell for cell in row]
        self._writer.writerow(cells)
        return self._buffer.tell()

    def bytes(self) -> bytes:
        """All of it."""
        return self._buffer.getvalue().encode("utf-8", "surrogateescape")


def _sample(connection: sqlite3.Connection, name: str, columns: list[str]) -> bytes:
    text = _Csv(columns)
    for row in connection.execute(_select(name, columns, f"LIMIT {SAMPLE_ROWS}")):
        if text.add(tuple(map(_short, row))) > SAMPLE_BYTES:
            break
    return text.bytes()[:SAMPLE_BYTES]


def _short(cell: object) -> object:
    """A cell as a sample shows it: not much of a long one, and binary as hexadecimal."""
    if not isinstance(cell, bytes):
        return cell
    return "0x" + cell[:32].hex() if b"\0" in cell else cell[:SAMPLE_CELL]


def _chunks(connection: sqlite3.Connection, name: str, warn: Warn) -> Iterator[bytes]:
    columns = [column for column, _ in _columns(connection, name)]
    text = _Csv(columns)
    filled = False
    for row in _rows(connection, name, columns, warn):
        filled = True
        if text.add(row) > CHUNK:
            yield text.bytes()
            text.clear()
            filled = False
    if filled:
        yield text.bytes()


def _rows(connection: sqlite3.Connection, name: str, columns: list[str], warn: Warn) -> Iterator[_Row]:
    """All rows, in the order of the table; one that is too large to hold is passed over where it has a number."""
    taken = {column.lower() for column in columns}
    number = next((alias for alias in ("rowid", "_rowid_", "oid") if alias not in taken), "")
    try:
        connection.execute(f"SELECT {number} FROM main.{_quoted(name)} LIMIT 0")  # noqa: S608
    except sqlite3.OperationalError:
        number = ""
    if not number:
        yield from connection.execute(_select(name, columns))
        return
    source = f"FROM main.{_quoted(name)} NOT INDEXED"
    selected = f"SELECT {number}, {', '.join(map(_quoted, columns))} {source}"
    last: int | None = None
    for _ in range(MAX_SKIPS):
        after, values = ("", ()) if last is None else (f"WHERE {number} > ?", (last,))
        try:
            for row in connection.execute(f"{selected} {after} ORDER BY {number}", values):
                last = row[0]
                yield row[1:]
            return
        except sqlite3.DataError:
            warn(CUT)
        # The cursor looks one row ahead: the row before the large one was lost with it, so go on one by one.
        while True:
            after, values = ("", ()) if last is None else (f"WHERE {number} > ?", (last,))
            following = connection.execute(f"SELECT {number} {source} {after} ORDER BY {number} LIMIT 1", values)
            last = next((row[0] for row in following), None)
            if last is None:
                return
            try:
                found = connection.execute(f"{selected} WHERE {number} = ?", (last,)).fetchone()
            except sqlite3.DataError:
                break
            yield found[1:]


def rows(fd: int, name: str, columns: list[str], warn: Warn | None = None, seconds: float = SECONDS) -> Iterator[_Row]:
    """Every row of one table, with text as bytes, as far as the time of SQLite itself reaches. Never raises."""
    warn = warn or _silent
    stopwatch = Stopwatch(seconds)
    try:
        with opened(fd, stopwatch) as connection:
            for row in _rows(connection, name, columns, warn):
                with stopwatch.paused():
                    yield row
    except ERRORS:
        warn(CUT)
