"""The cross-check of a model's opinion by the heuristics: it may settle a doubt, and never more than that."""

from __future__ import annotations

import msgspec

from plantwin.private.facts import Facts

UNASKED = ("empty", "unreadable")
AGREES = "model: agrees"
NAMED = "model: named it, nothing else speaks for it"


def doubtful(facts: Facts) -> bool:
    """Whether a model is asked at all: only where the heuristics are not sure, and there is text that may be shown."""
    return (
        facts.confidence == "low"
        and not facts.part
        and facts.kind != "secret_container"
        and facts.readiness_cause not in UNASKED
    )


def considered(facts: Facts, pick: str) -> Facts:
    """What becomes of the facts by the model's word.

    Where it says what the heuristics say, the two make a medium confidence: what neither may give alone. Where nothing
    speaks for any class, its class is taken instead of the usual one, and the confidence stays low, so that a
    person is asked. In every other case it is outvoted.
    """
    if not pick or not doubtful(facts):
        return facts
    best, points = facts.ranking[0]
    if pick == best and points > 0:
        return msgspec.structs.replace(facts, confidence="medium", why=(*facts.why[:3], AGREES))
    if points <= 0 and pick != best:
        return msgspec.structs.replace(facts, ranking=((pick, 0.0), *facts.ranking[:2]), why=(NAMED,))
    return facts
