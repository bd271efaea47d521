"""Confirms hits of rules whose pattern describes the value itself."""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.redact.context import Context
from plantwin.private.redact.placeholders import entropy, patterned, placeholder, published
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.rules import Rule
from plantwin.private.redact.validators import VALIDATORS, dense

_ASSIGNED = re.compile(
    rb"(?i)(?:key|token|secret|pass(?:word)?|pat|auth)[\w\-]{0,16}[\"'\])]{0,3}[ \t]{0,8}(?:=>?|:=?)[ \t]{0,8}[\"'`]?\Z"
)
"""The end of what stands before a value that is assigned to a telling name."""
LOWER = {"high": "medium", "medium": "low", "low": "low"}
STRIDE = 4096
"""How far one search goes where hits crowd."""
CROWDED = 2
"""So many bytes searched for each byte of text: the windows of the hits overlap too much."""


def tokens(rule: Rule, pattern: re.Pattern[bytes]) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that looks for the rule's pattern around the end of a hit."""
    reach, tail = rule.reach, rule.tail
    group = "v" if "v" in pattern.groupindex else 0
    validate = VALIDATORS[rule.validator] if rule.validator else None
    least = rule.entropy
    secret = rule.group == "secret"
    files = re.compile(rule.files, re.I) if rule.files else None
    # A provider's name alone leaves a doubt; with a telling name and a value of its very shape none is left.
    beside = secret and bool(rule.keywords) and rule.confidence == "medium" and not rule.generic
    anchor = rule.anchor.encode()

    def anchored(data: bytes, place: int, limit: int) -> re.Match[bytes] | None:
        start = data.rfind(anchor, place, limit - tail)
        return pattern.match(data, start, limit) if start >= 0 else None

    find = anchored if anchor else pattern.search
    effort = [0, 0]
    """Where a stretch of text began, and how many bytes were searched for its hits."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        if files is not None and not files.search(context.path):
            return [], len(data)
        place = max(after, end - reach)
        last = end
        if not after or end - effort[0] > 4 * STRIDE:
            effort[:] = place, 0
        elif effort[1] > CROWDED * (end - effort[0]) + 2 * STRIDE and not anchor:
            # One search over all that the next hits would look at, one by one.
            last = end + STRIDE
        limit = last + tail
        effort[1] += end + tail - place
        found: list[Candidate] = []
        while match := find(data, place, limit):
            if match.start() > last:
                break
            start, stop = match.span(group)
            if start < 0:  # Another alternative than the one that marks its value.
                start, stop = match.span()
            place = max(stop, match.start() + 1)
            value = data[start:stop]
            if (least and entropy(value) < least) or (secret and placeholder(value, shape=rule.generic)):
                continue
            confidence: str = rule.confidence
            if validate is not None:
                verdict = validate(value)
                if not verdict:
                    continue
                if verdict is not True:
                    confidence = verdict
            if beside and confidence == "medium" and _settled(data, match.start(), start, value):
                confidence = "high"
            if secret and (context.test or (context.lock and rule.generic)):
                confidence = LOWER[confidence]
            if secret and confidence != "low" and published(value):
                confidence = "low"
            found.append(Candidate(start, stop, rule.type, rule.group, confidence, rule.generic))
        return found, max(place, last) if found else last

    return confirm


def _settled(data: bytes, first: int, start: int, value: bytes) -> bool:
    """Whether a value beside its provider's name is assigned to a telling name, and random beyond doubt."""
    return (
        (len(value) >= 20 or (len(value) >= 16 and dense(value) is True))
        and _ASSIGNED.search(data, max(first, start - 48), start) is not None
        and any(48 <= byte <= 57 for byte in value)
        and entropy(value) >= 3.2
        and not patterned(value)
    )
