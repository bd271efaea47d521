"""What is particular to the file: modes, damage, foreign databases, crashes while it is made, locks."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import shutil
import sqlite3
import stat

import pytest
from ledger_places import ALPHA, key, spent, tell

from plantwin.boundary.ledger import anchor
from plantwin.errors import LedgerError
from plantwin.ledgers import sqlite
from plantwin.ledgers.verification import verify


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_the_owner_alone_can_read_it(sqlite_place):
    before = os.umask(0)
    try:
        ledger = sqlite_place.open()
        tell(ledger, ALPHA, ("a", "kind=config", 500))
    finally:
        os.umask(before)
    folder = sqlite_place.path.parent
    assert mode(folder) == 0o700
    assert {path.name: mode(path) for path in folder.iterdir()} == dict.fromkeys(
        ("ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db.anchor", "ledger.db.anchor.queue"), 0o600
    )


def test_places_may_be_text(tmp_path):
    ledger = sqlite.SqliteLedger(str(tmp_path / "l" / "ledger.db"), b"k" * 32, witnesses=[str(tmp_path / "seen")])
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    ledger.close()
    assert (tmp_path / "seen").stat().st_size


def test_a_file_that_others_could_read_is_closed_to_them(sqlite_place):
    sqlite_place.open().close()
    sqlite_place.path.chmod(0o644)
    sqlite_place.open()
    assert mode(sqlite_place.path) == 0o600


def test_every_commit_is_synced(sqlite_place):
    ledger = sqlite_place.open()
    assert ledger._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert ledger._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_foreign_database_is_left_alone(sqlite_place):
    sqlite_place.path.parent.mkdir()
    with sqlite3.connect(sqlite_place.path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    before = sqlite_place.path.read_bytes()
    with pytest.raises(LedgerError, match="anchor is missing"):
        sqlite_place.open()
    anchor.Anchor(sqlite_place.anchor, sqlite.Chain(bytes(range(32))), anchor.Mark).close()
    with pytest.raises(LedgerError, match="not a ledger"):
        sqlite_place.open()
    assert sqlite_place.path.read_bytes() == before


@pytest.mark.parametrize("content", [b"x", b"no database " * 1000])
def test_what_is_no_database_is_never_made_anew(sqlite_place, content):
    tell(sqlite_place.open(), ALPHA, ("a", "kind=config", 500))
    for each in sqlite_place._opened:
        each.close()
    sqlite_place.path.write_bytes(content)
    with pytest.raises(LedgerError, match="restore"):
        sqlite_place.open()
    assert sqlite_place.path.read_bytes() == content


def test_damage_in_the_middle_is_an_error_that_says_what_to_do(sqlite_place):
    ledger = sqlite_place.open()
    for number in range(40):
        tell(ledger, ALPHA, *((f"k{number}", f"edge=e{each}", 1) for each in range(20)))
    ledger.close()
    data = bytearray(sqlite_place.path.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 64] = b"\xff" * 64
    sqlite_place.path.write_bytes(data)
    with pytest.raises(LedgerError, match="damaged: restore it with its anchor"):
        verify(sqlite_place.open())


@pytest.mark.parametrize("format_", ["DELETE FROM meta", "UPDATE meta SET value = '2' WHERE name = 'format'"])
def test_another_format_is_refused(sqlite_place, format_):
    sqlite_place.open()
    sqlite_place.raw(format_)
    with pytest.raises(LedgerError, match="not a ledger of this version"):
        sqlite_place.open()


@pytest.mark.parametrize("left", [None, b""])
def test_a_ledger_that_is_gone_is_not_begun_anew(sqlite_place, left):
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    ledger.close()
    sqlite_place.path.unlink()
    if left is not None:
        sqlite_place.path.write_bytes(left)
    for _ in range(2):
        with pytest.raises(LedgerError, match="restore"):
            sqlite_place.open()


def test_an_anchor_that_is_gone_is_not_set_anew(sqlite_place):
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    ledger.close()
    sqlite_place.anchor.unlink()
    with pytest.raises(LedgerError, match="anchor is missing"):
        sqlite_place.open()
    assert not sqlite_place.anchor.exists()


def test_an_old_copy_put_back_is_refused_even_while_it_is_open(sqlite_place, tmp_path):
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    ledger.close()
    shutil.copyfile(sqlite_place.path, tmp_path / "old")
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "role=main", 500))
    ledger.close()
    shutil.copyfile(tmp_path / "old", sqlite_place.path)
    with pytest.raises(LedgerError, match="less than was recorded"):
        sqlite_place.open()


def test_a_crash_while_it_is_made_leaves_it_to_be_made(sqlite_place):
    sqlite_place.path.parent.mkdir()
    sqlite_place.path.touch()
    ledger = sqlite_place.open()
    ledger.close()
    # The file has its header and no table yet.
    sqlite_place.path.unlink()
    connection = sqlite3.connect(sqlite_place.path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert sqlite_place.path.stat().st_size
    tell(sqlite_place.open(), ALPHA, ("a", "kind=config", 500))


def test_a_folder_that_cannot_be_is_an_error(sqlite_place):
    sqlite_place.path.parent.write_text("a file")
    with pytest.raises(LedgerError, match="check its folder"):
        sqlite_place.open()


def test_a_folder_in_its_place_is_an_error(sqlite_place):
    sqlite_place.open().close()
    sqlite_place.path.unlink()
    sqlite_place.path.mkdir()
    with pytest.raises(LedgerError, match="check its file and folder"):
        sqlite_place.open()


def test_another_program_that_holds_it_is_named(sqlite_place, monkeypatch):
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
    ledger = sqlite_place.open()
    other = sqlite3.connect(sqlite_place.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="another program holds"):
        tell(ledger, ALPHA, ("a", "kind=config", 500))
    other.close()
    tell(ledger, ALPHA, ("a", "kind=config", 500))


def test_a_writer_that_hangs_does_not_hang_the_others_for_good(sqlite_place, monkeypatch):
    monkeypatch.setattr(anchor, "PATIENCE", 0.05)
    ledger = sqlite_place.open()
    for path in (sqlite_place.anchor, sqlite_place.anchor.with_name("ledger.db.anchor.queue")):
        with path.open("rb") as stuck:
            fcntl.flock(stuck, fcntl.LOCK_EX)
            with pytest.raises(LedgerError, match="another process holds"):
                tell(ledger, ALPHA, ("a", "kind=config", 500))
            with pytest.raises(LedgerError, match="another process holds"):
                sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    assert spent(ledger, ALPHA, "a") == 500


def test_a_disk_that_fails_is_an_error_and_the_next_try_works(sqlite_place, monkeypatch):
    ledger = sqlite_place.open()

    def fails(*_):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", fails)
        with pytest.raises(LedgerError, match=r"anchor cannot be used \(Input/output error\)"):
            tell(ledger, ALPHA, ("a", "kind=config", 500))
    assert spent(ledger, ALPHA, "a") == 500  # counted though it was not sent: never the other way round
    tell(ledger, ALPHA, ("b", "kind=config", 500))
    assert verify(ledger).problem == ""


def test_a_full_disk_records_nothing(sqlite_place):
    ledger = sqlite_place.open()
    (pages,) = ledger._connection.execute("PRAGMA page_count").fetchone()
    ledger._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerError, match="disk is full"):
        tell(ledger, ALPHA, *(("a", f"edge={'x' * 150}{number}", 1) for number in range(200)))
    assert (verify(ledger).lines, spent(ledger, ALPHA, "a")) == (0, 0)


def test_an_error_without_a_code_is_one_too(sqlite_place):
    ledger = sqlite_place.open()
    ledger._connection.close()
    with pytest.raises(sqlite3.ProgrammingError):
        ledger._connection.execute("SELECT 1")
    with pytest.raises(LedgerError, match="ProgrammingError"):
        ledger.known(ALPHA, [key("a")])


def _child(ledger, queue):
    try:
        tell(ledger, ALPHA, ("a", "kind=config", 500))
    except LedgerError as error:
        queue.put(str(error))
    ledger.close()


def test_a_fork_does_not_share_it(sqlite_place):
    ledger = sqlite_place.open()
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_child, args=(ledger, queue))
    child.start()
    assert "opened by another process" in queue.get()
    child.join()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    assert verify(ledger).lines == 1


def test_an_anchor_read_while_it_is_written_is_read_again(sqlite_place, monkeypatch):
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    real, torn = os.pread, [b"half of it"]
    monkeypatch.setattr(os, "pread", lambda *call: torn.pop() if torn else real(*call))
    assert spent(ledger, ALPHA, "a") == 500
    assert torn == []


def test_an_anchor_that_cannot_be_read_is_an_error(sqlite_place, monkeypatch):
    ledger = sqlite_place.open()

    def fails(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "pread", fails)
    with pytest.raises(LedgerError, match=r"anchor cannot be used \(Input/output error\)"):
        ledger.known(ALPHA, [key("a")])
