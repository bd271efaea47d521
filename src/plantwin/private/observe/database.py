"""Opens an untrusted SQLite file through a descriptor: to read, and to do nothing else.

A small file is copied into memory. A large one is opened in place as immutable (no locks, no journal, no
write-ahead log), and the file that SQLite opened must be the very one behind the descriptor.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAGIC = b"SQLite format 3\0"
IN_MEMORY = 1 << 23
"""Files up to this size are copied."""
MAX_CELL = 1 << 22
"""Bytes of a row that SQLite may hold."""
STEPS = 20_000
"""Virtual machine steps between two looks at the clock: under a millisecond."""

ERRORS = (sqlite3.Error, sqlite3.Warning, OSError, ValueError, MemoryError)
"""All that reading a hostile database can raise."""

_DESCRIPTORS = Path("/proc/self/fd")
_SETTINGS = (
    "PRAGMA trusted_schema=OFF",
    "PRAGMA query_only=ON",
    "PRAGMA cell_size_check=ON",
    "PRAGMA mmap_size=0",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA cache_size=-2048",
)
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
    (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
)
_PRAGMAS = frozenset({"table_xinfo", "foreign_key_list", "index_list", "index_info"})


class Stopwatch:
    """Bounds the work of SQLite on one file, in seconds of this thread; the caller's own work does not count."""

    __slots__ = ("_left", "_started")

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._started = time.thread_time()

    def expired(self) -> bool:
        """Asked by SQLite while it works."""
        return time.thread_time() - self._started > self._left

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While the caller works."""
        self._left -= time.thread_time() - self._started
        try:
            yield
        finally:
            self._started = time.thread_time()


def _permit(action: int, first: str | None, second: str | None, database: str | None, source: str | None) -> int:
    """The authorizer: reading, counting and asking for a table's shape."""
    if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and second == "count":
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


@contextmanager
def opened(fd: int, stopwatch: Stopwatch) -> Iterator[sqlite3.Connection]:
    """A connection that can only read; raises one of `ERRORS` when the file is no usable database."""
    size = os.fstat(fd).st_size
    if os.pread(fd, len(MAGIC), 0) != MAGIC:
        raise sqlite3.DatabaseError("not a database")
    small = size <= IN_MEMORY and hasattr(sqlite3.Connection, "deserialize")
    connection = _copied(fd, size) if small else _in_place(fd)
    try:
        connection.text_factory = bytes
        connection.set_progress_handler(stopwatch.expired, STEPS)
        for limit, value in _LIMITS:
            connection.setlimit(limit, value)
        for setting in _SETTINGS:
            connection.execute(setting)
        connection.set_authorizer(_permit)
        yield connection
    finally:
        connection.close()


def _copied(fd: int, size: int) -> sqlite3.Connection:
    content = bytearray()
    while len(content) < size and (more := os.pread(fd, size - len(content), len(content))):
        content += more
    # A database with a write-ahead log says so here; its copy has none.
    content[18:20] = b"\1\1"
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    try:
        connection.deserialize(bytes(content))
    except BaseException:
        connection.close()
        raise
    return connection


def _in_place(fd: int) -> sqlite3.Connection:
    before = _open_count(fd)
    uri = f"file:{_DESCRIPTORS}/{fd}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, cached_statements=0)
    # SQLite resolves the descriptor to a path and opens that: someone may have put another file there.
    if _open_count(fd) != before + 1:
        connection.close()
        raise sqlite3.DatabaseError("not the same file")
    return connection


def _open_count(fd: int) -> int:
    """How many descriptors of this process refer to the same file."""
    this = os.fstat(fd)
    count = 0
    for path in _DESCRIPTORS.iterdir():
        try:
            other = os.fstat(int(path.name))
        except OSError:
            continue
        count += (other.st_dev, other.st_ino) == (this.st_dev, this.st_ino)
    return count
