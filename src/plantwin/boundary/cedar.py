"""The policy in Cedar. Only a clean Allow permits; no decision, or an error in any statement, refuses."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from plantwin.boundary.policy import Decided, Party, Ruling, Statement, Subject
from plantwin.types.capability import Capability
from plantwin.vocabulary import SemanticClass

if TYPE_CHECKING:
    from cedarpy import AuthzResult, Schema


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
        self.mentioned = _mentioned([each.tree for each in self.statements])
        trees = {each.id: each.tree for each in self.statements}
        document = {"staticPolicies": trees, "templates": {}, "templateLinks": []}
        self._set = PolicySet.from_json_str(json.dumps(document))
        self._schema = schema
        self._clock = clock

    def moment(self) -> tuple[int, int]:
        """Hour and weekday now: a decision may depend on them."""
        now = self._clock()
        return now.tm_hour, now.tm_wday + 1

    def decide(
        self, party: Party, capability: Capability, subject: Subject, *, goal_mode: str, sandboxed: bool
    ) -> Decided:
        """Permit, ask a person, or deny."""
        return ruling(*self._evaluate(self._case(party, capability, subject, goal_mode, sandboxed)))

    def evaluate(
        self, party: Party, capability: Capability, subject: Subject, *, goal_mode: str, sandboxed: bool
    ) -> tuple[Evaluated, Evaluated]:
        """What Cedar says without a person's approval, and with it: what a decision is made from."""
        return self._evaluate(self._case(party, capability, subject, goal_mode, sandboxed))

    def _case(self, party: Party, capability: Capability, subject: Subject, goal_mode: str, sandboxed: bool) -> Case:
        return Case(
            party,
            capability.name,
            capability.risk,
            goal_mode,
            sandboxed is True,
            *self.moment(),
            subject.kind,
            subject.semantic_class,
            subject.sensitivity,
            tuple(sorted(subject.causes)),
            subject.freshness,
            subject.confidence,
            subject.labels,
        )

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


def ruling(without: Evaluated, approved: Evaluated) -> Decided:
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


def _mentioned(tree: Any) -> dict[str, frozenset[str]]:
    """Words in Cedar's JSON form, by their type, texts, and under `.` attributes that are looked at as a whole."""
    found: dict[str, set[str]] = {}
    waiting = [tree]
    while waiting:
        match waiting.pop():
            case {"type": str(type_), "id": str(word)}:
                found.setdefault(type_, set()).add(word)
            case {"Value": str(text)}:
                found.setdefault("String", set()).add(text)
            # Only where a set is asked for literal words do the others in it not matter.
            case {"contains": {"left": {".": _}, "right": {"Value": _} as word}}:
                waiting.append(word)
            case {"containsAny": {"left": {".": _}, "right": {"Set": list(words)}}} | {
                "containsAll": {"left": {".": _}, "right": {"Set": list(words)}}
            } if all("Value" in each for each in words):
                waiting += words
            case {".": {"left": left, "attr": str(attribute)}}:
                found.setdefault(".", set()).add(attribute)
                waiting.append(left)
            case dict(node):
                waiting += node.values()
            case list(nodes):
                waiting += nodes
    return {type_: frozenset(words) for type_, words in found.items()}


def _word(type_: str, word: str) -> dict[str, Any]:
    return {"__entity": {"type": type_, "id": word}}
