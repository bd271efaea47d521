"""Random values beside the name of a service: the value is judged first, then the name is looked for."""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.redact.context import Context
from plantwin.private.redact.placeholders import entropy, placeholder
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.rules import Rule
from plantwin.private.redact.tokens import LOWER
from plantwin.private.redact.validators import dense, service

_VALUE = re.compile(rb"(?<![A-Za-z0-9_.\-+/=%])[A-Za-z0-9_.\-+/=%]{16,512}")
_PREFIX = re.compile(rb"[A-Za-z_.\-]{2,24}=")
_BETWEEN = re.compile(rb"[\w\s.\-=:\"'>(,|/\[\]+%]{0,96}")
"""What may stand between the name and the end of the value's beginning."""
_RUN = re.compile(rb"[A-Za-z0-9_.\-+/=%]{16}")
_SHORT = re.compile(rb"[\w.\- ]{0,24}[\"']?[ \t]{0,2}[=:][ \t]{0,2}[\"']?(?P<v>[A-Za-z0-9]{10,15})(?![A-Za-z0-9_.\-/])")
_TOLD = re.compile(rb"(?i)secret|key|token|access|private|auth|pass")
_LONGEST = 24
"""No name is longer."""


def services(
    rule: Rule, _pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that judges the values after the end of a name."""
    type_, group, least = rule.type, rule.group, rule.entropy
    names = re.compile(rb"(?i)(?<![a-z])(?:" + "|".join(rule.keywords).encode() + rb")\Z")

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        limit = _BETWEEN.match(data, end).end()  # type: ignore[union-attr]
        if limit - end < 11 or context.lock:
            return [], end
        begin = max(after, end - _LONGEST)
        if _RUN.search(data, begin, limit) is None:
            short = None if context.code else _SHORT.match(data, end, limit + 1)
            if short is None or not dense(short["v"]) or placeholder(short["v"]):
                return [], end
            return [Candidate(*short.span("v"), type_, group, "low", True)], short.end()
        for match in _VALUE.finditer(data, begin, limit + 512):
            if match.start() >= limit:
                break
            if match.end() <= end:
                continue
            span = _judged(data, *match.span(), least)
            if span is None and not context.code and _solid(match[0]) and _TOLD.search(data, end, match.start()):
                span = (*match.span(), "low")
            if span is None:
                continue
            if not names.search(data, max(0, end - _LONGEST), end):
                return [], end  # The end of a longer word.
            start, stop, verdict = span
            confidence = rule.confidence if verdict is True else str(verdict)
            if context.test or context.code:
                confidence = LOWER[confidence]
            return [Candidate(start, stop, type_, group, confidence, True)], match.end()
        return [], end

    return confirm


def _solid(value: bytes) -> bool:
    """One unbroken run, longer than words are, that is no filler."""
    return 20 <= len(value) <= 160 and value.isalnum() and not value.isdigit() and len(set(value)) > 8


def _judged(data: bytes, start: int, stop: int, least: float) -> tuple[int, int, bool | str] | None:
    """The part of a run that is a key, if any, and how sure that is."""
    # `name=value` is one run of these characters when nothing is quoted.
    prefix = _PREFIX.match(data, start, stop)
    if prefix is not None and stop - prefix.end() >= 16:
        start = prefix.end()
    value = data[start:stop].rstrip(b".")
    if value.count(b"/") > 1:  # An address: the key is its longest part.
        value = max(value.split(b"/"), key=len)
        start = data.index(value, start)
    if not 16 <= len(value) <= 160 or entropy(value) < least or placeholder(value):
        return None
    verdict = service(value)
    return (start, start + len(value), verdict) if verdict else None
