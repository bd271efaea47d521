"""Questions that wait for a person at another terminal. Local only: they hold real names.

One row per question, in a database that only its owner can read. A question is answered once and the answer
taken once; both happen in one statement, so that several processes cannot do it twice. What was taken,
withdrawn or has expired is deleted.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from plantwin.boundary.approval import LONGEST
from plantwin.errors import InputError, StateError
from plantwin.private.facts import Private, private
from plantwin.private.report.wording import only_words
from plantwin.statefiles import connect_own
from plantwin.types.approval import Answer, Question
from plantwin.types.plan import source_of
from plantwin.types.prices import MILL
from plantwin.types.twin import set_id_like

POLL = 0.2
"""Seconds between two looks for an answer."""
MOST = 1_000
"""Open questions at most: a process gone wild cannot fill the disk."""
_TABLE = """
create table if not exists question (
    id text primary key, digest text not null unique, asked real not null, expires real not null,
    description text not null, approved integer
) strict
"""


@private
class Pending(NamedTuple):
    """One open question, as a person sees it."""

    id: str
    asked: float
    expires: float
    description: dict[str, Any]


class ApprovalQueue(Private):
    """Open questions of all processes that share a state folder."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        """`path`: the database, made when missing, closed to others."""
        self._clock = clock
        with _usable():
            self._database = connect_own(path, timeout=10.0, isolation_level=None)
            try:
                self._database.execute("pragma journal_mode = wal")
                self._database.execute("pragma synchronous = full")
                self._database.execute("pragma secure_delete = on")
                self._database.execute(_TABLE)
            except BaseException:
                self._database.close()
                raise

    def close(self) -> None:
        """Close it; open questions stay until they expire."""
        self._database.close()

    def put(self, question: Question, description: Mapping[str, Any]) -> str:
        """Ask; the id by which a person answers. `description` is what they are shown."""
        now = self._clock()
        if not now < question.expires <= now + LONGEST:
            raise InputError("approval: a question that has expired, or lives too long, cannot be asked")
        text = json.dumps(description)
        with self._writing() as database:
            database.execute("delete from question where expires < ?", (now,))
            (number,) = database.execute("select count(*) from question").fetchone()
            if number >= MOST:
                raise StateError(f"{MOST} approvals are waiting already: answer them with `plantwin approvals`")
            taken = {id_ for (id_,) in database.execute("select id from question")}
            name = next(name for name in iter(_fresh, None) if name not in taken)
            try:
                database.execute(
                    "insert into question values (?, ?, ?, ?, ?, null)",
                    (name, question.digest, now, question.expires, text),
                )
            except sqlite3.IntegrityError:
                raise InputError("approval: this question has been asked before") from None
        return name

    def wait(self, digest: str, until: float, *, poll: float = POLL) -> Answer | None:
        """The answer to a question, once; None when there is none by then, or the question is gone."""
        while True:
            with _usable():
                row = self._database.execute(
                    "select approved, asked, expires from question where digest = ?", (digest,)
                ).fetchone()
            now = self._clock()
            if row is None or not row[1] <= now <= row[2]:
                return None
            if row[0] is not None:
                return self._taken(digest)
            if now >= until:
                return None
            time.sleep(max(0.0, min(poll, until - now)))

    def _taken(self, digest: str) -> Answer | None:
        with self._writing() as database:
            row = database.execute(
                "delete from question where digest = ? and approved is not null returning approved", (digest,)
            ).fetchone()
        return None if row is None else Answer(digest, row[0] == 1)

    def withdraw(self, digest: str) -> None:
        """Nobody waits for the answer any more."""
        with self._writing() as database:
            database.execute("delete from question where digest = ?", (digest,))

    def pending(self) -> tuple[Pending, ...]:
        """Questions that can be answered now, the oldest first."""
        now = self._clock()
        with _usable():
            rows = self._database.execute(
                "select id, asked, expires, description from question"
                " where approved is null and asked <= ? and expires > ? order by asked, id",
                (now, now),
            ).fetchall()
        return tuple(Pending(id_, asked, expires, _described(text)) for id_, asked, expires, text in rows)

    def answer(self, id_: str, approved: bool) -> Pending:
        """A person's decision. Refused when there is no such question, or it is answered or expired."""
        now = self._clock()
        with self._writing() as database:
            row = database.execute(
                "update question set approved = ? where id = ? and approved is null and asked <= ? and expires > ?"
                " returning id, asked, expires, description",
                (int(approved is True), id_, now, now),
            ).fetchone()
        if row is None:
            raise InputError("no such question waits: it was answered, withdrawn or has expired")
        _, asked, expires, text = row
        return Pending(id_, asked, expires, _described(text))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with _usable():
            self._database.execute("begin immediate")
            try:
                yield self._database
                self._database.execute("commit")
            finally:
                if self._database.in_transaction:
                    self._database.execute("rollback")


class QueueApprover(Private):
    """Puts a question into the queue and waits for a person elsewhere."""

    def __init__(
        self,
        queue: ApprovalQueue,
        names: Mapping[str, str],
        *,
        told: Callable[[str], None] | None = None,
        about: Mapping[str, str] | None = None,
    ) -> None:
        """`names`: the real name of each object. `told`: called with the question's id once it waits.

        `about`: what else a person at another terminal has to know: who asks, for which goal, in which folder.
        """
        self._queue = queue
        self._names = names
        self._told = told
        self._about = about or {}

    def ask(self, question: Question) -> Answer | None:
        """Wait until somebody answers, or the question expires."""
        id_ = self._queue.put(question, {**described(question, self._names), **self._about})
        try:
            if self._told is not None:
                self._told(id_)
            return self._queue.wait(question.digest, question.expires)
        finally:
            # Also when interrupted: what nobody waits for must not be answered.
            with contextlib.suppress(StateError):
                self._queue.withdraw(question.digest)


def described(question: Question, names: Mapping[str, str]) -> dict[str, Any]:
    """A question in a person's terms: what the step works on, sets by what they are."""
    sets = [(source_of(name), only_words(name)) for name in question.step.inputs if set_id_like(source_of(name))]
    return {
        "step": question.step.id,
        "capability": question.step.capability,
        "objects": [
            *(names.get(set_, set_) + only for set_, only in sets),
            *(names.get(object_, object_) for object_ in question.objects),
        ],
        "causes": [str(cause) for cause in question.causes],
        "policy": question.policy,
        "price": question.price / MILL,
    }


def _described(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise StateError("the approval queue is damaged: remove approvals/ in the state folder")
    return value


def _fresh() -> str:
    return secrets.token_hex(4)


@contextmanager
def _usable() -> Iterator[None]:
    """Failures of the database or the disk, in words."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StateError(f"the approval queue cannot be used ({error}): try again, or free its disk") from None
    except sqlite3.Error:
        raise StateError("the approval queue is damaged: remove approvals/ in the state folder") from None
    except OSError as error:
        raise StateError(f"the approval queue cannot be used ({error.strerror})") from None
