"""Secrets whose name and value stand in a form of their own: typed declarations, name and value pairs, blocks.

A rule gives the form; the pattern marks the name as `n` and the value as `v`. Name, shape and
entropy decide together, as for any other assignment.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.redact.assignment import judge
from plantwin.private.redact.context import Context
from plantwin.private.redact.names import naming
from plantwin.private.redact.placeholders import word
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.rules import Rule

_LEFT = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-$"
_QUOTES = b"\"'`"
_POINTER = re.compile(rb"@[\w:+]{1,20}/")
"""A resource by its name."""


def declared(
    rule: Rule, pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads name and value in the rule's form around a hit."""
    reach, tail = rule.reach, rule.tail

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        place, limit = max(after, end - reach), end + tail
        found: list[Candidate] = []
        while match := pattern.search(data, place, limit):
            if match.start() > end:
                break
            start, stop = match.span("v")
            place = max(stop, match.start() + 1)
            # The pattern starts at the telling part, which keeps it cheap; the name may begin before that.
            head = data[max(0, match.start("n") - 40) : match.start("n")]
            name = naming(head[len(head.rstrip(_LEFT)) :] + match["n"])
            quoted = data[start - 1] in _QUOTES or not context.code
            value = data[start:stop]
            judged = None if word(value) or _POINTER.match(value) else judge(name, value, b"=", quoted, context)
            if judged is not None:
                type_ = "password" if name.kind == "password" else rule.type
                found.append(Candidate(start, stop, type_, "secret", judged, True))
        return found, max(place, end) if found else end

    return confirm
