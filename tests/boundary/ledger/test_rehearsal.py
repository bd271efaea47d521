"""A rehearsal decides as the real ledger would and leaves it as it is."""

from __future__ import annotations

import pytest

from plantwin.errors import LedgerError
from plantwin.ledgers.records import read_lines, read_statements
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.types.ledger import Audience, Charge, Decision, Entry, Known, Receipt

AUDIENCE = Audience("acme", ("acme",))
KEY, OTHER = b"a" * 32, b"b" * 32


@pytest.fixture
def ledger(tmp_path):
    opened = SqliteLedger(tmp_path / "ledger.db", b"k" * 32)
    yield opened
    opened.close()


def tell(ledger, unit, cost, most=1000, key=KEY):
    charge = Charge(key, unit, cost)
    return ledger.transact(
        AUDIENCE, [key], lambda standing: Decision(standing.known[key], (charge,), {key: most})
    ).value


def test_what_a_rehearsal_tells_is_known_in_it_alone(ledger):
    tell(ledger, "kind=config", 300)
    tried = Rehearsal(ledger)
    assert tell(tried, "role=test", 500) == Known(frozenset({"kind=config"}), 300)
    assert tried.known(AUDIENCE, [KEY, OTHER]) == {
        KEY: Known(frozenset({"kind=config", "role=test"}), 800),
        OTHER: Known(),
    }
    assert ledger.known(AUDIENCE, [KEY])[KEY].spent == 300
    standing = tried.standing(AUDIENCE, [KEY])
    assert (standing.known[KEY].spent, standing.fields, standing.refusals) == (800, 1, 0)


def test_a_rehearsal_passes_no_threshold(ledger):
    tried = Rehearsal(ledger)
    with pytest.raises(LedgerError, match="threshold"):
        tell(tried, "kind=config", 2000)
    with pytest.raises(LedgerError):
        tried.transact(AUDIENCE, [KEY], lambda known: Decision(None, (Charge(KEY, "kind=config", 1),)))


def test_it_reads_the_real_one_and_writes_nothing_but_inheritance(ledger):
    tell(ledger, "kind=config", 300)
    tried = Rehearsal(ledger)
    lines = list(read_lines(ledger))
    entries = (Entry("verdict", b"{}"),) * 2
    nowhere = (Receipt(0, b""),) * 2
    assert tried.note("acme", "turn", entries) == nowhere
    assert tried.transact(AUDIENCE, [], lambda _: Decision(7, entries=entries, events=("turn",))) == (7, nowhere)
    assert tried.standing(AUDIENCE).turns == 0
    assert list(read_lines(tried)) == lines
    assert [each.unit for each in read_statements(tried)] == ["kind=config"]
    tried.inherit(OTHER, [KEY])
    assert ledger.known(AUDIENCE, [OTHER])[OTHER].spent == 300
    tried.close()
    with pytest.raises(LedgerError):
        ledger.known(AUDIENCE, [KEY])
