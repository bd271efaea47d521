"""Differencing: a set and the same set without one member tell of that member, and it pays for that."""

from __future__ import annotations

import builders
import pytest
from builders import AUDIENCE, AUTH, SET, Executor, held, key, scope, several, tell

from plantwin.boundary.isolation import MARKS, Isolation, atoms
from plantwin.ledgers.verification import verify
from plantwin.types.execution import Executed
from plantwin.types.ledger import Audience, Known, counted
from plantwin.types.plan import Narrowed, Plan, Step, Where
from plantwin.types.policy import Party
from plantwin.types.verdict import Allowed, Code
from plantwin.vocabulary import Role, Sensitivity

TOLD = 2500
"""What an outcome costs someone whom it is about alone."""
ALL = [f"{number:06}" for number in range(12)]
LESS = Narrowed(set=SET, where=Where(role=Role.TEST))
LESSER = Narrowed(set=SET, where=Where(sensitivity=Sensitivity.LOW))
NAMES = [f"artifact_aaaaaaa{letter}" for letter in "bcdefghijklm"]


class Behind(Executor):
    """Twelve of two cells, and who is behind the inputs of this test."""

    def __init__(self, raw=None, **inputs):
        super().__init__(raw)
        self.inputs = {SET: ALL, str(LESS): ALL[:-1], str(LESSER): ALL[:-2], AUTH: [], **inputs}
        self.scopes = {
            str(name): scope(number, cells=("a", "b"), version=str(name))
            for name, number in ((SET, 12), (LESS, 11), (LESSER, 10), ("s1.clean", 12))
        }

    def behind(self, inputs, without=()):
        left_out = {ALL[NAMES.index(id_)] for id_ in without}
        found = (mark for name in inputs for mark in self.inputs.get(str(name), []))
        return frozenset(found) - left_out

    def cells(self):
        return {key("a"): frozenset(ALL[:6]), key("b"): frozenset(ALL[6:])}

    def alone(self, marks):
        return [held(NAMES[ALL.index(mark)]) for mark in sorted(marks)]


def keeper(ledger, executor=None, **changes):
    given = {"sets": [several(cells=("a", "b"))], "executor": executor or Behind(), **changes}
    return builders.keeper(ledger, **given)


def asked(gatekeeper, *inputs, capability="security_audit", id_="s1"):
    return gatekeeper.gate(Plan(steps=(Step(id=id_, capability=capability, inputs=inputs),)), 0, frozenset())


def spent(ledger, audience=AUDIENCE):
    known = ledger.known(audience, list(map(key, NAMES)))
    return {number: known[key(name)].spent for number, name in enumerate(NAMES) if known[key(name)].spent}


def test_atoms_are_what_the_sets_tell_apart():
    def found(*sets):
        return {"".join(sorted(atom)) for atom in atoms([frozenset(each) for each in sets[1:]], frozenset(sets[0]))}

    assert found("abc") == {"abc"}
    assert found("abc", "abcd") == {"abc", "d"}
    assert found("abcd", "ab", "bc") == {"a", "b", "c", "d"}
    assert found("abc", "xyz") == {"abc"}, "what is far away tells nothing apart"
    assert found("") == set()


@pytest.mark.parametrize("sessions", [1, 2])
@pytest.mark.parametrize(
    ("questions", "charged"),
    [
        ([SET, SET], {}),
        ([SET, LESS], {11: TOLD}),
        ([LESS, SET], {11: TOLD}),
        ([LESS, LESSER], {10: TOLD}),
        # First the two that are left out together, at half the price; then each of them is told apart.
        ([SET, LESSER], {10: TOLD // 2, 11: TOLD // 2}),
        ([SET, LESSER, LESS], {10: TOLD // 2 + TOLD, 11: TOLD // 2 + TOLD}),
    ],
)
def test_few_that_two_questions_tell_apart_pay_by_themselves(ledger, questions, charged, sessions):
    gatekeeper = keeper(ledger)
    for question in questions:
        gatekeeper = gatekeeper if sessions == 1 else keeper(ledger)
        assert isinstance(asked(gatekeeper, question), Allowed)
    assert spent(ledger) == charged
    assert verify(ledger).problem == ""


def test_another_capability_and_another_audience_ask_for_themselves(ledger):
    asked(keeper(ledger), SET)
    asked(keeper(ledger), LESS, capability="compare")
    other = Audience("other", ("other",))
    asked(keeper(ledger, audience=other, party=Party("offline", "other", "remote")), LESS)
    assert spent(ledger) == spent(ledger, other) == {}


def test_what_was_asked_is_found_in_results_too_and_reports_ask_nothing(ledger):
    gatekeeper = keeper(ledger)
    asked(gatekeeper, LESS)
    asked(gatekeeper, "s1", AUTH, capability="compare", id_="s2")
    asked(gatekeeper, "s2", "s1", capability="report", id_="s3")
    assert spent(ledger) == {}
    asked(gatekeeper, SET, AUTH, capability="compare", id_="s4")
    assert spent(ledger) == {11: 1500}, "three words that a comparison may tell"


def test_one_that_is_told_apart_and_cannot_pay_ends_it(ledger):
    gatekeeper = keeper(ledger)
    asked(gatekeeper, SET)
    tell(ledger, "raced=1", of=NAMES[11], cost=17_000)
    assert asked(gatekeeper, LESS).code is Code.OVER_BUDGET
    assert spent(ledger) == {11: 17_000}


def test_who_pays_already_pays_the_larger_share(ledger):
    """Two that are worked on by themselves, of which one is told apart."""
    executor = Behind(**{str(LESS): ALL[10:], str(LESSER): ALL[11:]})
    gatekeeper = keeper(ledger, executor)
    executor.scopes[str(LESS)] = scope(2, few=[held(NAMES[10]), held(NAMES[11])], version="2")
    executor.scopes[str(LESSER)] = scope(1, few=[held(NAMES[11])], version="1")
    asked(gatekeeper, LESS)
    assert spent(ledger) == {10: TOLD // 2, 11: TOLD // 2}
    asked(gatekeeper, LESSER)
    assert spent(ledger) == {10: TOLD // 2 + TOLD, 11: TOLD // 2 + TOLD}


class Racing(Behind):
    """While a step runs, another session asks about almost the same."""

    def __init__(self, ledger):
        super().__init__()
        self.ledger = ledger

    def execute(self, *step, **how):
        asked(keeper(self.ledger), LESS)
        return super().execute(*step, **how) and Executed({"status": "done"})


def test_two_sessions_at_once_do_not_get_by_what_one_would_not(ledger):
    assert asked(keeper(ledger, Racing(ledger)), SET).code is Code.OUTCOME_OVER_BUDGET
    assert spent(ledger) == {}
    asked(keeper(ledger), SET)
    assert spent(ledger) == {11: TOLD}


def test_two_sessions_at_once_that_ask_about_the_same_are_both_answered(ledger):
    class Same(Racing):
        def execute(self, *step, **how):
            assert isinstance(asked(keeper(self.ledger), SET), Allowed)
            return Behind.execute(self, *step, **how)

    assert isinstance(asked(keeper(ledger, Same(ledger)), SET), Allowed)
    assert spent(ledger) == {}


def test_what_is_remembered_is_short_counts_for_nothing_and_names_whole_cells_as_such():
    many = [f"{number:06}" for number in range(50)]

    class Large(Behind):
        def cells(self):
            return {key("a"): frozenset(many)}

    isolation = Isolation(Large(), 5, builders.CATALOG)
    known = {key("a"): Known()}
    audit = builders.capability()
    whole = isolation.charges(audit, frozenset(many), known)
    assert [(charge.unit[-2:], charge.cost) for charge in whole] == [(".*", 0)]
    parts = isolation.charges(audit, frozenset(many[1:]), known)
    assert len(parts) == -(-49 // MARKS)
    assert counted(charge.unit for charge in (*whole, *parts)) == 0
    assert all(len(charge.unit) <= 200 for charge in parts)
    told = {key("a"): Known(frozenset(charge.unit for charge in (*whole, *parts)))}
    assert isolation.charges(audit, frozenset(many[1:]), told) == []
    assert isolation.asked(audit, frozenset(many), told).few == (frozenset(many[:1]),)
    assert counted(["kind=config", "kind=config", "s.status=done@v1", "s.status=done@v1"]) == 3
