"""What the planner hears of a step: a status and a few closed words, or one word of refusal."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType

from plantwin.errors import VocabularyError
from plantwin.types.plan import MAX_STEPS
from plantwin.types.twin import canonical
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Affected, Examined, Findings, OutcomeTag, Severity, StepStatus

REFUSALS: Final = (StepStatus.REJECTED, StepStatus.ESCALATED)


class Outcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a step that ran may tell. The full result stays local."""

    status: StepStatus
    severity: Severity | UnsetType = UNSET
    count: Findings | UnsetType = UNSET
    tags: Annotated[tuple[OutcomeTag, ...], Meta(min_length=1, max_length=MAX_OUTCOME_TAGS)] | UnsetType = UNSET
    examined: Examined | UnsetType = UNSET
    """How much of a set it could examine."""
    affected: Affected | UnsetType = UNSET
    """How many members of a set it found something in."""

    def __post_init__(self) -> None:
        if type(self.status) is not StepStatus:
            raise VocabularyError("outcome.status: not a word of StepStatus")
        words = (self.examined, self.severity, self.affected, self.count)
        for value, (field, vocabulary) in zip(words, OUTCOME_WORDS.items(), strict=True):
            if value is not UNSET and type(value) is not vocabulary:
                raise VocabularyError(f"outcome.{field}: not a word of {vocabulary.__name__}")
        if self.tags is not UNSET:
            _tags(self.tags)
        if self.status in REFUSALS and any(each is not UNSET for each in (*words, self.tags)):
            raise VocabularyError("outcome: a refusal says nothing else")

    def units(self, capability: str, telling: str = "") -> tuple[str, ...]:
        """What it discloses, piece by piece, the most important first.

        `telling`: of which version of which inputs, or by which run. The same word about another is another thing told.
        """
        words = (self.status, self.examined, self.severity, self.affected, self.count)
        told: list[tuple[str, object]] = [*zip(("status", *OUTCOME_WORDS), words, strict=True)]
        told += [("tag", tag) for tag in self.tags or ()]
        end = f"@{telling}" if telling else ""
        return tuple([f"{capability}.{field}={word}{end}" for field, word in told if word is not UNSET])


OUTCOME_WORDS: Final = {"examined": Examined, "severity": Severity, "affected": Affected, "count": Findings}
"""Single words besides the status, the most important first."""


def _tags(tags: object) -> None:
    if type(tags) is not tuple or not 0 < len(tags) <= MAX_OUTCOME_TAGS:
        raise VocabularyError(f"outcome.tags: between 1 and {MAX_OUTCOME_TAGS} members")
    if any(type(tag) is not OutcomeTag for tag in tags):
        raise VocabularyError("outcome.tags: not a word of OutcomeTag")
    if tags != canonical(tags):
        raise VocabularyError("outcome.tags: a member twice or out of order")


class StepResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The outcome of one step, named by its position in the plan: no word of a plan is repeated."""

    step: Annotated[int, Meta(ge=1, le=MAX_STEPS)]
    outcome: Outcome

    def __post_init__(self) -> None:
        if type(self.step) is not int or not 1 <= self.step <= MAX_STEPS:
            raise VocabularyError(f"result.step: between 1 and {MAX_STEPS}")
        if type(self.outcome) is not Outcome:
            raise VocabularyError("result.outcome: not an outcome")
