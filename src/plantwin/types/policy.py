"""What a policy is asked and what it says: cases, statements and rulings."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NamedTuple

from plantwin.types.local import Subject

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


class Case(NamedTuple):
    """Everything a decision can depend on, but for the approval."""

    party: Party
    action: str
    risk: str
    goal_mode: str
    sandboxed: bool
    hour: int
    weekday: int
    subject: Subject


class Evaluated(NamedTuple):
    """What Cedar says to one case. `policies` decided it; none, where nothing permits it."""

    allowed: bool
    policies: tuple[str, ...] = ()
    failed: bool = False


FAILED: Final = Evaluated(False, failed=True)


def question(case: Case, approved: bool, number: int = 0) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A case as Cedar's request and the two entities it speaks of. The object has no name, only a number."""
    subject, planner = case.subject, {"type": "Planner", "id": case.party.name}
    thing = {"type": "Object", "id": str(number)}
    context = {
        "approved": approved,
        "risk": _word("Risk", case.risk),
        "sandboxed": case.sandboxed,
        "goal_mode": _word("GoalMode", case.goal_mode),
        "hour": case.hour,
        "weekday": case.weekday,
    }
    attributes = {
        "kind": _word("Kind", subject.kind),
        "class": _word("Class", subject.semantic_class),
        "family": _word("Family", subject.semantic_class.family),
        "sensitivity": _word("Sensitivity", subject.sensitivity),
        "causes": [_word("Cause", each) for each in sorted(subject.causes)],
        "freshness": _word("Freshness", subject.freshness),
        "confidence": _word("Confidence", subject.confidence),
        "labels": sorted(subject.labels),
    }
    who = {"audience": case.party.audience, "locality": _word("Locality", case.party.locality)}
    request = {
        "principal": planner,
        "action": {"type": "Action", "id": case.action},
        "resource": thing,
        "context": context,
    }
    return request, [
        {"uid": planner, "attrs": who, "parents": []},
        {"uid": thing, "attrs": attributes, "parents": []},
    ]


def _word(type_: str, word: str) -> dict[str, Any]:
    return {"__entity": {"type": type_, "id": word}}
