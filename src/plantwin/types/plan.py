"""P: a plan is data. Steps name a capability and its inputs; a plan that exists is a finite acyclic graph."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from plantwin.errors import AnswerError, WireError
from plantwin.text import plural, table
from plantwin.types.twin import object_id_like, set_id_like
from plantwin.vocabulary import (
    Age,
    ContentTag,
    DeploymentEnvironment,
    Dialect,
    Dimension,
    Ecosystem,
    Family,
    Freshness,
    Kind,
    Part,
    Provider,
    RepairCode,
    Role,
    SemanticClass,
    Sensitivity,
)

MAX_ANSWER_BYTES = 65_536
"""Of an answer that may hold a plan."""
MAX_STEPS = 32
MAX_INPUTS = 64
"""As many as there are sets at most: a step can take the whole folder."""

WORD = "^[a-z][a-z0-9_]{0,39}$"
Word = Annotated[str, Meta(pattern=WORD, max_length=40)]

_word = re.compile(WORD.removeprefix("^").removesuffix("$"))


def shown_id_like(value: object) -> bool:
    """Whether a value has the form of an id that a session shows: an object's or a set's. All others are steps'."""
    return object_id_like(value) or set_id_like(value)


class Where(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Members for which all of these hold. Found locally; the planner learns only what the outcome says."""

    kind: Kind | UnsetType = UNSET
    family: Family | UnsetType = UNSET
    semantic_class: SemanticClass | UnsetType = UNSET
    role: Role | UnsetType = UNSET
    freshness: Freshness | UnsetType = UNSET
    age: Age | UnsetType = UNSET
    environment: DeploymentEnvironment | UnsetType = UNSET
    provider: Provider | UnsetType = UNSET
    ecosystem: Ecosystem | UnsetType = UNSET
    dialect: Dialect | UnsetType = UNSET
    sensitivity: Sensitivity | UnsetType = UNSET
    contains: ContentTag | UnsetType = UNSET

    @property
    def conditions(self) -> tuple[tuple[str, str], ...]:
        """Field and word of each condition."""
        return tuple((field, value) for field in self.__struct_fields__ if (value := getattr(self, field)) is not UNSET)


class Narrowed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Those members of a set, or of a part of a result, for which conditions hold."""

    set: Annotated[str, Meta(max_length=60)]
    where: Where

    def __post_init__(self) -> None:
        if not (set_id_like(self.set) or part_of(self.set)) or type(self.where) is not Where:
            raise WireError("an input that narrows no set")
        if not self.where.conditions:
            raise WireError("an input that narrows by nothing")

    def __str__(self) -> str:
        return f"{self.set}[{', '.join(f'{field}={word}' for field, word in self.where.conditions)}]"


StepInput = str | Narrowed
"""An object, a set, a step, a part of a step's result (`s1.affected`), or a narrower set."""


def source_of(name: StepInput) -> str:
    """What an input is taken from: an object's or a set's id, or a step's."""
    return (name.set if isinstance(name, Narrowed) else name).partition(".")[0]


def part_of(name: StepInput) -> Part | None:
    """The part of a result that an input names; none where it names none."""
    step, _, part = (name.set if isinstance(name, Narrowed) else name).partition(".")
    found = Part._value2member_map_.get(part)
    if not isinstance(found, Part) or shown_id_like(step):  # only results have parts
        return None
    return found if _word.fullmatch(step) else None


@lru_cache(4096)
def several_like(name: StepInput) -> bool:
    """Whether an input stands for several objects: a set, a narrower one, or a part of a result."""
    return isinstance(name, Narrowed) or set_id_like(name) or part_of(name) is not None


@lru_cache(4096)
def _step_of(name: StepInput) -> str | None:
    """The step whose result an input is taken from; none where it is an object or a set."""
    source = source_of(name)
    return None if shown_id_like(source) else source


class StepPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The planner's own annotation: it can ask for approval, never waive it."""

    human_approval: bool = False


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One requested operation."""

    id: Word
    capability: Word
    inputs: Annotated[tuple[StepInput, ...], Meta(max_length=MAX_INPUTS)] = ()
    output: Word = "result"
    by: Dimension | UnsetType = UNSET
    """Of a `split`: along what."""
    policy: StepPolicy = StepPolicy()

    def __post_init__(self) -> None:
        for field in (self.id, self.capability, self.output):
            if type(field) is not str or not _word.fullmatch(field):
                raise WireError("a field that is not a word")
        if shown_id_like(self.id):
            raise WireError("the id of an object as its own id")
        if self.by is not UNSET and type(self.by) is not Dimension:
            raise WireError("a split along no dimension")
        if type(self.policy) is not StepPolicy or type(self.policy.human_approval) is not bool:
            raise WireError("a policy that is not one")
        if type(self.inputs) is not tuple or len(self.inputs) > MAX_INPUTS:
            raise WireError("too many inputs")
        for each in self.inputs:
            if type(each) is Narrowed:
                continue
            if type(each) is not str or not (object_id_like(each) or _word.fullmatch(each) or part_of(each)):
                raise WireError("an input that is neither an object, nor a set, nor a step")

    def uses(self) -> Iterator[str]:
        """Ids of the steps whose results it takes, whole or in part."""
        return filter(None, map(_step_of, self.inputs))


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
            again = _repeated(ids)
            raise AnswerError(f"plan: step {again} repeats an id", RepairCode.REPEATED_ID, again)
        self.order()  # raises where there is a cycle

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        rows = [(step.id, step.capability, ", ".join(map(str, step.inputs)), step.by or "") for step in self.steps]
        return table(f"Plan: {plural(len(rows), 'step')}", ("step", "capability", "inputs", "by"), rows)

    @property
    def done(self) -> bool:
        """Whether the planner has nothing further to ask."""
        return not self.steps

    def need_known(self, earlier: Collection[str]) -> None:
        """Refuse a plan that uses a step which is neither in it nor among those of earlier plans."""
        known = {*(step.id for step in self.steps), *earlier}
        for position, step in enumerate(self.steps, start=1):
            if any(name not in known for name in step.uses()):
                said = f"plan: step {position} uses a step that is not there"
                raise AnswerError(said, RepairCode.UNKNOWN_STEP, position)

    def order(self) -> tuple[int, ...]:
        """Positions (from 0) in an order in which every step comes after those it uses; else in the plan's order."""
        position = {step.id: number for number, step in enumerate(self.steps)}
        uses = [{position[each] for each in step.uses() if each in position} for step in self.steps]
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
                raise AnswerError(f"plan: step {first + 1} is part of a cycle", RepairCode.CYCLE, first + 1)
            order.append(ready)
            placed.add(ready)
        return tuple(order)


def _repeated(ids: list[str]) -> int:
    return next(number for number, each in enumerate(ids, start=1) if each in ids[: number - 1])
