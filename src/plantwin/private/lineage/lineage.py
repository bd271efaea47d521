"""Which object of today is which object of before: a new name or an edit must not buy a new budget.

One content is one account: all places that hold it share a ledger key, which follows from the place where it was first
seen. An object that is edited keeps its account; one of several copies that is edited gets its own, which takes over
what the shared one was told. So does what appears at a new place or is replaced: its ancestors are looked for by the
same content, by much of its lines, pieces or values (`features.py`), by a rename that git knows. Small files with
secrets that hold most of each other's values are copies of each other too. In doubt it inherits. What is back where it
was inherits from where it has been in the meantime.

Kept are keyed digests, no path and no content.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

from plantwin.errors import StateError
from plantwin.private.facts import Facts
from plantwin.private.lineage.features import SHARE, Features, features, likeness, line_features
from plantwin.private.lineage.renames import former_paths, renames_in
from plantwin.private.lineage.store import LOST, NO_FEATURES, Content, Remembered, Spot
from plantwin.private.observe.beneath import Beneath
from plantwin.private.records import Record
from plantwin.private.state import State

EMPTY = "empty"
"""The version of what has no content, or none that can be read."""
LEAST_BYTES = 8
"""Content below this says nothing: empty and one-word files are all alike. A short secret is not."""
LOOKED = 8 << 20
"""So many bytes of a content are compared with others."""
WHOLE = 32 << 20
"""Up to so many bytes the whole content is digested; of more, its ends."""
OBJECTS = 4096
"""Objects of a folder that are sampled, to know its copies by."""


class Inheritance(Protocol):
    """The ledger's part in this."""

    def inherit(self, key: bytes, ancestors: Sequence[bytes]) -> None:
        """Take over what was told of the ancestors."""
        ...


class Identity(NamedTuple):
    """Which object of the ledger a record is."""

    key: bytes
    """Its account. Copies share one."""
    version: str
    """Of its content: twelve hexadecimal digits, or `empty`."""


class Traced(NamedTuple):
    """A record as it would be followed."""

    identity: Identity
    ancestors: tuple[bytes, ...]
    """Keys of which it would take over what was told: where it was before, and what is not here any more."""


class _Now(NamedTuple):
    """What a record is found to be."""

    place: bytes
    digest: bytes
    """Empty when there is no content."""
    telling: bool
    """Whether equal content means the same object."""
    features: Features
    """Empty when the content is known."""
    secret: bool


class Lineage:
    """Ledger keys of objects, the same across sessions, names, copies and edits."""

    def __init__(self, state: State, ledger: Inheritance, told: Callable[[], bool] = lambda: False) -> None:
        """`told`: whether the ledger holds anything that was told from this state folder."""
        self._state = state
        self._ledger = ledger
        self._remembered = Remembered(state, told)

    def __repr__(self) -> str:
        return "<Lineage private>"

    def close(self) -> None:
        """Close the file."""
        self._remembered.close()

    def keys(
        self,
        root: Path,
        records: Sequence[Record],
        sketches: Mapping[int, bytes],
        everything: Callable[[], Iterable[Record]] | None = None,
    ) -> dict[int, Identity]:
        """The account and version of each record, by its number; descendants have inherited when this returns.

        `sketches`: of records that are parts of a file. `everything`: all records of the folder, where these are
        not all.
        """
        try:
            now = self._observed(root, records, sketches)
            with self._remembered.writing():
                found = self._followed(root, records, now, everything)
                for account, ancestors in found.inheritances():
                    self._ledger.inherit(self._key(account), sorted(map(self._key, ancestors)))
                # Only after the ledger has it: a crash in between makes them inherit once more, which changes nothing.
                found.remember()
        except sqlite3.Error:
            raise StateError(LOST) from None
        return {number: self._identity(account, now[number]) for number, account in found.accounts.items()}

    def trace(
        self,
        root: Path,
        records: Sequence[Record],
        sketches: Mapping[int, bytes],
        everything: Callable[[], Iterable[Record]] | None = None,
    ) -> dict[int, Traced]:
        """What `keys` would say of each record, with nothing recorded."""
        try:
            now = self._observed(root, records, sketches)
            with self._remembered.reading():
                found = self._followed(root, records, now, everything, only_gone=True)
        except sqlite3.Error:
            raise StateError(LOST) from None
        inherited = {account: tuple(sorted(map(self._key, each))) for account, each in found.inheritances()}
        return {
            number: Traced(self._identity(account, now[number]), inherited.get(account, ()))
            for number, account in found.accounts.items()
        }

    def folder_key(self, root: Path) -> bytes:
        """The ledger key of the folder itself."""
        return self._key(self._folder(root))

    def folder(self, root: Path, objects: Callable[[], Iterable[tuple[int, Facts]]] | None = None) -> bytes:
        """The ledger key of the folder itself, which has inherited when this returns.

        One that was moved inherits: its inode says that it is the same. So does one of whose `objects` most were seen
        in another folder: a copy, a part of it, or what was put around it.
        """
        place = self._folder(root)
        try:
            found = Path(os.path.realpath(root)).stat()
            inode = self._state.keyed("inode", f"{found.st_dev}:{found.st_ino}".encode())
            held = tuple(sorted(set(self._objects(objects() if objects is not None else ())))[:OBJECTS])
            with self._remembered.writing():
                ancestors = self._remembered.folders(inode)
                for other, shared, theirs in self._remembered.sharing(held):
                    # A full sample says nothing beyond its last.
                    full = len(theirs) == OBJECTS
                    compared = sum(each <= theirs[-1] for each in held) if full else len(held)
                    if shared > SHARE * compared:
                        ancestors.add(other)
                # Every time: it may have been elsewhere, been told of there, and come back.
                if ancestors := ancestors - {place}:
                    self._ledger.inherit(self._key(place), sorted(map(self._key, ancestors)))
                self._remembered.put_folder(place, inode, held)
        except OSError as error:
            raise StateError(f"the folder cannot be looked at ({error.strerror}): check that it is there") from None
        except sqlite3.Error:
            raise StateError(LOST) from None
        return self._key(place)

    def _objects(self, objects: Iterable[tuple[int, Facts]]) -> Iterator[int]:
        """Keyed digests of what is known of the objects' contents."""
        for _, facts in objects:
            if facts.size >= LEAST_BYTES:
                known = repr((facts.part, facts.size, facts.lines, facts.sketch, facts.settings)).encode()
                made = hashlib.blake2b(known, key=self._state.key, digest_size=8, person=b"object").digest()
                yield int.from_bytes(made, "big", signed=True)

    def _followed(
        self,
        root: Path,
        records: Sequence[Record],
        now: Mapping[int, _Now],
        everything: Callable[[], Iterable[Record]] | None,
        *,
        only_gone: bool = False,
    ) -> _Followed:
        base = os.fsencode(os.path.realpath(root))

        @cache
        def here() -> frozenset[bytes]:
            present = everything() if everything is not None else records
            return frozenset(self._place(base, each.path, each.part) for each in present)

        @cache
        def renames() -> dict[str, set[str]]:
            return renames_in(root)

        followed = frozenset(each.place for each in now.values())
        found = _Followed(self._remembered, self._state, followed, here, only_gone=only_gone)
        for each in records:
            before = self._remembered.spot(now[each.number].place)
            former = (
                {self._place(base, old, each.part) for old in former_paths(each.path, renames())}
                if before is None
                else set()
            )
            found.add(each.number, now[each.number], before, former)
        return found

    def _observed(self, root: Path, records: Sequence[Record], sketches: Mapping[int, bytes]) -> dict[int, _Now]:
        """What the records are now, by number."""
        base = os.fsencode(os.path.realpath(root))
        found: dict[int, _Now] = {}
        new: dict[bytes, Features] = {}
        with Beneath(root) as beneath, self._remembered.reading():
            for each in records:
                digest, head = self._digest(beneath, each)
                telling = len(head) >= LEAST_BYTES
                if telling and digest not in new:
                    known = self._remembered.content(digest) is not None
                    new[digest] = NO_FEATURES if known else self._features(each, head, sketches.get(each.number, b""))
                secret = each.kind == "secret_container" or each.sensitivity == "high"
                place = self._place(base, each.path, each.part)
                found[each.number] = _Now(place, digest, telling, new.get(digest, NO_FEATURES), secret)
        return found

    def _features(self, record: Record, head: bytes, sketch: bytes) -> Features:
        if record.part:
            return Features(line_features(sketch, self._state.key))
        return features(head, sketch, self._state.key, code=record.kind == "code_file")

    def _identity(self, account: bytes, now: _Now) -> Identity:
        if not now.digest:
            return Identity(self._key(account), EMPTY)
        made = hashlib.blake2b(now.digest, key=self._state.key, digest_size=6, person=b"version")
        return Identity(self._key(account), made.hexdigest())

    def _folder(self, root: Path) -> bytes:
        return self._state.keyed("folder", os.fsencode(os.path.realpath(root)))

    def _place(self, base: bytes, path: str, part: str) -> bytes:
        return self._state.keyed("place", base + b"/" + os.fsencode(path) + b"\0" + os.fsencode(part))

    def _key(self, account: bytes) -> bytes:
        return self._state.keyed("object", account)

    def _digest(self, beneath: Beneath, record: Record) -> tuple[bytes, bytes]:
        """A keyed digest of its content, of a part that of the whole file, and as much of it as is compared."""
        try:
            with os.fdopen(beneath.open(record.path), "rb", buffering=0) as file:
                size = os.fstat(file.fileno()).st_size
                made = hashlib.blake2b(key=self._state.key, digest_size=24, person=b"content")
                if record.part:
                    made.update(hashlib.blake2b(os.fsencode(record.part)).digest())
                head = b""
                if size <= WHOLE:
                    while piece := file.read(1 << 20):
                        made.update(piece)
                        if len(head) < LOOKED:
                            head = head + piece if head else piece
                else:
                    head = file.read(1 << 20)
                    made.update(size.to_bytes(8, "big") + head)
                    head += file.read(LOOKED - len(head))
                    file.seek(size - (1 << 20))
                    made.update(file.read(1 << 20))
                return (made.digest() if head else b""), head
        except OSError:
            return b"", b""


class _Followed:
    """Which account each record has, and from which it inherits."""

    def __init__(
        self,
        remembered: Remembered,
        state: State,
        followed: frozenset[bytes],
        here: Callable[[], frozenset[bytes]],
        *,
        only_gone: bool,
    ) -> None:
        """`followed`: the places of the records that are added. `here`: of all that are in the folder."""
        self.accounts: dict[int, bytes] = {}
        """By the record's number."""
        self._remembered, self._state, self._only_gone = remembered, state, only_gone
        self._followed, self._here = followed, here
        self._ancestors: dict[bytes, set[bytes]] = {}
        self._new: dict[bytes, tuple[_Now, bytes, Spot | None]] = {}
        self._contents: dict[bytes, bytes] = {}
        """Accounts of contents that are not remembered yet."""
        self._secrets: list[tuple[Features, bytes]] = []
        self._kin: dict[bytes, tuple[Content | None, set[bytes], bytes | None]] = {}

    def add(self, number: int, now: _Now, before: Spot | None, former: set[bytes]) -> None:
        """Find the account of a record. `former`: the places where git knows that it was."""
        content, kin, near = self._kindred(now)
        if content is not None:
            account = content.account
        elif now.digest in self._contents:
            account = self._contents[now.digest]
        else:
            account = (near if now.secret else None) or self._own(now, before)
            if now.telling:
                self._contents[now.digest] = account
                if now.secret:
                    self._secrets.append((now.features, account))
        changed = before is None or before.digest != now.digest
        ancestors = kin - {account}
        if self._only_gone or not changed:
            # It may have been elsewhere and come back. What is still here is an object of its own.
            ancestors = {each for each in ancestors if not self._present(each, now.place)}
        for place in former:
            spot = self._remembered.spot(place)
            ancestors.add(spot.account if spot else place)
        if before is not None:
            ancestors.add(before.account)
        self.accounts[number] = account
        self._ancestors.setdefault(account, set()).update(ancestors)
        if changed or before is None or before.account != account:
            self._new[now.place] = (now, account, before)

    def inheritances(self) -> Iterator[tuple[bytes, set[bytes]]]:
        """Accounts with all from which they take over, those of their ancestors too."""
        for account in self._ancestors:
            found = {account}
            waiting = [account]
            while waiting:
                new = self._ancestors.get(waiting.pop(), set()) - found
                found |= new
                waiting += new
            if ancestors := found - {account}:
                yield account, ancestors

    def remember(self) -> None:
        """Keep what is there now."""
        for place, (now, account, before) in self._new.items():
            self._remembered.put(place, Spot(now.digest, account))
            if now.telling:
                self._remembered.keep(now.digest, account, now.features)
                if before is not None and before.account != account:
                    # What is yet told of the account that it leaves, by a session under way, is found from here.
                    self._remembered.keep(now.digest, before.account)

    def _kindred(self, now: _Now) -> tuple[Content | None, set[bytes], bytes | None]:
        """The content if it is known, accounts of the same and of related contents, and the nearest one's."""
        if not now.telling:
            return None, set(), None
        found = self._kin.get(now.digest)
        if found is None:
            content = self._remembered.content(now.digest)
            kin = self._remembered.holders(content) if content else set()
            near: bytes | None = None
            mine, number = (content.features, content.number) if content else (now.features, 0)
            for other, close in self._remembered.related(mine, number):
                kin |= self._remembered.holders(other)
                if close and near is None:
                    near = other.account
            if near is None and now.secret:
                near = next((each for kept, each in self._secrets if likeness(kept, now.features).near), None)
            found = self._kin[now.digest] = (content, kin, near)
        return found

    def _own(self, now: _Now, before: Spot | None) -> bytes:
        """The account that it has, unless it shares it; else one that follows from its place."""
        for account in ([before.account] if before else []) + [now.place]:
            if all(place == now.place for place in self._remembered.places(account)):
                return account
        return self._state.keyed("diverged", now.place + now.digest)

    def _present(self, account: bytes, place: bytes) -> bool:
        """Whether another object here has this account."""
        others = [each for each in self._remembered.places(account) if each != place]
        # Which places there are at all costs more to find out than which of them are being followed.
        return not self._followed.isdisjoint(others) or any(each in self._here() for each in others)
