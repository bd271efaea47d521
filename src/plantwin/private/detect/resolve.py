"""From overlapping candidates to findings: the best explanation of each span wins."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from plantwin.private.facts import Finding

_GROUPS = {"secret": 0, "personal": 1, "infrastructure": 2, "identifier": 3}
_CONFIDENCES = {"high": 0, "medium": 1, "low": 2}


class Candidate(NamedTuple):
    """A confirmed span before resolution."""

    start: int
    end: int
    type: str
    group: str
    confidence: str
    generic: bool = False
    """Whether only context and shape speak for it."""
    allowed: str = ""
    """Who allows it: see `allow.py`."""

    def __repr__(self) -> str:
        return f"<Candidate {self.type}>"


def rank(candidate: Candidate) -> tuple[int, bool, int, int, int, str]:
    """Lower is better: sure before unsure, known formats before shapes, then the graver group, then length."""
    group = _GROUPS[candidate.group]
    confidence = _CONFIDENCES[candidate.confidence]
    unsure = confidence == 2
    length = candidate.start - candidate.end
    if unsure and candidate.type != "basic_auth_url":  # What stands before an `@` there is never a mail address.
        return (2, candidate.generic, group, length, candidate.start, candidate.type)
    return (0 if group == 0 else 1, candidate.generic, confidence, length, candidate.start, candidate.type)


def resolve(candidates: list[Candidate]) -> list[Finding]:
    """Findings that do not overlap, sorted by place."""
    if not candidates:
        return []
    candidates.sort()
    findings: list[Finding] = []
    cluster: list[Candidate] = []
    reach = -1
    for each in candidates:
        if each.start >= reach and cluster:
            _settle(cluster, findings)
            cluster = []
        cluster.append(each)
        reach = max(reach, each.end)
    _settle(cluster, findings)
    return findings


def subordinate(findings: list[Finding], others: list[Candidate]) -> list[Finding]:
    """Findings with others added where they displace nothing but a secret that is no surer, or what weighs nothing."""
    ends = [each.end for each in findings]
    kept = []
    gone: set[int] = set()
    for each in resolve(others):
        first = bisect_right(ends, each.start)
        last = first
        while last < len(findings) and findings[last].start < each.end:
            last += 1
        if all(_outdone(findings[place], each) for place in range(first, last)):
            kept.append(each)
            gone.update(range(first, last))
    if not kept:
        return findings
    return sorted([*kept, *(each for place, each in enumerate(findings) if place not in gone)], key=_place)


def _outdone(old: Finding, new: Finding) -> bool:
    surer = _CONFIDENCES[new.confidence] <= _CONFIDENCES[old.confidence]
    if old.group == "secret":
        return new.group == "secret" and surer
    # What counts for no object's sensitivity may go when all of it is in something graver.
    idle = old.group == "identifier" or old.confidence == "low"
    whole = new.start <= old.start and old.end <= new.end
    return idle and whole and surer and _GROUPS[new.group] < _GROUPS[old.group]


def _place(found: Finding) -> int:
    return found.start


def _confirms(other: Candidate, kept: Candidate) -> bool:
    """Whether a name and a shape are surer of the same secret than its format alone: together they are as sure."""
    return (
        other.group == kept.group == "secret"
        and other.generic
        and _CONFIDENCES[other.confidence] < _CONFIDENCES[kept.confidence]
        and other.start <= kept.start + 1
        and kept.end <= other.end + 1
    )


def _settle(cluster: list[Candidate], findings: list[Finding]) -> None:
    """Pick from candidates that overlap in a chain: best first, then what still fits."""
    if len(cluster) == 1:
        start, end, type_, group, confidence, _, allowed = cluster[0]
        findings.append(Finding(type_, group, start, end, confidence, allowed))
        return
    starts: list[int] = []
    taken: list[Candidate] = []
    for each in sorted(cluster, key=rank):
        place = bisect_left(starts, each.end)
        # Those taken do not overlap, so only the last one that starts before this one's end can.
        if place == 0 or taken[place - 1].end <= each.start:
            starts.insert(place, each.start)
            taken.insert(place, each)
        elif _confirms(each, taken[place - 1]):
            taken[place - 1] = taken[place - 1]._replace(confidence=each.confidence)
    findings += [Finding(each.type, each.group, each.start, each.end, each.confidence, each.allowed) for each in taken]
