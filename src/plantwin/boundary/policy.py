"""The local policy, written in Cedar: which planner may have which capability run on which object.

    principal   Planner::"…"      audience, locality
    action      Action::"…"       the capability
    resource    Object::"…"       kind, class, family, sensitivity, causes, freshness, confidence, labels
    context     goal_mode, approved, risk, sandboxed, hour, weekday

Only a clean Allow permits; no decision, or an error in any statement, refuses. A policy that permits only with
`context.approved` asks a person.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from plantwin.types.capability import Capability
from plantwin.types.local import Subject
from plantwin.types.policy import FAILED, Case, Decided, Evaluated, Party, Ruling, Statement, question

if TYPE_CHECKING:
    from cedarpy import AuthzResult, Schema

REMEMBERED: Final = 1 << 15
"""Cases whose answers are remembered."""


class CedarPolicy:
    """A set of statements, valid under the schema. It decides for one object: a step needs every input permitted."""

    def __init__(
        self,
        statements: Sequence[Statement],
        schema: Schema,
        version: str,
        clock: Callable[[], time.struct_time] = time.localtime,
    ) -> None:
        """`version`: a digest of text and schema, to which approvals are bound.

        The statements are valid: `config.policies` has checked them.
        """
        from cedarpy import PolicySet

        self.statements = tuple(statements)
        self.version = version
        self.mentioned = _mentioned([each.tree for each in self.statements])
        """Words that the statements name, by Cedar's type for them; texts such as labels under `String`.

        Two objects that differ only in words that are not named are decided alike, unless it is in labels or causes
        and that attribute is named under `.`: these are then compared, counted, or looked up by no fixed word.
        """
        trees = {each.id: each.tree for each in self.statements}
        document = {"staticPolicies": trees, "templates": {}, "templateLinks": []}
        self._set = PolicySet.from_json_str(json.dumps(document))
        self._schema = schema
        self._clock = clock
        self._known: dict[Case, tuple[Evaluated, Evaluated]] = {}
        """What Cedar said: sessions over one folder ask the same."""

    def moment(self) -> tuple[int, int]:
        """Hour and weekday now: a decision may depend on them."""
        now = self._clock()
        return now.tm_hour, now.tm_wday + 1

    def decide(
        self, party: Party, capability: Capability, subject: Subject, *, goal_mode: str, sandboxed: bool
    ) -> Decided:
        """Permit, ask a person, or deny."""
        return ruling(*self.evaluate(party, capability, subject, goal_mode=goal_mode, sandboxed=sandboxed))

    def evaluate(
        self, party: Party, capability: Capability, subject: Subject, *, goal_mode: str, sandboxed: bool
    ) -> tuple[Evaluated, Evaluated]:
        """What Cedar says without a person's approval, and with it: what a decision is made from."""
        from cedarpy import is_authorized_batch

        case = Case(party, capability.name, capability.risk, goal_mode, sandboxed is True, *self.moment(), subject)
        if case in self._known:
            return self._known[case]
        without, entities = question(case, False)
        try:
            answers = is_authorized_batch([without, question(case, True)[0]], self._set, entities, self._schema)
            first, second = map(_evaluated, answers)
        except Exception:
            return FAILED, FAILED
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[case] = first, second
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
