"""Results of files that have not changed, kept from run to run in the state folder.

A result belongs to the content of its files, their names, the capability, its options, what lies around the files
where the capability looks there, and the version of this program. Names and contents are digests here; results hold
what a report would: names, lines and masked excerpts. A damaged file is dropped, and nothing else is lost with it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import plantwin
from plantwin.private.execution.launcher import MOST as MOST_COPIED
from plantwin.private.execution.launcher import read
from plantwin.private.facts import Private, Record, private
from plantwin.private.index import Signature
from plantwin.private.observe.beneath import Beneath
from plantwin.private.reading import COARSE_NS, SETTLED_NS, signature_of
from plantwin.statefiles import connect_own


class ChangedError(OSError):
    """A file is not what it was at the scan."""


@private
class Opened(NamedTuple):
    """One member as it lies on the disk."""

    record: Record
    size: int
    digest: bytes
    content: bytes | None


class MemberFiles(Private):
    """Opens and reads members below a root."""

    def __init__(
        self, root: Path, unchanged: Callable[[str, os.stat_result], bool], cache: ResultCache | None = None
    ) -> None:
        """`unchanged`: whether a file is as it was at the scan. `cache`: knows digests of unchanged files."""
        self._beneath = Beneath(root)
        self._unchanged = unchanged
        self._cache = cache

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._beneath.close()

    def open(self, record: Record) -> Opened:
        """Open a member and digest what it holds; small content is kept."""
        descriptor = self._beneath.open(record.path)
        try:
            found = os.fstat(descriptor)
            if not self._unchanged(record.path, found):
                raise ChangedError
            signature = signature_of(found)
            known = self._cache.digest(record.path, signature) if self._cache is not None else None
            if known is not None:
                return Opened(record, found.st_size, known, None)
            content = _read(descriptor, found.st_size) if found.st_size <= MOST_COPIED else None
            digest = hashlib.blake2b(content, digest_size=24).digest() if content is not None else b""
            if content is None and self._cache is not None:
                digest = _streamed(descriptor)
            if signature_of(os.fstat(descriptor)) != signature:
                raise ChangedError
            if self._cache is not None and digest:
                self._cache.note(record.path, signature, digest)
            return Opened(record, found.st_size, digest, content)
        finally:
            os.close(descriptor)

    def content(self, opened: Opened) -> bytes:
        """What a member holds, read again where it was not kept."""
        if opened.content is not None:
            return opened.content
        descriptor = self._beneath.open(opened.record.path)
        try:
            if not self._unchanged(opened.record.path, os.fstat(descriptor)):
                raise ChangedError
            return _read(descriptor, opened.size)
        finally:
            os.close(descriptor)


def _read(descriptor: int, size: int) -> bytes:
    content = read(descriptor, size)
    if len(content) != size:
        raise ChangedError
    return content


def _streamed(descriptor: int) -> bytes:
    """The digest of a file that is too large to be held."""
    found, at = hashlib.blake2b(digest_size=24), 0
    while part := os.pread(descriptor, 1 << 20, at):
        found.update(part)
        at += len(part)
    return found.digest()


NAME = "results.db"
MOST_BYTES = 256 << 20
"""Results that are kept; beyond it the oldest go."""
SHRUNK = 0.9
"""What is left of it then."""
LARGEST = 1 << 20
"""Bytes of one result that is kept."""
SMALL = 1000
"""Bytes of a result below which it is not worth while to compress it."""
BATCH = 256
"""What is written, or asked for, together."""
DAY = 86_400
_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, used INTEGER NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS digests (place BLOB PRIMARY KEY, signature BLOB NOT NULL, digest BLOB NOT NULL)
    WITHOUT ROWID;
"""
_T = TypeVar("_T")


class ResultCache(Private):
    """Keeps results by their keys, and digests of files by what the file system says of them."""

    def __init__(self, file: Path, root: Path, most: int = MOST_BYTES) -> None:
        """`root`: the observed folder, below which the paths lie."""
        self._file = file
        self._root = os.path.realpath(root).encode("utf-8", "surrogateescape")
        self._most = most
        self._database: sqlite3.Connection | None = None
        self._results: dict[bytes, bytes] = {}
        self._digests: dict[bytes, tuple[bytes, bytes]] = {}
        self._foreseen: dict[str, tuple[bytes, bytes] | None] = {}
        self._used: set[bytes] = set()
        self._broken = False

    def digest(self, path: str, signature: Signature) -> bytes | None:
        """The digest of a file that is still what it was; none where that is not known."""
        if path not in self._foreseen:
            self.foresee([path])
        row = self._foreseen.pop(path)
        return row[1] if row is not None and row[0] == _packed(signature) else None

    def foresee(self, paths: Iterable[str]) -> None:
        """Look up what is known of these files, since each will be asked for."""
        places = {self._place(path): path for path in paths}
        self._foreseen.update(dict.fromkeys(places.values()))
        for place, signature, digest in self._rows(_DIGESTS, list(places)):
            self._foreseen[places[place]] = (signature, digest)

    def note(self, path: str, signature: Signature, digest: bytes) -> None:
        """Remember the digest of a file, unless it changed so lately that its times may not tell of another change."""
        fine = signature.ctime_ns % 1_000_000_000 != 0
        if signature.ctime_ns <= time.time_ns() - (SETTLED_NS if fine else COARSE_NS):
            self._digests[self._place(path)] = (_packed(signature), digest)
            self._flush_full()

    def known(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The results that are kept under these keys."""
        found = {key: self._results[key] for key in keys if key in self._results}
        late = time.time() - DAY
        for key, used, data in self._rows(_RESULTS, [key for key in keys if key not in found]):
            if used < late:
                self._used.add(key)
            try:
                found[key] = data if data[:1] == b"{" else zlib.decompress(data)
            except zlib.error:
                self._drop()
                break
        return found

    def _rows(self, question: str, keys: Sequence[bytes]) -> Iterator[tuple[bytes, Any, bytes]]:
        for at in range(0, len(keys), BATCH):
            some = keys[at : at + BATCH]
            yield from self._asked(partial(_answers, question.format(",".join("?" * len(some))), some)) or ()

    def put(self, key: bytes, data: bytes) -> None:
        """Keep a result."""
        if len(data) <= LARGEST:
            self._results[key] = data
            self._flush_full()

    def flush(self) -> None:
        """Write what was put."""
        if self._results or self._digests or self._used:
            self._asked(self._write)
        self._results.clear()
        self._digests.clear()
        self._used.clear()

    def close(self) -> None:
        """Write what was put, and close the file. It is opened again when it is next needed."""
        self.flush()
        self._close()

    def _close(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _flush_full(self) -> None:
        if len(self._results) + len(self._digests) >= BATCH:
            self.flush()

    def _write(self, database: sqlite3.Connection) -> None:
        now = int(time.time())
        with database:
            rows = [(key, now, _compressed(data)) for key, data in self._results.items()]
            database.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", rows)
            noted = [(place, *held) for place, held in self._digests.items()]
            database.executemany("INSERT OR REPLACE INTO digests VALUES (?, ?, ?)", noted)
            database.executemany("UPDATE results SET used = ? WHERE key = ?", [(now, key) for key in self._used])
        self._shrink(database)

    def _shrink(self, database: sqlite3.Connection) -> None:
        """Let the oldest go where there is too much."""
        if _pages(database) <= self._most:
            return
        with database:
            while _pages(database) > self._most * SHRUNK:
                gone = database.execute(_OLDEST, (BATCH,)).rowcount
                if gone <= 0:
                    database.execute("DELETE FROM digests")
                    break

    def _asked(self, question: Callable[[sqlite3.Connection], _T]) -> _T | None:
        """Ask the database; one that cannot answer is dropped, and there is no answer."""
        try:
            return question(self._opened())
        except sqlite3.OperationalError:
            return None  # busy, or the disk is full: what is kept there stays
        except sqlite3.DatabaseError:
            self._drop()
        except OSError:
            self._broken = True
        return None

    def _opened(self) -> sqlite3.Connection:
        if self._broken:
            raise sqlite3.OperationalError
        if self._database is None:
            database = connect_own(self._file, timeout=2.0)
            try:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = OFF")  # what is lost is computed again
                database.executescript(_SCHEMA)
            except BaseException:
                database.close()
                raise
            self._database = database
        return self._database

    def _drop(self) -> None:
        """Begin anew."""
        self._close()
        for suffix in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                self._file.with_name(f"{self._file.name}{suffix}").unlink()

    def _place(self, path: str) -> bytes:
        return digested([self._root, path.encode("utf-8", "surrogateescape")])


_RESULTS = "SELECT key, used, data FROM results WHERE key IN ({})"
_DIGESTS = "SELECT place, signature, digest FROM digests WHERE place IN ({})"
_OLDEST = "DELETE FROM results WHERE key IN (SELECT key FROM results ORDER BY used LIMIT ?)"


def digested(parts: Iterable[bytes]) -> bytes:
    """One digest of several values, none of which can run into the next."""
    found = hashlib.blake2b(digest_size=24)
    for part in parts:
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.digest()


@functools.cache
def program_version() -> bytes:
    """The version of this program: its number, and the size and time of every file that decides about results."""
    package = Path(plantwin.__file__).parent
    lines = [plantwin.__version__]
    for here, folders, files in os.walk(package / "private"):
        folders[:] = sorted(folder for folder in folders if folder != "__pycache__")
        for name in sorted(files):
            status = os.stat(f"{here}/{name}")
            lines.append(f"{here}/{name} {status.st_size} {status.st_mtime_ns}")
    return digested(line.encode("utf-8", "surrogateescape") for line in lines)


def _pages(database: sqlite3.Connection) -> int:
    """Bytes that are in use."""
    size, count, free = (
        database.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("page_size", "page_count", "freelist_count")
    )
    return int(size * (count - free))


def _answers(question: str, keys: Sequence[bytes], database: sqlite3.Connection) -> list[tuple[bytes, Any, bytes]]:
    return database.execute(question, keys).fetchall()


def _compressed(data: bytes) -> bytes:
    return zlib.compress(data, 1) if len(data) > SMALL else data


def _packed(signature: Signature) -> bytes:
    return " ".join(map(str, signature)).encode()
