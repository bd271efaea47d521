"""What is particular to the database: broken connections, commits without an answer, foreign schemas."""

from __future__ import annotations

import builtins
import signal
import threading
import time

import psycopg
import pytest
from ledger_places import ALPHA, BETA, KEY, PostgresPlace, key, spent, tell, told

from plantwin.errors import LedgerError
from plantwin.ledgers import postgres
from plantwin.ledgers.postgres import PostgresLedger
from plantwin.ledgers.verification import verify
from plantwin.types.ledger import Decision, Entry


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(postgres, "PAUSES", (0.01, 0.01, 0.01))


def breaking(monkeypatch, moment):
    """The next commit breaks the connection, before or after it took place."""
    real, moments = psycopg.Connection.commit, [moment]

    def commit(connection):
        now = moments.pop() if moments else "never"
        if now != "before":
            real(connection)
        if now != "never":
            connection.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(psycopg.Connection, "commit", commit)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_commit_without_an_answer_is_looked_up(postgres_place, monkeypatch, moment):
    ledger = postgres_place.open()
    breaking(monkeypatch, moment)
    calls = []

    def decide(standing):
        calls.append(standing.known[key("a")].spent)
        return told(("a", "kind=config", 500), value=len(calls))(standing)

    assert ledger.transact(ALPHA, [key("a")], decide).value == (1 if moment == "after" else 2)
    assert calls == ([0] if moment == "after" else [0, 0])
    assert spent(ledger, ALPHA, "a") == 500
    assert (verify(ledger).lines, verify(ledger).problem) == (1, "")


def test_what_wrote_no_line_is_looked_up_too(postgres_place, monkeypatch):
    ledger = postgres_place.open()
    breaking(monkeypatch, "after")
    ledger.note("alpha", "turn")
    assert ledger.standing(ALPHA).turns == 1


def test_a_connection_that_was_cut_is_made_again(postgres_place):
    ledger = postgres_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = %s"
    postgres_place.raw(end, postgres_place.dsn.split("dbname=")[1].split()[0])
    tell(ledger, ALPHA, ("a", "role=main", 500))
    assert spent(ledger, ALPHA, "a") == 1000


def test_a_connection_cut_inside_a_transaction_leaves_nothing_and_is_tried_again(postgres_place):
    ledger = postgres_place.open()
    calls = []

    def decide(known):
        calls.append(1)
        if len(calls) == 1:
            postgres_place.raw("SELECT pg_terminate_backend(%s)", ledger._connection.info.backend_pid)
        return told(("a", "kind=config", 500), entries=(Entry("plan", b"x"),))(known)

    ledger.transact(ALPHA, [key("a")], decide)
    assert (len(calls), verify(ledger).lines, spent(ledger, ALPHA, "a")) == (2, 2, 500)


def test_a_decision_that_fails_on_a_broken_connection_fails_as_itself(postgres_place):
    ledger = postgres_place.open()

    def decide(known):
        ledger._connection.close()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ledger.transact(ALPHA, [], decide)
    tell(ledger, ALPHA, ("a", "kind=config", 500))


def test_a_server_that_is_gone_is_an_error_without_its_address(tmp_path):
    with pytest.raises(LedgerError, match="cannot be used") as caught:
        PostgresLedger(f"host={tmp_path} user=someone password=hidden", KEY)
    assert str(tmp_path) not in str(caught.value)
    assert "hidden" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_crash_of_the_server_loses_nothing(tmp_path):
    from ledger_server import Server

    own = Server()
    try:
        with PostgresPlace(own, tmp_path) as place:
            ledger = place.open()
            for number in range(20):
                tell(ledger, ALPHA, (f"k{number}", "kind=config", 500))
            own.stop(signal.SIGQUIT)
            with pytest.raises(LedgerError, match="cannot be used"):
                tell(ledger, ALPHA, ("x", "kind=config", 500))
            own.start()
            assert (verify(ledger).lines, verify(ledger).problem) == (20, "")
            tell(ledger, ALPHA, ("x", "kind=config", 500))
    finally:
        own.close()


def test_a_lock_that_is_never_released_is_an_error(postgres_place, monkeypatch):
    monkeypatch.setattr(postgres, "_SETTINGS", (*postgres._SETTINGS, "SET lock_timeout = '50ms'"))
    ledger = postgres_place.open()
    with psycopg.connect(postgres_place.dsn) as other:
        other.execute("SELECT * FROM plantwin.head FOR UPDATE")
        with pytest.raises(LedgerError, match="55P03"):
            tell(ledger, ALPHA, ("a", "kind=config", 500))
    tell(ledger, ALPHA, ("a", "kind=config", 500))


def test_commits_are_synchronous_whatever_the_role_says(postgres_place):
    postgres_place.raw("ALTER ROLE tester SET synchronous_commit = off")
    try:
        ledger = postgres_place.open()
        assert ledger._connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
    finally:
        postgres_place.raw("ALTER ROLE tester RESET synchronous_commit")


def test_a_foreign_schema_is_left_alone(postgres_place):
    postgres_place.raw("CREATE SCHEMA plantwin")
    postgres_place.raw("CREATE TABLE plantwin.trail (x int)")
    with pytest.raises(LedgerError, match="42P07"):
        postgres_place.open()
    assert postgres_place.raw("SELECT table_name FROM information_schema.tables WHERE table_schema = 'plantwin'") == [
        ("trail",)
    ]


def test_a_ledger_without_its_lock_or_format_is_refused(postgres_place):
    ledger = postgres_place.open()
    postgres_place.raw("DELETE FROM head")
    with pytest.raises(LedgerError, match="not a ledger"):
        tell(ledger, ALPHA, ("a", "kind=config", 500))
    postgres_place.raw("DELETE FROM meta")
    with pytest.raises(LedgerError, match="not a ledger"):
        postgres_place.open()


def test_the_same_database_serves_several_machines(postgres_place, tmp_path):
    first = postgres_place.open()
    tell(first, ALPHA, ("a", "kind=config", 500))
    second = postgres_place.open(anchor=tmp_path / "second.anchor")  # starts from what it finds
    third = postgres_place.open(anchor=None)
    tell(second, BETA, ("a", "kind=config", 500))
    tell(third, ALPHA, ("a", "role=main", 500))
    tell(first, ALPHA, ("a", "lacks=tests", 500))
    assert [verify(each).lines for each in (first, second, third)] == [4, 4, 4]
    postgres_place.raw("DELETE FROM trail WHERE number > 1")
    postgres_place.raw("DELETE FROM told WHERE line > 1")
    assert [verify(each).problem[:9] for each in (first, second, third)] == ["lines wer"] * 3


def test_two_who_come_first_make_it_once(postgres_place):
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    opened = []
    threads = [threading.Thread(target=lambda: opened.append(postgres_place.open(anchor=None))) for _ in range(2)]
    with psycopg.connect(postgres_place.dsn) as slow:
        slow.execute("SELECT pg_advisory_xact_lock(%s)", (postgres._MAKING,))
        for thread in threads:
            thread.start()
        while slow.execute(waiting).fetchone() != (2,):
            time.sleep(0.01)
    for thread in threads:
        thread.join()
    assert [verify(each).problem for each in opened] == ["", ""]


def test_an_anchor_that_cannot_be_kept_is_an_error(postgres_place, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="check its folder"):
        postgres_place.open(anchor=tmp_path / "file" / "anchor")


def test_without_psycopg_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "psycopg":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(LedgerError, match="needs the package psycopg"):
        PostgresLedger("", KEY)


def test_a_read_is_tried_again_too(postgres_place, monkeypatch):
    ledger = postgres_place.open()
    breaking(monkeypatch, "before")
    assert ledger.transact(ALPHA, [], lambda standing: Decision(3)).value == 3
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    breaking(monkeypatch, "before")
    assert ledger.known(ALPHA, [key("a")])[key("a")].spent == 500
