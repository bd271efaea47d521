"""A ledger copied into another: every line, every account, every count; and the old one is closed."""

from __future__ import annotations

import pytest
from ledger_places import ALPHA, spent, tell, units

from plantwin.errors import LedgerError
from plantwin.ledgers.copying import BATCH, copy
from plantwin.ledgers.postgres import PostgresLedger
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.ledgers.verification import verify
from plantwin.types.ledger import Entry

OTHER = b"o" * 32


@pytest.fixture
def target(tmp_path):
    opened = SqliteLedger(tmp_path / "target" / "ledger.db", OTHER, clock=lambda: 1_000_000.0)
    yield opened
    opened.close()


def filled(place):
    ledger = place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500), ("b", "kind=document", 500))
    ledger.inherit(b"c" * 32, [b"a".ljust(32, b".")])
    ledger.note("alpha", "turn", [Entry("answer", b"{}")] * (BATCH + 5))
    ledger.note("alpha", "refusal")
    place.now += 90
    tell(ledger, ALPHA, ("a", "role=main", 500))
    return ledger


def test_a_copy_has_every_line_account_and_count(place, target):
    source = filled(place)
    assert copy(source, target) == verify(source).lines
    assert [line[:4] for line in read_lines(target)] == [line[:4] for line in read_lines(source)]
    assert verify(target).problem == "" and verify(target).head != verify(source).head  # another key
    assert spent(target, ALPHA, "a") == 1000 and units(target, ALPHA, "b") == {"kind=document"}
    lately = source.standing(ALPHA)
    assert target.standing(ALPHA) == lately and (lately.turns, lately.refusals, lately.fields) == (1, 1, 3)
    tell(target, ALPHA, ("a", "lacks=tests", 500))  # and goes on
    assert verify(target).problem == ""


def test_only_whole_ledgers_are_copied_and_only_into_empty_ones(place, target):
    source = filled(place)
    copy(source, target)
    with pytest.raises(LedgerError, match="not empty"):
        copy(source, target)
    place.raw("UPDATE trail SET body = '[]' WHERE number = 1")
    with pytest.raises(LedgerError, match="does not verify"):
        copy(source, target)


def test_what_is_written_meanwhile_is_copied_and_then_nobody_can(postgres_place, target):
    source, reading, other = filled(postgres_place), postgres_place.open(anchor=None), postgres_place.open(anchor=None)
    begun = copy(reading, target, counts=False)
    tell(other, ALPHA, ("d", "kind=config", 500))  # another member, while it is being copied
    source.retire(lambda: copy(reading, target, begun))
    assert spent(target, ALPHA, "d") == 500 and target.standing(ALPHA).turns == 1
    with pytest.raises(LedgerError):
        tell(other, ALPHA, ("e", "kind=config", 500))  # its connection was open all the time
    with pytest.raises(LedgerError):
        postgres_place.open(anchor=None)


def test_a_copy_that_fails_closes_nothing(postgres_place):
    source = filled(postgres_place)

    def fails():
        raise LedgerError("no room")

    with pytest.raises(LedgerError, match="no room"):
        source.retire(fails)
    tell(source, ALPHA, ("e", "kind=config", 500))
    assert isinstance(source, PostgresLedger) and verify(source).problem == ""
