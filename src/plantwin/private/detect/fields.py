"""Values in named fields: secrets declared in forms of their own, and personal data under a key that names it.

The pattern of a declaration's rule marks the name as `n` and the value as `v`. Name, shape and
entropy decide together, as for any other assignment.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.detect.assignment import judge
from plantwin.private.detect.context import Context
from plantwin.private.detect.names import naming, placeholder, reference, word
from plantwin.private.detect.resolve import Candidate
from plantwin.private.detect.rules import Rule

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


KEYS: tuple[tuple[str, str, bytes], ...] = (
    ("date_of_birth", "high", rb"dob|birth_?date|date_?of_?birth|birth_?day|born"),
    ("us_ssn", "high", rb"ssn|social_?security(?:_?(?:no|number))?"),
    ("diagnosis", "medium", rb"diagnosis|blood_?type|allerg(?:y|ies)|medications?|condition"),
    ("person_attribute", "medium", rb"gender|ethnicity|religion|nationality|marital_?status|salary|income"),
    (
        "postal_address",
        "medium",
        rb"street|address|address_?(?:line)?_?[12]?|home_?address|(?:billing|shipping|mailing)_?address|zip|zip_?code"
        rb"|post(?:al)?_?code",
    ),
    ("location", "low", rb"city|town"),
    (
        "person_name",
        "medium",
        rb"(?:first|last|full|given|family|middle|sur|fore|maiden|customer|patient|employee|contact|person|nick"
        rb"|holder|cardholder|billing|shipping|recipient|sender|owner|guest|candidate|student|mother|father"
        rb"|spouse)[_ \-]?name|name",
    ),
)
_KEY = re.compile(
    rb"(?i)"
    rb"(?<![\w.])(?:" + b"|".join(b"(?P<k%d>%s)" % (place, words) for place, (_, _, words) in enumerate(KEYS)) + rb")"
    rb"[\"'>\\]{0,3}[ \t]{0,4}(?:=>|[=:>])[ \t]{0,4}(?P<q>\\?[\"']|)"
)
_QUOTED = re.compile(rb"[^\"'\\\n<>{}$]{1,120}")
_BARE = re.compile(rb"[^\"'\\\n<>{}$;,|\t()\[\]]{1,80}")
_NAME = re.compile(
    rb"(?:[A-Z\xc3-\xd0][\w.'\x80-\xf4\-]{0,24}|[a-z]{2,3})(?:[ ,]{1,2}"
    rb"(?:[A-Z\xc3-\xd0][\w.'\x80-\xf4\-]{0,24}|(?:van|von|de|der|den|la|bin|al|di|da|dos|y|e)\b)){0,4}"
)
_ADDRESS = re.compile(rb"(?=.{0,80}\d).{4,120}", re.S)
_DATE = re.compile(
    rb"(?:\d{1,4}[\-/. ](?:\d{1,2}|[A-Za-z]{3,9})[\-/. ]\d{1,4}|[A-Z][a-z]{2,8} \d{1,2},? \d{4}"
    rb"|\d{8})\b"
)
_WORDS = re.compile(rb"[\w\x80-\xff .,'/+\-]{1,60}")
_SHAPES = {
    "person_name": _NAME,
    "postal_address": _ADDRESS,
    "date_of_birth": _DATE,
    "us_ssn": re.compile(rb"\d{3}-?\d{2}-?\d{4}"),
}


def fields(
    _rule: Rule, _pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads key and value around a hit."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        place = max(after, end - 56)
        found: list[Candidate] = []
        while match := _KEY.search(data, place, end):
            place = match.end()
            start = place
            value = (_QUOTED if match["q"] else _BARE).match(data, start, start + 120)
            if value is None or (context.code and not match["q"]):
                continue
            number = int((match.lastgroup or "k0")[1:]) if match.lastgroup != "q" else _which(match)
            type_, confidence, _ = KEYS[number]
            stop = _fit(type_, value[0].rstrip(), match[0])
            if stop:
                bare = match[number + 1].lower() == b"name"
                sure = "low" if context.code or (bare and not context.prose) else confidence
                found.append(Candidate(start, start + stop, type_, "personal", sure))
                place = start + stop
        return found, max(place, end)

    return confirm


def _which(match: re.Match[bytes]) -> int:
    return next(place for place in range(len(KEYS)) if match[f"k{place}"] is not None)


def _fit(type_: str, value: bytes, key: bytes) -> int:
    """How much of the value fits its key; 0 when it is something else."""
    if len(value) < 2 or word(value):
        return 0
    shape = _SHAPES.get(type_)
    match = (shape or _WORDS).match(value)
    # The shape is the cheapest to tell, and most values fail it.
    if match is None or ((shape is None or type_ == "person_name") and match.end() != len(value)):
        return 0
    if type_ == "person_name" and (
        re.search(rb"\d|_", value) or (b" " not in value and re.search(rb"[a-z][A-Z]", value))
    ):
        return 0
    return 0 if placeholder(value, shape=False) or reference(value) else match.end()
