"""Π_out: of a capability's result, only closed words pass. Whatever else it holds is dropped and recorded."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from plantwin.types.capability import Capability
from plantwin.types.outcome import REFUSALS, Outcome
from plantwin.types.twin import canonical
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Affected, Examined, Findings, OutcomeTag, Severity, StepStatus

WORDS: Final[Mapping[str, type[StrEnum]]] = {
    "status": StepStatus, "severity": Severity, "count": Findings, "examined": Examined, "affected": Affected,
}  # fmt: skip
_KEYS: Final = {*WORDS, "tags"}


class Sanitized(NamedTuple):
    """An outcome, and codes of what was dropped. Codes name our own keys and never quote the result."""

    outcome: Outcome
    dropped: tuple[str, ...]


def sanitize(raw: object, capability: Capability) -> Sanitized:
    """The outcome of a raw result, each of its words checked on its own."""
    if not isinstance(raw, Mapping):
        return Sanitized(Outcome(status=StepStatus.FAILED), ("result: not a table",))
    dropped: list[str] = []
    if unexpected := raw.keys() - _KEYS:
        dropped.append(f"result: {len(unexpected)} unexpected keys")
    told: dict[str, Any] = {}
    for key, vocabulary in WORDS.items():
        if key in raw:
            if word := _word(raw[key], vocabulary):
                told[key] = word
            else:
                dropped.append(f"{key}: not a word of {vocabulary.__name__}")
    if told.get("status", StepStatus.REJECTED) in REFUSALS:
        # A capability reports on its own work; refusing is the gatekeeper's word.
        dropped.append("status: not that of a step that ran")
        told["status"] = StepStatus.FAILED
    if tags := _tags(raw.get("tags", ()), capability, dropped):
        told["tags"] = tags
    return Sanitized(Outcome(**told), tuple(dropped))


def _word(value: object, vocabulary: type[StrEnum]) -> Any:
    """The word, where the value is its very text."""
    return vocabulary._value2member_map_.get(value) if type(value) is str else None


def _tags(values: object, capability: Capability, dropped: list[str]) -> tuple[Any, ...]:
    if not isinstance(values, (list, tuple)):
        dropped.append("tags: not a list")
        return ()
    words = [_word(value, OutcomeTag) for value in values[:64]]
    dropped += ["tags: one that this capability may not tell" for word in words if word not in capability.tags]
    kept = [word for word in dict.fromkeys(words) if word in capability.tags]
    if len(kept) > MAX_OUTCOME_TAGS:
        dropped.append("tags: more than may pass")
    return canonical(kept[:MAX_OUTCOME_TAGS])
