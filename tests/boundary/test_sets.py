"""Steps on sets: who pays for what they tell, what is left out of them, and what a planner can learn from a verdict."""

from __future__ import annotations

import json

import builders
import pytest
from builders import (
    AUDIENCE,
    AUTH,
    CATALOG,
    ENV,
    FOREIGN,
    OTHER,
    PAY,
    REMOTE,
    SET,
    Executor,
    Person,
    Rules,
    capability,
    held,
    key,
    of_class,
    scope,
    several,
    tell,
)

from plantwin.boundary.approval import Approvals
from plantwin.boundary.budget import Sharing
from plantwin.config.policies import policy_named
from plantwin.ledgers.records import read_lines, read_statements
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.ledgers.verification import verify
from plantwin.types.approval import Nobody
from plantwin.types.capability import Catalog
from plantwin.types.execution import Executed
from plantwin.types.ledger import Limits
from plantwin.types.plan import Narrowed, Plan, Step, StepPolicy, Where
from plantwin.types.policy import Party, Ruling
from plantwin.types.verdict import REPAIRS, Allowed, Code, Denied, Failure
from plantwin.vocabulary import (
    CapabilityName,
    Dimension,
    Family,
    Kind,
    RepairCode,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    StepStatus,
)

TOLD = 2500
"""What the outcome of the executor costs someone whom it is about alone."""
SURE = 500
"""That it ran without a question says that the local side is sure what an object is."""
NARROW = Narrowed(set=SET, where=Where(role=Role.TEST))
MEMBERS = [held(id_) for id_ in ("artifact_dddddddd", "artifact_eeeeeeee", "artifact_ffffffff")]
ONE, TWO, THREE = (each.id for each in MEMBERS)


def executor(raw=None, failure=None, **scopes):
    made = Executor(raw, failure)
    made.scopes = {{"set": SET, "narrow": str(NARROW)}.get(name, name.replace("_", ".")): one
                   for name, one in scopes.items()}  # fmt: skip
    return made


def step(capability="security_audit", *inputs, id_="s1", **fields):
    return Step(id=id_, capability=capability, inputs=inputs or (SET,), **fields)


def gated(gatekeeper, *steps, **how):
    """Verdicts on all steps of one plan, in their order."""
    plan, refused, verdicts = Plan(steps=steps), set(), []
    for position in plan.order():
        verdicts.append(gatekeeper.gate(plan, position, frozenset(refused), **how))
        if isinstance(verdicts[-1], Denied) or verdicts[-1].failure is not None:
            refused.add(steps[position].id)
    return verdicts


def spent(ledger, *names):
    known = ledger.known(AUDIENCE, [key(name) for name in names])
    return {name: known[key(name)].spent for name in names if known[key(name)].spent}


def share(number):
    """What one of so many pays for it."""
    return 5 * -(-500 // number)


FEW = scope(3, few=MEMBERS, version="few")
BOTH = ("cell", "b")
CHARGES = {
    "a set of two cells": ([step()], {"set": scope(cells=BOTH)}, {"cell": share(10), "b": share(10)}),
    "a part of it": ([step("security_audit", NARROW)], {"narrow": scope(7)}, {"cell": share(5), "b": share(10)}),
    "fewer than k": (
        [step("security_audit", NARROW)], {"narrow": FEW},
        {"cell": share(10), "b": share(10), ONE: share(3), TWO: share(3), THREE: share(3)},
    ),
    "all but fewer than k": (
        [step("security_audit", NARROW)], {"narrow": scope(10, rest=MEMBERS[:2])},
        {"cell": share(10), "b": share(10), ONE: share(2), TWO: share(2)},
    ),
    "nothing": ([step("security_audit", NARROW)], {"narrow": scope(0, cells=())}, {"cell": share(10), "b": share(10)}),
    "one, and the set before": (
        [step(), step("security_audit", "s1.affected", id_="s2")],
        {"s1_affected": scope(1, few=MEMBERS[:1], version="1")},
        {"cell": 2 * share(10), "b": 2 * share(10), ONE: TOLD},
    ),
    "the whole result of a set": (
        [step(), step("compare", "s1", AUTH, id_="s2")], {},
        {"cell": 2 * share(10), "b": 2 * share(10), AUTH: TOLD + SURE},
    ),
    "the result of few": (
        [step("security_audit", NARROW), step("compare", "s1", PAY, id_="s2")], {"narrow": scope(1, few=MEMBERS[:1])},
        {"cell": 2 * share(10), "b": 2 * share(10), ONE: 2 * TOLD, PAY: TOLD + SURE},
    ),
    "one of few, and the same one through a result": (
        [step("security_audit", NARROW), step("compare", "s1", "s1.clean", id_="s2")],
        {"narrow": scope(1, few=MEMBERS[:1]), "s1_clean": scope(2, few=MEMBERS[:2], version="2")},
        {"cell": 2 * share(10), "b": 2 * share(10), ONE: 2 * TOLD, TWO: share(2)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CHARGES)
def test_what_is_told_of_several_is_charged_to_whoever_it_is_about(ledger, case):
    steps, scopes, charged = CHARGES[case]
    shown = {each.id: each for each in (held(), held(PAY))}
    gatekeeper = builders.keeper(
        ledger, executor=executor(**scopes), shown=shown, sets=[several(cells=BOTH)],
        catalog=Catalog([*(one for one in CATALOG.values() if one.name != "compare"), capability(
            CapabilityName.COMPARE, least=2, takes=CATALOG["compare"].takes, returns=CATALOG["compare"].returns,
        )]),
    )  # fmt: skip
    for one in gated(gatekeeper, *steps):
        assert isinstance(one, Allowed)
    assert spent(ledger, "cell", "b", ONE, TWO, THREE, AUTH, PAY) == charged
    assert verify(ledger).problem == ""


@pytest.mark.parametrize("poor", [(), (TWO,), (ONE, TWO, THREE)])
def test_members_that_cannot_pay_are_left_out_and_the_verdict_is_the_same(ledger, poor):
    for name in poor:
        tell(ledger, "raced=1", of=name, cost=17_900)
    made = executor(narrow=FEW)
    (verdict,) = gated(builders.keeper(ledger, executor=made), step("security_audit", NARROW))
    assert verdict.outcome.status is StepStatus.DONE
    assert made.worked[0]["without"] == set(poor)
    paid = spent(ledger, ONE, TWO, THREE)
    assert paid == {name: 17_900 if name in poor else share(3) for name in (ONE, TWO, THREE)}


@pytest.mark.parametrize(
    ("names", "scopes", "inputs"),
    [(["cell"], {}, (SET,)), ([ONE], {"narrow": scope(10, rest=MEMBERS[:1])}, (NARROW,)), ([AUTH], {}, (SET, AUTH))],
)  # fmt: skip
def test_whoever_cannot_be_left_out_has_to_be_able_to_pay(ledger, names, scopes, inputs):
    """What narrowing left out could be found by subtraction, and its account would not know."""
    for name in names:
        tell(ledger, "raced=1", of=name, cost=17_900)
    made = executor(**scopes)
    (verdict,) = gated(builders.keeper(ledger, executor=made), step("security_audit", *inputs))
    assert verdict.code is Code.OVER_BUDGET
    assert made.ran == []


def test_who_is_behind_an_earlier_result_has_to_be_able_to_pay_too(ledger):
    gatekeeper = builders.keeper(ledger, executor=executor(narrow=scope(1, few=MEMBERS[:1])))
    gated(gatekeeper, step("security_audit", NARROW))
    tell(ledger, "raced=1", of=ONE, cost=14_000)
    assert gated(gatekeeper, step("compare", "s1", AUTH, id_="s2"))[0].code is Code.OVER_BUDGET
    assert isinstance(gated(gatekeeper, step("report", "s1", id_="s3"))[0], Allowed)


# Repetition


def test_the_same_step_again_is_free_and_a_changed_member_is_news(ledger):
    costs, before = [], 0
    for version in ("v1", "v1", "v2", "v1"):
        made = executor(set=scope(version=version))
        gatekeeper = builders.keeper(ledger, executor=made)
        first, again = gated(gatekeeper, step(), step(id_="s2"))
        assert first.outcome == again.outcome
        assert (len(made.ran), made.repeated) == (1, [("s2", "s1")])
        costs.append(spent(ledger, "cell")["cell"] - before)
        before += costs[-1]
    assert costs == [share(10), 0, share(10), 0]


@pytest.mark.parametrize("who", ["a policy", "an account"])
def test_what_is_found_without_some_is_another_thing(ledger, who):
    """The same words about more members are news of these."""
    secret = held(semantic_class=SemanticClass.PAYMENT_MODULE).subject
    number, few = (3, MEMBERS) if who == "an account" else (12, ())
    narrow = scope(number, few=few, subjects=[held().subject, secret])
    costs = []
    for _ in range(2):
        before = spent(ledger, "cell").get("cell", 0)
        policy = of_class(Ruling.DENY, SemanticClass.PAYMENT_MODULE) if who == "a policy" and not costs else Rules()
        if who == "an account" and costs:
            tell(ledger, "raced=1", of=ONE, cost=17_000)
        gated(builders.keeper(ledger, executor=executor(narrow=narrow), policy=policy), step("security_audit", NARROW))
        costs.append(spent(ledger, "cell")["cell"] - before)
    assert costs == [share(10), share(10)]


@pytest.mark.parametrize("what", ["failed", "refused", "described", "told no more"])
def test_an_id_used_again_names_the_newer_step(ledger, what):
    made = executor()
    gatekeeper = builders.keeper(ledger, executor=made, shown={AUTH: held(), PAY: held(PAY)})
    gated(gatekeeper, step())
    assert gatekeeper.steps == {"s1"}
    assert isinstance(gated(gatekeeper, step("compare", "s1", PAY, id_="s2"))[0], Allowed)
    newer = {
        "failed": step("security_audit", AUTH),
        "refused": step("security_audit", FOREIGN),
        "described": step("describe", AUTH),
        "told no more": step("security_audit", AUTH),
    }[what]
    made.executed = Executed({"status": "done"}, Failure.CRASHED if what == "failed" else None)
    if what == "told no more":
        made.execute = lambda *_, **__: tell(ledger, "raced=1", cost=18_000) or Executed({"status": "done"})
    gated(gatekeeper, newer)
    assert gatekeeper.steps == {"s2"}
    assert gated(gatekeeper, step("compare", "s1", PAY, id_="s3"))[0].code is Code.DEPENDS_ON_REFUSED


# Reports


def test_a_report_joins_what_is_there_and_is_told_what_is_missing(ledger):
    made = executor()
    steps = [step(), step("security_audit", FOREIGN, id_="s2"), step("report", "s1", "s2", "s2.affected", id_="s3")]
    *_, report = gated(builders.keeper(ledger, executor=made), *steps)
    assert report.outcome.status is StepStatus.DONE
    assert (made.ran[-1], made.worked[-1]["missing"]) == (("s3", "report", ("s1",)), ["s2", "s2.affected"])
    assert spent(ledger, "cell") == {"cell": share(10)}
    (nothing,) = gated(builders.keeper(ledger), step("report", "s1", id_="s2"))
    assert nothing.code is Code.DEPENDS_ON_REFUSED


@pytest.mark.parametrize("limits", [{"refusals_per_hour": 1}, {"fields_per_hour": 11}, {}])
def test_a_report_is_never_refused_for_a_budget_or_a_rate(ledger, limits):
    gatekeeper = builders.keeper(ledger, limits=Limits(**limits))
    gated(gatekeeper, step(), step("security_audit", AUTH, id_="s2"), step("security_audit", FOREIGN, id_="s3"))
    for name, cost in (("cell", 18_000), (AUTH, 30_000)):
        tell(ledger, "raced=1", of=name, cost=cost)
    report, audit = step("report", "s1", "s2", id_="s4"), step("redact_document", AUTH, id_="s5")
    assert [type(each) for each in gated(gatekeeper, report, audit)] == [Allowed, Denied]
    assert gatekeeper.admit(Plan(steps=(report,))).price == 0


def test_what_the_verdict_on_a_report_gives_away_is_charged(ledger):
    class Reporting(Rules):
        def decide(self, party, capability, subject, **how):
            asks = capability.name == "report" and subject.semantic_class is SemanticClass.PAYMENT_MODULE
            return super().decide(party, capability, subject)._replace(ruling=Ruling.DENY if asks else Ruling.PERMIT)

    gatekeeper = builders.keeper(ledger, policy=Reporting(Class=[SemanticClass.PAYMENT_MODULE]))
    _, report = gated(gatekeeper, step("security_audit", AUTH), step("report", "s1", id_="s2"))
    assert isinstance(report, Allowed)
    assert "semantic_class=authentication_module" in ledger.known(AUDIENCE, [key(AUTH)])[key(AUTH)].units


# Splits


PIECES = (several(OTHER, 6, ("cell",), within=SET), several("set_cccccccc", 6, ("b",), within=SET))


def splitting(ledger, pieces=PIECES, **changes):
    made = executor(set=scope(cells=BOTH))
    made.pieces = pieces
    return builders.keeper(ledger, **{"executor": made, "sets": [several(cells=BOTH)], **changes})


SPLIT = step("split", by=Dimension.COMPONENT)


def test_a_split_tells_smaller_sets_at_their_price_and_they_can_be_worked_on(ledger):
    gatekeeper = splitting(ledger)
    first, again, work = gated(gatekeeper, SPLIT, step("split", by=Dimension.COMPONENT, id_="s2"),
                               step("security_audit", OTHER, id_="s3"))  # fmt: skip
    assert [each.set_id for each in first.sets] == [OTHER, "set_cccccccc"]
    assert {each.within for each in first.sets} == {SET}
    assert (first.outcome.status, again.spent) == (StepStatus.DONE, ((SET, 0),))
    assert isinstance(work, Allowed)
    units = ledger.known(AUDIENCE, [key("cell")])[key("cell")].units
    assert {"set.split=component:True@v1", "set.size=several@v1"} <= units
    assert sum(cost for _, cost in first.spent) == sum(
        row.cost for row in read_statements(ledger) if "security_audit" not in row.unit
    )
    assert not any("cccccccc" in row.unit or "bbbbbbbb" in row.unit for row in read_statements(ledger))


@pytest.mark.parametrize("pieces", [(), PIECES[:1]])
def test_that_a_set_cannot_be_cut_is_paid_for_and_nothing_else_is(ledger, pieces):
    (verdict,) = gated(splitting(ledger, pieces), SPLIT)
    assert (verdict.outcome.status, verdict.sets, verdict.relations) == (StepStatus.DONE, (), ())
    assert {(row.unit, row.cost) for row in read_statements(ledger)} == {("set.split=component:False@v1", 50)}
    assert spent(ledger, *BOTH) == {"cell": 50, "b": 50}


def test_pieces_that_cannot_be_paid_for_are_not_told(ledger):
    tell(ledger, "raced=1", of="b", cost=11_900)
    gatekeeper = splitting(ledger)
    (verdict,) = gated(gatekeeper, SPLIT)
    assert [each.set_id for each in verdict.sets] == [OTHER]
    assert gated(gatekeeper, step("security_audit", "set_cccccccc"))[0].code is Code.UNKNOWN_OBJECT


class Asking(Rules):
    """A policy on splitting alone."""

    def decide(self, party, capability, subject, **_):
        decided = super().decide(party, capability, subject)
        return decided if capability.name == "split" else decided._replace(ruling=Ruling.PERMIT)


@pytest.mark.parametrize(
    ("asked", "changes", "code"),
    [
        (SPLIT, {"sharing": Sharing(limit=40)}, Code.OVER_BUDGET),
        (SPLIT, {"limits": Limits(refusals_per_hour=0)}, Code.RATE_LIMITED),
        (SPLIT, {"limits": Limits(fields_per_hour=0)}, Code.RATE_LIMITED),
        (step("split", by=Dimension.ROLE, policy=StepPolicy(human_approval=True)), {}, Code.NO_APPROVER),
        (step("split", "set_zzzzzzzz", by=Dimension.ROLE), {}, Code.UNKNOWN_OBJECT),
        (step("split"), {}, Code.WRONG_ARITY),
        (step("split", AUTH, by=Dimension.ROLE), {}, Code.WRONG_ARITY),
        (step("split", NARROW, by=Dimension.ROLE), {}, Code.WRONG_ARITY),
        (step("split", "s1.clean", by=Dimension.ROLE, id_="s2"), {}, Code.WRONG_ARITY),
        (step("split", SET, OTHER, by=Dimension.ROLE), {}, Code.WRONG_ARITY),
        (step("split", by=Dimension.ROLE, output="findings"), {}, Code.WRONG_OUTPUT),
    ],
)
def test_a_split_is_refused_in_one_word_and_charges_nothing(ledger, asked, changes, code):
    (verdict,) = gated(splitting(ledger, **changes), asked)
    assert verdict.code is code
    assert list(read_statements(ledger)) == []


def test_a_split_can_be_left_out_and_approved(ledger):
    assert gated(splitting(ledger), SPLIT, deselected=True)[0].code is Code.DESELECTED
    person = Person()
    asked = step("split", by=Dimension.ROLE, policy=StepPolicy(human_approval=True))
    (verdict,) = gated(splitting(ledger, approvals=Approvals(person)), asked)
    assert len(verdict.sets) == 2
    assert person.questions[0].price == 12_000, "it may tell whatever fits"


@pytest.mark.parametrize(
    ("ruling", "approver"), [(Ruling.DENY, Person()), (Ruling.ASK, Nobody()), (Ruling.ASK, Person())]
)
def test_what_may_not_be_split_is_like_what_cannot_be(ledger, ruling, approver):
    (verdict,) = gated(splitting(ledger, policy=Asking(ruling), approvals=Approvals(approver)), SPLIT)
    assert verdict.outcome.status is StepStatus.DONE
    assert bool(verdict.sets) is (ruling is Ruling.ASK and type(approver) is Person)
    if not verdict.sets:
        assert {row.unit for row in read_statements(ledger)} == {"set.split=component:False@v1"}


def test_a_policy_that_lets_nothing_be_described_does_not_ask_about_splits(ledger):
    """What may not be described is in no smaller set anyway."""
    person = Person()
    verdict = gated(splitting(ledger, policy=Rules(Ruling.ASK), approvals=Approvals(person)), SPLIT)[0]
    assert (len(verdict.sets), person.questions) == (2, [])
    assert repr(scope()) == "<Scope private>"
    bare = Catalog([CATALOG["split"]])
    assert len(gated(splitting(ledger, catalog=bare), SPLIT)[0].sets) == 2


# Types


DOCUMENTS = several(OTHER, cells=("other",), kind=Kind.DOCUMENT)
WRONG = {
    RepairCode.UNKNOWN_CAPABILITY: [step("delete_everything"), step("expand")],
    RepairCode.UNKNOWN_INPUT: [
        step("security_audit", FOREIGN), step("security_audit", "set_zzzzzzzz"),
        step("split", "set_zzzzzzzz", by=Dimension.ROLE),
        step("security_audit", Narrowed(set="set_zzzzzzzz", where=Where(role=Role.TEST))),
    ],
    RepairCode.WRONG_NUMBER: [
        step("compare", AUTH), step("security_audit", SET, SET), step("split"), step("security_audit", *[
            f"artifact_{letter * 8}" for letter in "abcdefghi"]),
    ],
    RepairCode.WRONG_INPUT: [
        step("describe", SET), step("describe", NARROW), step("describe", "s0.affected"), step("security_audit", OTHER),
        step("security_audit", Narrowed(set=SET, where=Where(kind=Kind.DOCUMENT))), step("security_audit", ENV),
    ],
    RepairCode.WRONG_RESULT: [step("security_audit", "s0")],
    RepairCode.UNKNOWN_PART: [step("security_audit", "s0.newer"), step("report", "s0.matched")],
}  # fmt: skip
FINE = [
    step(), step("compare", SET), step("compare", SET, AUTH, PAY), step("security_audit", NARROW), step("report", SET),
    step("security_audit", "s0.affected"), step("split", by=Dimension.FAMILY), step("report", OTHER, ENV),
    step("security_audit", Narrowed(set="s0.clean", where=Where(kind=Kind.DOCUMENT))),
    step("compare", "s0", "s0.worst"),
]  # fmt: skip


def world(ledger, catalog=CATALOG, **untold):
    """A session with an earlier step. `untold`: what the planner was not told."""
    secret = held(ENV, kind=Kind.SECRET_CONTAINER, semantic_class=SemanticClass.CREDENTIALS_FILE)
    shown = {each.id: each for each in (held(**untold), held(PAY), secret)}
    subjects = [held(**untold).subject, secret.subject]
    few = [held(ONE, **untold)] if untold else []
    scopes = {"set": scope(subjects=subjects), "narrow": scope(len(few), few=few, subjects=subjects)}
    sets = [several(), DOCUMENTS]
    gatekeeper = builders.keeper(ledger, shown=shown, sets=sets, executor=executor(**scopes), catalog=catalog)
    gated(gatekeeper, step(id_="s0"))
    return gatekeeper


def test_every_code_of_a_step_is_reached_and_can_be_repaired(ledger):
    gatekeeper = world(ledger)
    assert set(WRONG) == set(REPAIRS.values())
    for code, steps in WRONG.items():
        for wrong in steps:
            admission = gatekeeper.admit(Plan(steps=(step(id_="s9"), wrong)))
            assert admission.repairable == (code, 2), wrong
            (verdict,) = gated(gatekeeper, wrong)
            assert REPAIRS[verdict.code] is code
    for fine in FINE:
        assert gatekeeper.admit(Plan(steps=(fine,))).repairable is None, fine


def test_nothing_that_can_be_repaired_depends_on_what_was_not_told(ledger, tmp_path):
    """Otherwise whoever makes mistakes would be told what they are mistakes about, for nothing."""
    selective = capability(CapabilityName.LINT, families=frozenset({Family.APPLICATION}), classes=frozenset())
    asked = [one for steps in WRONG.values() for one in steps] + FINE
    asked += [step("lint", AUTH), step("lint", SET), step("lint", NARROW)]
    heard = set()
    for number, untold in enumerate([
        {}, {"semantic_class": SemanticClass.TEST_SUITE}, {"sensitivity": Sensitivity.HIGH}, {"ambiguous": True},
    ]):  # fmt: skip
        other = SqliteLedger(tmp_path / str(number) / "ledger.db", b"k" * 32)
        gatekeeper = world(other, Catalog([*CATALOG.values(), selective]), **untold)
        heard.add(tuple(gatekeeper.admit(Plan(steps=(one,))).repairable for one in asked))
        other.close()
    assert len(heard) == 1


# Policies and approvals


HIDDEN = held(
    kind=Kind.SECRET_CONTAINER, semantic_class=SemanticClass.CREDENTIALS_FILE, sensitivity=Sensitivity.HIGH,
    sensitivity_causes=(SensitivityCause.CREDENTIAL,), labels=("private",),
)  # fmt: skip
HIGH = held(sensitivity=Sensitivity.HIGH)
APPROVERS = {"yes": lambda: Person(True), "no": lambda: Person(False), "late": lambda: Person(None), "nobody": Nobody}


@pytest.mark.parametrize("approver", APPROVERS)
@pytest.mark.parametrize("policy", ["default", "strict", "team", "local-only"])
@pytest.mark.parametrize("name", ["security_audit", "secret_scan", "redact_document"])
def test_a_set_with_members_that_a_policy_keeps_back_has_the_verdict_of_any_other(tmp_path, policy, approver, name):
    party = Party("offline", "offline", "local") if policy == "local-only" else REMOTE
    catalog = Catalog([*CATALOG.values(), capability(CapabilityName.SECRET_SCAN)])
    heard, worked = [], []
    for number, others in enumerate(([], [HIDDEN], [HIGH], [HIDDEN, HIGH])):
        ledger = SqliteLedger(tmp_path / str(number) / "ledger.db", b"k" * 32)
        made = executor(set=scope(subjects=[held().subject, *(each.subject for each in others)]))
        given = {"policy": policy_named(policy), "labels": ["private"], "party": party, "executor": made}
        gatekeeper = builders.keeper(ledger, catalog=catalog, approvals=Approvals(APPROVERS[approver]()), **given)
        (verdict,) = gated(gatekeeper, step(name))
        heard.append((type(verdict), verdict.outcome, spent(ledger, "cell")))
        worked += [[made.worked[0]["permitted"](each.subject) for each in (held(), *others)]] if made.worked else []
        ledger.close()
    assert len({(kind, outcome) for kind, outcome, _ in heard}) == 1
    assert len({tuple(charged.items()) for *_, charged in heard}) == 1, "the words are the same, and so is their price"
    asked = name == "redact_document"
    assert heard[0][0] is (Denied if asked and approver != "yes" else Allowed)
    assert all(found[0] for found in worked)
    if worked and policy in ("default", "strict", "team"):
        assert worked[1] == [True, False], "a private secret is worked on for nobody elsewhere"


def test_a_policy_that_fails_on_a_member_keeps_it_back(ledger):
    made = executor(set=scope(subjects=[held().subject, HIGH.subject]))
    policy = Rules(Ruling.PERMIT, {Ruling.FAIL: lambda subject: subject.sensitivity is Sensitivity.HIGH})
    (verdict,) = gated(builders.keeper(ledger, policy=policy, executor=made), step())
    assert isinstance(verdict, Allowed)
    assert not made.worked[0]["permitted"](HIGH.subject)


def test_a_person_who_is_asked_about_some_members_is_asked_once_and_the_answer_is_recorded(ledger):
    for approved in (True, False):
        person = Person(approved)
        made = executor(set=scope(subjects=[held().subject, HIGH.subject], version=str(approved)))
        policy = Rules(Ruling.PERMIT, {Ruling.ASK: lambda subject: subject.sensitivity is Sensitivity.HIGH})
        gatekeeper = builders.keeper(ledger, policy=policy, executor=made, approvals=Approvals(person))
        (verdict,) = gated(gatekeeper, step())
        assert isinstance(verdict, Allowed), "of sets a verdict gives nothing away"
        assert made.worked[0]["permitted"](HIGH.subject) is approved
        assert [(list(map(str, each.causes)), each.policy) for each in person.questions] == [(["policy"], "policy-1")]
    decisions = [json.loads(line.body)["decision"] for line in read_lines(ledger) if line.kind == "approval"]
    assert decisions == ["approved", "denied"]
