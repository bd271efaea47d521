"""The policy in Cedar. Only a clean Allow permits; no decision, or an error in any statement, refuses.

A decision depends on closed values alone, never on an object's id, so equal cases are decided once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from plantwin.boundary.held import Held
from plantwin.boundary.policy import Decided, Party, Ruling, Statement
from plantwin.types.capability import Capability
from plantwin.vocabulary import Confidence, Freshness, SemanticClass, Sensitivity

if TYPE_CHECKING:
    from cedarpy import AuthzResult, Schema

REMEMBERED: Final = 4096
"""Cases whose decision is remembered."""


class Case(NamedTuple):
    """Everything a decision can depend on, but for the approval."""

    party: Party
    action: str
    risk: str
    goal_mode: str
    sandboxed: bool
    hour: int
    weekday: int
    kind: str
    leaf: SemanticClass
    sensitivity: str
    causes: tuple[str, ...]
    freshness: str
    confidence: str
    labels: frozenset[str]


class Evaluated(NamedTuple):
    """What Cedar says to one case. `policies` decided it; none, where nothing permits it."""

    allowed: bool
    policies: tuple[str, ...] = ()
    failed: bool = False


FAILED: Final = Evaluated(False, failed=True)


class Explanation(NamedTuple):
    """Why a capability is allowed on an object or not."""

    decided: Decided
    without: Evaluated
    """Without a person's approval."""
    approved: Evaluated
    """With it."""
    statements: tuple[Statement, ...]
    """The policies that decided, as they are written."""


class CedarPolicy:
    """A set of statements, valid under the schema."""

    def __init__(
        self,
        statements: Sequence[Statement],
        schema: Schema,
        version: str,
        clock: Callable[[], time.struct_time] = time.localtime,
    ) -> None:
        """`version`: a digest of text and schema. The statements are valid: `config.policies` has checked them."""
        from cedarpy import PolicySet

        self.statements = tuple(statements)
        self.version = version
        trees = {each.id: each.tree for each in self.statements}
        document = {"staticPolicies": trees, "templates": {}, "templateLinks": []}
        self._set = PolicySet.from_json_str(json.dumps(document))
        self._schema = schema
        self._clock = clock
        self._ruled = lru_cache(REMEMBERED)(self._rule)

    def decide(self, party: Party, capability: Capability, held: Held, *, goal_mode: str, sandboxed: bool) -> Decided:
        """Permit, ask a person, or deny."""
        return self._ruled(self._case(party, capability, held, goal_mode, sandboxed))

    def explain(
        self, party: Party, capability: Capability, held: Held, *, goal_mode: str = "intent", sandboxed: bool = True
    ) -> Explanation:
        """The decision with everything that led to it."""
        case = self._case(party, capability, held, goal_mode, sandboxed)
        without, approved = self._evaluate(case)
        named = {*without.policies, *approved.policies}
        deciding = tuple(each for each in self.statements if each.id in named)
        return Explanation(_ruling(without, approved), without, approved, deciding)

    def _case(self, party: Party, capability: Capability, held: Held, goal_mode: str, sandboxed: bool) -> Case:
        now = self._clock()
        told = held.object
        return Case(
            party,
            capability.name,
            capability.risk,
            goal_mode,
            sandboxed is True,
            now.tm_hour,
            now.tm_wday + 1,
            told.kind,
            held.semantic_class,
            # What is not stated is taken for the worst.
            told.sensitivity or Sensitivity.HIGH,
            told.sensitivity_causes or (),
            told.freshness or Freshness.TODAY,
            told.confidence or Confidence.LOW,
            held.labels,
        )

    def _rule(self, case: Case) -> Decided:
        return _ruling(*self._evaluate(case))

    def _evaluate(self, case: Case) -> tuple[Evaluated, Evaluated]:
        """Without a person's approval, and with it."""
        from cedarpy import is_authorized_batch

        without, entities = question(case, False)
        try:
            answers = is_authorized_batch([without, question(case, True)[0]], self._set, entities, self._schema)
            first, second = map(_evaluated, answers)
        except Exception:
            return FAILED, FAILED
        return first, second


def _evaluated(answer: AuthzResult) -> Evaluated:
    from cedarpy import Decision

    # A forbid that fails is passed over by Cedar: with any error, an Allow is not to be trusted.
    if answer.diagnostics.errors or answer.decision not in (Decision.Allow, Decision.Deny):
        return FAILED
    return Evaluated(answer.decision is Decision.Allow, tuple(sorted(answer.diagnostics.reasons)))


def _ruling(without: Evaluated, approved: Evaluated) -> Decided:
    """What is permitted only when approved is asked for; the statement that makes the difference is named."""
    if without.failed or approved.failed:
        return Decided(Ruling.FAIL)
    if without.allowed:
        return Decided(Ruling.PERMIT, ",".join(without.policies))
    if approved.allowed:
        return Decided(Ruling.ASK, ",".join(without.policies or approved.policies))
    return Decided(Ruling.DENY, ",".join(approved.policies))


def question(case: Case, approved: bool, number: int = 0) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A case as Cedar's request and the two entities it speaks of. The object has no name, only a number."""
    planner = {"type": "Planner", "id": case.party.name}
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
        "kind": _word("Kind", case.kind),
        "class": _word("Class", case.leaf),
        "family": _word("Family", case.leaf.family),
        "sensitivity": _word("Sensitivity", case.sensitivity),
        "causes": [_word("Cause", each) for each in case.causes],
        "freshness": _word("Freshness", case.freshness),
        "confidence": _word("Confidence", case.confidence),
        "labels": sorted(case.labels),
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
