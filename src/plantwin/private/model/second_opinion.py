"""Asking the model about doubtful files of a scan, in a worker process that can be killed and has no network.

The model is loaded once, when the first doubtful file comes. A file that takes too long, or that kills the worker,
keeps what the heuristics said. So do all that come after the time for one scan is used up. The heuristics check its
word: it may settle a doubt, and never more than that.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from plantwin.errors import StageError
from plantwin.private.facts import Facts, Private
from plantwin.private.index import Row, pack, unpack
from plantwin.private.model.model import Chosen
from plantwin.private.model.naming import BYTES, Namer
from plantwin.statefiles import connect_own
from plantwin.text import plural

_UNASKED = ("empty", "unreadable")
AGREES = "model: agrees"
NAMED = "model: named it, nothing else speaks for it"


def is_doubtful(facts: Facts) -> bool:
    """Whether a model is asked at all: only where the heuristics are not sure, and there is text that may be shown."""
    return (
        facts.confidence == "low"
        and not facts.part
        and facts.kind != "secret_container"
        and facts.readiness_cause not in _UNASKED
    )


def with_opinion(facts: Facts, pick: str) -> Facts:
    """Return the facts as the model's word changes them.

    Where it says what the heuristics say, the two make a medium confidence: what neither may give alone. Where nothing
    speaks for any class, its class is taken instead of the usual one, and the confidence stays low, so that a
    person is asked. In every other case it is outvoted.
    """
    if not pick or not is_doubtful(facts):
        return facts
    best, points = facts.ranking[0]
    if pick == best and points > 0:
        return msgspec.structs.replace(facts, confidence="medium", why=(*facts.why[:3], AGREES))
    if points <= 0 and pick != best:
        return msgspec.structs.replace(facts, ranking=((pick, 0.0), *facts.ranking[:2]), why=(NAMED,))
    return facts


MAX_KEPT = 50_000
"""OpinionCache that are kept; the oldest go first."""


class OpinionCache(Private):
    """Picked classes by a keyed digest of kind and text. Without a file they are kept in memory alone."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[bytes, str] = {}
        self._new: dict[bytes, str] = {}
        if file is not None:
            self._load(file)

    def get(self, digest: bytes) -> str | None:
        """The pick for this content; None where nobody asked."""
        return self._known.get(digest)

    def put(self, digest: bytes, pick: str) -> None:
        """Remember a pick; an empty one as well."""
        self._known[digest] = self._new[digest] = pick

    def keep(self) -> None:
        """Write what is new. A file that cannot be written costs time later, nothing else."""
        if self._file is None or not self._new:
            return
        try:
            with closing(self._opened(self._file)) as connection, connection:
                connection.executemany("INSERT OR REPLACE INTO opinions VALUES (?,?)", list(self._new.items()))
                connection.execute(
                    "DELETE FROM opinions WHERE rowid <= (SELECT max(rowid) FROM opinions) - ?", (MAX_KEPT,)
                )
            self._new.clear()
        except (sqlite3.Error, OSError):
            return

    def _load(self, file: Path) -> None:
        try:
            with closing(self._opened(file)) as connection:
                self._known.update(connection.execute("SELECT digest, pick FROM opinions"))
        except (sqlite3.Error, OSError, TypeError, ValueError):
            self._known.clear()

    @staticmethod
    def _opened(file: Path) -> sqlite3.Connection:
        connection = connect_own(file, timeout=10)
        connection.execute("CREATE TABLE IF NOT EXISTS opinions (digest BLOB UNIQUE, pick TEXT NOT NULL)")
        return connection


PATIENCE = 30.0
"""Seconds that one file may take, the loading of the model included."""
CONTEXT = 512
FAILURES = 3
"""Workers that may be lost until a scan goes on without."""

Question = tuple[str, str, tuple[str, ...]]
"""Path, kind, and the classes that the heuristics rank."""


class SecondOpinion(Private):
    """Serves one scan."""

    def __init__(self, root: Path, chosen: Chosen, file: Path | None, keyed: Callable[[str, bytes], bytes]) -> None:
        """`file`: where opinions are kept. `keyed`: digests under a local key, for a purpose."""
        self._root, self._chosen, self._opinions, self._keyed = root, chosen, OpinionCache(file), keyed
        self._name = chosen.name
        self._left = chosen.seconds
        self._failures = 0
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self.asked = self.unasked = 0
        """Files that the model was asked about, and those for which there was no time."""

    def over(self, batches: Iterable[list[Row | None]], warnings: list[str]) -> Iterator[list[Row | None]]:
        """Batches of rows, improved as they come. At their end, whichever it is, the worker ends too."""
        try:
            for rows in batches:
                yield [None if row is None else self._improved(row) for row in rows]
        finally:
            self.close()
            warnings += self.notes

    def improved(self, rows: Iterable[Row]) -> list[Row]:
        """The same rows, with what the model's word changes."""
        return [self._improved(row) for row in rows]

    @property
    def notes(self) -> list[str]:
        """What the person should know of it."""
        lost = [f"model_failed: {plural(self._failures, 'file')}"] if self._failures else []
        return lost + ([f"model_unasked: {plural(self.unasked, 'file')}, for want of time"] if self.unasked else [])

    def close(self) -> None:
        """End the worker, and keep what was learnt."""
        self._end()
        self._opinions.keep()

    def _improved(self, row: Row) -> Row:
        facts = unpack(row.facts)
        if len(facts) != 1 or not is_doubtful(facts[0]):
            return row
        changed = with_opinion(facts[0], self._pick(row.path, facts[0]))
        return row if changed is facts[0] else row._replace(facts=pack((changed,)))

    def _pick(self, path: str, facts: Facts) -> str:
        head = _head(self._root, path)
        ranked = tuple(target for target, _ in facts.ranking)
        digest = self._keyed("opinion", "\0".join((self._name, facts.kind, *ranked)).encode() + b"\0" + head)
        known = self._opinions.get(digest)
        if known is not None:
            return known
        if self._left <= 0 or self._failures >= FAILURES:
            self.unasked += 1
            return ""
        started = time.monotonic()
        pick = self._answer((path, facts.kind, ranked), head)
        self._left -= time.monotonic() - started
        if pick is None:
            self._failures += 1
            self._end()
            return ""
        self.asked += 1
        self._opinions.put(digest, pick)
        return pick

    def _answer(self, question: Question, head: bytes) -> str | None:
        try:
            connection = self._connection or self._start()
            connection.send((question[1:], head))
            if connection.poll(PATIENCE):
                answer = connection.recv()
                return answer if isinstance(answer, str) else None
        except (OSError, EOFError):
            return None
        return None

    def _start(self) -> Connection:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, ours, self._chosen), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()
        self._process, self._connection = process, ours
        return ours

    def _end(self) -> None:
        if self._process is not None and self._connection is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = self._connection = None


def _serve(connection: Connection, ours: Connection, chosen: Chosen) -> None:
    """A worker's life: questions in, picks out. What fails on one text is no opinion on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    ours.close()
    from plantwin.private.execution.kernel import confine
    from plantwin.private.model.model import Model

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    confine()
    try:
        namer = Namer(Model(chosen.weights, chosen.runtime, context=CONTEXT))
        while True:
            (kind, ranked), head = connection.recv()
            try:
                connection.send(namer.opinion(kind, head, ranked).pick)
            except StageError:
                connection.send("")
    except (EOFError, OSError, StageError):
        os._exit(0)


def _head(root: Path, path: str) -> bytes:
    from plantwin.private.observe.beneath import Beneath

    try:
        with Beneath(root) as beneath:
            opened = beneath.open(path)
            try:
                return os.pread(opened, BYTES, 0)
            finally:
                os.close(opened)
    except OSError:
        return b""
