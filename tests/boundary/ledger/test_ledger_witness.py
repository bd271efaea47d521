"""A ledger that was removed or put back is not begun anew behind the person's back."""

from __future__ import annotations

import os
import shutil

import pytest
from ledger_places import ALPHA, key, spent, tell

from plantwin.errors import LedgerError
from plantwin.ledgers.verification import verify
from plantwin.types.ledger import Entry


@pytest.fixture
def witnesses(tmp_path):
    return (tmp_path / "keys" / "w", tmp_path / "data" / "plantwin" / "w")


@pytest.fixture
def opened(sqlite_place, witnesses):
    def open_(**more):
        return sqlite_place.open(witnesses=witnesses, **more)

    return open_


def used(opened):
    ledger = opened()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    ledger.close()


def copied(place):
    return {path: path.read_bytes() for path in place.path.parent.iterdir()}


def put_back(place, copy):
    shutil.rmtree(place.path.parent)
    place.path.parent.mkdir(mode=0o700)
    for path, data in copy.items():
        path.write_bytes(data)


def test_whether_it_was_begun_by_this_opening_is_told_once(opened):
    assert [opened().is_new, opened().is_new] == [True, False]


def test_a_ledger_folder_that_was_removed_is_refused(opened, sqlite_place):
    used(opened)
    shutil.rmtree(sqlite_place.path.parent)
    for _ in range(2):
        with pytest.raises(LedgerError, match=r"less than was recorded.*accept-rollback"):
            opened()
    assert not sqlite_place.path.exists()


def test_an_old_copy_with_its_anchor_is_refused(opened, sqlite_place):
    used(opened)
    old = copied(sqlite_place)
    ledger = opened()
    tell(ledger, ALPHA, ("a", "role=main", 700))
    ledger.close()
    new = copied(sqlite_place)
    put_back(sqlite_place, old)
    with pytest.raises(LedgerError, match="less than was recorded"):
        opened()
    put_back(sqlite_place, new)
    assert spent(opened(), ALPHA, "a") == 1200


@pytest.mark.parametrize("lost", [0, 1])
def test_one_witness_is_enough_and_the_other_is_made_again(opened, sqlite_place, witnesses, lost):
    used(opened)
    old = copied(sqlite_place)
    ledger = opened()
    ledger.note("alpha", "turn")  # no line, and yet it counts
    ledger.close()
    witnesses[lost].unlink()
    put_back(sqlite_place, old)
    with pytest.raises(LedgerError, match="less than was recorded"):
        opened()


def test_witnesses_that_were_never_there_are_set(opened, sqlite_place, witnesses):
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    ledger.close()
    opened().close()
    assert {path.read_bytes() for path in witnesses} == {sqlite_place.anchor.read_bytes()}
    assert {path.stat().st_mode & 0o777 for path in witnesses} == {0o600}


def test_a_witness_left_behind_by_a_crash_is_moved_up(opened, sqlite_place, witnesses):
    used(opened)
    old = witnesses[0].read_bytes()
    used_again = opened()
    tell(used_again, ALPHA, ("b", "kind=config", 500))
    used_again.close()
    witnesses[0].write_bytes(old)
    opened()
    assert witnesses[0].read_bytes() == sqlite_place.anchor.read_bytes()


def test_a_whole_state_folder_that_was_removed_is_noticed_by_its_key(opened, sqlite_place):
    used(opened)
    shutil.rmtree(sqlite_place.path.parent)
    with pytest.raises(LedgerError, match=r"another key.*accept-rollback"):
        opened(key=bytes(32))


def test_what_the_person_accepts_goes_on_and_an_old_future_does_not_come_back(opened, sqlite_place):
    used(opened)
    old = copied(sqlite_place)
    ledger = opened()
    tell(ledger, ALPHA, ("a", "role=main", 700), entries=(Entry("plan", b"x"),) * 5)
    ledger.close()
    future = copied(sqlite_place)
    put_back(sqlite_place, old)
    ledger = opened(accept=True)
    assert (spent(ledger, ALPHA, "a"), ledger.is_new) == (500, False)
    ledger.note("person", "rollback", (Entry("warning", b"{}"),))
    ledger.close()
    ledger = opened()
    assert (spent(ledger, ALPHA, "a"), verify(ledger).problem) == (500, "")
    ledger.close()
    sqlite_place.path.write_bytes(future[sqlite_place.path])
    with pytest.raises(LedgerError, match="less than was recorded"):
        opened()


def test_one_that_is_gone_is_begun_anew_when_the_person_says_so(opened, sqlite_place):
    used(opened)
    shutil.rmtree(sqlite_place.path.parent)
    ledger = opened(accept=True)
    assert (ledger.is_new, spent(ledger, ALPHA, "a")) == (True, 0)
    ledger.close()
    assert not opened().is_new
    shutil.rmtree(sqlite_place.path.parent)
    opened(accept=True, key=bytes(32)).close()
    opened(key=bytes(32))


def test_accepting_is_no_way_around_a_ledger_that_was_changed(opened, sqlite_place):
    used(opened)
    sqlite_place.raw("DELETE FROM told")
    ledger = opened(accept=True)
    with pytest.raises(LedgerError, match="changed or is damaged"):
        ledger.known(ALPHA, [key("a")])


def test_a_database_put_back_is_noticed_by_its_machine(postgres_place, witnesses, tmp_path):
    ledger = postgres_place.open(witnesses=witnesses)
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    assert ledger.is_new
    ledger.close()
    postgres_place.raw("DROP SCHEMA plantwin CASCADE")
    postgres_place.anchor.unlink()
    with pytest.raises(LedgerError, match="less than was recorded"):
        postgres_place.open(witnesses=witnesses)
    assert spent(postgres_place.open(witnesses=witnesses, accept=True), ALPHA, "a") == 0
    assert spent(postgres_place.open(witnesses=witnesses), ALPHA, "a") == 0


@pytest.mark.parametrize("name", ["ledger.db", "ledger.db.anchor", "ledger.db.anchor.queue", "ledger.db-wal"])
@pytest.mark.parametrize("what", ["link", "pipe"])
def test_links_and_pipes_in_the_place_of_its_files_are_refused(opened, sqlite_place, tmp_path, name, what):
    used(opened)
    path, target = sqlite_place.path.with_name(name), tmp_path / "target"
    if path.exists():
        path.rename(target)
    else:
        target.write_bytes(b"")
    target.chmod(0o644)
    if what == "link":
        path.symlink_to(target)
    else:
        os.mkfifo(path)
    with pytest.raises(LedgerError, match="not a regular file of your own"):
        opened()
    assert target.stat().st_mode & 0o777 == 0o644


def test_a_folder_that_others_may_write_is_refused(opened, sqlite_place):
    used(opened)
    sqlite_place.path.parent.chmod(0o777)
    with pytest.raises(LedgerError, match="chmod go-w"):
        opened()


def test_witnesses_that_cannot_be_kept_are_an_error(sqlite_place, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="check its folder"):
        sqlite_place.open(witnesses=[tmp_path / "file" / "w"])
