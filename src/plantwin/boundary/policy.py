"""The local policy, written in Cedar: which planner may have which capability run on which object.

    principal   Planner::"…"      audience, locality
    action      Action::"…"       the capability
    resource    Object::"…"       kind, class, family, sensitivity, causes, freshness, confidence, labels
    context     goal_mode, approved, risk, sandboxed, hour, weekday

Anything but an explicit permit is a denial; a policy that permits only with `context.approved` asks a person.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

from plantwin.types.capability import Capability
from plantwin.vocabulary import Confidence, Freshness, Kind, SemanticClass, Sensitivity, SensitivityCause

LOCALITIES: Final = ("local", "remote")
GOAL_MODES: Final = ("intent", "lexicon", "verbatim")


class Ruling(StrEnum):
    """What the policy says."""

    PERMIT = "permit"
    ASK = "ask"
    DENY = "deny"
    FAIL = "fail"


class Decided(NamedTuple):
    """A ruling and the policy that decided it."""

    ruling: Ruling
    policy: str = ""


class Party(NamedTuple):
    """The planner as a policy sees it."""

    name: str
    audience: str
    locality: str
    """`local` or `remote`."""


class Subject(NamedTuple):
    """All that a decision about an object may depend on: closed values and the person's labels, no name and no id."""

    kind: Kind
    semantic_class: SemanticClass
    # What is not stated is taken for the worst.
    sensitivity: Sensitivity = Sensitivity.HIGH
    causes: frozenset[SensitivityCause] = frozenset()
    freshness: Freshness = Freshness.TODAY
    confidence: Confidence = Confidence.LOW
    labels: frozenset[str] = frozenset()
    ambiguous: bool = False
    """Whether the goal may have meant another object."""

    @property
    def unsure(self) -> bool:
        """Whether the local side itself is not sure what it is, or whether it is meant."""
        return self.ambiguous or self.confidence is Confidence.LOW


class Statement(NamedTuple):
    """One `permit` or `forbid`."""

    id: str
    line: int
    text: str
    """As it is written, with the comment above it."""
    tree: dict[str, Any]
    """Cedar's JSON form."""


class Policy(Protocol):
    """Decides for one object at a time; a step needs every input permitted."""

    version: str
    """Digest of the policy's text and schema: approvals are bound to it."""

    def moment(self) -> Hashable:
        """What of the time of day it looks at: at another moment it may decide otherwise."""
        ...

    @property
    def mentioned(self) -> Mapping[str, frozenset[str]]:
        """Words that its statements name, by Cedar's type for them; texts such as labels under `String`.

        Two objects that differ only in words that are not named are decided alike, unless it is in labels or causes
        and that attribute is named under `.`: these are then compared, counted, or looked up by no fixed word.
        """
        ...

    def decide(
        self, party: Party, capability: Capability, subject: Subject, *, goal_mode: str, sandboxed: bool
    ) -> Decided:
        """Permit, ask a person, or deny."""
        ...
