"""Algorithm 1: every check refuses in its own place, a refusal says one word, and nothing passes a budget."""

from __future__ import annotations

import json

import builders
import msgspec
import pytest
from builders import (
    AUDIENCE,
    AUTH,
    ENV,
    FOREIGN,
    OTHER,
    PAY,
    SET,
    TOOL,
    Executor,
    Person,
    Rules,
    capability,
    edge,
    held,
    key,
    scope,
    several,
    spent,
    tell,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plantwin.boundary.approval import Approvals
from plantwin.boundary.budget import Sharing, Weighted
from plantwin.cloud.answer import decode_plan
from plantwin.errors import LedgerError, WireError
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.ledgers.verification import verify
from plantwin.types.approval import Answer
from plantwin.types.capability import Catalog
from plantwin.types.envelope import Results
from plantwin.types.ledger import Limits
from plantwin.types.outcome import Outcome, StepResult
from plantwin.types.plan import Plan, Step, StepPolicy
from plantwin.types.policy import Decided, Ruling
from plantwin.types.verdict import Allowed, Code, Denied, Failure
from plantwin.vocabulary import Family, Kind, OutcomeTag, SemanticClass, Sensitivity, Severity, StepStatus

WORST = 500 * 3 + 3 * 500
"""Most that an audit of single objects can tell: status, severity, count and three tags."""
SURE = 500
"""That it ran without a question says that the local side is sure what the object is: the verdict gives that away."""


def objects(**fields):
    auth = held(AUTH, edges=(edge(),), **fields)
    pay = held(PAY, semantic_class=SemanticClass.PAYMENT_MODULE)
    env = held(ENV, kind=Kind.SECRET_CONTAINER, semantic_class=SemanticClass.CREDENTIALS_FILE)
    return {each.id: each for each in (auth, pay, env)}


def keeper(ledger, **changes):
    return builders.keeper(ledger, **{"shown": objects(), **changes})


def step(id_="s1", capability="security_audit", inputs=(AUTH,), **fields):
    return Step(id=id_, capability=capability, inputs=tuple(inputs), **fields)


def plan(*steps):
    return Plan(steps=steps or (step(),))


def gated(gatekeeper, asked):
    """Verdicts on all steps, in their order."""
    refused, verdicts = set(), []
    for position in asked.order():
        verdicts.append(gatekeeper.gate(asked, position, frozenset(refused)))
        if isinstance(verdicts[-1], Denied):
            refused.add(asked.steps[position].id)
    return verdicts


def verdicts(ledger):
    return [json.loads(line.body) for line in read_lines(ledger) if line.kind == "verdict"]


def test_a_step_that_passes_every_check_is_run_told_charged_and_recorded(ledger):
    executor = Executor()
    verdict = keeper(ledger, executor=executor).gate(plan(), 0, frozenset())
    assert executor.ran == [("s1", "security_audit", (AUTH,))]
    assert isinstance(verdict, Allowed)
    assert verdict.outcome.severity is Severity.HIGH
    assert verdict.spent == ((AUTH, 2500 + SURE),)
    assert spent(ledger) == 2500 + SURE
    assert ledger.known(AUDIENCE, [key(AUTH)])[key(AUTH)].units == {
        "confidence=sure", "security_audit.status=done", "security_audit.severity=high", "security_audit.count=few",
        "security_audit.tag=injection", "security_audit.tag=weak_crypto",
    }  # fmt: skip
    assert verdicts(ledger)[0]["verdict"] == "done"
    assert verify(ledger).problem == ""


def test_telling_the_same_again_costs_nothing(ledger):
    gatekeeper = keeper(ledger)
    gatekeeper.gate(plan(), 0, frozenset())
    again = gatekeeper.gate(plan(), 0, frozenset())
    assert again.spent == ((AUTH, 0),)
    assert spent(ledger) == 2500 + SURE


REFUSED = {
    Code.UNKNOWN_CAPABILITY: (step(capability="delete_everything"), {}),
    Code.UNKNOWN_OBJECT: (step(inputs=(FOREIGN,)), {}),
    Code.REPEATED_INPUT: (step(capability="compare", inputs=(AUTH, AUTH)), {}),
    Code.WRONG_ARITY: (step(capability="compare"), {}),
    Code.WRONG_KIND: (step(inputs=(ENV,)), {}),
    Code.WRONG_OUTPUT: (step(output="events"), {}),
    Code.OVER_BUDGET: (step(), {"accountant": Weighted(sensitivities=dict.fromkeys(Sensitivity, WORST - 1))}),
    Code.RATE_LIMITED: (step(), {"limits": Limits(refusals_per_hour=0)}),
    Code.POLICY_DENIES: (step(), {"policy": Rules(Ruling.DENY)}),
    Code.POLICY_FAILS: (step(), {"policy": Rules(Ruling.FAIL)}),
    Code.NO_APPROVER: (step(), {"policy": Rules(Ruling.ASK)}),
    Code.APPROVAL_DENIED: (step(), {"policy": Rules(Ruling.ASK), "approvals": Approvals(Person(False))}),
    Code.APPROVAL_EXPIRED: (step(), {"policy": Rules(Ruling.ASK), "approvals": Approvals(Person(None))}),
    Code.NO_SANDBOX: (step(), {"require_sandbox": True}),
}


class Open(Executor):
    sandboxed = False


@pytest.mark.parametrize("code", REFUSED)
def test_every_check_refuses_and_a_refusal_tells_and_charges_nothing(ledger, code):
    asked, changes = REFUSED[code]
    executor = Open() if code is Code.NO_SANDBOX else Executor()
    verdict = keeper(ledger, executor=executor, **changes).gate(plan(asked), 0, frozenset())
    assert isinstance(verdict, Denied)
    assert verdict.code is code
    assert executor.ran == []
    assert [spent(ledger, each) for each in (AUTH, PAY, ENV)] == [0, 0, 0]
    recorded = verdicts(ledger)
    assert [(each["check"], each["code"]) for each in recorded] == [(code.check, code.value)]


@pytest.mark.parametrize(
    ("known", "takes", "code"),
    [
        ("", {"families": frozenset({Family.APPLICATION})}, Code.UNTOLD_CLASS),
        ("", {"families": frozenset({Family.LOGS})}, Code.UNTOLD_CLASS),
        ("semantic_class=authentication_module", {"families": frozenset({Family.LOGS})}, Code.WRONG_KIND),
        ("family=application", {"families": frozenset({Family.APPLICATION})}, None),
        ("family=application", {"classes": frozenset({SemanticClass.AUTHENTICATION_MODULE})}, Code.UNTOLD_CLASS),
        ("semantic_class=authentication_module", {"families": frozenset({Family.APPLICATION})}, None),
        ("semantic_class=authentication_module", {"classes": frozenset({SemanticClass.AUTHENTICATION_MODULE})}, None),
    ],
)
def test_what_depends_on_a_class_is_for_those_who_were_told_it(ledger, known, takes, code):
    """Otherwise whether a step is refused for its type would tell the class, and no one would have paid."""
    if known:
        tell(ledger, known, cost=1000)
    verdict = keeper(ledger, catalog=Catalog((capability(**takes),))).gate(plan(), 0, frozenset())
    assert (verdict.code if isinstance(verdict, Denied) else None) is code
    assert not isinstance(verdict, Denied) or verdict.outcome.status is StepStatus.REJECTED


def test_the_rate_of_new_fields_is_limited(ledger):
    verdict = keeper(ledger, limits=Limits(fields_per_hour=0)).gate(plan(), 0, frozenset())
    assert (verdict.code, verdict.detail) == (Code.RATE_LIMITED, "fields")


def test_refusals_of_this_hour_refuse_what_comes_after(ledger):
    gatekeeper = keeper(ledger, limits=Limits(refusals_per_hour=3))
    for _ in range(3):
        gatekeeper.gate(plan(step(inputs=(FOREIGN,))), 0, frozenset())
    assert gatekeeper.gate(plan(), 0, frozenset()).code is Code.RATE_LIMITED


@pytest.mark.parametrize("approved", [True, False])
def test_refusals_of_another_session_while_a_person_is_asked_count(ledger, approved):
    """Read before it was counted, the limit let every session that had passed the check tell one verdict more."""

    class Slow(Person):
        def ask(self, question):
            for _ in range(3):
                ledger.note(AUDIENCE.name, "refusal")
            return super().ask(question)

    gatekeeper = keeper(ledger, approvals=Approvals(Slow(approved)), limits=Limits(refusals_per_hour=3))
    before = spent(ledger)
    verdict = gatekeeper.gate(plan(step(capability="redact_document")), 0, frozenset())
    assert (verdict.code, verdict.detail, spent(ledger)) == (Code.RATE_LIMITED, "refusals", before)


def test_refusals_are_the_same_bytes_whatever_the_reason(ledger):
    heard = {}
    for code, (asked, changes) in REFUSED.items():
        executor = Open() if code is Code.NO_SANDBOX else Executor()
        verdict = keeper(ledger, executor=executor, **changes).gate(plan(asked), 0, frozenset())
        results = Results(turn=1, steps=(StepResult(step=1, outcome=verdict.outcome),))
        heard.setdefault(verdict.status, set()).add(msgspec.json.encode(results))
    assert {status: len(bytes_) for status, bytes_ in heard.items()} == {
        StepStatus.REJECTED: 1,
        StepStatus.ESCALATED: 1,
    }


def test_a_step_left_out_by_the_person_is_not_run(ledger):
    verdict = keeper(ledger).gate(plan(), 0, frozenset(), deselected=True)
    assert verdict.code is Code.DESELECTED


def test_what_builds_on_a_refused_step_is_refused(ledger):
    two = plan(step(), step("s2", inputs=(PAY,)), step("s3", "compare", ("s1", "s2")))
    verdict = keeper(ledger).gate(two, 2, frozenset({"s1"}))
    assert (verdict.code, verdict.detail) == (Code.DEPENDS_ON_REFUSED, "s1")
    unknown = plan(step(capability="delete_everything"), step("s2", "compare", ("s1", AUTH)))
    assert keeper(ledger).gate(unknown, 1, frozenset()).code is Code.DEPENDS_ON_REFUSED
    early = plan(step(), step("s2", "compare", ("s1", PAY)))
    assert keeper(ledger).gate(early, 1, frozenset()).code is Code.DEPENDS_ON_REFUSED, "it has not run"


def test_a_result_of_another_type_is_refused(ledger):
    confused = plan(step(capability="describe"), step("s2", "compare", ("s1", PAY)))
    verdict = keeper(ledger).gate(confused, 1, frozenset())
    assert (verdict.code, verdict.detail) == (Code.WRONG_RESULT, "s1")


def test_a_step_on_results_is_charged_to_every_object_behind_them(ledger):
    deep = plan(step(), step("s2", inputs=(PAY,)), step("s3", "compare", ("s1", "s2")))
    executor = Executor({"status": "done", "tags": ["first_worse"]})
    *_, verdict = gated(keeper(ledger, executor=executor), deep)
    assert dict(verdict.spent) == {AUTH: 1000, PAY: 1000}
    assert spent(ledger, AUTH) == spent(ledger, PAY) == 500 + SURE + 1000


def test_an_object_behind_two_results_is_charged_once(ledger):
    twice = plan(step(), step("s2"), step("s3", "compare", ("s1", "s2")))
    executor = Executor({"status": "done"})
    *_, verdict = gated(keeper(ledger, executor=executor), twice)
    assert verdict.spent == ((AUTH, 500),)
    assert repr(executor.executed) == "<Executed private>"


def test_the_policy_must_permit_every_object_behind_a_step(ledger):
    class Comparing(Rules):
        def decide(self, party, capability, subject, **_):
            denied = capability.name == "compare" and subject.semantic_class is SemanticClass.PAYMENT_MODULE
            return Decided(Ruling.DENY if denied else Ruling.PERMIT, "policy-1")

    deep = plan(step(), step("s2", inputs=(PAY,)), step("s3", "compare", ("s1", "s2")))
    *others, verdict = gated(keeper(ledger, policy=Comparing(Class=["payment_module"])), deep)
    assert all(isinstance(each, Allowed) for each in others)
    assert (verdict.code, verdict.detail) == (Code.POLICY_DENIES, "policy-1")


@pytest.mark.parametrize(
    ("asked", "changes", "cause"),
    [(step(), {"policy": Rules(Ruling.ASK)}, "policy"), (step(capability="run_tests"), {}, "risk"),
     (step(capability="redact_document"), {}, "capability"),
     (step(policy=StepPolicy(human_approval=True)), {}, "planner"),
     (step(), {"shown": {AUTH: held(ambiguous=True)}}, "unsure")],
)  # fmt: skip
def test_a_person_is_asked_and_the_answer_is_recorded(ledger, asked, changes, cause):
    person = Person(True)
    verdict = keeper(ledger, approvals=Approvals(person), **changes).gate(plan(asked), 0, frozenset())
    assert isinstance(verdict, Allowed)
    assert [str(each) for each in person.questions[0].causes] == [cause]
    line = next(json.loads(each.body) for each in read_lines(ledger) if each.kind == "approval")
    assert (line["decision"], line["causes"]) == ("approved", [cause])


def test_a_person_asked_about_a_description_is_told_what_is_left(ledger):
    person = Person(False)
    asked = plan(step(capability="describe", policy=StepPolicy(human_approval=True)))
    verdict = keeper(ledger, approvals=Approvals(person), session="abc").gate(asked, 0, frozenset())
    assert verdict.code is Code.APPROVAL_DENIED
    # The sensitivity has not been told, so the strictest threshold holds.
    assert person.questions[0].price == 18_000
    assert {json.loads(line.body)["session"] for line in read_lines(ledger)} == {"abc"}


def test_a_planner_cannot_waive_what_the_policy_asks_for(ledger):
    waived = step(policy=StepPolicy(human_approval=False))
    assert keeper(ledger, policy=Rules(Ruling.ASK)).gate(plan(waived), 0, frozenset()).code is Code.NO_APPROVER


def test_a_forged_or_used_approval_is_none(ledger):
    class Forger(Person):
        def ask(self, question):
            return Answer("0" * 64, True)

    class Replayer(Person):
        first: Answer | None = None

        def ask(self, question):
            self.first = self.first or Answer(question.digest, True)
            return self.first

    asking = {"policy": Rules(Ruling.ASK)}
    assert (
        keeper(ledger, approvals=Approvals(Forger()), **asking).gate(plan(), 0, frozenset()).code
        is Code.APPROVAL_INVALID
    )
    gatekeeper = keeper(ledger, approvals=Approvals(Replayer()), **asking)
    assert isinstance(gatekeeper.gate(plan(), 0, frozenset()), Allowed)
    assert gatekeeper.gate(plan(), 0, frozenset()).code is Code.APPROVAL_INVALID


def test_a_failed_execution_is_an_outcome_and_is_charged(ledger):
    verdict = keeper(ledger, executor=Executor(failure=Failure.TIMEOUT)).gate(plan(), 0, frozenset())
    assert verdict.outcome == Outcome(status=StepStatus.FAILED)
    assert verdict.failure is Failure.TIMEOUT
    assert spent(ledger) == 500 + SURE
    assert verdicts(ledger)[0]["failure"] == "timeout"


def test_what_a_result_smuggles_is_dropped_and_recorded(ledger):
    raw = {"status": "done", "tags": ["injection", "exposed_service"], "path": "/srv/acme/payroll.csv"}
    verdict = keeper(ledger, executor=Executor(raw)).gate(plan(), 0, frozenset())
    assert verdict.outcome.tags == (OutcomeTag.INJECTION,)
    assert len(verdict.dropped) == 2
    assert verdicts(ledger)[0]["dropped"] == list(verdict.dropped)
    assert b"payroll" not in b"".join(line.body for line in read_lines(ledger))


class Racing(Executor):
    """While a step runs, another session spends on the same object."""

    def __init__(self, ledger, amount):
        super().__init__()
        self.ledger, self.amount = ledger, amount

    def execute(self, *step, **how):
        tell(self.ledger, f"raced={self.amount}", cost=self.amount)
        return super().execute(*step, **how)


@pytest.mark.parametrize(
    ("left", "told"),
    [(2500, {"status", "severity", "count", "tags"}), (2000, {"status", "severity", "count"}),
     (1000, {"status", "severity"}), (500, {"status"})],
)  # fmt: skip
def test_when_another_session_was_faster_less_is_told(ledger, left, told):
    raced = 18_000 - SURE - left
    verdict = keeper(ledger, executor=Racing(ledger, raced)).gate(plan(), 0, frozenset())
    outcome = msgspec.to_builtins(verdict.outcome)
    assert set(outcome) == told
    assert spent(ledger) <= 18_000


def test_when_another_session_left_nothing_nothing_is_told(ledger):
    verdict = keeper(ledger, executor=Racing(ledger, 17_400)).gate(plan(), 0, frozenset())
    assert verdict.code is Code.OUTCOME_OVER_BUDGET
    assert spent(ledger) == 17_400


def test_describe_tells_what_fits_and_then_no_more(ledger):
    gatekeeper = keeper(ledger, accountant=Weighted(sensitivities=dict.fromkeys(Sensitivity, 9000)))
    asked = plan(step(capability="describe"))
    first = gatekeeper.gate(asked, 0, frozenset())
    assert first.objects[0].semantic_class is SemanticClass.AUTHENTICATION_MODULE
    total = spent(ledger)
    assert total <= 9000 - 3500
    for _ in range(5):
        # What was told is told again, for nothing; nothing is added to it.
        again = gatekeeper.gate(asked, 0, frozenset())
        assert again.objects == first.objects
    assert spent(ledger) == total
    # One outcome still fits, so that what was described can be worked on.
    assert isinstance(gatekeeper.gate(plan(), 0, frozenset()), Allowed)


NOTHING = Weighted(sensitivities=dict.fromkeys(Sensitivity, 0))


@pytest.mark.parametrize(
    ("fields", "changes", "code"),
    [
        ({"inputs": (FOREIGN,)}, {}, Code.UNKNOWN_OBJECT),
        ({"inputs": (SET,)}, {}, Code.WRONG_KIND),
        ({}, {"accountant": NOTHING}, Code.OVER_BUDGET),
        ({}, {"limits": Limits(fields_per_hour=0)}, Code.RATE_LIMITED),
        ({}, {"policy": Rules(Ruling.DENY)}, Code.POLICY_DENIES),
        ({}, {"policy": Rules(Ruling.FAIL)}, Code.POLICY_FAILS),
        ({}, {"policy": Rules(Ruling.ASK)}, Code.NO_APPROVER),
        ({}, {"policy": Rules(Ruling.ASK), "approvals": Approvals(Person(False))}, Code.APPROVAL_DENIED),
        ({"policy": StepPolicy(human_approval=True)}, {}, Code.NO_APPROVER),
        ({}, {"require_sandbox": True, "executor": Open()}, Code.NO_SANDBOX),
    ],
)
def test_every_check_that_can_refuse_a_step_refuses_a_describe(ledger, fields, changes, code):
    verdict = keeper(ledger, **changes).gate(plan(step(capability="describe", **fields)), 0, frozenset())
    assert verdict.code is code
    assert spent(ledger) <= SURE, "no field is told: at most what the verdict gives away is charged"
    line = json.loads([each.body for each in read_lines(ledger) if each.kind == "verdict"][-1])
    assert (line["capability"], line["check"], line["code"]) == ("describe", code.check, code)


def test_describe_within_budget_can_be_repeated_for_nothing(ledger):
    generous = Weighted(sensitivities=dict.fromkeys(Sensitivity, 10**6))
    shown = {AUTH: held(edges=(edge(), TOOL)), PAY: held(PAY)}
    gatekeeper = keeper(ledger, accountant=generous, shown=shown)
    asked = plan(step(capability="describe"))
    first = gatekeeper.gate(asked, 0, frozenset())
    assert first.edges == (edge(), TOOL)
    # The other end of an edge is named with what was told when it was shown, and nothing else.
    assert msgspec.to_builtins(first.objects[1]) == {"object_id": PAY, "kind": "code_file"}
    again = gatekeeper.gate(asked, 0, frozenset())
    assert again.objects == first.objects
    assert again.spent == ((AUTH, 0), (PAY, 0))
    both = gatekeeper.gate(plan(step(capability="describe", inputs=(AUTH, PAY))), 0, frozenset())
    assert len(both.objects) == 2
    assert both.edges == (edge(), TOOL)


def test_admission_prices_the_whole_plan_and_names_what_cannot_run(ledger):
    asked = plan(
        step(), step("s2", inputs=(FOREIGN,)), step("s3", "compare", ("s1", "s2")), step("s4", "describe", (PAY,)),
        step("s5", "compare", ("s1", "s6")), step("s6", inputs=(PAY,)),
        step("s7", inputs=(SET,)),
    )  # fmt: skip
    admission = keeper(ledger).admit(asked)
    codes = [each.refusal.code if each.refusal else None for each in admission.steps]
    assert codes == [None, Code.UNKNOWN_OBJECT, Code.DEPENDS_ON_REFUSED, None, None, None, None]
    assert [each.price for each in admission.steps] == [WORST, 0, 0, 0, 2000, WORST, WORST + 1000]
    # Of results it is not known yet who pays; of a set more is told: how much was examined, and how much affected.
    assert admission.price == 3 * WORST + 1000
    assert admission.order.index(4) > admission.order.index(5)
    assert spent(ledger) == 0
    assert list(read_lines(ledger)) == []


def test_an_early_step_can_spend_what_a_later_one_needs(ledger):
    tight = Weighted(sensitivities=dict.fromkeys(Sensitivity, WORST + 1000))
    gatekeeper = keeper(ledger, accountant=tight)
    asked = plan(step(), step("s2", "compare", (AUTH, PAY)))
    assert gatekeeper.steps == frozenset()
    assert all(each.refusal is None for each in gatekeeper.admit(asked).steps)
    assert isinstance(gatekeeper.gate(asked, 0, frozenset()), Allowed)
    assert gatekeeper.gate(asked, 1, frozenset()).code is Code.OVER_BUDGET


def test_a_ledger_that_cannot_be_written_stops_everything(ledger):
    class Broken:
        def __getattr__(self, name):
            return getattr(ledger, name)

        def transact(self, *_):
            raise LedgerError("the disk is full")

    with pytest.raises(LedgerError):
        keeper(Broken()).gate(plan(), 0, frozenset())
    assert spent(ledger) == 0


CAPABILITIES = st.sampled_from(
    ["security_audit", "compare", "describe", "split", "report", "run_tests", "delete_everything"]
)
NARROWER = {"set": SET, "where": {"role": "test"}}
INPUTS = st.lists(
    st.sampled_from([AUTH, PAY, ENV, FOREIGN, "s1", "s2", "s3", SET, "s1.affected", NARROWER]), max_size=3
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.tuples(CAPABILITIES, INPUTS), min_size=1, max_size=3), min_size=1, max_size=6))
def test_no_sequence_of_plans_learns_more_than_the_budget(tmp_path_factory, sequence):
    folder = tmp_path_factory.mktemp("ledger")
    ledger = SqliteLedger(folder / "ledger.db", b"k" * 32)
    most, executor = 7000, Executor()
    executor.scopes = {"s1.affected": scope(1, few=[held(PAY)]), f"{SET}[role=test]": scope(3, rest=[held(ENV)])}
    executor.pieces = (several(OTHER, 6, ("cell",)), several("set_cccccccc", 6, ("other",)))
    accountant = Weighted(sensitivities=dict.fromkeys(Sensitivity, most), kinds={})
    sharing = Sharing(limit=2000)
    gatekeeper = keeper(ledger, accountant=accountant, executor=executor, sharing=sharing)
    try:
        for steps in sequence:
            tree = [
                {"id": f"s{number}", "capability": name, "inputs": inputs, "by": "role"}
                for number, (name, inputs) in enumerate(steps, start=1)
            ]
            try:
                made = decode_plan(json.dumps({"steps": tree}).encode(), gatekeeper.steps)
            except WireError:
                continue
            refused: set[str] = set()
            for position in gatekeeper.admit(made).order:
                verdict = gatekeeper.gate(made, position, frozenset(refused))
                if isinstance(verdict, Denied):
                    refused.add(made.steps[position].id)
        assert all(spent(ledger, each) <= most for each in (AUTH, PAY, ENV))
        assert all(spent(ledger, cell) <= sharing.limit for cell in ("cell", "other"))
        assert verify(ledger).problem == ""
    finally:
        ledger.close()
