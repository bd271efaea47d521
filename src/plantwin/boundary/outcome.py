"""Π_out: of a capability's result, only closed words pass. Whatever else it holds is dropped and recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from msgspec import UNSET

from plantwin.errors import VocabularyError
from plantwin.types.capability import Capability
from plantwin.types.outcome import REFUSALS, Outcome
from plantwin.types.twin import canonical
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Findings, OutcomeTag, Severity, StepStatus, member

KEYS = ("status", "severity", "count", "tags")


class Sanitized(NamedTuple):
    """An outcome, and codes of what was dropped. Codes name our own keys and never quote the result."""

    outcome: Outcome
    dropped: tuple[str, ...]


def sanitize(raw: object, capability: Capability) -> Sanitized:
    """The outcome of a raw result: `{"status", "severity", "count", "tags"}`, each checked on its own."""
    dropped: list[str] = []
    if not isinstance(raw, Mapping):
        return Sanitized(Outcome(status=StepStatus.FAILED), ("result: not a table",))
    unexpected = sum(key not in KEYS for key in raw)
    if unexpected:
        dropped.append(f"result: {unexpected} unexpected keys")
    status = _word(raw, "status", StepStatus, dropped)
    if status is None or status in REFUSALS:
        # A capability reports on its own work; refusing is the gatekeeper's word.
        dropped.append("status: not that of a step that ran")
        status = StepStatus.FAILED
    severity = _word(raw, "severity", Severity, dropped)
    count = _word(raw, "count", Findings, dropped)
    tags = _tags(raw.get("tags", ()), capability, dropped)
    return Sanitized(
        Outcome(status=status, severity=severity or UNSET, count=count or UNSET, tags=tags or UNSET), tuple(dropped)
    )


W = TypeVar("W", StepStatus, Severity, Findings)


def _word(raw: Mapping[object, object], key: str, vocabulary: type[W], dropped: list[str]) -> W | None:
    if key not in raw:
        return None
    value = raw[key]
    try:
        if type(value) is str:
            return member(vocabulary, value)
    except VocabularyError:
        pass
    dropped.append(f"{key}: not a word of {vocabulary.__name__}")
    return None


def _tags(values: object, capability: Capability, dropped: list[str]) -> tuple[OutcomeTag, ...]:
    if not isinstance(values, (list, tuple)):
        dropped.append("tags: not a list")
        return ()
    taken: list[OutcomeTag] = []
    for value in values[:64]:
        try:
            tag = member(OutcomeTag, value) if type(value) is str else None
        except VocabularyError:
            tag = None
        if tag is not None and tag in capability.tags:
            taken.append(tag)
        else:
            dropped.append("tags: one that this capability may not tell")
    kept = list(dict.fromkeys(taken))
    if len(kept) > MAX_OUTCOME_TAGS:
        dropped.append("tags: more than may pass")
    return canonical(kept[:MAX_OUTCOME_TAGS])
