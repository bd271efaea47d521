"""What may stay: comments beside a finding, and lists in configuration. Allowed findings are marked, not forgotten.

Only the user's own configuration takes findings out of an object's sensitivity. A comment or a
configuration inside the observed folder is content like any other: it marks, and nothing more.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from fnmatch import translate
from hashlib import sha256
from typing import NamedTuple

from plantwin.private.facts import Finding, Private, private

COMMENT, FOLDER, USER = "comment", "folder", "user"
MARK = b"plantwin:"
REACH = 4096
"""A comment speaks for what is this near on its line: the same wherever input is cut."""

_COMMENT = re.compile(
    rb"(?P<open>#|//|--|;|/\*|<!--|\{#|\(\*|%|\*|'|!|\bREM\b|\brem\b|\bdnl\b)[ \t]{0,8}"
    rb"plantwin:[ \t]{0,4}allow(?![\w\-])(?:[ \t]{0,2}\[(?P<types>[a-z0-9_, ]{1,200})\])?(?=(?P<rest>[^\r\n]{0,400}))"
)
_CLOSE = re.compile(rb"\*/|-->|#\}|\*\)")


class Allowed(NamedTuple):
    """A stretch of text in which findings of some types are allowed."""

    start: int
    end: int
    types: frozenset[str]
    """Empty for all."""


@private
class Allowance(NamedTuple):
    """One row of an allow-list. Every part that is given must hold."""

    by: str
    type: str
    path: re.Pattern[str] | None
    digest: str


class Policy(Private):
    """The allow-lists and switched-off types of a configuration."""

    def __init__(self, allowances: Iterable[Allowance] = (), off: Iterable[tuple[str, str]] = ()) -> None:
        self._allowances = tuple(allowances)
        named = tuple(off)
        self._off = frozenset(type_ for by, type_ in named if by == USER)
        self._hushed = frozenset(type_ for by, type_ in named if by == FOLDER)

    def __bool__(self) -> bool:
        return bool(self._allowances or self._off or self._hushed)

    def applied(self, data: bytes, found: list[Candidate], path: str) -> list[Candidate]:
        """Candidates without the types that the user switched off, and with marks on what is allowed."""
        rows = [row for row in self._allowances if row.path is None or row.path.search(path)]
        out = []
        for finding in found:
            if finding.type in self._off:
                continue
            by = self._by(data, finding, rows)
            out.append(finding._replace(allowed=by) if by else finding)
        return out

    def off(self, type_: str) -> bool:
        """Whether the user switched a type off."""
        return type_ in self._off

    def of_column(self, type_: str, path: str) -> str:
        """Who allows a whole column of a type: a row that names one value does not."""
        by = FOLDER if type_ in self._hushed else ""
        for row in self._allowances:
            if row.digest or (row.type and row.type != type_) or (row.path is not None and not row.path.search(path)):
                continue
            by = USER if USER in (by, row.by) else FOLDER
        return by

    def _by(self, data: bytes, found: Candidate, rows: list[Allowance]) -> str:
        digest = ""
        by = FOLDER if found.type in self._hushed else ""
        for row in rows:
            if (row.type and row.type != found.type) or (row.by == FOLDER and by):
                continue
            if row.digest:
                digest = digest or sha256(data[found.start : found.end]).hexdigest()
                if digest != row.digest:
                    continue
            if row.by == USER:
                return USER
            by = FOLDER
        return by


def path_pattern(glob: str) -> re.Pattern[str]:
    """A glob as a pattern over paths: anchored with a leading slash, otherwise at any folder."""
    text = translate(glob.lstrip("/"))
    return re.compile((r"\A/?" if glob.startswith("/") else r"(?:\A|/)") + text)


def commented(data: bytes, found: list[Candidate]) -> list[Candidate]:
    """Candidates with a mark where a comment on the line, or alone on the line before, allows them."""
    spans = _spans(data)
    if not spans:
        return found
    starts = [span.start for span in spans]
    return [
        finding if finding.allowed else finding._replace(allowed=_told(spans, starts, finding)) for finding in found
    ]


def _told(spans: list[Allowed], starts: list[int], found: Candidate) -> str:
    # Lines do not nest: the last two that start before a place can hold it (a comment's own line and the next).
    for place in (found.start, found.end - 1):
        index = bisect_right(starts, place)
        for span in spans[max(0, index - 2) : index]:
            if place < span.end and (not span.types or found.type in span.types):
                return COMMENT
    return ""


def _spans(data: bytes) -> list[Allowed]:
    spans: list[Allowed] = []
    for match in _COMMENT.finditer(data):
        line = data.rfind(b"\n", max(0, match.start() - REACH), match.start()) + 1 or max(0, match.start() - REACH)
        close = _CLOSE.search(match["rest"])
        alone = not data[line : match.start()].strip() and not (close and match["rest"][close.end() :].strip())
        first = line
        if alone:
            first = data.find(b"\n", match.end(), match.end() + REACH) + 1
            if not first:
                continue
        last = data.find(b"\n", max(first, match.end()), max(first, match.end()) + REACH)
        if last < 0:
            last = min(len(data), max(first, match.end()) + REACH)
        types = (match["types"] or b"").decode().replace(",", " ").split()
        same = spans[-1] if spans and spans[-1].start == first else None
        if same is None:
            spans.append(Allowed(first, last, frozenset(types)))
        else:
            both = same.types | frozenset(types) if same.types and types else frozenset()
            spans[-1] = Allowed(first, max(last, same.end), both)
    return sorted(spans, key=lambda span: span.start)


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
    for candidate in candidates:
        if candidate.start >= reach and cluster:
            _settle(cluster, findings)
            cluster = []
        cluster.append(candidate)
        reach = max(reach, candidate.end)
    _settle(cluster, findings)
    return findings


def subordinate(findings: list[Finding], others: list[Candidate]) -> list[Finding]:
    """Findings with others added where they displace nothing but a secret that is no surer, or what weighs nothing."""
    ends = [finding.end for finding in findings]
    kept = []
    gone: set[int] = set()
    for span in resolve(others):
        first = bisect_right(ends, span.start)
        last = first
        while last < len(findings) and findings[last].start < span.end:
            last += 1
        if all(_outdone(findings[place], span) for place in range(first, last)):
            kept.append(span)
            gone.update(range(first, last))
    if not kept:
        return findings
    return sorted([*kept, *(finding for place, finding in enumerate(findings) if place not in gone)], key=_place)


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
    for span in sorted(cluster, key=rank):
        place = bisect_left(starts, span.end)
        # Those taken do not overlap, so only the last one that starts before this one's end can.
        if place == 0 or taken[place - 1].end <= span.start:
            starts.insert(place, span.start)
            taken.insert(place, span)
        elif _confirms(span, taken[place - 1]):
            taken[place - 1] = taken[place - 1]._replace(confidence=span.confidence)
    findings += [
        Finding(
            candidate.type, candidate.group, candidate.start, candidate.end, candidate.confidence, candidate.allowed
        )
        for candidate in taken
    ]
