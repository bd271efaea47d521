"""What a person is asked before a step, and what they answer."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, Protocol

from plantwin.types.plan import Step


class Cause(StrEnum):
    """Why a person is asked."""

    POLICY = "policy"
    RISK = "risk"
    PLANNER = "planner"
    CAPABILITY = "capability"
    UNSURE = "unsure"


class Question(NamedTuple):
    """What a person is asked. It names objects by id; the approver knows their real names."""

    nonce: str
    """Fresh and random: an answer to another question never fits."""
    digest: str
    """SHA-256 over step, accounts and versions of all inputs, policy version, what would run, and nonce."""
    step: Step
    objects: tuple[str, ...]
    """Ids of all objects that the step's outcome tells about."""
    causes: tuple[Cause, ...]
    policy: str
    """The id of the policy that asks, where one does."""
    price: int
    """Most that it can cost each object, in thousandths."""
    expires: float


class Answer(NamedTuple):
    """A person's decision on one question."""

    digest: str
    approved: bool


class Approver(Protocol):
    """Asks a person. `None`: nobody answered in time."""

    def ask(self, question: Question) -> Answer | None:
        """Put the question and wait for the answer, at most until it expires."""
        ...


class Nobody:
    """No person can be asked: every question stays unanswered."""

    def ask(self, question: Question) -> Answer | None:
        """Nobody answers."""
        return None
