"""What is near to a goal in meaning, and a choice of the best in which no family of like objects takes all places."""

from __future__ import annotations

import os
import sqlite3
import struct
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from plantwin.private.facts import Private
from plantwin.private.index import UNSETTLED, Signature
from plantwin.private.observe.beneath import Beneath
from plantwin.private.records import Record
from plantwin.private.selection.meaning.encoder import WIDTH, Encoder, Floats
from plantwin.private.selection.words import pieces_of

EVERY: Final = 64
"""Files between two looks at the clock, and between two writes."""


class Kept(NamedTuple):
    """One file's vector."""

    stamp: bytes
    """What the file system said of it."""
    digest: bytes
    """Names the card and the model."""
    vector: bytes

    def __repr__(self) -> str:
        return "<Kept private>"


class Vectors(Private):
    """One file per observed root, readable by its owner alone. Without it they are kept in memory."""

    def __init__(self, file: Path | None, size: int) -> None:
        self._file, self._size = file, size
        self._known: dict[str, Kept] = {}
        if file is not None:
            self._load(file)

    def get(self, path: str) -> Kept | None:
        """What is kept of a file."""
        return self._known.get(path)

    def keep(self, new: Mapping[str, Kept]) -> None:
        """Remember these. A file that cannot be written costs time later, nothing else."""
        self._known.update(new)
        rows = [(os.fsencode(path), *kept) for path, kept in new.items()]
        self._write("INSERT OR REPLACE INTO vectors VALUES (?,?,?,?)", rows)

    def drop(self, gone: Collection[str]) -> None:
        """Forget these."""
        for path in gone:
            self._known.pop(path, None)
        self._write("DELETE FROM vectors WHERE path = ?", [(os.fsencode(path),) for path in gone])

    def paths(self) -> Collection[str]:
        """Files of which something is kept."""
        return self._known.keys()

    def _write(self, statement: str, rows: Sequence[tuple[bytes, ...]]) -> None:
        if self._file is None or not rows:
            return
        try:
            with closing(self._opened(self._file)) as connection, connection:
                connection.executemany(statement, rows)
        except (sqlite3.Error, OSError):
            return

    def _load(self, file: Path) -> None:
        try:
            with closing(self._opened(file)) as connection:
                for path, *kept in connection.execute("SELECT path, stamp, digest, vector FROM vectors"):
                    if len(kept[-1]) == self._size:
                        self._known[os.fsdecode(path)] = Kept(*kept)
        except (sqlite3.Error, OSError, TypeError, ValueError):
            self._known.clear()

    @staticmethod
    def _opened(file: Path) -> sqlite3.Connection:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = sqlite3.connect(file, timeout=10)
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors"
            " (path BLOB PRIMARY KEY, stamp BLOB NOT NULL, digest BLOB NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID"
        )
        return connection


HEAD: Final = 4 << 10
"""Bytes of a file that are looked at."""
PIECES: Final = 48
"""Pieces of a card that the model looks at: it takes twice as long for twice as many, and finds little more."""
DEEP: Final = 3
"""Names at the end of a path that count."""
MOST: Final = 64
"""Words of a card at most: more would not be looked at."""


def card(path: str, head: bytes) -> str:
    """The words that stand for this file."""
    place = pieces_of("/".join(path.split("/")[-DEEP:]).encode("ascii", "replace"))
    said = [] if b"\0" in head else pieces_of(head[:HEAD])
    return f"{' '.join(place)} . {' '.join(list(dict.fromkeys(said))[:MOST])}"


MEANT: Final = 80.0
"""What an object counts for each standard deviation by which it is nearer to the goal than the mean of all."""
ALIKE: Final = 300.0
FROM: Final = 0.4
"""What an object loses for being like one that is shown already, times how much more alike than this they are."""
DEPTH: Final = 300
"""The best objects among which the choice is made."""
GOAL: Final = 96
"""Pieces of a goal that are looked at."""
PATIENCE: Final = 20.0
"""Seconds that one request may spend on files that were not looked at yet; the next one goes on."""
VERSION: Final = b"minilm-l6/1/"
"""Raised whenever cards are made in another way: vectors of an earlier one are then made anew."""
_FLOATS: Final = "<f2"
SIZE: Final = 2 * WIDTH


class Nearness(Private):
    """How near each object is to one goal."""

    def __init__(self, goal: Floats, objects: Floats) -> None:
        self._objects = objects
        known = objects.any(1)
        near = objects @ goal
        spread = float(near[known].std()) if known.any() else 0.0
        middle = float(near[known].mean()) if known.any() else 0.0
        over = np.maximum(0.0, (near - middle) / spread) * known if spread > 0.0 else np.zeros(len(near))
        self.points: list[float] = (MEANT * over).tolist()
        """Points of each object, in the order in which they were given."""

    def varied(self, points: Sequence[float], order: Sequence[int], shown: Sequence[int], most: int) -> list[int]:
        """One after the other the best that is left, where each that is like one shown already counts less."""
        taken = frozenset(shown)
        best = [each for each in order[: max(DEPTH, 3 * most) + len(taken)] if each not in taken]
        rows = self._objects[best]
        left = np.array([points[each] for each in best])
        alike = rows @ self._objects[list(shown)].T if shown else np.zeros((len(best), 1))
        loss = alike.max(1)
        chosen: list[int] = []
        for _ in range(min(most, len(best))):
            at = int(np.argmax(left - ALIKE * np.maximum(0.0, loss - FROM)))
            chosen.append(best[at])
            left[at] = -np.inf
            loss = np.maximum(loss, rows @ rows[at])
        return chosen


class Sense(Private):
    """Vectors of a folder's files, made when they are needed first and kept."""

    def __init__(
        self,
        root: Path,
        encoder: Callable[[], Encoder],
        file: Path | None,
        keyed: Callable[[str, bytes], bytes],
        signatures: Callable[[], Mapping[str, Signature]],
        progress: Callable[[int, int | None, str], None] | None = None,
    ) -> None:
        """`file`: where they are kept. `signatures`: what the file system said of each file when it was read."""
        self._root, self._keyed, self._signatures = root, keyed, signatures
        self._make = encoder
        self._encoder: Encoder | None = None
        self._vectors = Vectors(file, SIZE)
        self._fresh: dict[str, Signature] = {}
        self._paths: list[str] = []
        self._objects = np.zeros((0, WIDTH), np.float32)
        self._say = progress or (lambda done, total, phase: None)
        self.left = 0
        """Files that no request had the time to look at yet."""

    @property
    def encoder(self) -> Encoder:
        """The model, loaded with the first text."""
        if self._encoder is None:
            self._encoder = self._make()
        return self._encoder

    def near(self, goal: str, records: Sequence[Record], order: Iterable[int]) -> Nearness:
        """How near the objects are to a goal. Of files not looked at yet, those are first that `order` has first."""
        signatures = self._signatures()
        self._forget(signatures.keys())
        paths = dict.fromkeys(records[each].path for each in order)
        self._look([each for each in paths if not self._same(each, signatures.get(each, UNSETTLED))], signatures)
        return Nearness(self.encoder.vectors([goal], GOAL)[0], self._gathered([each.path for each in records]))

    def _gathered(self, paths: list[str]) -> Floats:
        """Vectors of these files as one table, made anew only when there is something new in it."""
        if paths != self._paths:
            nothing = bytes(SIZE)
            kept = [self._vectors.get(each) for each in paths]
            table = np.frombuffer(b"".join([each.vector if each else nothing for each in kept]), _FLOATS)
            self._objects = table.reshape(len(paths), WIDTH).astype(np.float32)
            self._paths = paths
        return self._objects

    def _same(self, path: str, signature: Signature) -> bool:
        if self._fresh.get(path) == signature:
            return True
        kept = self._vectors.get(path)
        same = kept is not None and not signature.unsettled and kept.stamp == _stamp(signature)
        if same:
            self._fresh[path] = signature
        return same

    def _forget(self, there: Collection[str]) -> None:
        gone = [each for each in self._vectors.paths() if each not in there]
        for each in gone:
            self._fresh.pop(each, None)
        self._vectors.drop(gone)

    def _look(self, paths: Sequence[str], signatures: Mapping[str, Signature]) -> None:
        until = time.monotonic() + PATIENCE
        self.left = len(paths)
        if not paths:
            return
        self._paths = []
        with Beneath(self._root) as beneath:
            for start in range(0, len(paths), EVERY):
                some = paths[start : start + EVERY]
                self._look_at({each: card(each, _head(beneath, each)) for each in some}, signatures)
                self.left -= len(some)
                self._say(len(paths) - self.left, len(paths), "meaning")
                if time.monotonic() > until:
                    return

    def _look_at(self, cards: Mapping[str, str], signatures: Mapping[str, Signature]) -> None:
        digests = {path: self._keyed("meaning", VERSION + text.encode()) for path, text in cards.items()}
        known = {path: self._vectors.get(path) for path in cards}
        new = [path for path, kept in known.items() if kept is None or kept.digest != digests[path]]
        made = self.encoder.vectors([cards[path] for path in new], PIECES) if new else ()
        vectors = {path: kept.vector for path, kept in known.items() if kept is not None}
        vectors |= {path: vector.astype(_FLOATS).tobytes() for path, vector in zip(new, made, strict=True)}
        self._vectors.keep(
            {path: Kept(_stamp(signatures.get(path, UNSETTLED)), digests[path], vectors[path]) for path in cards}
        )


def _stamp(signature: Signature) -> bytes:
    return VERSION + struct.pack("<5q", *(each if -(2**63) <= each < 2**63 else -1 for each in signature))


def _head(beneath: Beneath, path: str) -> bytes:
    """The beginning of a file; nothing where it cannot be read."""
    try:
        descriptor = beneath.open(path)
    except OSError:
        return b""
    try:
        return os.pread(descriptor, HEAD, 0)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
