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
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from plantwin.errors import StateError
from plantwin.private.catalogue import version
from plantwin.private.facts import Facts, Private, Record
from plantwin.private.index import Signature
from plantwin.private.lineage.accounts import Accounts, Inheritance, Observed
from plantwin.private.lineage.features import SHARE, Features, features, former_paths, line_features, renames_in
from plantwin.private.lineage.store import (
    LOST,
    NAMES,
    NO_FEATURES,
    OBJECTS,
    Members,
    Remembered,
    pack_members,
    unpack_members,
)
from plantwin.private.observe.beneath import Beneath
from plantwin.private.selection.cells import PLACE, Cell, Label
from plantwin.private.state import State

EMPTY = "empty"
"""The version of what has no content, or none that can be read."""
LEAST_BYTES = 8
"""Content below this says nothing: empty and one-word files are all alike. A short secret is not."""
LOOKED = 8 << 20
"""So many bytes of a content are compared with others."""
WHOLE = 32 << 20
"""Up to so many bytes the whole content is digested; of more, its ends."""
SAME_PATHS, FEWEST_PATHS = 0.75, 10
"""Share of a folder's paths that makes it another's copy, and how many it must have for that."""


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


class Lineage(Private):
    """Ledger keys of objects, the same across sessions, names, copies and edits."""

    def __init__(
        self, state: State, ledger: Inheritance, told: Callable[[], bool] = lambda: False, *, shared: bool = False,
        person: str = "",
    ) -> None:  # fmt: skip
        """`told`: whether the ledger holds anything that was told from this state folder.

        `shared`: the ledger is a team's. Machines keep things in different places, so accounts follow from contents,
        of sets from the folder's name, which counts too much at worst. `person`: whose they are, where not the team's.
        """
        self._shared, self._person = shared, person.encode() + b"\0" if person else b""
        self._state = state
        self._ledger = ledger
        self._remembered = Remembered(state, told)
        self._members = hashlib.blake2b(key=state.key, digest_size=8, person=b"member")
        """Begun with the key, to be copied for each member."""
        self._ancestors: dict[bytes, set[bytes]] = {}
        """Where folders were before, or what they are copies of."""
        self._files = b""
        """A digest of the files of the folder that was last looked at; none where a change might not show in it."""
        self._contents: Callable[[], Mapping[int, int]] = dict
        """Digests of what is known of its objects, by number; made when they are needed."""

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
        inherited = {account: tuple(sorted(map(self._key, others))) for account, others in found.inheritances()}
        return {
            number: Traced(self._identity(account, now[number]), inherited.get(account, ()))
            for number, account in found.accounts.items()
        }

    def folder_key(self, root: Path) -> bytes:
        """The ledger key of the folder itself."""
        return self._key(self._folder(root))

    def folder(
        self,
        root: Path,
        objects: Callable[[], Iterable[tuple[int, Facts]]] = tuple,
        signatures: Mapping[str, Signature] | None = None,
    ) -> bytes:
        """The ledger key of the folder itself, which has inherited when this returns.

        One that was moved inherits: its inode says that it is the same. So does one of whose `objects` most were seen
        in another folder: a copy, a part of it, or what was put around it; and one of whose paths nearly all were seen
        in another: a copy in which every file was edited. `signatures`: those of its files; while they are the same,
        the objects are not looked at again.
        """
        place = self._folder(root)
        try:
            found = Path(os.path.realpath(root)).stat()
            inode = self._state.keyed("inode", f"{found.st_dev}:{found.st_ino}".encode())
            self._files = self._stamped(signatures)
            self._contents = cache(lambda: dict(self._objects(objects())))
            with self._remembered.writing():
                files, cells = self._remembered.stamps(place)
                same = self._files != b"" and files == self._files
                held = self._remembered.sample(place) if same else self._sample()
                paths = self._remembered.sample(NAMES + place) if same else self._paths(signatures or ())
                ancestors = self._remembered.folders(inode) | self._remembered.sharing(held, SHARE)
                if len(paths) >= FEWEST_PATHS:
                    ancestors |= self._remembered.sharing(paths, SAME_PATHS)
                    self._remembered.put_folder(NAMES + place, place, paths)
                # Every time: it may have been elsewhere, been told of there, and come back.
                if ancestors := ancestors - {place}:
                    self._ledger.inherit(self._key(place), sorted(map(self._key, ancestors)))
                self._remembered.put_folder(place, inode, held)
                self._remembered.put_stamps(place, self._files, cells)
        except OSError as error:
            raise StateError(f"the folder cannot be looked at ({error.strerror}): check that it is there") from None
        except sqlite3.Error:
            raise StateError(LOST) from None
        self._ancestors[place] = ancestors
        return self._key(place)

    def _paths(self, paths: Iterable[str]) -> tuple[int, ...]:
        """A sample of the paths of a folder's files."""
        return tuple(sorted({self._at(path) for path in paths})[:OBJECTS])

    def _sample(self) -> tuple[int, ...]:
        """A sample of what is known of a folder's objects."""
        return tuple(sorted(set(self._contents().values()))[:OBJECTS])

    def _stamped(self, signatures: Mapping[str, Signature] | None) -> bytes:
        """A digest of a folder's files, and of the version of what is known of them; none where one is unsettled."""
        if not signatures:
            return b""
        numbers = array("q", chain.from_iterable(signatures.values()))
        if -1 in numbers[Signature._fields.index("mode") :: len(Signature._fields)]:
            return b""
        made = hashlib.blake2b(version("").encode(), key=self._state.key, digest_size=24, person=b"files")
        made.update("\0".join(("", *signatures)).encode("utf-8", "surrogateescape"))
        made.update(numbers.tobytes())
        return made.digest()

    def cells(self, root: Path, cells: Sequence[Cell]) -> dict[Label, bytes]:
        """The accounts of a folder's cells, which have inherited when this returns. `folder` has looked at it before.

        What was told of a cell was told of its members. Where one is in another cell now, that takes it over, and so
        does the cell of a copy of it; the members of a folder which was moved or copied are found by their path.
        """
        place = self._folder(root)
        owner = self._state.keyed("team folder", os.fsencode(Path(os.path.realpath(root)).name))
        short = {cell.label: self._cell(owner if self._shared else place, cell.label) for cell in cells}
        stamp = self._cut(cells)
        try:
            with self._remembered.writing():
                # Of a folder in which all is as it was, nothing is looked at one by one.
                if not self._files or self._remembered.stamps(place) != (self._files, stamp):
                    packed = self._packed(cells, short)
                    now = unpack_members(packed)
                    before, departed = self._remembered.cells(place)
                    self._carry(before, departed, now)
                    gone = {member: found for member, found in {**departed, **before}.items() if member not in now}
                    self._remembered.put_cells(place, packed, gone)
                    self._remembered.put_stamps(place, self._files, stamp)
                if ancestors := sorted(self._ancestors.get(place, ())):
                    now, _ = self._remembered.cells(place)
                    for folder in ancestors:
                        self._carry(*self._remembered.cells(folder), now)
        except sqlite3.Error:
            raise StateError(LOST) from None
        return {label: self._cell_key(number) for label, number in short.items()}

    def _carry(self, before: Members, departed: Members, now: Members) -> None:
        """Let cells inherit from those that their members, or copies of these, were in.

        What is new may be any of what is gone since.
        """
        known = {**departed, **before}
        copies: dict[int, set[int]] = {}
        for found in known.values():
            copies.setdefault(found.content, set()).add(found.cell)
        copies.pop(0, None)
        gone = {found.cell for member, found in before.items() if member not in now}
        sources: dict[int, set[int]] = {}
        for member, found in now.items():
            if before.get(member) != found:
                earlier = {known[member].cell} if member in known else set()
                earlier |= copies.get(found.content, set())
                sources.setdefault(found.cell, set()).update(earlier or gone)
        for cell, others in sources.items():
            if others := others - {cell}:
                self._ledger.inherit(self._cell_key(cell), sorted(map(self._cell_key, others)))

    def _cut(self, cells: Sequence[Cell]) -> bytes:
        """A digest of which files, and which objects, lie in which cell."""
        made = hashlib.blake2b(self._files, key=self._state.key, digest_size=24, person=b"cells")
        made.update(b"shared" * self._shared)
        for cell in cells:
            made.update("\0".join(("\0", *cell.label, "")).encode("utf-8", "surrogateescape"))
            made.update("\0".join(chain.from_iterable(map(PLACE, cell.members))).encode("utf-8", "surrogateescape"))
        return made.digest()

    def _packed(self, cells: Sequence[Cell], short: Mapping[Label, int]) -> bytes:
        """All members of cells, with what is known of their content, as they are kept."""
        records = [record for cell in cells for record in cell.members]
        contents = self._contents()
        return pack_members(
            [self._at(record.path, record.part) for record in records],
            [contents.get(record.number, 0) for record in records],
            [number for cell in cells for number in [short[cell.label]] * len(cell.members)],
        )

    def _at(self, path: str, part: str = "") -> int:
        """A short digest of where in a folder something is."""
        made = self._members.copy()
        made.update(f"{path}\0{part}".encode("utf-8", "surrogateescape"))
        return _short(made.digest())

    def _cell(self, folder: bytes, label: Label) -> int:
        """A short digest of a cell, by which it is remembered and from which its account follows."""
        return _short(self._state.keyed("cell", folder + "\0".join(label).encode("utf-8", "surrogateescape")))

    def _cell_key(self, short: int) -> bytes:
        return self._key(short.to_bytes(8, "big", signed=True))

    def _objects(self, objects: Iterable[tuple[int, Facts]]) -> Iterator[tuple[int, int]]:
        """Keyed digests of what is known of the objects' contents, by number."""
        keyed = hashlib.blake2b(key=self._state.key, digest_size=8, person=b"object")
        from_bytes = int.from_bytes
        for number, facts in objects:
            if facts.size >= LEAST_BYTES:
                made = keyed.copy()
                said = f"({facts.part!r}, {facts.size}, {facts.lines}, {facts.sketch!r}, {facts.settings!r})"
                made.update(said.encode())
                yield number, from_bytes(made.digest(), "big", signed=True)

    def _followed(
        self,
        root: Path,
        records: Sequence[Record],
        now: Mapping[int, Observed],
        everything: Callable[[], Iterable[Record]] | None,
        *,
        only_gone: bool = False,
    ) -> Accounts:
        base = os.fsencode(os.path.realpath(root))

        @cache
        def here() -> frozenset[bytes]:
            present = everything() if everything is not None else records
            return frozenset(self._place(base, record.path, record.part) for record in present)

        @cache
        def renames() -> dict[str, set[str]]:
            return renames_in(root)

        followed = frozenset(observed.place for observed in now.values())
        found = Accounts(self._remembered, self._state, followed, here, only_gone=only_gone, shared=self._shared)
        for record in records:
            before = self._remembered.spot(now[record.number].place)
            former = (
                {self._place(base, old, record.part) for old in former_paths(record.path, renames())}
                if before is None
                else set()
            )
            found.add(record.number, now[record.number], before, former)
        return found

    def _observed(self, root: Path, records: Sequence[Record], sketches: Mapping[int, bytes]) -> dict[int, Observed]:
        """What the records are now, by number."""
        base = os.fsencode(os.path.realpath(root))
        found: dict[int, Observed] = {}
        new: dict[bytes, Features] = {}
        with Beneath(root) as beneath, self._remembered.reading():
            for record in records:
                digest, head = self._digest(beneath, record)
                telling = len(head) >= LEAST_BYTES
                if telling and digest not in new:
                    known = self._remembered.content(digest) is not None
                    sketch = sketches.get(record.number, b"")
                    new[digest] = NO_FEATURES if known else self._features(record, head, sketch)
                secret = record.kind == "secret_container" or record.sensitivity == "high"
                place = self._place(base, record.path, record.part)
                found[record.number] = Observed(place, digest, telling, new.get(digest, NO_FEATURES), secret)
        return found

    def _features(self, record: Record, head: bytes, sketch: bytes) -> Features:
        if record.part:
            return Features(line_features(sketch, self._state.key))
        return features(head, sketch, self._state.key, code=record.kind == "code_file")

    def _identity(self, account: bytes, now: Observed) -> Identity:
        if not now.digest:
            return Identity(self._key(account), EMPTY)
        made = hashlib.blake2b(now.digest, key=self._state.key, digest_size=6, person=b"version")
        return Identity(self._key(account), made.hexdigest())

    def _folder(self, root: Path) -> bytes:
        return self._state.keyed("folder", os.fsencode(os.path.realpath(root)))

    def _place(self, base: bytes, path: str, part: str) -> bytes:
        return self._state.keyed("place", base + b"/" + os.fsencode(path) + b"\0" + os.fsencode(part))

    def _key(self, account: bytes) -> bytes:
        return self._state.keyed("object", self._person + account)

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


def _short(digest: bytes) -> int:
    return int.from_bytes(digest if len(digest) == 8 else digest[:8], "big", signed=True)
