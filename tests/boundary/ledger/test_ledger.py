"""What every ledger does: the same tests on both databases."""

from __future__ import annotations

import threading
from base64 import b64encode

import pytest
from ledger_places import ALPHA, ALPHA_WITH_BETA, BETA, KEY, key, spent, tell, told, units

from plantwin.boundary.ledger import base
from plantwin.boundary.ledger.rules import MAX_BODY
from plantwin.errors import LedgerError
from plantwin.ledgers.records import read_lines, read_statements
from plantwin.ledgers.verification import verify
from plantwin.types.ledger import Audience, Charge, Decision, Entry, Known, Receipt, Standing

NOTE = Entry("verdict", b'{"step":"s1"}')


def test_what_is_told_is_known_and_counted_once_it_is_committed(place):
    ledger = place.open()
    value = tell(ledger, ALPHA, ("a", "kind=config", 500), ("a", "role=main", 700), ("b", "kind=config", 500), value=7)
    assert value == 7
    assert ledger.known(ALPHA, [key("a"), key("b"), key("c")]) == {
        key("a"): Known(frozenset({"kind=config", "role=main"}), 1200),
        key("b"): Known(frozenset({"kind=config"}), 500),
        key("c"): Known(),
    }
    assert ledger.known(BETA, [key("a")]) == {key("a"): Known()}
    assert ledger.known(ALPHA, []) == {}


def test_decide_sees_what_is_known_and_the_next_session_too(place):
    tell(place.open(), ALPHA, ("a", "kind=config", 500))
    seen = []

    def decide(standing):
        seen.append(standing.known[key("a")])
        return Decision("value")

    assert place.open().transact(ALPHA, [key("a")], decide) == ("value", ())
    assert seen == [Known(frozenset({"kind=config"}), 500)]


def test_charges_and_lines_are_committed_together_and_in_order(place):
    ledger = place.open()
    place.now = 5.5
    tell(ledger, ALPHA, ("a", "kind=config", 500), entries=(Entry("envelope", b"\x00sent"), NOTE))
    lines = list(read_lines(ledger))
    assert [(line.number, line.at, line.kind) for line in lines] == [
        (1, 5.5, "charge"),
        (2, 5.5, "envelope"),
        (3, 5.5, "verdict"),
    ]
    assert lines[0].body == b'[["%s","alpha","kind=config",500,5.5]]' % b64encode(key("a"))
    assert lines[1].body == b"\x00sent"
    assert list(read_lines(ledger, after=2)) == lines[2:]
    assert verify(ledger) == (3, lines[-1].mac.hex(), "", 0)


def test_every_entry_has_a_receipt_that_names_its_line(place):
    ledger = place.open()
    entries = (Entry("envelope", b"{}"), NOTE)
    first = ledger.note("alpha", "turn", entries)
    decision = told(("a", "kind=config", 500), entries=entries)
    second = ledger.transact(ALPHA, [key("a")], decision).lines
    lines = {line.kind: [] for line in read_lines(ledger)}
    for line in read_lines(ledger):
        lines[line.kind].append(Receipt(line.number, line.mac))
    assert [first, second] == list(zip(lines["envelope"], lines["verdict"], strict=True))
    assert ledger.note("alpha", "turn") == ledger.transact(ALPHA, [], lambda _: Decision(None)).lines == ()


def test_what_a_decision_counts_is_counted_with_it_or_not_at_all(place):
    ledger = place.open()
    events = ("turn", "refusal", "refusal")
    ledger.transact(ALPHA, [], lambda standing: Decision(None, events=events))
    assert ledger.standing(ALPHA) == Standing({}, 0, 2, 1)
    seen = []
    for wrong in ("field", "two words", ""):
        with pytest.raises(LedgerError, match="event"):
            ledger.transact(ALPHA, [], lambda standing, wrong=wrong: Decision(None, events=("turn", wrong)))
        with pytest.raises(LedgerError, match="looked up"):
            ledger.transact(ALPHA, [], lambda _: Decision(None, (Charge(key("a"), "kind=config", 1),), {}, (), events))
    ledger.transact(ALPHA, [key("a")], lambda standing: Decision(seen.append(standing)))
    assert seen == [Standing({key("a"): Known()}, 0, 2, 1)]


def test_lines_are_paged(place):
    ledger = place.open()
    ledger.note("alpha", "turn", [Entry("plan", b"%d" % number) for number in range(300)])
    assert [line.body for line in read_lines(ledger)] == [b"%d" % number for number in range(300)]
    ledger.transact(ALPHA, [key("a")], told(*(("a", f"edge=u{number}", 1) for number in range(300))))
    assert [each.unit for each in read_statements(ledger)] == [f"edge=u{number}" for number in range(300)]
    heard = []
    assert verify(ledger, heard.append).problem == ""
    assert heard == [301]


@pytest.mark.parametrize(
    ("charges", "thresholds"),
    [
        ([("a", "kind=config", 500)], {"a": 10_000}),  # known already
        ([("a", "role=main", 1), ("a", "role=main", 1)], {"a": 10_000}),  # twice at once
        ([("a", "role=main", 9_501)], {"a": 10_000}),  # passes by one thousandth
        ([("a", "role=main", 9_000), ("a", "lacks=tests", 501)], {"a": 10_000}),  # passes together
        ([("a", "role=main", 1)], {}),  # no threshold
        ([("a", "role=main", 0)], {"a": 499}),  # is past it
        ([("z", "role=main", 1)], {"z": 10_000}),  # not looked up
        ([("a", "role=main", -1)], {"a": 10_000}),
        ([("a", "role=main", 1.0)], {"a": 10_000}),
        ([("a", "role=main", True)], {"a": 10_000}),
        ([("a", "role=main", 1 << 60)], {"a": 1 << 62}),
        ([("a", "", 1)], {"a": 10_000}),
        ([("a", "a b", 1)], {"a": 10_000}),
        ([("a", "nul\0", 1)], {"a": 10_000}),
        ([("b", "kind=config", 1), ("a", "kind=config", 1)], {"a": 10_000, "b": 10_000}),  # one good, one not
    ],
)
def test_a_charge_that_may_not_be_is_refused_and_changes_nothing(place, charges, thresholds):
    ledger = place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    before = verify(ledger)
    made = tuple(Charge(key(name), unit, cost) for name, unit, cost in charges)
    decision = Decision(None, made, {key(name): most for name, most in thresholds.items()}, (NOTE,))
    with pytest.raises(LedgerError, match="ledger: "):
        ledger.transact(ALPHA, [key("a"), key("b")], lambda standing: decision)
    assert verify(ledger) == before
    assert len(list(read_statements(ledger))) == 1
    assert ledger.standing(ALPHA).fields == 1
    tell(ledger, ALPHA, ("a", "role=main", 9_500))  # exactly full
    assert spent(ledger, ALPHA, "a") == 10_000


@pytest.mark.parametrize(
    "entry",
    [
        Entry("charge", b"[]"),
        Entry("inherit", b"[]"),
        Entry("", b""),
        Entry("Plan", b""),
        Entry("x" * 33, b""),
        Entry("plan", "text"),
        Entry("plan", bytes(MAX_BODY + 1)),
    ],
)
def test_a_line_that_may_not_be_is_refused(place, entry):
    ledger = place.open()
    with pytest.raises(LedgerError):
        tell(ledger, ALPHA, ("a", "kind=config", 500), entries=(entry,))
    with pytest.raises(LedgerError):
        ledger.note("alpha", "turn", [entry])
    assert verify(ledger).lines == ledger.standing(ALPHA).turns == spent(ledger, ALPHA, "a") == 0


def test_names_and_keys_of_another_form_are_refused(place):
    ledger = place.open()
    for audience in (Audience("alpha", ("beta",)), Audience("Alpha", ("Alpha",)), Audience("", ("",))):
        with pytest.raises(LedgerError):
            ledger.known(audience, [])
        with pytest.raises(LedgerError):
            tell(ledger, audience, ("a", "kind=config", 500))
        with pytest.raises(LedgerError):
            ledger.standing(audience)
    for name, event in (("Alpha", "turn"), ("alpha", "field"), ("alpha", "two words"), ("alpha", "")):
        with pytest.raises(LedgerError):
            ledger.note(name, event)
    for wrong in ("text", b"", bytes(65)):
        with pytest.raises(LedgerError):
            ledger.known(ALPHA, [wrong])
        with pytest.raises(LedgerError):
            ledger.inherit(key("a"), [wrong])
        with pytest.raises(LedgerError):
            ledger.inherit(wrong, [])


def test_a_decision_that_fails_leaves_no_trace_and_the_ledger_usable(place):
    ledger = place.open()

    def decide(standing):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ledger.transact(ALPHA, [key("a")], decide)
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    assert verify(ledger).lines == 1


def test_those_who_share_share_a_budget(place):
    ledger = place.open()
    tell(ledger, BETA, ("a", "kind=config", 500))
    tell(ledger, ALPHA, ("a", "role=main", 700))
    assert spent(ledger, ALPHA, "a") == 700
    assert spent(ledger, ALPHA_WITH_BETA, "a") == 1200
    assert units(ledger, ALPHA_WITH_BETA, "a") == {"kind=config", "role=main"}
    with pytest.raises(LedgerError, match="known already"):
        tell(ledger, ALPHA_WITH_BETA, ("a", "kind=config", 500))
    with pytest.raises(LedgerError, match="threshold"):
        tell(ledger, ALPHA_WITH_BETA, ("a", "lacks=tests", 100), most=1299)
    ledger.note("beta", "turn")
    assert ledger.standing(ALPHA) == Standing({}, fields=1)
    assert ledger.standing(ALPHA_WITH_BETA) == Standing({}, fields=2, turns=1)


def test_sums_are_those_of_all_rows_whatever_is_remembered_of_them(place, monkeypatch):
    monkeypatch.setattr(base, "REMEMBERED", 2)
    ledger = place.open()
    for number in range(6):
        tell(place.open(), ALPHA, ("a", f"role={number}", 100), ("b", f"role={number}", 200))
        for _ in range(2):
            assert (spent(ledger, ALPHA, "a"), spent(ledger, ALPHA, "b")) == (100 * (number + 1), 200 * (number + 1))
            assert (spent(ledger, ALPHA_WITH_BETA, "a"), spent(ledger, BETA, "a")) == (100 * (number + 1), 0)


def test_a_unit_told_to_two_who_share_counts_once_at_its_larger_cost(place):
    ledger = place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    tell(ledger, BETA, ("a", "kind=config", 800))  # before the two were declared to share
    assert spent(ledger, ALPHA_WITH_BETA, "a") == 800


def test_with_a_refresh_period_what_is_old_is_known_and_no_longer_counts(place):
    ledger = place.open(refresh=100)
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    place.now += 60
    tell(ledger, ALPHA, ("a", "role=main", 700))
    assert spent(ledger, ALPHA, "a") == 1200
    place.now += 40
    assert spent(ledger, ALPHA, "a") == 700
    assert units(ledger, ALPHA, "a") == {"kind=config", "role=main"}
    with pytest.raises(LedgerError, match="known already"):
        tell(ledger, ALPHA, ("a", "kind=config", 500))
    tell(ledger, ALPHA, ("a", "lacks=tests", 300), most=1000)
    assert spent(place.open(), ALPHA, "a") == 1500  # without a refresh period everything counts for ever


@pytest.mark.parametrize("refresh", [0, -1, float("nan")])
def test_a_refresh_period_is_longer_than_nothing(place, refresh):
    with pytest.raises(LedgerError, match="refresh"):
        place.open(refresh=refresh)


def test_a_clock_set_back_makes_nothing_older(place):
    ledger = place.open(refresh=100)
    ledger.note("alpha", "turn")
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    place.now -= 1000
    tell(ledger, ALPHA, ("a", "role=main", 700))
    assert ledger.standing(ALPHA).turns == 1
    place.now += 1050
    assert spent(ledger, ALPHA, "a") == 1200
    assert [each.at for each in read_statements(ledger)] == [1_000_000.0, 1_000_000.0]


def test_events_are_counted_within_their_time(place):
    ledger = place.open()
    ledger.note("alpha", "turn", [NOTE])
    place.now += 120
    ledger.note("alpha", "turn")
    ledger.note("alpha", "refusal")
    tell(ledger, ALPHA, ("a", "kind=config", 500), ("a", "role=main", 500))
    assert ledger.standing(ALPHA) == Standing({}, 2, 1, 2)
    place.now += 3540
    assert ledger.standing(ALPHA) == Standing({}, 2, 1, 1)
    ledger.note("alpha", "turn")
    assert ledger.standing(ALPHA) == Standing({}, 2, 1, 2)
    place.now += 120
    assert ledger.standing(ALPHA) == Standing({}, turns=1)
    assert [line.kind for line in read_lines(ledger)] == ["verdict", "charge"]


def test_a_new_key_takes_over_the_union_of_what_its_ancestors_were_told(place):
    ledger = place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500), ("a", "role=main", 700))
    tell(ledger, ALPHA, ("b", "kind=document", 900), ("b", "role=main", 400))
    tell(ledger, BETA, ("b", "kind=document", 900))
    place.now += 5
    ledger.inherit(key("new"), [key("a"), key("b"), key("nothing"), key("a")])
    assert units(ledger, ALPHA, "new") == {"kind=config", "kind=document", "role=main"}
    assert units(ledger, BETA, "new") == {"kind=document"}
    assert (spent(ledger, ALPHA, "new"), spent(ledger, BETA, "new")) == (2100, 900)  # of role=main the dearest
    assert len(list(read_statements(ledger, "alpha", [key("new")]))) == 3
    assert {each.at for each in read_statements(ledger, keys=[key("new")])} == {1_000_000.0}  # told then, not now
    head = verify(ledger)
    assert (head.problem, [line.kind for line in read_lines(ledger)][-1]) == ("", "inherit")
    ledger.inherit(key("new"), [key("a"), key("b")])
    ledger.inherit(key("new"), [key("new")])
    ledger.inherit(key("other"), [])
    assert verify(ledger) == head
    assert ledger.standing(ALPHA).fields == 4  # a copy tells nobody anything


def test_a_key_with_a_history_keeps_it_and_gets_the_rest(place):
    ledger = place.open()
    tell(ledger, ALPHA, ("own", "kind=config", 900), ("own", "role=main", 100))
    tell(ledger, ALPHA, ("a", "kind=config", 500), ("a", "role=main", 300), ("a", "lacks=tests", 400))
    ledger.inherit(key("own"), [key("a")])
    assert units(ledger, ALPHA, "own") == {"kind=config", "role=main", "lacks=tests"}
    assert spent(ledger, ALPHA, "own") == 900 + 300 + 400
    assert spent(ledger, ALPHA, "a") == 1200
    assert verify(ledger).problem == ""


def test_with_a_refresh_period_what_counts_now_and_what_ever_counted_are_both_taken(place):
    ledger = place.open(refresh=100)
    tell(ledger, ALPHA, ("old", "kind=config", 5000), ("old", "role=main", 700))
    place.now += 90
    tell(ledger, ALPHA, ("young", "kind=config", 300))
    place.now += 50
    ledger.inherit(key("new"), [key("old"), key("young")])
    assert (units(ledger, ALPHA, "new"), spent(ledger, ALPHA, "new")) == ({"kind=config", "role=main"}, 300)
    assert sorted(each.cost for each in read_statements(ledger, keys=[key("new")])) == [300, 700, 5000]
    head = verify(ledger)
    ledger.inherit(key("new"), [key("young"), key("old")])
    assert verify(ledger) == head


def test_statements_tell_everything_oldest_first(place):
    ledger = place.open()
    tell(ledger, ALPHA, ("b", "kind=config", 500))
    place.now += 1
    tell(ledger, BETA, ("a", "kind=config", 500))
    tell(ledger, ALPHA, ("a", "role=main", 700))
    every = list(read_statements(ledger))
    assert every == [
        (key("b"), "alpha", "kind=config", 500, 1_000_000.0),
        (key("a"), "beta", "kind=config", 500, 1_000_001.0),
        (key("a"), "alpha", "role=main", 700, 1_000_001.0),
    ]
    assert list(read_statements(ledger, "alpha")) == [every[0], every[2]]
    assert list(read_statements(ledger, keys=[key("a"), key("b")])) == every
    assert list(read_statements(ledger, "beta", [key("a")])) == [every[1]]
    assert list(read_statements(ledger, keys=[])) == []


def test_many_keys_are_looked_up_at_once(place):
    ledger = place.open()
    names = [f"n{number}" for number in range(1200)]
    tell(ledger, ALPHA, *((name, "kind=config", 5) for name in names))
    found = ledger.known(ALPHA, [key(name) for name in names])
    assert {each.spent for each in found.values()} == {5}
    assert len(found) == 1200


def test_threads_take_turns(place):
    ledger = place.open()

    def work(name):
        for number in range(10):
            tell(ledger, ALPHA, (name, f"edge=e{number}", 1))

    threads = [threading.Thread(target=work, args=(f"t{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verify(ledger) == (40, verify(ledger).head, "", 0)


def test_a_transaction_inside_a_transaction_is_refused(place):
    ledger = place.open()

    def decide(standing):
        tell(ledger, ALPHA, ("a", "kind=config", 500))
        return Decision(None)

    with pytest.raises(LedgerError, match="inside its own"):
        ledger.transact(ALPHA, [key("a")], decide)
    assert spent(ledger, ALPHA, "a") == 0
    assert verify(ledger).lines == 0


def test_a_closed_ledger_says_so(place):
    ledger = place.open()
    ledger.close()
    ledger.close()
    for use in (
        lambda: ledger.known(ALPHA, []),
        lambda: tell(ledger, ALPHA, ("a", "kind=config", 500)),
        lambda: ledger.note("alpha", "turn"),
        lambda: list(read_lines(ledger)),
    ):
        with pytest.raises(LedgerError, match="open it again"):
            use()


def test_another_key_is_refused(place):
    tell(place.open(), ALPHA, ("a", "kind=config", 500))
    with pytest.raises(LedgerError, match="another key"):
        place.open(key=bytes(32))
    for short in (b"", KEY[:31], "k" * 32):
        with pytest.raises(LedgerError, match="32 bytes"):
            place.open(key=short)


def test_nothing_shows_the_key(place):
    ledger = place.open()
    assert repr(ledger) in ("<SqliteLedger private>", "<PostgresLedger private>")
    assert repr(ledger._chain) == "<Chain private>"
