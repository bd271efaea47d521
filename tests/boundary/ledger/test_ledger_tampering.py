"""Whoever changes the ledger behind our back is noticed by the next look-up, not by the next audit."""

from __future__ import annotations

import random
import shutil
import sqlite3

import pytest
from ledger_places import ALPHA, ALPHA_WITH_BETA, BETA, key, spent, tell

from plantwin.boundary.ledger import tree
from plantwin.boundary.ledger.tree import InMemory, NotInMemoryError, bucket_of
from plantwin.errors import LedgerError
from plantwin.ledgers.verification import verify
from plantwin.types.ledger import Decision
from tables import cases

NAMES = [f"n{number}" for number in range(60)]
KEYS = [key(name) for name in NAMES]


@pytest.fixture
def filled(place):
    """Sixty objects, two audiences, turns and refusals."""
    ledger = place.open()
    fill(ledger)
    return ledger


def fill(ledger):
    tell(ledger, ALPHA, *((name, "kind=config", 500) for name in NAMES))
    tell(ledger, ALPHA, *((name, "role=main", 700) for name in NAMES[:30]))
    tell(ledger, BETA, *((name, "kind=config", 500) for name in NAMES[:10]))
    ledger.note("alpha", "turn")
    ledger.note("beta", "refusal")


def counts(ledger):
    """All that a decision would be given."""
    return ledger.standing(ALPHA_WITH_BETA, KEYS), ledger.standing(ALPHA, KEYS), ledger.standing(BETA, KEYS)


@cases("statement")
def test_rows_deleted_changed_or_added_by_hand_are_refused_at_once(place, filled, statement):
    values = (KEYS[0],) if "%s" in statement else ()
    place.raw(statement, *values)
    for use in (
        lambda: filled.known(ALPHA, KEYS[:1]),
        lambda: filled.standing(ALPHA, KEYS[:1]),
        lambda: filled.transact(ALPHA, KEYS[:1], lambda standing: Decision(None)),
        lambda: filled.inherit(key("x"), KEYS[:1]),
        lambda: place.open().known(ALPHA, KEYS[:1]),
    ):
        with pytest.raises(LedgerError, match="restore"):
            use()
    assert verify(filled).problem != ""


@cases("statement")
def test_a_tree_or_trail_changed_by_hand_is_refused_by_whoever_reads_it(place, filled, statement):
    true = counts(filled)
    place.raw(statement)
    assert counts(filled) == true  # what it has read before is still right, and nothing else is believed
    with pytest.raises(LedgerError, match="restore"):
        counts(place.open())
    assert verify(filled).problem != ""


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM nodes WHERE number = -1",
        "UPDATE nodes SET value = (SELECT value FROM meta WHERE name = 'format') WHERE number = -1",
        "UPDATE nodes SET value = (SELECT value FROM nodes WHERE number = -2) WHERE number = -1",
    ],
)
def test_hourly_counts_that_were_reset_are_refused(place, filled, statement):
    before = filled.standing(ALPHA)
    place.raw(statement)
    assert filled.standing(ALPHA) == before, "who has read and checked the counts does not take others for them"
    for use in (
        lambda: filled.note("alpha", "turn"),
        lambda: place.open().standing(ALPHA),
    ):
        with pytest.raises(LedgerError, match="restore"):
            use()
    assert verify(filled).problem == "what was told or counted does not agree with the tree over it"


def test_a_part_of_an_older_state_put_back_is_refused(sqlite_place):
    """Rows, counts and nodes of one object as they truly were: every one of them has been valid."""
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    ledger.note("alpha", "turn")
    before = {table: sqlite_place.raw(f"SELECT * FROM {table}") for table in ("told", "nodes")}
    tell(ledger, ALPHA, ("a", "role=main", 700))
    ledger.note("alpha", "turn")
    for first in (0, -1, -2):  # the tree, with the counted events, with the mark
        for table, which in (("told", "true"), ("nodes", f"number >= {first}")):
            sqlite_place.raw(f"DELETE FROM {table} WHERE {which}")
            for row in before[table]:
                if table == "told" or row[0] >= first:
                    sqlite_place.raw(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", *row)
        for use in (lambda: spent(ledger, ALPHA, "a"), lambda: spent(sqlite_place.open(), ALPHA, "a")):
            with pytest.raises(LedgerError, match="restore"):
                use()


@pytest.mark.parametrize("number", [-3, 1000])
def test_a_node_more_is_found_by_verification(place, filled, number):
    place.raw(f"INSERT INTO nodes SELECT {number}, value FROM nodes WHERE number = 0")
    assert verify(filled).problem == "what was told or counted does not agree with the tree over it"


@pytest.mark.parametrize("with_", ["told_bucket", "sqlite_autoindex_meta_1"])
def test_an_index_swapped_through_the_schema_is_noticed(sqlite_place, with_):
    """With `writable_schema` an index can be led to other pages: look-ups through it find nothing."""
    ledger = sqlite_place.open()
    fill(ledger)
    true = counts(ledger)
    ledger.close()
    connection = sqlite3.connect(sqlite_place.path, isolation_level=None)
    connection.execute("CREATE TABLE empty (bucket)")
    connection.execute("CREATE INDEX empty_bucket ON empty (bucket)")
    connection.execute("PRAGMA writable_schema = ON")
    swap = "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'empty_bucket')"
    connection.execute(f"{swap} WHERE name = ?", (with_,))
    connection.execute("DELETE FROM sqlite_master WHERE name IN ('empty', 'empty_bucket')")
    connection.close()
    if with_ == "told_bucket":
        with pytest.raises(LedgerError, match="restore"):
            counts(sqlite_place.open())
    else:  # no look-up is led by it
        assert counts(sqlite_place.open()) == true
    assert "index" in verify(sqlite_place.open()).problem


@cases("statement")
def test_a_schema_that_is_not_ours_is_refused(sqlite_place, statement):
    sqlite_place.open()
    sqlite_place.raw(statement)
    with pytest.raises(LedgerError, match="changed or is damaged"):
        sqlite_place.open()


def test_600_bit_flips_are_harmless_or_refused(sqlite_place):
    ledger = sqlite_place.open()
    fill(ledger)
    true = counts(ledger)
    ledger.close()
    data, anchor = sqlite_place.path.read_bytes(), sqlite_place.anchor.read_bytes()
    choose = random.Random(600)
    refused = 0
    for _ in range(600):
        flipped = bytearray(data)
        flipped[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
        shutil.rmtree(sqlite_place.path.parent)
        sqlite_place.path.parent.mkdir(mode=0o700)
        sqlite_place.path.write_bytes(flipped)
        sqlite_place.anchor.write_bytes(anchor)
        try:
            found = sqlite_place.open()
        except LedgerError:
            refused += 1
            continue
        try:
            assert counts(found) == true
        except LedgerError:
            refused += 1
        found.close()
    assert 100 < refused < 600


def test_every_bit_of_an_anchor_counts(sqlite_place):
    ledger = sqlite_place.open()
    fill(ledger)
    ledger.close()
    anchor = sqlite_place.anchor.read_bytes()
    for position in range(len(anchor)):
        flipped = bytearray(anchor)
        flipped[position] ^= 1 << position % 8
        sqlite_place.anchor.write_bytes(flipped)
        with pytest.raises(LedgerError, match="anchor was changed"):
            sqlite_place.open()


@cases("table", "change")
def test_values_of_other_types_are_refused(sqlite_place, table, change):
    ledger = sqlite_place.open()
    fill(ledger)
    sqlite_place.raw(f"UPDATE {table} SET {change}")
    with pytest.raises(LedgerError, match="restore"):
        counts(sqlite_place.open())
    assert verify(ledger).problem != ""


def test_objects_of_one_bucket_are_kept_apart(place):
    first = key("first")
    numbers = (number.to_bytes(32) for number in range(1 << 20))
    other = next(each for each in numbers if bucket_of(each) == bucket_of(first))
    ledger = place.open()
    tell(ledger, ALPHA, ("first", "kind=config", 500))
    assert ledger.known(ALPHA, [other])[other].spent == 0
    assert ledger.known(ALPHA, [first])[first].spent == 500


def test_opening_reads_nothing_of_what_was_told(sqlite_place, monkeypatch):
    """So a ledger of a million rows opens as fast as an empty one."""
    ledger = sqlite_place.open()
    fill(ledger)
    ledger.close()

    def fails(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(tree.Tree, "load", fails)
    ledger = sqlite_place.open()
    with pytest.raises(ZeroDivisionError):
        ledger.known(ALPHA, KEYS)


def test_what_is_kept_in_memory_is_bounded_and_read_again(sqlite_place, monkeypatch):
    ledger = sqlite_place.open()
    fill(ledger)
    true = counts(ledger)
    monkeypatch.setattr(tree, "REMEMBERED", 3)
    for name in (*KEYS, *KEYS):
        assert ledger.known(ALPHA, [name])[name] == true[1].known[name]
        assert len(ledger._tree._told) <= 4


def test_without_the_database_nothing_is_read_or_written():
    for use in (InMemory().all, lambda query: InMemory().many(query, [])):
        with pytest.raises(NotInMemoryError):
            use("SELECT 1")
