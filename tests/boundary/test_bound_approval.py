"""A person's yes is for what they were shown: these objects in these versions, running this, and nothing else."""

from __future__ import annotations

import builders
import pytest
from builders import AUTH, PAY, SET, Executor, Person, Rules, held, of_class, scope, tell, units

from plantwin.boundary.approval import Approvals, digest
from plantwin.types.execution import Executed
from plantwin.types.plan import Plan, Step
from plantwin.types.policy import Ruling
from plantwin.types.verdict import Allowed, Code, Failure
from plantwin.vocabulary import SemanticClass, Sensitivity


def gated(gatekeeper, capability, *inputs):
    plan = Plan(steps=(Step(id="s1", capability=capability, inputs=inputs or (AUTH,)),))
    return gatekeeper.gate(plan, 0, frozenset())


class Edited(Executor):
    """A folder whose tests are changed while a person looks at the question."""

    def __init__(self, *versions):
        super().__init__({"status": "done"})
        self.versions = list(versions)
        self.prepared = lambda capability, inputs: self.versions[0]

    def execute(self, *step, prepared, **how):
        if self.prepare(step[1], step[2]) != prepared:
            return Executed(failure=Failure.UNREADABLE)
        return super().execute(*step, prepared=prepared, **how)


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


def test_the_approval_of_work_on_a_set_is_for_its_very_members(ledger):
    """Those that are fewer than `k` are named to the person; all of them are bound by what they are and hold."""
    digests = []
    for version in ("v1", "v2", "v2"):
        person, executor = Person(), Executor()
        executor.scopes[SET] = scope(2, few=[held(PAY)], version=version)
        gatekeeper = builders.keeper(ledger, executor=executor, approvals=Approvals(person))
        assert isinstance(gated(gatekeeper, "redact_document", SET), Allowed)
        (question,) = person.questions
        assert question.objects == (PAY,)
        recipe = next(iter(executor.recipes))
        assert question.digest == digest(question.step, [held(PAY)], "v1", question.nonce, f".{recipe}")
        digests.append(recipe)
    assert len(set(digests)) == 2


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
