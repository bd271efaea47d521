"""Asking again: a step that ran is answered from then, news in old words is paid for, and budgets end it."""

from __future__ import annotations

import json
from dataclasses import replace

import builders
import pytest
from builders import AUDIENCE, AUTH, CATALOG, ENV, PAY, Executor, Person, edge, held, key, spent, tell
from msgspec.structs import replace as replace_struct

from plantwin.boundary.approval import Approvals
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.ledgers.verification import verify
from plantwin.types.capability import Catalog
from plantwin.types.execution import Executed
from plantwin.types.ledger import Limits
from plantwin.types.plan import Plan, Step
from plantwin.types.verdict import Allowed, Code, Failure
from plantwin.vocabulary import CapabilityName, Kind, ResultType, Sensitivity

LIMIT = 18_000
"""The sensitivity has not been told, so the strictest threshold holds."""


def keeper(ledger, version="v1", **changes):
    shown = {AUTH: held(version=version), PAY: held(PAY, version="v1")}
    limits = Limits(refusals_per_hour=10**6, fields_per_hour=10**6)
    return builders.keeper(
        ledger, **{"shown": shown, "approvals": Approvals(Person(True)), "limits": limits, **changes}
    )


def asked(gatekeeper, capability="security_audit", inputs=(AUTH,), id_="s1"):
    plan = Plan(steps=(Step(id=id_, capability=capability, inputs=tuple(inputs)),))
    return gatekeeper.gate(plan, 0, frozenset())


class Talkative(Executor):
    """Code of the folder that says something else on every run."""

    def execute(self, *step, **how):
        super().execute(*step, **how)
        return Executed({"status": "done", "count": ("one", "few", "many")[len(self.ran) % 3]})


def test_64_identical_runs_of_the_tests_in_one_session_are_one(ledger):
    executor = Talkative()
    gatekeeper = keeper(ledger, executor=executor)
    verdicts = [asked(gatekeeper, "run_tests", id_=f"s{number}") for number in range(64)]
    assert len({each.outcome for each in verdicts}) == 1, "64 answers would be 64 messages of whoever wrote the tests"
    assert len(executor.ran) == 1
    assert executor.repeated == [(f"s{number}", "s0") for number in range(1, 64)]
    assert [sum(cost for _, cost in each.spent) for each in verdicts[1:]] == [0] * 63
    assert spent(ledger) == 500 + 500


def test_code_of_the_folder_is_paid_for_in_every_session_and_for_all_that_it_could_read(ledger):
    """It can say anything, of anything: the same word in another session is another message."""
    executor = Executor({"status": "done"})
    executor.seen = (held(), held(ENV, kind=Kind.SECRET_CONTAINER, version="v1"))
    for number in range(1, 4):
        verdict = asked(keeper(ledger, executor=executor), "run_tests")
        assert isinstance(verdict, Allowed)
        assert (spent(ledger), spent(ledger, ENV)) == (500 * number, 2000 * number)


FOLLOWING = Catalog(
    [
        *(each for each in CATALOG.values() if each.name != "compare"),
        builders.capability(
            CapabilityName.COMPARE, takes=frozenset({ResultType.TEST_RESULTS}), returns=ResultType.COMPARISON
        ),
    ]
)


@pytest.mark.parametrize("of", ["s1", "s1.affected"])
def test_a_planner_that_has_the_result_of_the_tests_told_once_more_pays_for_every_telling(ledger, of):
    """Code of the folder decides what its result holds: whatever is made of it can speak of all that it could read."""
    executor = Executor({"status": "done"})
    executor.seen = (held(), held(ENV, kind=Kind.SECRET_CONTAINER, version="v1"))
    for number in (1, 2):
        gatekeeper = keeper(ledger, executor=executor, catalog=FOLLOWING)
        assert isinstance(asked(gatekeeper, "run_tests"), Allowed)
        again = [asked(gatekeeper, "compare", [of], id_=f"s{place}") for place in (2, 3)]
        assert all(isinstance(verdict, Allowed) for verdict in again)
        assert spent(ledger, ENV) == 4000 * number, "a run and one word about its result, in every session"
    tell(ledger, "raced=1", of=ENV, cost=2000)
    gatekeeper = keeper(ledger, executor=executor, catalog=FOLLOWING)
    assert isinstance(asked(gatekeeper, "run_tests"), Allowed)
    assert asked(gatekeeper, "compare", [of], id_="s2").code is Code.OVER_BUDGET


def test_a_report_that_the_tests_made_fail_says_no_more_than_one_that_did_not(ledger):
    """A report is free, so that it must be the same word whatever was joined, and nothing can be built on it."""
    heard = []
    for failure in (None, Failure.MEMORY):
        executor = Executor({"status": "done"}, failure)
        gatekeeper = keeper(ledger, executor=executor)
        executor.executed = Executed({"status": "done"})
        asked(gatekeeper, "run_tests")
        executor.executed = Executed(None, failure)
        told = [asked(gatekeeper, "report", ["s1"], id_="s2"), asked(gatekeeper, "report", ["s2"], id_="s3")]
        told.append(asked(gatekeeper, "security_audit", ["s2.unexamined"], id_="s4"))
        assert told[0].failure is failure
        heard.append([verdict.outcome for verdict in told])
    assert heard[0] == heard[1]
    assert [outcome.status for outcome in heard[0]] == ["done", "rejected", "rejected"]


def test_code_of_the_folder_does_not_run_where_something_that_it_could_read_has_nothing_left(ledger):
    executor = Executor({"status": "done"})
    executor.seen = (held(ENV, kind=Kind.SECRET_CONTAINER),)
    tell(ledger, "raced=1", of=ENV, cost=12_000)
    gatekeeper = keeper(ledger, executor=executor)
    plan = Plan(steps=(Step(id="s1", capability="run_tests", inputs=(AUTH,)),))
    assert gatekeeper.admit(plan).steps[0].refusal.code is Code.OVER_BUDGET
    assert asked(gatekeeper, "run_tests").code is Code.OVER_BUDGET
    assert executor.ran == []


def test_a_changed_log_audited_in_40_sessions_is_paid_for_each_time_until_the_threshold(ledger):
    allowed = []
    for number in range(40):
        before = spent(ledger)
        verdict = asked(keeper(ledger, f"v{number}"))
        allowed.append(isinstance(verdict, Allowed))
        assert spent(ledger) - before == (3000 if allowed[-1] else 0), "the words are old, what they say is new"
    # Each costs 2.5 and 0.5 for being sure; the dearest outcome must fit before it is asked.
    assert allowed == [True] * 5 + [False] * 35
    assert spent(ledger) <= LIMIT


def test_the_same_content_again_is_free_in_every_session(ledger):
    first = asked(keeper(ledger))
    for _ in range(10):
        again = asked(keeper(ledger))
        assert (again.outcome, again.spent) == (first.outcome, ((AUTH, 0),))


def test_what_follows_from_other_files_is_paid_for_again_when_these_change(ledger):
    """The object is the same, and its answer would otherwise tell of the others for nothing."""
    wide = replace_struct(CATALOG["security_audit"], surroundings=True)
    costs = []
    for around in ("one", "one", "another", "one"):
        executor, before = Executor({"status": "done"}), spent(ledger)
        executor.prepared = lambda *_, around=around: around
        asked(keeper(ledger, executor=executor, catalog=Catalog([wide])))
        assert executor.given == [around]
        costs.append(spent(ledger) - before)
    assert costs == [1000, 0, 500, 0]


def test_what_is_said_of_several_is_news_when_one_of_them_changed(ledger):
    executor = {"executor": Executor({"status": "done"})}
    costs = []
    for version in ("v1", "v1", "v2", "v1"):
        verdict = asked(keeper(ledger, version, **executor), "compare", (AUTH, PAY))
        costs.append(dict(verdict.spent)[PAY])
    # The first also says that the local side is sure of it.
    assert costs == [1000, 0, 500, 0]


def test_a_step_that_was_interrupted_runs_again(ledger):
    executor = Executor(failure=Failure.INTERRUPTED)
    gatekeeper = keeper(ledger, executor=executor)
    asked(gatekeeper)
    executor.executed = Executed({"status": "done"})
    assert asked(gatekeeper).failure is None
    assert asked(gatekeeper, id_="s2").failure is None
    assert len(executor.ran) == 2


def test_a_failure_is_not_tried_again_and_again(ledger):
    executor = Executor(failure=Failure.CRASHED)
    gatekeeper = keeper(ledger, executor=executor)
    assert {asked(gatekeeper, id_=f"s{number}").failure for number in range(5)} == {Failure.CRASHED}
    assert len(executor.ran) == 1


@pytest.mark.parametrize("told", ["nothing", "sensitivity"])
def test_the_turn_at_which_refusals_begin_does_not_tell_a_sensitivity_that_was_not_told(tmp_path, told):
    """Thresholds of 30, 24 and 18: whoever counts its answers would read the sensitivity off the last."""
    answers = {}
    for sensitivity in Sensitivity:
        ledger = SqliteLedger(tmp_path / sensitivity / "ledger.db", b"k" * 32)
        shown = {AUTH: held(version="v1", sensitivity=sensitivity)}
        if told == "sensitivity":
            tell(ledger, f"sensitivity={sensitivity}@v1")
        count = 0
        for _ in range(24):
            executor = Executor({"status": "done", "severity": "high", "count": "few"})
            count += isinstance(asked(keeper(ledger, shown=dict(shown), executor=executor), "run_tests"), Allowed)
        answers[sensitivity] = count
        ledger.close()
    assert len(set(answers.values())) == (1 if told == "nothing" else 3), answers


def test_an_edge_is_paid_for_by_both_of_its_ends_and_so_by_a_hub(ledger):
    """One object that many others point to must not be drawn from their budgets alone."""
    ids = [f"artifact_{letter * 8}" for letter in "defghij"]
    shown = {PAY: held(PAY, version="v1")}
    shown |= {id_: held(id_, edges=(edge(id_, PAY),), version="v1") for id_ in ids}
    gatekeeper = keeper(ledger, shown=shown)
    edges = []
    for id_ in ids:
        verdict = asked(gatekeeper, "describe", (id_,))
        edges += verdict.edges
        charged = dict(verdict.spent).get(PAY, 0)
        assert charged in ((3500, 3000, 0) if verdict.edges else (0,))
    assert 0 < len(edges) < len(ids)
    assert 3000 * len(edges) <= spent(ledger, PAY) <= LIMIT
    assert sum(unit.startswith("edge=") for unit in ledger.known(AUDIENCE, [key(PAY)])[key(PAY)].units) == len(edges)


def test_several_objects_on_one_account_spend_once_and_from_one_budget(ledger):
    """Copies of a file have one account: a hundred copies are no hundred budgets."""
    copies = {f"artifact_{letter * 8}": None for letter in "abcdefgh"}
    copies = {id_: replace(held(id_, version="v1"), key=key("content")) for id_ in copies}
    first, *others = copies
    gatekeeper = keeper(ledger, shown=dict(copies))
    assert dict(asked(gatekeeper, inputs=(first,)).spent) == {first: 3000}
    for id_ in others:
        assert dict(asked(gatekeeper, inputs=(id_,)).spent) == {id_: 0}, "the same content says the same"
    both = asked(gatekeeper, "compare", tuple(copies)[:2])
    assert both.spent == ((first, 1500), (others[0], 1500)), "one account, named with both"
    assert spent(ledger, "content") == 4500
    lines = [json.loads(line.body) for line in read_lines(ledger) if line.kind == "verdict"]
    assert len(lines) == 9
    assert verify(ledger).problem == ""
