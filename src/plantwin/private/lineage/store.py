"""What lineage remembers, in its file: contents with their features, the accounts that held them, places, folders.

Everything is a keyed digest. A count of its changes is noted beside the local key as well, so that an older copy of
the file is recognised: with it, copies would not find their account.
"""

from __future__ import annotations

import json
import os
import sqlite3
import struct
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from plantwin.errors import StateError
from plantwin.private.facts import Private
from plantwin.private.lineage.features import Features, likeness, pack, unpack
from plantwin.private.state import State
from plantwin.statefiles import connect_own, need_own, open_own

LOST = "lineage: its file in the state folder cannot be used: restore it from a backup"
MISSING = "lineage: its file in the state folder is missing: restore it from a backup"
OLD = "lineage: its file in the state folder is older than what was told since: restore its newest copy"
NO_FEATURES: Final = Features()
OBJECTS: Final = 4096
"""Objects of a folder, and paths, that are sampled, to know its copies by."""
NAMES: Final = b"names"
"""Stands before the place of a folder where its paths are kept."""

_TABLES = """
CREATE TABLE IF NOT EXISTS texts
    (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, account BLOB NOT NULL, features BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS held (text INTEGER, account BLOB, PRIMARY KEY (text, account)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS features (feature INTEGER, text INTEGER, PRIMARY KEY (feature, text)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spots (place BLOB PRIMARY KEY, digest BLOB NOT NULL, account BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS accounts ON spots (account);
CREATE TABLE IF NOT EXISTS folders (place BLOB PRIMARY KEY, inode BLOB NOT NULL, objects BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inodes (inode BLOB, place BLOB, PRIMARY KEY (inode, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS objects (object INTEGER, place BLOB, PRIMARY KEY (object, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cells (folder BLOB PRIMARY KEY, members BLOB NOT NULL, gone BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stamps (folder BLOB PRIMARY KEY, files BLOB NOT NULL, cells BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS changes (number INTEGER NOT NULL);
"""


class Spot(NamedTuple):
    """What was remembered of a place."""

    digest: bytes
    account: bytes


class Content(NamedTuple):
    """A content that was seen, and the account that it is found by."""

    number: int
    account: bytes
    features: Features


class Member(NamedTuple):
    """What was remembered of an object of a folder, both as digests."""

    content: int
    """0 where it says nothing."""
    cell: int


Members = Mapping[int, Member]
"""By a digest of where in the folder they are."""


class Remembered(Private):
    """The file of lineage."""

    def __init__(self, state: State, told: Callable[[], bool]) -> None:
        """`told`: whether the ledger holds anything that was told from this state folder."""
        path = state.subfolder("lineage") / "lineage.db"
        self._mark = state.subfolder("keys") / "lineage.mark"
        try:
            marked = int(_read(self._mark)) if need_own(self._mark) else 0
            if not need_own(path) and (marked or told()):
                # Without it, whatever has another name since would start anew.
                raise StateError(MISSING)
            self._database = connect_own(path, timeout=60, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.executescript(_TABLES)
            if self._database.execute("SELECT count(*) FROM changes").fetchone() == (0,):
                self._begin()
            if self._changes() < marked:
                self._database.close()
                raise StateError(OLD)
        except (OSError, ValueError, sqlite3.Error):
            raise StateError(LOST) from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Let nobody else write meanwhile: two processes that meet a new content give it one account."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            before = self._database.total_changes
            yield
            changed = self._database.total_changes != before
            if changed:
                self._database.execute("UPDATE changes SET number = number + 1")
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise
        if changed:
            self._note()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one state of it, and take its lock once."""
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            self._database.execute("ROLLBACK")

    def spot(self, place: bytes) -> Spot | None:
        """What was last at a place."""
        row = self._database.execute("SELECT digest, account FROM spots WHERE place = ?", (place,)).fetchone()
        return Spot(*row) if row else None

    def content(self, digest: bytes) -> Content | None:
        """A content that was seen before."""
        row = self._database.execute("SELECT id, account, features FROM texts WHERE digest = ?", (digest,)).fetchone()
        return Content(row[0], row[1], unpack(row[2])) if row else None

    def places(self, account: bytes) -> Iterator[bytes]:
        """The places that have an account."""
        return (row[0] for row in self._database.execute("SELECT place FROM spots WHERE account = ?", (account,)))

    def holders(self, content: Content) -> set[bytes]:
        """The accounts that a content ever belonged to."""
        rows = self._database.execute("SELECT account FROM held WHERE text = ?", (content.number,))
        return {row[0] for row in rows}

    def related(self, mine: Features, but: int = 0) -> Iterator[tuple[Content, bool]]:
        """Contents that are, or hold, much of the same, the first seen first; and whether they are near to it.

        `but`: the number of the content itself.
        """
        query = (
            "SELECT id, account, texts.features FROM texts JOIN (SELECT text FROM features WHERE feature IN "
            "(SELECT value FROM json_each(?)) AND text <> ? GROUP BY text, feature & 3 "
            "HAVING count(*) > 2 OR max(feature & 3) = 3) ON text = id GROUP BY id ORDER BY id"
        )
        listed = json.dumps(tuple(chain(*mine)))
        for number, account, kept in self._database.execute(query, (listed, but)).fetchall():
            other = Content(number, account, unpack(kept))
            related, near = likeness(mine, other.features)
            if related:
                yield other, near

    def keep(self, digest: bytes, account: bytes, features: Features = NO_FEATURES) -> None:
        """Remember a content and an account that it belongs to; the first one is the one that it is found by."""
        run = self._database.execute
        new = run("INSERT OR IGNORE INTO texts VALUES (NULL, ?, ?, ?)", (digest, account, pack(features)))
        if new.rowcount:
            number = new.lastrowid
            rows = [(feature, number) for feature in chain(*features)]
            self._database.executemany("INSERT OR IGNORE INTO features VALUES (?, ?)", rows)
        else:
            (number,) = run("SELECT id FROM texts WHERE digest = ?", (digest,)).fetchone()
        run("INSERT OR IGNORE INTO held VALUES (?, ?)", (number, account))

    def put(self, place: bytes, spot: Spot) -> None:
        """Remember what is at a place now."""
        self._database.execute("INSERT OR REPLACE INTO spots VALUES (?, ?, ?)", (place, *spot))

    def folders(self, inode: bytes) -> set[bytes]:
        """Where the folder with this inode was."""
        return {row[0] for row in self._database.execute("SELECT place FROM inodes WHERE inode = ?", (inode,))}

    def sharing(self, sample: tuple[int, ...], share: float) -> set[bytes]:
        """Folders that hold more than this share of what was sampled."""
        query = (
            "SELECT folders.place, shared, objects FROM folders JOIN (SELECT place, count(*) AS shared FROM objects "
            "WHERE object IN (SELECT value FROM json_each(?)) GROUP BY place) AS found ON found.place = folders.place"
        )
        found = set()
        for place, shared, kept in self._database.execute(query, (json.dumps(sample),)):
            theirs = _numbers(kept)
            # A full sample says nothing beyond its last.
            full = len(theirs) == OBJECTS
            compared = sum(number <= theirs[-1] for number in sample) if full else len(sample)
            if shared > share * compared:
                found.add(place.removeprefix(NAMES))
        return found

    def put_folder(self, place: bytes, inode: bytes, objects: tuple[int, ...]) -> None:
        """Remember what a folder holds now."""
        run = self._database.execute
        row = run("SELECT inode, objects FROM folders WHERE place = ?", (place,)).fetchone()
        packed = struct.pack(f"<{len(objects)}q", *objects)
        if row == (inode, packed):
            return
        before = set(_numbers(row[1])) if row else set()
        now = set(objects)
        run("INSERT OR IGNORE INTO inodes VALUES (?, ?)", (inode, place))
        run("INSERT OR REPLACE INTO folders VALUES (?, ?, ?)", (place, inode, packed))
        gone, new = [(number, place) for number in before - now], [(number, place) for number in now - before]
        self._database.executemany("DELETE FROM objects WHERE object = ? AND place = ?", gone)
        self._database.executemany("INSERT INTO objects VALUES (?, ?)", new)

    def stamps(self, folder: bytes) -> tuple[bytes, bytes]:
        """Digests of a folder's files and of its cells when these were last looked at; empty where they never were."""
        row = self._database.execute("SELECT files, cells FROM stamps WHERE folder = ?", (folder,)).fetchone()
        return row or (b"", b"")

    def put_stamps(self, folder: bytes, files: bytes, cells: bytes) -> None:
        """Remember how a folder looks that was looked at."""
        if self.stamps(folder) != (files, cells):
            self._database.execute("INSERT OR REPLACE INTO stamps VALUES (?, ?, ?)", (folder, files, cells))

    def sample(self, folder: bytes) -> tuple[int, ...]:
        """A sample of what a folder held when it was last looked at."""
        row = self._database.execute("SELECT objects FROM folders WHERE place = ?", (folder,)).fetchone()
        return _numbers(row[0]) if row else ()

    def cells(self, folder: bytes) -> tuple[Members, Members]:
        """In which cell each object of a folder was when it was last looked at, and those that were gone by then."""
        row = self._database.execute("SELECT members, gone FROM cells WHERE folder = ?", (folder,)).fetchone()
        present, gone = map(unpack_members, row or (b"", b""))
        return present, gone

    def put_cells(self, folder: bytes, members: bytes, gone: Members) -> None:
        """Remember in which cell each object is now (packed), and in which those were that are gone."""
        cells = [found.cell for found in gone.values()]
        left = pack_members(list(gone), [found.content for found in gone.values()], cells)
        self._database.execute("INSERT OR REPLACE INTO cells VALUES (?, ?, ?)", (folder, members, left))

    def _changes(self) -> int:
        (number,) = self._database.execute("SELECT number FROM changes").fetchone()
        return int(number)

    def _note(self) -> None:
        """Note how far the file is. A note that is behind is harmless; it is never ahead, whatever crashes."""
        draft = self._mark.with_name(f".{os.urandom(8).hex()}")
        try:
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(b"%d" % self._changes())
            draft.replace(self._mark)
        except OSError as error:
            raise StateError(f"lineage: the state folder cannot be written ({error.strerror})") from None

    def _begin(self) -> None:
        """Start the count."""
        with self.writing():
            if self._database.execute("SELECT count(*) FROM changes").fetchone() == (0,):
                self._database.execute("INSERT INTO changes VALUES (0)")


def _read(path: Path) -> bytes:
    with os.fdopen(open_own(path, os.O_RDONLY), "rb") as file:
        return file.read(32)


def _numbers(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)


def pack_members(members: Sequence[int], contents: Sequence[int], cells: Sequence[int]) -> bytes:
    """Members, what is known of their content, and their cells, as they are kept."""
    packed = array("q", bytes(24 * len(members)))
    for column, numbers in enumerate((members, contents, cells)):
        packed[column::3] = array("q", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def unpack_members(packed: bytes) -> Members:
    """What `pack_members` made."""
    numbers = iter(_numbers(packed))
    return {member: Member(content, cell) for member, content, cell in zip(numbers, numbers, numbers, strict=True)}
