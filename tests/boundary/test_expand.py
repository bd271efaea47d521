"""`expand`: further objects of a group, priced before, charged when shown, and silent where it is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import builders
import pytest
from builders import AUDIENCE, AUTH, PAY, Executor, Person, Rules, channel, edge, held, key, tell

from plantwin.boundary.approval import Approvals
from plantwin.boundary.budget import Weighted
from plantwin.boundary.expansion import AT_ONCE, PER_SESSION, Expansion
from plantwin.boundary.groups import Gathered
from plantwin.boundary.ledger.interface import Limits
from plantwin.boundary.ledger.sqlite import SqliteLedger
from plantwin.boundary.policy import Ruling
from plantwin.boundary.release import Release
from plantwin.errors import VocabularyError, WireError
from plantwin.ledgers.records import read_lines, read_statements
from plantwin.ledgers.verification import verify
from plantwin.types.capability import Capability
from plantwin.types.envelope import MAX_OBJECTS
from plantwin.types.plan import Plan, Step, StepPolicy
from plantwin.types.twin import Group
from plantwin.types.verdict import Allowed, Code, Denied
from plantwin.vocabulary import (
    CapabilityName,
    Count,
    Family,
    Kind,
    ResultType,
    SemanticClass,
    Sensitivity,
    StepStatus,
)

GROUP, ALONE, UNTOLD = "group_aaaaaaaa", "group_bbbbbbbb", "group_zzzzzzzz"
LOGS = frozenset({Family.LOGS})


def log(number):
    letters = "abcdefghijklmnopqrstuvwxyz"
    id_ = f"artifact_log{letters[number % 26]}{letters[number // 26]}aaa"
    values = {"kind": Kind.LOG_STREAM, "semantic_class": SemanticClass.ERROR_LOG}
    return held(id_, edges=(edge(id_, AUTH),), **values)


class Shelf:
    """So many logs."""

    def __init__(self, number=30):
        self.waiting = [log(each) for each in range(number)]
        self.asked = []

    def draw(self, kind, families, most):
        self.asked.append((kind, families, most))
        taken, self.waiting = self.waiting[:most], self.waiting[most:]
        return taken


@pytest.fixture
def ledger(tmp_path):
    opened = SqliteLedger(tmp_path / "ledger.db", b"k" * 32)
    yield opened
    opened.close()


def groups():
    many = Group(group_id=GROUP, kind=Kind.LOG_STREAM, family=Family.LOGS, count=Count.MANY)
    one = Group(group_id=ALONE, kind=Kind.LOG_STREAM, count=Count.ONE)
    return {GROUP: Gathered(many, LOGS), ALONE: Gathered(one, frozenset())}


def keeper(ledger, shelf=None, **changes):
    shown = {AUTH: held(AUTH), PAY: held(PAY)}
    return builders.keeper(ledger, **{"shown": shown, "expansion": Expansion(groups(), shelf or Shelf()), **changes})


def plan(*inputs, capability="expand", **fields):
    return Plan(steps=(Step(id="s1", capability=capability, inputs=inputs or (GROUP,), **fields),))


def spent(ledger, object_id):
    return ledger.known(AUDIENCE, [key(object_id)])[key(object_id)].spent


def test_it_shows_further_objects_and_charges_each_its_kind_and_family(ledger):
    executor, shelf, shown = Executor(), Shelf(), {AUTH: held(AUTH)}
    verdict = keeper(ledger, shelf, executor=executor, shown=shown).gate(plan(), 0, frozenset())
    assert isinstance(verdict, Allowed)
    assert [each.object_id for each in verdict.objects] == [log(number).id for number in range(AT_ONCE)]
    assert {(each.kind, each.family, each.semantic_class) for each in verdict.objects} == {
        (Kind.LOG_STREAM, Family.LOGS, verdict.objects[0].semantic_class)
    }
    assert verdict.edges == ()
    assert verdict.spent == tuple((log(number).id, 1500) for number in range(AT_ONCE))
    assert spent(ledger, log(0).id) == 1500
    assert set(shown) == {AUTH, *(log(number).id for number in range(AT_ONCE))}
    assert shelf.asked == [(Kind.LOG_STREAM, LOGS, AT_ONCE)]
    assert executor.ran == []
    line = next(json.loads(each.body) for each in read_lines(ledger) if each.kind == "verdict")
    assert (line["capability"], line["verdict"], len(line["spent"])) == ("expand", "done", AT_ONCE)
    assert verify(ledger).problem == ""


def test_what_it_shows_crosses_with_the_results_and_can_be_worked_with(ledger):
    gatekeeper = keeper(ledger)
    verdict = gatekeeper.gate(plan(), 0, frozenset())
    release = Release(channel(ledger))
    message = json.loads(release.results(1, [verdict]).data)
    assert message["steps"] == [{"outcome": {"status": "done"}, "step": 1}]
    assert message["objects"][0] == {"family": "logs", "kind": "log_stream", "object_id": log(0).id}
    described = gatekeeper.gate(plan(log(0).id, capability="describe"), 0, frozenset())
    assert described.objects[0].semantic_class is SemanticClass.ERROR_LOG
    assert [each.target for each in described.edges] == [AUTH]


def test_a_class_that_is_known_is_told_again_instead_of_the_family(ledger):
    units = ("kind=log_stream", "semantic_class=error_log")
    tell(ledger, *units, of=log(0).id, cost=1000)
    verdict = keeper(ledger, Shelf(2)).gate(plan(), 0, frozenset())
    assert [each.semantic_class is SemanticClass.ERROR_LOG for each in verdict.objects] == [True, False]
    assert verdict.spent == ((log(0).id, 0), (log(1).id, 1500))


def test_admission_prices_the_most_that_it_can_show(ledger):
    made = Plan(
        steps=tuple(Step(id=f"s{n}", capability="expand", inputs=(each,)) for n, each in enumerate((GROUP, ALONE)))
    )
    admission = keeper(ledger).admit(made)
    assert [(each.objects, each.price, each.refusal) for each in admission.steps] == [
        ((GROUP,), AT_ONCE * 1500, None),
        ((ALONE,), 1500, None),
    ]
    assert admission.price == (AT_ONCE + 1) * 1500
    refused = keeper(ledger).admit(plan(UNTOLD)).steps[0]
    assert (refused.objects, refused.price, refused.refusal.code) == ((), 0, Code.UNKNOWN_OBJECT)


REFUSED = {
    "a group of nobody": (plan(UNTOLD), {}, Code.UNKNOWN_OBJECT),
    "an object": (plan(AUTH), {}, Code.UNKNOWN_OBJECT),
    "two groups": (plan(GROUP, ALONE), {}, Code.WRONG_ARITY),
    "work on a group": (plan(GROUP, capability="security_audit"), {}, Code.UNKNOWN_OBJECT),
    "a group described": (plan(GROUP, capability="describe"), {}, Code.UNKNOWN_OBJECT),
    "another result": (plan(output="findings"), {}, Code.WRONG_OUTPUT),
    "nothing further": (plan(), {"expansion": Expansion(groups())}, Code.NOTHING_FURTHER),
    "no groups": (plan(), {"expansion": None}, Code.UNKNOWN_OBJECT),
    "a policy that denies": (plan(), {"policy": Rules(Ruling.DENY)}, Code.POLICY_DENIES),
    "a policy that asks": (
        plan(),
        {"policy": Rules(Ruling.ASK), "approvals": Approvals(Person(False))},
        Code.APPROVAL_DENIED,
    ),
    "a policy that fails": (plan(), {"policy": Rules(Ruling.FAIL)}, Code.POLICY_DENIES),
    "no budget": (plan(), {"accountant": Weighted(sensitivities=dict.fromkeys(Sensitivity, 400))}, Code.OVER_BUDGET),
    "too many fields": (plan(), {"limits": Limits(fields_per_hour=0)}, Code.RATE_LIMITED),
    "a planner that asks a person": (plan(policy=StepPolicy(human_approval=True)), {}, Code.NO_APPROVER),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_a_refusal_says_one_word_and_shows_and_charges_nothing(ledger, case):
    asked, changes, code = REFUSED[case]
    shown = {AUTH: held(AUTH)}
    verdict = keeper(ledger, **{"shown": shown, **changes}).gate(asked, 0, frozenset())
    assert isinstance(verdict, Denied)
    assert verdict.code is code
    assert verdict.outcome.status in (StepStatus.REJECTED, StepStatus.ESCALATED)
    assert set(shown) == {AUTH}
    assert list(read_statements(ledger)) == []


def test_what_the_policy_or_a_budget_withholds_is_left_out(ledger):
    shelf = Shelf(4)
    shelf.waiting[1] = replace(shelf.waiting[1], labels=frozenset({"private"}))
    rules = Rules(Ruling.PERMIT, {Ruling.DENY: lambda subject: "private" in subject.labels}, String=["private"])
    tell(ledger, "kind=document", of=log(2).id, cost=30_000)
    verdict = keeper(ledger, shelf, shown={}, policy=rules, labels={"private"}).gate(plan(), 0, frozenset())
    assert [each.object_id for each in verdict.objects] == [log(0).id, log(3).id]
    # That they are shown says that they are not labelled so, which costs 0.5.
    assert verdict.spent == ((log(0).id, 2000), (log(3).id, 2000))


def test_a_session_looks_into_groups_so_often_and_no_more(ledger):
    gatekeeper = keeper(ledger, Shelf(200), shown={})
    verdicts = [gatekeeper.gate(plan(), 0, frozenset()) for _ in range(PER_SESSION + 1)]
    assert all(isinstance(each, Allowed) for each in verdicts[:3])
    assert verdicts[-1].code is Code.RATE_LIMITED


def test_no_more_is_shown_than_an_envelope_lists(ledger):
    shelf = Shelf()
    expansion = Expansion(groups(), shelf)
    assert len(expansion.draw(GROUP, MAX_OBJECTS - 3) or ()) == 3
    assert expansion.draw(GROUP, MAX_OBJECTS) is None


def test_a_group_is_no_step_and_no_step_is_a_group():
    with pytest.raises(WireError):
        Step(id=GROUP, capability="lint")
    with pytest.raises(WireError):
        Plan(steps=(Step(id="s1", capability="lint", inputs=("group_short",)),))


def test_nobody_else_shows_objects_and_nothing_takes_what_was_shown():
    for fields in (
        {"name": CapabilityName.EXPAND, "own": "mine", "wire": "custom_aaaaaaaa"},
        {"name": CapabilityName.COMPARE, "takes": frozenset({ResultType.FIELDS})},
    ):
        with pytest.raises(VocabularyError):
            Capability(doc="", example="", returns=ResultType.FIELDS, **fields)
