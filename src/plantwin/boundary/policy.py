"""The local policy, written in Cedar: which planner may have which capability run on which object.

    principal   Planner::"…"      audience, locality
    action      Action::"…"       the capability
    resource    Object::"…"       kind, class, family, sensitivity, causes, freshness, confidence, labels
    context     goal_mode, approved, risk, sandboxed, hour, weekday

Anything but an explicit permit is a denial; a policy that permits only with `context.approved` asks a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

from plantwin.boundary.held import Held
from plantwin.errors import PolicyError
from plantwin.types.capability import Capability, Catalog

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

    def decide(self, party: Party, capability: Capability, held: Held, *, goal_mode: str, sandboxed: bool) -> Decided:
        """Permit, ask a person, or deny."""
        ...


def need_verbatim(policy: Policy, party: Party, catalog: Catalog, shown: Sequence[Held], *, sandboxed: bool) -> None:
    """Refuse to let a goal cross in its own words unless the policy permits something, and all the same, with them."""
    permits = False
    for held in shown:
        for capability in catalog.values():
            ruled, without = (
                policy.decide(party, capability, held, goal_mode=mode, sandboxed=sandboxed).ruling
                for mode in ("verbatim", "lexicon")
            )
            if ruled is not without:
                raise PolicyError("policy: the goal may not cross in its own words here: use --goal-mode lexicon")
            permits = permits or ruled is Ruling.PERMIT
    if not permits:
        raise PolicyError("policy: nothing is permitted, so the goal may not cross in its own words either")
