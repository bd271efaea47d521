"""P: a plan is data. Steps name a capability and its inputs; a plan that exists is a finite acyclic graph."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from plantwin.errors import AnswerError, WireError
from plantwin.types.twin import group_id_like, object_id_like
from plantwin.vocabulary import RepairCode

MAX_STEPS = 32
MAX_INPUTS = 16

WORD = "^[a-z][a-z0-9_]{0,39}$"
Word = Annotated[str, Meta(pattern=WORD, max_length=40)]

_word = re.compile(WORD.removeprefix("^").removesuffix("$"))


def shown_id_like(value: object) -> bool:
    """Whether a value has the form of an id that a session shows: an object's or a group's. All others are steps'."""
    return object_id_like(value) or group_id_like(value)


class StepPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The planner's own annotation: it can ask for approval, never waive it."""

    human_approval: bool = False


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One requested operation."""

    id: Word
    capability: Word
    inputs: Annotated[tuple[str, ...], Meta(max_length=MAX_INPUTS)] = ()
    output: Word = "result"
    policy: StepPolicy = StepPolicy()

    def __post_init__(self) -> None:
        for field in (self.id, self.capability, self.output):
            if type(field) is not str or not _word.fullmatch(field):
                raise WireError("a field that is not a word")
        if shown_id_like(self.id):
            raise WireError("the id of an object as its own id")
        if type(self.policy) is not StepPolicy or type(self.policy.human_approval) is not bool:
            raise WireError("a policy that is not one")
        if type(self.inputs) is not tuple or len(self.inputs) > MAX_INPUTS:
            raise WireError("too many inputs")
        for each in self.inputs:
            if type(each) is not str or not (object_id_like(each) or _word.fullmatch(each)):
                raise WireError("an input that is neither an object nor a step")


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A typed acyclic graph of steps; empty means that the planner is done."""

    steps: Annotated[tuple[Step, ...], Meta(max_length=MAX_STEPS)]

    def __post_init__(self) -> None:
        if type(self.steps) is not tuple or len(self.steps) > MAX_STEPS:
            raise AnswerError(f"plan: over {MAX_STEPS} steps", RepairCode.TOO_MANY_STEPS)
        if any(type(step) is not Step for step in self.steps):
            raise WireError("plan: a step is not one")
        ids = [step.id for step in self.steps]
        if len(set(ids)) != len(ids):
            raise AnswerError(f"plan: step {_repeated(ids)} repeats an id", RepairCode.REPEATED_ID)
        known = set(ids)
        for position, step in enumerate(self.steps, start=1):
            if any(not shown_id_like(each) and each not in known for each in step.inputs):
                raise AnswerError(f"plan: step {position} uses a step that is not in the plan", RepairCode.UNKNOWN_STEP)
        self.order()  # raises where there is a cycle

    @property
    def done(self) -> bool:
        """Whether the planner has nothing further to ask."""
        return not self.steps

    def order(self) -> tuple[int, ...]:
        """Positions (from 0) in an order in which every step comes after those it uses; else in the plan's order."""
        position = {step.id: number for number, step in enumerate(self.steps)}
        uses = [{position[each] for each in step.inputs if each in position} for step in self.steps]
        if not any(uses):
            return tuple(range(len(uses)))
        order: list[int] = []
        placed: set[int] = set()
        while len(order) < len(self.steps):
            ready = next(
                (number for number in range(len(uses)) if number not in placed and uses[number] <= placed), None
            )
            if ready is None:
                first = next(number for number in range(len(uses)) if number not in placed)
                raise AnswerError(f"plan: step {first + 1} is part of a cycle", RepairCode.CYCLE)
            order.append(ready)
            placed.add(ready)
        return tuple(order)


def _repeated(ids: list[str]) -> int:
    return next(number for number, each in enumerate(ids, start=1) if each in ids[: number - 1])
