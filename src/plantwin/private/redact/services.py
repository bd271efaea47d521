"""Random values beside the name of a service: the value is judged first, then the name is looked for."""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.redact.context import Context
from plantwin.private.redact.placeholders import entropy, placeholder
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.rules import Rule
from plantwin.private.redact.tokens import LOWER
from plantwin.private.redact.validators import service

_VALUE = re.compile(rb"(?<![A-Za-z0-9_.\-+/=%])[A-Za-z0-9_.\-+/=%]{16,512}")
_PREFIX = re.compile(rb"[A-Za-z_.\-]{2,24}=")


def services(
    rule: Rule, _pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that judges the value around the end of a hit."""
    names = re.compile(rb"(?i)(?<![a-z])(?:" + "|".join(rule.keywords).encode() + rb")")

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        match = _VALUE.search(data, max(after, end - 160), end + 500)
        while match is not None and match.end() < end:
            match = _VALUE.search(data, match.end(), end + 500)
        if match is None or match.start() >= end:
            return [], end
        start, stop = match.span()
        # `name=value` is one run of these characters when nothing is quoted.
        prefix = _PREFIX.match(data, start, stop)
        if prefix is not None and stop - prefix.end() >= 16:
            start = prefix.end()
        value = data[start:stop].rstrip(b".")
        if value.count(b"/") > 1:  # An address: the key is its longest part.
            value = max(value.split(b"/"), key=len)
            start = data.index(value, start)
        stop = start + len(value)
        verdict = (
            16 <= len(value) <= 160 and entropy(value) >= rule.entropy and not placeholder(value) and service(value)
        )
        if not verdict or context.lock or not names.search(data, max(0, start - 96), start + 24):
            return [], match.end()
        confidence = rule.confidence if verdict is True else str(verdict)
        if context.test or context.code:
            confidence = LOWER[confidence]
        return [Candidate(start, stop, rule.type, rule.group, confidence, True)], match.end()

    return confirm
