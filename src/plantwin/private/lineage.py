"""Which object of today is which object of before: a new name or an edit must not buy a new budget.

An object's ledger key follows from its place. When something appears at a new place, or its content is replaced,
its ancestors are looked for: the same content, similar lines, a rename that git knows. The new key then takes over
what was told of the ancestor that was told most. In doubt it inherits: a copy starts where the original stands.
What is back where it was inherits too, from where it has been in the meantime.

Kept are keyed digests and sketches, no path and no content.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from sys import byteorder
from typing import NamedTuple, Protocol

from plantwin.errors import StateError
from plantwin.private.observe.beneath import Beneath
from plantwin.private.observe.command import Command, CommandError
from plantwin.private.observe.ignore import repository
from plantwin.private.records import Record
from plantwin.private.state import State

ALIKE = 0.5
"""Share of sketched lines that makes one object a descendant of another."""
LEAST_BYTES = 8
"""Content below this says nothing: empty and one-word files are all alike. A short secret is not."""
WHOLE = 32 << 20
"""Up to so many bytes the whole content is digested; of more, its ends."""
LOST = "lineage: its file in the state folder cannot be used: restore it from a backup"
RENAMES = 2000
"""Renames that git is asked for at most."""

_TABLES = """
CREATE TABLE IF NOT EXISTS places (place BLOB PRIMARY KEY, digest BLOB NOT NULL, sketch BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS digests ON places (digest);
CREATE TABLE IF NOT EXISTS contents (digest BLOB, place BLOB, PRIMARY KEY (digest, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lines (line INTEGER, place BLOB, PRIMARY KEY (line, place)) WITHOUT ROWID;
"""


class Inheritance(Protocol):
    """The ledger's part in this."""

    def inherit(self, key: bytes, ancestors: Sequence[bytes]) -> None:
        """Take over what was told of the ancestors."""
        ...


class _Seen(NamedTuple):
    digest: bytes
    sketch: bytes


class Lineage:
    """Ledger keys of objects, the same across sessions, names and edits."""

    def __init__(self, state: State, ledger: Inheritance, told: Callable[[], bool] = lambda: False) -> None:
        """`told`: whether the ledger holds anything that was told from this state folder."""
        self._state = state
        self._ledger = ledger
        path = state.subfolder("lineage") / "lineage.db"
        if not path.exists() and told():
            # Without it, whatever has another name since would start anew.
            raise StateError("lineage: its file in the state folder is missing: restore it from a backup")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
            self._database = sqlite3.connect(path, timeout=60, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.executescript(_TABLES)
        except (OSError, sqlite3.Error):
            raise StateError(LOST) from None

    def __repr__(self) -> str:
        return "<Lineage private>"

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def keys(
        self,
        root: Path,
        records: Sequence[Record],
        sketches: Mapping[int, bytes],
        everything: Callable[[], Iterable[Record]] | None = None,
    ) -> dict[int, bytes]:
        """The ledger key of each record, by its number; descendants have inherited when this returns.

        `everything`: all records of the folder, where these are not all.
        """
        base = os.fsencode(os.path.realpath(root))
        places = {each.number: self._place(base, each.path, each.part) for each in records}
        now = {each.number: _Seen(self._digest(root, each), sketches.get(each.number, b"")) for each in records}
        try:

            @cache
            def here() -> frozenset[bytes]:
                present = everything() if everything is not None else records
                return frozenset(self._place(base, each.path, each.part) for each in present)

            self._follow(root, base, records, places, now, here)
        except sqlite3.Error:
            raise StateError(LOST) from None
        return {number: self._key(place) for number, place in places.items()}

    def folder(self, root: Path) -> bytes:
        """The ledger key of the folder itself. One that was moved inherits; its inode says that it is the same."""
        real = os.path.realpath(root)
        place = self._state.keyed("folder", os.fsencode(real))
        try:
            found = Path(real).stat()
            digest = self._state.keyed("inode", f"{found.st_dev}:{found.st_ino}".encode())
            seen = _Seen(digest, b"")
            # Every time: it may have been elsewhere, been told of there, and come back.
            if ancestors := self._ancestors(seen) - {place}:
                self._ledger.inherit(self._key(place), sorted(map(self._key, ancestors)))
            if self._seen(place) != seen:
                self._remember({place: seen})
        except OSError as error:
            raise StateError(f"the folder cannot be looked at ({error.strerror}): check that it is there") from None
        except sqlite3.Error:
            raise StateError(LOST) from None
        return self._key(place)

    def _follow(
        self,
        root: Path,
        base: bytes,
        records: Sequence[Record],
        places: Mapping[int, bytes],
        now: Mapping[int, _Seen],
        here: Callable[[], frozenset[bytes]],
    ) -> None:
        """Let what is new, replaced or back inherit, then remember what is there now."""
        before = {number: self._seen(place) for number, place in places.items()}
        appeared = [each for each in records if before[each.number] is None]
        renames = _renames(root) if appeared else {}
        for each in records:
            number, place = each.number, places[each.number]
            ancestors = self._ancestors(now[number]) - {place}
            if ancestors and before[number] == now[number]:
                # It may have been elsewhere and come back. A copy that is still here is an object of its own.
                ancestors -= here()
            if before[number] is None:
                ancestors |= {self._place(base, old, each.part) for old in _former(each.path, renames)} - {place}
            if ancestors:
                self._ledger.inherit(self._key(place), sorted(self._key(ancestor) for ancestor in ancestors))
        # Only after the ledger has it: a crash in between makes them inherit once more, which changes nothing.
        self._remember({places[number]: seen for number, seen in now.items() if before[number] != seen})

    def _place(self, base: bytes, path: str, part: str) -> bytes:
        return self._state.keyed("place", base + b"/" + os.fsencode(path) + b"\0" + os.fsencode(part))

    def _key(self, place: bytes) -> bytes:
        return self._state.keyed("object", place)

    def _digest(self, root: Path, record: Record) -> bytes:
        """A keyed digest of its content, of a part that of the whole file; nothing for what is tiny or unreadable."""
        try:
            with Beneath(root) as beneath, os.fdopen(beneath.open(record.path), "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size < LEAST_BYTES:
                    return b""
                made = hashlib.blake2b(key=self._state.key, digest_size=24, person=b"content")
                if record.part:
                    made.update(hashlib.blake2b(os.fsencode(record.part)).digest())
                if size <= WHOLE:
                    while piece := file.read(1 << 20):
                        made.update(piece)
                else:
                    made.update(size.to_bytes(8, "big") + file.read(1 << 20))
                    file.seek(size - (1 << 20))
                    made.update(file.read(1 << 20))
                return made.digest()
        except OSError:
            return b""

    def _seen(self, place: bytes) -> _Seen | None:
        row = self._database.execute("SELECT digest, sketch FROM places WHERE place = ?", (place,)).fetchone()
        return _Seen(*row) if row else None

    def _ancestors(self, seen: _Seen) -> set[bytes]:
        """Places that hold or held the same content, or much of it."""
        found: set[bytes] = set()
        if seen.digest:
            query = "SELECT place FROM places WHERE digest = ?1 UNION SELECT place FROM contents WHERE digest = ?1"
            same = self._database.execute(query, (seen.digest,))
            found |= {row[0] for row in same}
        mine = _lines(seen.sketch)
        if mine:
            query = "SELECT place, count(*) FROM lines WHERE line IN (SELECT value FROM json_each(?)) GROUP BY place"
            shared = self._database.execute(query, (json.dumps(mine),))
            # The share of common hashes of two bottom-k sketches estimates how alike they are.
            found |= {place for place, common in shared if common >= ALIKE * len(mine)}
        return found

    def _remember(self, seen: Mapping[bytes, _Seen]) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            for place, each in seen.items():
                self._database.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?)", (place, *each))
                # What a place once held stays findable: content that moved on keeps its past.
                if each.digest:
                    self._database.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (each.digest, place))
                self._database.executemany(
                    "INSERT OR IGNORE INTO lines VALUES (?, ?)", [(line, place) for line in _lines(each.sketch)]
                )
            self._database.execute("COMMIT")
        except BaseException:
            self._database.execute("ROLLBACK")
            raise


def _lines(sketch: bytes) -> list[int]:
    numbers = array("I", sketch[: len(sketch) // 4 * 4])
    if byteorder == "little":
        numbers.byteswap()
    return numbers.tolist()


def _former(path: str, renames: Mapping[str, set[str]]) -> set[str]:
    """Every name that a path had before, over any number of renames."""
    found: set[str] = set()
    waiting = [path]
    while waiting:
        for old in renames.get(waiting.pop(), ()):
            if old not in found:
                found.add(old)
                waiting.append(old)
    return found


def _renames(root: Path) -> dict[str, set[str]]:
    """New name to old names, as git knows them: committed and staged. Comparing the work tree could run filters."""
    real = Path(os.path.realpath(root))
    if repository(real) is None:
        return {}
    found: dict[str, set[str]] = {}
    shared = ("-z", "--name-status", "--diff-filter=R", "-M30%", "--relative", "--no-ext-diff", "--no-textconv")
    quiet = ("--ignore-submodules=all", "-O/dev/null")
    for arguments in (
        ("log", f"--max-count={RENAMES}", "--format=", *shared, *quiet, "HEAD", "--"),
        ("diff-index", "--cached", *shared, *quiet, "HEAD", "--"),
    ):
        try:
            fields = iter(list(Command(real, time.monotonic() + 20).fields(arguments, 16 << 20)))
        except CommandError:
            continue
        for field in fields:
            if field.lstrip(b"\n").startswith(b"R"):
                old, new = next(fields, b""), next(fields, b"")
                found.setdefault(os.fsdecode(new), set()).add(os.fsdecode(old))
    return found
