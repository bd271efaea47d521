"""Findings of several steps as one list: the same thing said twice stands once, with everyone who said it."""

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.private.capabilities.common.report import rank
from plantwin.private.capabilities.job import Finding, Input

_DETAIL = re.compile(r"\d+|\([^)]{0,80}\)|'[^']{0,80}'|\"[^\"]{0,80}\"")


class Merged(NamedTuple):
    """One thing found, and who found it."""

    finding: Finding
    steps: tuple[str, ...]
    said: tuple[str, ...]
    """Other words for it."""

    def __repr__(self) -> str:
        return "<Merged private>"


def merged(results: list[Input]) -> list[Merged]:
    """Findings of all results, the worst first; those of one sort on one line are one."""
    kept: dict[tuple[str, int, str, str], Merged] = {}
    for given in results:
        step = given.name
        for each in given.findings():
            key = (each.name, each.line, each.tag, "" if each.line else _gist(each.message))
            known = kept.get(key)
            if known is None:
                kept[key] = Merged(each, (step,), ())
                continue
            worse = rank(each.severity) > rank(known.finding.severity)
            best, other = (each, known.finding) if worse else (known.finding, each)
            if not best.hint and other.hint:
                best = Finding(
                    name=best.name, line=best.line, severity=best.severity, tag=best.tag, message=best.message,
                    hint=other.hint, evidence=best.evidence or other.evidence,
                )  # fmt: skip
            said = known.said if _gist(other.message) == _gist(best.message) else (*known.said, other.message)
            steps = known.steps if step in known.steps else (*known.steps, step)
            kept[key] = Merged(best, steps, tuple(dict.fromkeys(said))[:4])
    return sorted(
        kept.values(),
        key=lambda each: (-rank(each.finding.severity), -len(each.steps), each.finding.name, each.finding.line),
    )


def _gist(message: str) -> str:
    return " ".join(_DETAIL.sub("", message).lower().split())


class Advice(NamedTuple):
    """Something to do, and how often."""

    hint: str
    severity: str
    places: int
    first: str


def advice(found: list[Merged], most: int = 10) -> list[Advice]:
    """What to do next: each hint once, the gravest and most frequent first."""
    by_hint: dict[str, Advice] = {}
    for each in found:
        hint = each.finding.hint.strip()
        if not hint or hint.startswith("There: "):
            hint = f"Look at: {each.finding.tag.replace('_', ' ')}."
        known = by_hint.get(hint)
        place = f"{each.finding.name}:{each.finding.line}" if each.finding.line else each.finding.name
        if known is None:
            by_hint[hint] = Advice(hint, each.finding.severity, 1, place)
        else:
            by_hint[hint] = known._replace(places=known.places + 1)
    return sorted(by_hint.values(), key=lambda each: (-rank(each.severity), -each.places, each.hint))[:most]
