"""P: a plan is data. Steps name a capability and its inputs; they order nothing by themselves."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from plantwin.errors import WireError
from plantwin.types.twin import OBJECT_ID

MAX_STEPS = 32
MAX_INPUTS = 16

WORD = "^[a-z][a-z0-9_]{0,39}$"
Word = Annotated[str, Meta(pattern=WORD, max_length=40)]

_word = re.compile(WORD.removeprefix("^").removesuffix("$"))
_object_id = re.compile(OBJECT_ID.removeprefix("^").removesuffix("$"))


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
                raise WireError("plan: a step has a field that is not a word")
        if type(self.policy) is not StepPolicy or type(self.policy.human_approval) is not bool:
            raise WireError("plan: a step has a policy that is not one")
        if type(self.inputs) is not tuple or len(self.inputs) > MAX_INPUTS:
            raise WireError("plan: a step has too many inputs")
        for each in self.inputs:
            if type(each) is not str or not (_object_id.fullmatch(each) or _word.fullmatch(each)):
                raise WireError("plan: a step has an input that is neither an object nor a step")


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A typed acyclic graph of steps."""

    steps: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=MAX_STEPS)]

    def __post_init__(self) -> None:
        if type(self.steps) is not tuple or not 0 < len(self.steps) <= MAX_STEPS:
            raise WireError(f"plan: between 1 and {MAX_STEPS} steps")
        if any(type(step) is not Step for step in self.steps):
            raise WireError("plan: a step is not one")
        earlier: set[str] = set()
        for position, step in enumerate(self.steps, start=1):
            if step.id in earlier:
                raise WireError(f"plan: step {position} repeats an id")
            for each in step.inputs:
                if not _object_id.fullmatch(each) and each not in earlier:
                    raise WireError(f"plan: step {position} uses a step that does not come before it")
            earlier.add(step.id)
