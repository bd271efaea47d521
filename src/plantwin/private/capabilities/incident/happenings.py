"""What happened and when, from a log, a document or an earlier result, in one form."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from plantwin.private.capabilities.incident.reading import Log
from plantwin.private.capabilities.incident.signs import ADMITTED, CHANGES, CRASH, RECOVERY, REFUSED, RESTART, attack
from plantwin.private.capabilities.job import Input
from plantwin.private.facts import Private

MOST = 400
"""Happenings of one source."""
AGAIN = 60.0
"""The same thing within so many seconds is told once."""
Veiled = Callable[[str], str]


class Happening(Private, msgspec.Struct):
    """One thing that happened."""

    time: float
    source: str
    line: int
    kind: str
    """A sign of `signs`, a level from warning upwards, attack, or note."""
    text: str
    count: int = 1
    until: float = -1.0
    """When it happened last, where it happened more than once."""

    def stated(self) -> dict[str, object]:
        """As a result hands it on to a later step."""
        return msgspec.structs.asdict(self)


WEIGHT = {
    "critical": 6, "crash": 6, "rollback": 6, "deploy": 5, "attack": 5, "error": 4, "config": 4, "migration": 4,
    "recovery": 3, "restart": 3, "note": 3, "slow": 2, "warning": 1, "refused": 1,
}  # fmt: skip
"""What is kept first where there is too much."""
_TOLD = CHANGES | {CRASH, RESTART, RECOVERY, REFUSED}


def happenings(log: Log, veil: Veiled) -> list[Happening]:
    """What a log tells that matters: changes, starts, crashes, errors; repetitions joined."""
    open_: dict[tuple[int, str], Happening] = {}
    found: list[Happening] = []
    for entry, template in zip(log.entries, log.kinds, strict=True):
        if not entry.timed:
            continue
        kind = _kind(entry.level, template.sign)
        if entry.path and 200 <= entry.status < 300 and attack(entry.path):
            kind = "attack"
        elif entry.status in (401, 403) and not kind:
            kind = REFUSED
        if not kind:
            continue
        key = template.number, kind
        before = open_.get(key)
        if before is not None and 0 <= entry.time - max(before.time, before.until) <= AGAIN:
            before.count += 1
            before.until = entry.time
            continue
        if len(found) < MOST * 10:
            open_[key] = Happening(entry.time, log.label, entry.line, kind, entry.text)
            found.append(open_[key])
    kept = fewer(found, MOST)
    for each in kept:
        each.text = veil(each.text)
    return kept


def _kind(level: str, sign: str) -> str:
    if sign in CHANGES or sign == CRASH:
        return sign
    if level in ("critical", "error"):
        return level
    if sign in _TOLD:
        return sign
    return "warning" if level == "warning" and sign != ADMITTED else ""


def fewer(found: list[Happening], most: int) -> list[Happening]:
    """The most telling, in the order of time."""
    if len(found) > most:
        seen: dict[tuple[str, str], int] = {}
        ranked: list[tuple[float, int, Happening]] = []
        for number, each in enumerate(found):
            told = (each.kind, each.text[:24])
            seen[told] = seen.get(told, 0) + 1
            ranked.append((WEIGHT.get(each.kind, 0) - 0.5 * seen[told], -number, each))
        found = [each for _, _, each in sorted(ranked, key=lambda one: one[:2], reverse=True)[:most]]
    return sorted(found, key=lambda each: (each.time, each.source, each.line))


def of_result(given: Input) -> Iterator[Happening]:
    """What an earlier result says happened."""
    facts = (given.result or {}).get("facts")
    events = facts.get("events") if isinstance(facts, dict) else None
    for each in events[: MOST * 8] if isinstance(events, list) else ():
        try:
            yield msgspec.convert(each, Happening)
        except msgspec.ValidationError:
            continue
