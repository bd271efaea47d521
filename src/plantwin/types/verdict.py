"""What the gatekeeper decides: values, not exceptions. The reason stays local; the planner hears one word."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from plantwin.types.outcome import Outcome
from plantwin.types.plan import Step
from plantwin.types.sets import SetRelation, TwinSet
from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.vocabulary import RepairCode, StepStatus


class Code(StrEnum):
    """Why, with the number of the check that says so."""

    check: int
    meaning: str

    def __new__(cls, word: str, check: int, meaning: str) -> Code:
        member = str.__new__(cls, word)
        member._value_ = word
        member.check = check
        member.meaning = meaning
        return member

    # (1) the capability is allowed for the inputs' types
    UNKNOWN_CAPABILITY = "unknown_capability", 1, "the catalog has no such capability"
    UNKNOWN_OBJECT = "unknown_object", 1, "no object or set that this session showed has this id"
    REPEATED_INPUT = "repeated_input", 1, "the same input twice"
    WRONG_ARITY = "wrong_arity", 1, "too few or too many inputs"
    WRONG_KIND = "wrong_kind", 1, "the capability does not work on an object of this kind or class"
    UNTOLD_CLASS = "untold_class", 1, "it depends on the object's class, which the planner has not been told"
    WRONG_RESULT = "wrong_result", 1, "the capability does not take the result of that step"
    WRONG_OUTPUT = "wrong_output", 1, "the step declares another result than the capability yields"
    UNKNOWN_PART = "unknown_part", 1, "the result of that step has no such part"
    DEPENDS_ON_REFUSED = "depends_on_refused", 1, "it builds on a step that gave no result"
    # (2) the estimated disclosure fits every input's budget
    OVER_BUDGET = "over_budget", 2, "what it could tell does not fit the budget of an input"
    RATE_LIMITED = "rate_limited", 2, "this audience has had its share for the hour"
    # (3) the local policy permits it
    POLICY_DENIES = "policy_denies", 3, "the policy does not permit it"
    POLICY_FAILS = "policy_fails", 3, "the policy could not be evaluated"
    # (4) approval
    NO_APPROVER = "no_approver", 4, "a person has to decide and none can be asked"
    APPROVAL_DENIED = "approval_denied", 4, "a person said no"
    APPROVAL_EXPIRED = "approval_expired", 4, "nobody decided in time"
    APPROVAL_INVALID = "approval_invalid", 4, "the approval is for something else, or was used before"
    DESELECTED = "deselected", 4, "a person took this step out of the plan"
    # (5) execution
    NO_SANDBOX = "no_sandbox", 5, "a sandbox is required and none is installed"
    # (7) charge
    OUTCOME_OVER_BUDGET = "outcome_over_budget", 7, "another session spent what the outcome needs"


class Failure(StrEnum):
    """How an execution can end without a result. It is an outcome, not a refusal."""

    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASHED = "crashed"
    OUTPUT_TOO_LARGE = "output_too_large"
    UNREADABLE = "unreadable"
    INTERRUPTED = "interrupted"


class Allowed(msgspec.Struct, frozen=True, kw_only=True):
    """It ran: this may be told, and it cost so much per object (ids of this session, thousandths)."""

    outcome: Outcome
    spent: tuple[tuple[str, int], ...] = ()
    failure: Failure | None = None
    dropped: tuple[str, ...] = ()
    """Codes of what the result held and the boundary did not let through."""
    objects: tuple[TwinObject, ...] = ()
    """Fields that a `describe` tells."""
    edges: tuple[TwinEdge, ...] = ()
    sets: tuple[TwinSet, ...] = ()
    """Smaller sets that a `split` tells of."""
    relations: tuple[SetRelation, ...] = ()


class Denied(msgspec.Struct, frozen=True, kw_only=True):
    """It did not run, or may not be told."""

    code: Code
    detail: str = ""
    """Local only: the id of the deciding policy, or of the input concerned. Never content."""

    @property
    def status(self) -> StepStatus:
        """The one word that the planner hears."""
        return StepStatus.ESCALATED if self.code.check == 4 else StepStatus.REJECTED

    @property
    def outcome(self) -> Outcome:
        """The outcome that the planner hears: uniform, whatever the reason."""
        return Outcome(status=self.status)


Verdict = Allowed | Denied
DONE: Final = Outcome(status=StepStatus.DONE)
OVER: Final = Denied(code=Code.OVER_BUDGET)


REPAIRS: Final[Mapping[Code, RepairCode]] = {
    Code.UNKNOWN_CAPABILITY: RepairCode.UNKNOWN_CAPABILITY,
    Code.UNKNOWN_OBJECT: RepairCode.UNKNOWN_INPUT,
    Code.REPEATED_INPUT: RepairCode.WRONG_NUMBER,
    Code.WRONG_ARITY: RepairCode.WRONG_NUMBER,
    Code.WRONG_KIND: RepairCode.WRONG_INPUT,
    Code.WRONG_RESULT: RepairCode.WRONG_RESULT,
    Code.UNKNOWN_PART: RepairCode.UNKNOWN_PART,
}
"""What a planner can correct, since it depends on nothing but its own words and what it was told."""

UNAPPROVED: Final[Mapping[str, Code]] = {
    "denied": Code.APPROVAL_DENIED,
    "expired": Code.APPROVAL_EXPIRED,
    "invalid": Code.APPROVAL_INVALID,
    "nobody": Code.NO_APPROVER,
}
"""What a refusal is called, by what became of the question to a person."""


class Priced(NamedTuple):
    """One step as admission sees it: refused already, or with the most it can cost."""

    step: Step
    refusal: Denied | None
    objects: tuple[str, ...]
    """Ids of the objects that its outcome tells about."""
    price: int
    """Most that it can cost each of them, in thousandths."""


class Admission(NamedTuple):
    """The whole plan, checked and priced before the first step runs."""

    steps: tuple[Priced, ...]
    order: tuple[int, ...]

    @property
    def repairable(self) -> tuple[RepairCode, int] | None:
        """The first step, from 1, of which the planner can know why it cannot run, and that reason."""
        for number, priced in enumerate(self.steps, start=1):
            if priced.refusal is not None and priced.refusal.code in REPAIRS:
                return REPAIRS[priced.refusal.code], number
        return None

    @property
    def price(self) -> int:
        """Most that the admissible steps can cost over all objects."""
        return sum(each.price * len(each.objects) for each in self.steps if each.refusal is None)
