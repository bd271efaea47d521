"""A person's yes is for what they were shown: these objects in these versions, running this, and nothing else."""

from __future__ import annotations

import builders
import pytest
from builders import AUDIENCE, AUTH, PAY, Executor, Person, Rules, held, key, of_class, tell
from test_expand import GROUP, Shelf, groups, log

from plantwin.boundary.approval import Approvals, digest
from plantwin.boundary.execution import Executed
from plantwin.boundary.expansion import Expansion
from plantwin.boundary.ledger.interface import Limits
from plantwin.boundary.ledger.sqlite import SqliteLedger
from plantwin.boundary.policy import Ruling
from plantwin.types.plan import Plan, Step
from plantwin.types.verdict import Allowed, Code, Failure
from plantwin.vocabulary import SemanticClass, Sensitivity


@pytest.fixture
def ledger(tmp_path):
    opened = SqliteLedger(tmp_path / "ledger" / "ledger.db", b"k" * 32)
    yield opened
    opened.close()


def gated(gatekeeper, capability, *inputs):
    plan = Plan(steps=(Step(id="s1", capability=capability, inputs=inputs or (AUTH,)),))
    return gatekeeper.gate(plan, 0, frozenset())


def units(ledger, object_id=AUTH):
    return ledger.known(AUDIENCE, [key(object_id)])[key(object_id)].units


class Edited(Executor):
    """A folder whose tests are changed while a person looks at the question."""

    def __init__(self, *versions):
        super().__init__({"status": "done"})
        self.versions = list(versions)
        self.prepared = lambda capability, inputs: self.versions[0]

    def execute(self, *step, recipe, prepared):
        if self.prepare(step[1], step[2]) != prepared:
            return Executed(failure=Failure.UNREADABLE)
        return super().execute(*step, recipe=recipe, prepared=prepared)


class Slow(Person):
    """While they think, something happens."""

    def __init__(self, happens, approved=True):
        super().__init__(approved)
        self.happens = happens

    def ask(self, question):
        self.happens()
        return super().ask(question)


def test_an_approval_is_for_what_would_have_run_when_it_was_asked(ledger):
    executor = Edited("tests as they were", "tests as they are now")
    person = Slow(lambda: executor.versions.pop(0))
    verdict = gated(builders.keeper(ledger, executor=executor, approvals=Approvals(person)), "run_tests")
    assert verdict.failure is Failure.UNREADABLE, "what would run now was not approved"
    assert executor.ran == []
    (question,) = person.questions
    assert question.digest == digest(question.step, [held()], "v1", question.nonce, "tests as they were")
    assert question.digest != digest(question.step, [held()], "v1", question.nonce, "tests as they are now")


def test_what_was_approved_is_what_runs(ledger):
    executor = Edited("tests as they are")
    verdict = gated(builders.keeper(ledger, executor=executor, approvals=Approvals(Person())), "run_tests")
    assert isinstance(verdict, Allowed)
    assert executor.given == ["tests as they are"]


def test_what_runs_no_code_of_the_folder_prepares_nothing(ledger):
    person, executor = Person(), Executor()
    executor.prepared = lambda capability, inputs: "never looked at"
    gated(builders.keeper(ledger, executor=executor, approvals=Approvals(person)), "redact_document")
    (question,) = person.questions
    assert question.digest == digest(question.step, [held()], "v1", question.nonce)


def expanding(ledger, person, shelf=None, **changes):
    rules = Rules(Ruling.ASK)
    given = {"policy": rules, "expansion": Expansion(groups(), shelf or Shelf(3)), "shown": {}, **changes}
    return builders.keeper(ledger, approvals=Approvals(person), **given)


def test_the_approval_of_an_expansion_shows_and_binds_the_very_objects(ledger):
    person, shelf, shown = Person(), Shelf(3), {}
    drawn = list(shelf.waiting)
    verdict = gated(expanding(ledger, person, shelf, shown=shown), "expand", GROUP)
    (question,) = person.questions
    assert question.objects == tuple(each.id for each in drawn)
    assert question.digest == digest(question.step, drawn, "v1", question.nonce)
    assert [each.object_id for each in verdict.objects] == list(question.objects)
    assert set(shown) == set(question.objects)


def test_what_was_refused_to_be_shown_is_not_shown_by_asking_again(ledger):
    person, shown = Person(False), {}
    gatekeeper = expanding(ledger, person, Shelf(3), shown=shown)
    assert gated(gatekeeper, "expand", GROUP).code is Code.APPROVAL_DENIED
    person.approved = True
    assert gated(gatekeeper, "expand", GROUP).code is Code.NOTHING_FURTHER
    assert shown == {}


def test_an_expansion_that_cannot_be_paid_for_any_more_shows_nothing(ledger):
    """While the person thinks, other sessions spend what there is."""
    person = Slow(lambda: [tell(ledger, "raced=1", of=log(number).id, cost=30_000) for number in range(3)])
    shown = {}
    assert gated(expanding(ledger, person, shown=shown), "expand", GROUP).code is Code.OVER_BUDGET
    assert shown == {}


def test_an_expansion_of_what_can_never_be_paid_for_asks_nobody(ledger):
    person = Person()
    for number in range(3):
        tell(ledger, "raced=1", of=log(number).id, cost=30_000)
    assert gated(expanding(ledger, person), "expand", GROUP).code is Code.OVER_BUDGET
    assert person.questions == []


def test_a_description_whose_verdict_cannot_be_paid_for_any_more_tells_nothing(ledger):
    person = Slow(lambda: tell(ledger, "raced=1", cost=18_000))
    rules = Rules(
        Ruling.PERMIT, {Ruling.ASK: lambda subject: subject.sensitivity is Sensitivity.LOW}, Sensitivity=["low"]
    )
    verdict = gated(builders.keeper(ledger, policy=rules, approvals=Approvals(person)), "describe")
    assert verdict.code is Code.OVER_BUDGET
    assert units(ledger) == {"raced=1"}


@pytest.mark.parametrize("approved", [True, False])
def test_a_refusal_pays_for_what_it_gives_away_or_is_the_one_of_the_budget(ledger, approved):
    """A policy that asks about one class: being asked says which it is."""
    rules = of_class(Ruling.ASK, SemanticClass.AUTHENTICATION_MODULE)
    verdict = gated(builders.keeper(ledger, policy=rules, approvals=Approvals(Person(approved))), "security_audit")
    assert isinstance(verdict, Allowed) is approved
    assert "semantic_class=authentication_module" in units(ledger)


def test_a_refusal_that_cannot_be_paid_for_any_more_says_what_a_budget_says(ledger):
    person = Slow(lambda: tell(ledger, "raced=1", cost=18_000), approved=False)
    rules = of_class(Ruling.ASK, SemanticClass.AUTHENTICATION_MODULE)
    verdict = gated(builders.keeper(ledger, policy=rules, approvals=Approvals(person)), "security_audit")
    assert verdict.code is Code.OVER_BUDGET
    assert units(ledger) == {"raced=1"}


@pytest.mark.parametrize("leaf", [SemanticClass.AUTHENTICATION_MODULE, SemanticClass.API_HANDLER])
@pytest.mark.parametrize("left", [2000, 500])
def test_a_verdict_that_cannot_be_paid_for_is_the_same_for_every_value(ledger, leaf, left):
    tell(ledger, "raced=1", cost=18_000 - left)
    for ruling in (Ruling.DENY, Ruling.ASK):
        rules = of_class(ruling, SemanticClass.AUTHENTICATION_MODULE)
        shown = {AUTH: held(semantic_class=leaf), PAY: held(PAY)}
        verdict = gated(
            builders.keeper(ledger, policy=rules, shown=shown, approvals=Approvals(Person())), "security_audit"
        )
        assert verdict.code is Code.OVER_BUDGET
    assert units(ledger) == {"raced=1"}


def test_the_hours_share_ends_an_expansion_too(ledger):
    rules = of_class(Ruling.ASK, SemanticClass.API_HANDLER)
    gatekeeper = expanding(ledger, Person(), policy=rules, limits=Limits(fields_per_hour=1))
    assert gated(gatekeeper, "expand", GROUP).code is Code.OVER_BUDGET
