"""Confirms hits of rules whose pattern describes the value itself."""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.redact.context import Context
from plantwin.private.redact.placeholders import entropy, placeholder
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.rules import Rule
from plantwin.private.redact.validators import VALIDATORS

LOWER = {"high": "medium", "medium": "low", "low": "low"}


def tokens(rule: Rule, pattern: re.Pattern[bytes]) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that looks for the rule's pattern around the end of a hit."""
    reach, tail = rule.reach, rule.tail
    group = "v" if "v" in pattern.groupindex else 0
    validate = VALIDATORS[rule.validator] if rule.validator else None
    least = rule.entropy
    secret = rule.group == "secret"
    files = re.compile(rule.files, re.I) if rule.files else None
    anchor = rule.anchor.encode()

    def anchored(data: bytes, place: int, limit: int) -> re.Match[bytes] | None:
        start = data.rfind(anchor, place, limit - tail)
        return pattern.match(data, start, limit) if start >= 0 else None

    find = anchored if anchor else pattern.search

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        if files is not None and not files.search(context.path):
            return [], len(data)
        place = max(after, end - reach)
        limit = end + tail
        found: list[Candidate] = []
        while match := find(data, place, limit):
            if match.start() > end:
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
            if secret and (context.test or (context.lock and rule.generic)):
                confidence = LOWER[confidence]
            found.append(Candidate(start, stop, rule.type, rule.group, confidence, rule.generic))
        return found, max(place, end) if found else end

    return confirm
