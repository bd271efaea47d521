"""Approval: bound to one exact step, its inputs and the policy; used once; expires; never by default."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from plantwin.boundary.approval import LIFETIME, LONGEST, Approvals, digest
from plantwin.errors import ConfigError
from plantwin.types.approval import Answer, Cause, Nobody, Question
from plantwin.types.local import LocalObject
from plantwin.types.plan import Step, StepPolicy
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Kind, SemanticClass

STEP = Step(id="s1", capability="security_audit", inputs=("artifact_aaaaaaaa",), output="findings")
HELD = (
    LocalObject(
        TwinObject(
            object_id="artifact_aaaaaaaa", kind=Kind.CODE_FILE, semantic_class=SemanticClass.AUTHENTICATION_MODULE
        ),
        b"k" * 32,
    ),
)


class Person:
    """Answers as told, and remembers the questions."""

    def __init__(self, answer: Callable[[Question], Any]) -> None:
        self.answer = answer
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Answer | None:
        self.asked.append(question)
        result: Answer | None = self.answer(question)
        return result


def yes(question: Question) -> Answer:
    return Answer(question.digest, True)


def decide(approvals: Approvals, step: Step = STEP, held: tuple[LocalObject, ...] = HELD, version: str = "v1") -> str:
    return approvals.decide(step, held, (Cause.POLICY, Cause.RISK), "ask", version, 1500)[0]


def test_a_person_says_yes_or_no() -> None:
    person = Person(yes)
    word, question = Approvals(person, clock=lambda: 100.0).decide(STEP, HELD, (Cause.POLICY,), "ask", "v1", 1500)
    assert word == "approved"
    assert question == person.asked[0]
    assert question.objects == ("artifact_aaaaaaaa",)
    assert (question.step, question.causes, question.policy, question.price) == (STEP, (Cause.POLICY,), "ask", 1500)
    assert question.expires == 100.0 + LIFETIME
    assert question.digest == digest(STEP, HELD, "v1", question.nonce)
    assert decide(Approvals(Person(lambda asked: Answer(asked.digest, False)))) == "denied"


def test_without_an_approver_nothing_is_approved() -> None:
    assert decide(Approvals(Nobody())) == "nobody"
    question = Approvals(Nobody()).decide(STEP, HELD, (), "", "v1", 0)[1]
    assert Nobody().ask(question) is None


@pytest.mark.parametrize("truthy", [1, "yes", "true", [True], object()])
def test_only_true_approves(truthy: object) -> None:
    assert decide(Approvals(Person(lambda asked: Answer(asked.digest, truthy)))) == "denied"  # type: ignore[arg-type]


class Sly(str):
    """A text that claims to equal everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 0


class Other(Answer):
    """Not quite an answer."""


@pytest.mark.parametrize(
    "forged",
    [lambda asked: Answer("0" * 64, True), lambda asked: Answer(Sly("0"), True),
     lambda asked: Other(asked.digest, True), lambda asked: (asked.digest, True), lambda asked: True,
     lambda asked: asked.digest, lambda asked: Answer(asked.nonce, True),
     lambda asked: Answer(digest(asked.step, HELD, "v1", ""), True)],
)  # fmt: skip
def test_a_forged_answer_is_invalid(forged: Callable[[Question], Any]) -> None:
    assert decide(Approvals(Person(forged))) == "invalid"


def test_an_answer_is_never_replayed() -> None:
    kept: list[Answer] = []

    def first_answer(asked: Question) -> Answer:
        kept.append(yes(asked))
        return kept[0]

    approvals = Approvals(Person(first_answer))
    assert [decide(approvals) for _ in range(3)] == ["approved", "invalid", "invalid"]


def test_an_answer_is_used_once_even_if_a_question_came_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda _: "0" * 32)
    approvals = Approvals(Person(yes))
    assert [decide(approvals), decide(approvals)] == ["approved", "invalid"]


def test_an_answer_fits_no_other_step_input_policy_or_desk() -> None:
    other = replace(HELD[0], key=b"x" * 32)
    changed = msgspec.structs.replace
    digests = {
        digest(STEP, HELD, "v1", "n"),
        digest(changed(STEP, id="s2"), HELD, "v1", "n"),
        digest(changed(STEP, capability="lint"), HELD, "v1", "n"),
        digest(changed(STEP, inputs=("artifact_bbbbbbbb",)), HELD, "v1", "n"),
        digest(changed(STEP, output="summary"), HELD, "v1", "n"),
        digest(changed(STEP, policy=StepPolicy(True)), HELD, "v1", "n"),
        digest(STEP, (other,), "v1", "n"),
        digest(STEP, (), "v1", "n"),
        digest(STEP, HELD * 2, "v1", "n"),
        digest(STEP, (HELD[0], other), "v1", "n"),
        digest(STEP, (other, HELD[0]), "v1", "n"),
        digest(STEP, HELD, "v2", "n"),
        digest(STEP, HELD, "v1", "m"),
        digest(STEP, HELD, "v1n", ""),
        digest(STEP, (replace(HELD[0], version="changed"),), "v1", "n"),
        digest(STEP, HELD, "v1", "n", "what would run"),
        digest(STEP, HELD, "v1", "n", "what would run instead"),
    }
    assert len(digests) == 17
    person = Person(yes)
    decide(Approvals(person))
    old = person.asked[0]
    for step, held, version in (
        (STEP, HELD, "v1"),
        (changed(STEP, id="s2"), HELD, "v1"),
        (STEP, (other,), "v1"),
        (STEP, HELD, "v2"),
    ):
        assert decide(Approvals(Person(lambda asked: yes(old))), step, held, version) == "invalid"


class Clock:
    """Shows one time after the other."""

    def __init__(self, *times: float) -> None:
        self.times = list(times)

    def __call__(self) -> float:
        return self.times.pop(0) if len(self.times) > 1 else self.times[0]


@pytest.mark.parametrize(
    ("clock", "timer", "word"),
    [
        (Clock(100.0, 160.0), Clock(5.0, 65.0), "approved"),
        (Clock(100.0, 160.1), Clock(5.0, 5.0), "expired"),
        (Clock(100.0, 100.0), Clock(5.0, 65.1), "expired"),
        # Setting the date back must not give an old answer a longer life.
        (Clock(100.0, 99.0), Clock(5.0, 6.0), "expired"),
        (Clock(100.0, 110.0), Clock(5.0, 1000.0), "expired"),
        (Clock(100.0, float("nan")), Clock(5.0, 6.0), "expired"),
    ],
)
def test_an_answer_comes_in_time_or_not_at_all(clock: Clock, timer: Clock, word: str) -> None:
    assert decide(Approvals(Person(yes), lifetime=60.0, clock=clock, timer=timer)) == word


def test_no_answer_is_no_approval() -> None:
    assert decide(Approvals(Person(lambda asked: None))) == "expired"


def test_a_late_forgery_is_late_first() -> None:
    approvals = Approvals(Person(lambda asked: Answer("0" * 64, True)), lifetime=1.0, clock=Clock(0.0, 2.0))
    assert decide(approvals) == "expired"


@pytest.mark.parametrize("lifetime", [0, -1, LONGEST + 1, float("inf"), float("nan")])
def test_a_lifetime_is_bounded(lifetime: float) -> None:
    with pytest.raises(ConfigError, match=r"approval\.lifetime"):
        Approvals(Nobody(), lifetime=lifetime)


def test_a_failing_approver_approves_nothing() -> None:
    def broken(asked: Question) -> Answer:
        raise RuntimeError("down")

    with pytest.raises(RuntimeError):
        decide(Approvals(Person(broken)))
