"""The local cache: what was learnt of each file, so that a second scan reads only what changed.

A file's row holds for exactly one state of the file (its stat signature). Rows are written in
batches and stamped with a generation; relations name the generation they were made from, so a scan
that was killed, or raced by another, leaves work to do and never a wrong answer.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plantwin.errors import StateError
from plantwin.private.facts import Facts, Private, Related, Unchanged
from plantwin.statefiles import connect_own

PARTS = 1024
"""Most objects of one file; an object's number is its file's number times this plus its part."""

_CODEC = sys.getfilesystemencoding()
_facts_encoder = msgspec.msgpack.Encoder()
_facts_decoder = msgspec.msgpack.Decoder(tuple[Facts, ...])

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL UNIQUE,
    size INTEGER, mtime INTEGER, ctime INTEGER, inode INTEGER, mode INTEGER,
    modified INTEGER NOT NULL, bands BLOB NOT NULL, words BLOB NOT NULL, facts BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS related (
    number INTEGER PRIMARY KEY, component TEXT, lacks TEXT, bound INTEGER, edges BLOB);
CREATE TABLE IF NOT EXISTS corrections (path BLOB, part TEXT, class TEXT, PRIMARY KEY (path, part)) WITHOUT ROWID;
"""


TAKEN_OVER = "plantwin in another version or configuration took the index over: run the command again"
PATIENCE = 60.0
"""Seconds to wait for another process that holds the index."""
_DAMAGE = frozenset(
    {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_SCHEMA}
)
"""Codes that speak of the file itself, not of locks, permissions or space."""


class DamageError(StateError):
    """The index does not hold what was written to it."""

    def __init__(self, message: str = "the index is damaged") -> None:
        super().__init__(message)


class Signature(NamedTuple):
    """What the file system says of a file; when it is the same, the content is taken to be the same."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    mode: int
    """-1 of a file that changed while it was read, or too recently to trust its times: so it matches nothing."""

    @property
    def unsettled(self) -> bool:
        """Whether the next scan must read it again."""
        return self.mode == -1


UNSETTLED = Signature(-1, -1, -1, -1, -1)
"""That of a file of which nothing is known."""


class Row(NamedTuple):
    """One file to be kept."""

    path: str
    signature: Signature
    modified: int
    """When it was last modified, in nanoseconds: known of unsettled files too."""
    bands: bytes
    """The few smallest hashes under which likeness files it; empty when it has no sketch."""
    facts: bytes
    words: bytes = b""
    """Numbers of its most telling words."""


_edges_encoder = msgspec.msgpack.Encoder()
_edges_decoder = msgspec.msgpack.Decoder(tuple[tuple[str, str, int, float, str], ...])


_RELATE = "INSERT OR REPLACE INTO related VALUES (?,?,?,?,?)"


def _related_row(related: Related) -> tuple[object, ...]:
    edges = _edges_encoder.encode(related.edges)
    return related.number, related.component, " ".join(related.lacks), related.bound, edges


def _related(row: tuple[int, str, str, int, bytes]) -> Related:
    number, component, lacks, bound, edges = row
    try:
        return Related(number, component, tuple(lacks.split()), bool(bound), _edges_decoder.decode(edges))
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        raise DamageError from None


def pack(facts: tuple[Facts, ...]) -> bytes:
    """Facts of one file in the form in which they are kept."""
    return _facts_encoder.encode(facts)


def unpack(blob: bytes) -> tuple[Facts, ...]:
    """Facts of one file."""
    try:
        return _facts_decoder.decode(blob)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        raise DamageError from None


class Index(Private):
    """One SQLite file per observed root, readable by its owner alone."""

    def __init__(self, path: Path, version: str) -> None:
        self._path = path
        self._version = version
        try:
            self._connection = self._opened()
        except DamageError:
            # Only a cache: a damaged one is set aside, and what the person said in it is kept on disk.
            self._set_aside()
            self._connection = self._opened()

    def _opened(self) -> sqlite3.Connection:
        started = time.monotonic()
        while True:
            try:
                return self._open(self._version)
            except OSError as error:
                raise StateError(f"the index cannot be opened ({error.strerror}): check the state folder") from None
            except sqlite3.Error as error:
                # While another process sets the journal mode, SQLite says so at once instead of waiting.
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() - started > PATIENCE:
                    raise _meaning(error, "opened") from None
            time.sleep(0.02)

    def _open(self, version: str) -> sqlite3.Connection:
        connection = connect_own(self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA trusted_schema=OFF")
            if _meta(connection, "version") != version.encode():
                _start_over(connection, version)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_aside(self) -> None:
        try:
            for suffix in ("", "-wal", "-shm"):
                broken = self._path.with_name(self._path.name + suffix)
                if broken.exists():
                    broken.replace(broken.with_name(broken.name + ".damaged"))
        except OSError as error:
            raise StateError(f"a damaged index cannot be set aside ({error.strerror})") from None

    def restart(self, version: str) -> None:
        """Open it as another version: everything but the person's corrections is made anew."""
        self.close()
        self._version = version
        self._connection = self._opened()

    def renew(self) -> None:
        """Set a damaged index aside and start anew, with what can still be read of the person's corrections."""
        try:
            ours = self._value("version") in (b"", self._version.encode())
            corrections = self.corrections()
        except StateError:
            ours, corrections = True, {}
        if not ours:
            raise StateError(TAKEN_OVER)  # it is sound: only its facts are of another form
        self.close()
        self._set_aside()
        self._connection = self._opened()
        for (path, part), semantic_class in corrections.items():
            self.correct(path, part, semantic_class)

    def _query(self, statement: str, values: tuple[object, ...] = ()) -> Iterator[Any]:
        try:
            for row in self._connection.execute(statement, values):  # noqa: UP028 - that would close the cursor, late
                yield row
        except sqlite3.Error as error:
            raise _meaning(error, "read") from None

    def _value(self, key: str) -> bytes:
        try:
            return _meta(self._connection, key) or b""
        except sqlite3.Error as error:
            raise _meaning(error, "read") from None

    def close(self) -> None:
        """Close the file; what was kept stays."""
        self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                if _meta(self._connection, "version") != self._version.encode():
                    # What these rules learnt must not pass for what others would have.
                    raise StateError(TAKEN_OVER)
                yield self._connection
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise _meaning(error, "written") from None

    def signatures(self) -> dict[str, tuple[int, Signature]]:
        """Number and signature of every known file, by path."""
        rows = self._query("SELECT path, id, size, mtime, ctime, inode, mode FROM files")
        make = tuple.__new__  # half the cost of calling the named tuple
        return {row[0].decode(_CODEC, "surrogateescape"): (row[1], make(Signature, row[2:])) for row in rows}

    def keep(self, rows: Iterable[Row], unchanged: Unchanged | None = None) -> None:
        """Write files' rows; a file keeps its number as long as it keeps its path.

        `unchanged` says that relations stay as they are, provided nothing else was written meanwhile.
        """
        with self._writing() as connection:
            connection.executemany(
                "INSERT INTO files (path, size, mtime, ctime, inode, mode, modified, bands, facts, words)"
                " VALUES (?,?,?,?,?,?,?,?,?,?)"
                " ON CONFLICT (path) DO UPDATE SET size=excluded.size, mtime=excluded.mtime, ctime=excluded.ctime,"
                " inode=excluded.inode, mode=excluded.mode, modified=excluded.modified, bands=excluded.bands,"
                " facts=excluded.facts, words=excluded.words",
                ((os.fsencode(row.path), *row.signature, *row[2:]) for row in rows),
            )
            generation = _next_generation(connection)
            if unchanged is not None and unchanged.generation == generation - 1:
                connection.executemany(_RELATE, map(_related_row, unchanged.related))
                _put(connection, "related", str(generation).encode())
                _put(connection, "summary", unchanged.summary)

    def facts_of(self, path: str) -> tuple[int, tuple[Facts, ...]] | None:
        """Number and facts of one file."""
        row = next(self._query("SELECT id, facts FROM files WHERE path=?", (os.fsencode(path),)), None)
        return None if row is None else (row[0], unpack(row[1]))

    def bands(self) -> list[tuple[str, bytes]]:
        """Path and bands of every file that has a sketch, in the order of paths."""
        rows = self._query("SELECT path, bands FROM files WHERE bands != x''")
        return sorted((os.fsdecode(path), bands) for path, bands in rows)

    def related(self, number: int) -> Related | None:
        """What relations say of one object."""
        return next(map(_related, self._query("SELECT * FROM related WHERE number=?", (number,))), None)

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files that are gone."""
        with self._writing() as connection:
            connection.executemany("DELETE FROM files WHERE path=?", ((os.fsencode(path),) for path in paths))
            _next_generation(connection)

    def files(self) -> Iterator[tuple[int, str, int, bytes]]:
        """Number, path, modification time and packed facts of every file."""
        rows = self._query("SELECT id, path, modified, facts FROM files ORDER BY path")
        for number, path, modified, facts in rows:
            yield number, os.fsdecode(path), modified, facts

    def words(self) -> Iterator[tuple[int, bytes]]:
        """Number of every file and those of its most telling words."""
        yield from self._query("SELECT id, words FROM files")

    def generation(self) -> int:
        """Counts every change of the files' rows."""
        return int(self._value("generation") or 0)

    def related_generation(self) -> int:
        """The generation that the kept relations were made from."""
        return int(self._value("related") or -1)

    def relate(self, generation: int, related: Iterable[Related], summary: bytes) -> None:
        """Replace all relations by those made from one generation, with the summary that goes with them."""
        with self._writing() as connection:
            kept = {row[0]: row for row in connection.execute("SELECT * FROM related")}
            for each in related:
                row = _related_row(each)
                if kept.pop(each.number, None) != row:
                    connection.execute(_RELATE, row)
            connection.executemany("DELETE FROM related WHERE number=?", ((number,) for number in kept))
            _put(connection, "related", str(generation).encode())
            _put(connection, "summary", summary)

    def relations(self) -> Iterator[Related]:
        """All kept relations, by object."""
        yield from map(_related, self._query("SELECT * FROM related ORDER BY number"))

    def summary(self) -> bytes:
        """The summary that was kept with the relations."""
        return self._value("summary")

    def past(self) -> bytes:
        """What was kept of git's history."""
        return self._value("past")

    def keep_past(self, past: bytes) -> None:
        """Keep what git's history said."""
        with self._writing() as connection:
            _put(connection, "past", past)

    # what the person said

    def correct(self, path: str, part: str, semantic_class: str) -> None:
        """Keep a person's word on an object's class."""
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO corrections VALUES (?,?,?)", (os.fsencode(path), part, semantic_class)
            )
            _next_generation(connection)

    def forget(self, path: str, part: str) -> bool:
        """Take a correction back; whether there was one."""
        with self._writing() as connection:
            done = connection.execute("DELETE FROM corrections WHERE path=? AND part=?", (os.fsencode(path), part))
            _next_generation(connection)
        return done.rowcount > 0

    def corrections(self) -> dict[tuple[str, str], str]:
        """Corrected classes by path and part."""
        rows = self._query("SELECT path, part, class FROM corrections")
        return {(os.fsdecode(path), part): semantic_class for path, part, semantic_class in rows}


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _meaning(error: sqlite3.Error, action: str) -> StateError:
    """Damage, or a state folder that cannot be used: a full disk or a lock must not cost a sound index."""
    if _code(error) in _DAMAGE:
        return DamageError()
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return StateError(f"the index cannot be {action} ({name}): check the state folder's permissions and space")


def _meta(connection: sqlite3.Connection, key: str) -> bytes | None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name='meta'").fetchone():
        return None
    row: Any = connection.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
    return row[0] if row else None


def _put(connection: sqlite3.Connection, key: str, value: bytes) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))


def _next_generation(connection: sqlite3.Connection) -> int:
    generation = int(_meta(connection, "generation") or 0) + 1
    _put(connection, "generation", str(generation).encode())
    return generation


def _start_over(connection: sqlite3.Connection, version: str) -> None:
    """Rules, vocabulary or layout changed: everything but the person's corrections is made anew."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _meta(connection, "version") == version.encode():
            connection.execute("COMMIT")  # another process was first
            return
        drops = [f"DROP TABLE IF EXISTS {table}" for table in ("meta", "files", "related")]
        for statement in (*drops, *_TABLES.split(";")):
            connection.execute(statement)
        _put(connection, "version", version.encode())
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
