"""A team's ledger: one PostgreSQL database, shared by all who hold the same key.

Every writer first locks the one row of `head`, so writers follow one another and none can deadlock. What
was under way when the connection broke is looked up before it is tried again: nothing is recorded twice,
and nothing counts as recorded that is not.
"""

from __future__ import annotations

import os
import pwd
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from plantwin.boundary.ledger.anchor import PATIENCE, Anchor
from plantwin.boundary.ledger.base import BaseLedger
from plantwin.boundary.ledger.chain import Chain
from plantwin.boundary.ledger.transaction import (
    NOT_OURS,
    WriteTransaction,
    checked,
    head_of,
    initial,
    recognised,
    tables,
)
from plantwin.errors import LedgerError
from plantwin.statefiles import need_own_folder
from plantwin.types.ledger import Rows

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")

PAUSES: Final = (0.01, 0.05, 0.25, 1.0, 0.0)
"""Seconds after each try that failed for a passing reason."""
_MAKING: Final = 0x50545769
"""The lock of whoever makes the tables."""
_SETTINGS: Final = (
    "SET search_path = plantwin, pg_catalog, pg_temp",
    "SET synchronous_commit = on",
    "SET default_transaction_isolation = 'read committed'",
    f"SET lock_timeout = '{PATIENCE:.0f}s'",
    # A client that hangs in the middle of a transaction must not hold up the team.
    f"SET idle_in_transaction_session_timeout = '{PATIENCE:.0f}s'",
)
_BUDGETS: Final = 'this ledger was begun with ledger.budgets = "{}": set it to that, or begin another ledger'
_GONE: Final = b"moved"
_MOVED: Final = (
    "this ledger was moved to another database: ask its owner for the new connection string and keys, then "
    "`plantwin ledger join FILE`"
)
_NOT_GRANTED: Final = (
    "your role may not do this. Its owner runs `plantwin ledger roles` and grants plantwin_reader, to look, or "
    "plantwin_writer, to run sessions"
)
_TABLES: Final = (
    "CREATE SCHEMA IF NOT EXISTS plantwin",
    *tables(blob="BYTEA", integer="BIGINT", real="DOUBLE PRECISION", serial="BIGSERIAL PRIMARY KEY"),
    "CREATE TABLE head (one BOOLEAN PRIMARY KEY CHECK (one))",
    "INSERT INTO head VALUES (TRUE)",
)

READER, WRITER, APPROVER = "plantwin_reader", "plantwin_writer", "plantwin_approver"
_ROLE: Final = (
    "DO $$ BEGIN CREATE ROLE {0} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
)
ROLES: Final = (
    *(_ROLE.format(role) for role in (READER, WRITER, APPROVER)),
    "REVOKE ALL ON SCHEMA plantwin FROM PUBLIC",
    "REVOKE ALL ON ALL TABLES IN SCHEMA plantwin FROM PUBLIC",
    f"GRANT USAGE ON SCHEMA plantwin TO {READER}, {WRITER}",
    f"GRANT SELECT ON ALL TABLES IN SCHEMA plantwin TO {READER}, {WRITER}",
    f"GRANT INSERT ON plantwin.trail, plantwin.told TO {WRITER}",
    f"GRANT INSERT, UPDATE ON plantwin.nodes TO {WRITER}",
    # A lock on the row of `head` needs the right to change it.
    f"GRANT UPDATE ON plantwin.head TO {WRITER}",
    f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA plantwin TO {WRITER}",
    f"GRANT {WRITER} TO {APPROVER}",
)
"""Who may read, who may record, who may approve. Nobody but the owner may change or delete a line."""


class _Rows:
    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._cursor = connection.cursor()

    def all(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._cursor.execute(query.replace("?", "%s").encode(), values).fetchall()

    def many(self, query: str, values: Sequence[tuple[object, ...]]) -> None:
        self._cursor.executemany(query.replace("?", "%s").encode(), values)


class PostgresLedger(BaseLedger):
    """A ledger in the schema `plantwin` of a database; the schema is made on first use."""

    def __init__(
        self,
        dsn: str,
        key: bytes,
        *,
        anchor: Path | None = None,
        witnesses: Sequence[Path] = (),
        accept: bool = False,
        refresh: float | None = None,
        clock: Callable[[], float] = time.time,
        budgets: str = "team",
    ) -> None:
        """`anchor`: a local file that remembers where the ledger stood, so that a cut is noticed here.

        `witnesses` and `accept` as for a ledger in a file. `budgets`: whose they are, the team's or a person's. It is
        decided when the ledger is begun: a change would begin every account anew.
        """
        super().__init__(Chain(key), refresh, clock)
        try:
            import psycopg
        except ImportError:
            raise LedgerError("ledger: PostgreSQL needs the package psycopg: install it beside plantwin") from None
        self._psycopg = psycopg
        self._dsn = dsn
        self._budgets = budgets
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None
        try:
            head = self._read(lambda rows: head_of(rows, self._chain)[0])
            if anchor is not None:
                anchor.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                need_own_folder(anchor.parent)
                # Where none is yet, this machine is new to the ledger and starts from what it finds.
                self._anchor = Anchor(anchor.absolute(), self._chain, lambda: head, witnesses, accept=accept)
                with self._anchor as mark:
                    marks = [mark] if accept else [mark, *self._anchor.witnessed()]
                    self._anchor.move(self._read(lambda rows: checked(rows, self._chain, marks)))
        except OSError as error:
            self.close()
            raise LedgerError(f"the ledger's anchor cannot be used ({error.strerror}): check its folder") from None
        except BaseException:
            self.close()
            raise

    def who(self) -> dict[str, str]:
        """Who is asking, for the trail: the user and host here, and the role that the server knows them by."""
        ((role,),) = self.read(lambda rows: rows.all("SELECT session_user::text"))
        user = pwd.getpwuid(os.geteuid()).pw_name
        return {"user": user, "host": os.uname().nodename, "role": role}

    def person(self) -> str:
        """Whose budgets these are, where each person has their own: the role, which the server has authenticated."""
        return self.who()["role"] if self._budgets == "person" else ""

    def may_approve(self) -> bool:
        """Whether this role may approve steps: everyone, until the team has a role for that."""
        member = "SELECT pg_has_role(session_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = ?"
        return self.read(lambda rows: rows.all(member, (APPROVER,))) in ([], [(True,)])

    def set_up_roles(self) -> None:
        """Make the roles of a team and grant them what they need; nobody may change or delete a line."""

        def grant(rows: Rows) -> None:
            for statement in ROLES:
                rows.many(statement, [()])

        self._done(grant)

    def retire(self, last: Callable[[], None]) -> None:
        """End this ledger for every client, after `last` has been done while nobody can write."""

        def end(rows: Rows) -> None:
            _turn(rows)
            last()
            rows.many("UPDATE meta SET value = ? WHERE name = 'format'", [(_GONE,)])
            rows.many("DELETE FROM head", [()])

        self._done(end)

    def _commit(self, work: Callable[[Rows], WriteTransaction[T]]) -> WriteTransaction[T]:
        def alone(rows: Rows) -> WriteTransaction[T]:
            _turn(rows)
            return work(rows)

        return self._done(alone)

    def _read(self, work: Callable[[Rows], T]) -> T:
        def at_one_moment(rows: Rows) -> T:
            rows.many("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", [()])
            return work(rows)

        return self._done(at_one_moment)

    def _done(self, work: Callable[[Rows], T]) -> T:
        """Try until it is done once. Whether a commit without an answer took place is looked up."""
        for pause in PAUSES:
            done: list[T] = []
            try:
                connection = self._connected()
                done.append(work(_Rows(connection)))
                connection.commit()
                return done[0]
            except self._psycopg.Error as error:
                self._close()
                if done and self._took_place(done[0]):
                    return done[0]
                state = error.sqlstate or type(error).__name__
                if not isinstance(error, self._psycopg.OperationalError) or state == "55P03":
                    break
            except BaseException:
                self._undo()
                raise
            time.sleep(pause)
        # insufficient_privilege, or tables of a schema that this role may not look into (undefined_table)
        hint = _NOT_GRANTED if state in ("42501", "42P01") else "check it, then try again"
        raise LedgerError(f"the ledger's database cannot be used ({state}): {hint}")

    def _took_place(self, done: object) -> bool:
        """By the last line it wrote. A writer's turn ends with its transaction: whose turn it is now can tell."""
        if not isinstance(done, WriteTransaction) or done.head == done.start:
            return False
        number, mac = done.head.number, done.head.mac

        def look(rows: Rows) -> bool:
            _turn(rows)
            if number == done.start.number:  # it wrote no line: whether it is still the last
                return head_of(rows, self._chain)[0] == done.head
            return rows.all("SELECT mac FROM trail WHERE number = ?", (number,)) == [(mac,)]

        return self._done(look)

    def _connected(self) -> psycopg.Connection[tuple[Any, ...]]:
        if self._connection is None:
            connection = self._psycopg.connect(self._dsn, connect_timeout=10)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _prepare(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        for setting in _SETTINGS:
            connection.execute(setting.encode())
        connection.commit()
        rows = _Rows(connection)
        # The catalog's table, not a function: functions may remember what was missing before the wait.
        there = "SELECT 1 FROM pg_tables WHERE schemaname = 'plantwin' AND tablename = 'meta'"
        if not rows.all(there):
            rows.all("SELECT pg_advisory_xact_lock(?)", (_MAKING,))
            if not rows.all(there):
                for each in _TABLES:
                    connection.execute(each.encode())
                initial(rows, self._chain)
                rows.many("INSERT INTO meta (name, value) VALUES ('budgets', ?)", [(self._budgets.encode(),)])
                self.is_new = True
        meta = dict(rows.all("SELECT name, value FROM meta"))
        if meta.get("format") == _GONE:
            raise LedgerError(_MOVED)
        recognised(rows, self._chain)
        # A ledger that was begun before there was a choice is a team's.
        if (begun := meta.get("budgets", b"team").decode()) != self._budgets:
            raise LedgerError(_BUDGETS.format(begun))
        connection.commit()

    def _undo(self) -> None:
        try:
            if self._connection is not None:
                self._connection.rollback()
        except self._psycopg.Error:
            self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _turn(rows: Rows) -> None:
    """Wait until no other writes."""
    if rows.all("SELECT one FROM head FOR UPDATE") != [(True,)]:
        gone = rows.all("SELECT value FROM meta WHERE name = 'format'") == [(_GONE,)]
        raise LedgerError(_MOVED if gone else NOT_OURS)
