"""Stretches of a goal that never cross as words, even where each word of them is public."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from plantwin.lexicon import homonyms
from plantwin.private.goal.credentials import secrets
from plantwin.private.goal.words import FUNCTION, Why


class Span(NamedTuple):
    """A stretch of the goal, in characters, and what stands for it: a blank, or ids of the objects that it names."""

    start: int
    end: int
    instead: tuple[str, ...]
    why: Why


NUMERALS: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion oh double
triple point
"""
_LONE: Final = frozenset(["one", "two", "three", "oh", "double", "triple", "point"])
"""By themselves these count few things, or nothing."""

# Bounded and without nesting, so that no text makes them slow.
_quoted = re.compile(
    r"```.{0,4000}?(?:```|\Z)|`[^`\n]{1,1000}`|\"[^\"\n]{1,1000}\"|(?<![\w'])'[^'\n]{1,1000}'(?!\w)", re.DOTALL
)
_url = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"]*[^\s<>\".,;:!?)\]]")
_numeral = rf"(?:{'|'.join(NUMERALS.split())})"
_numerals = re.compile(rf"(?i)\b{_numeral}\b(?:[ ,-]{{1,2}}(?:and )?\b{_numeral}\b)*")
_address = re.compile(
    r"\b\d{1,6}[a-zA-Z]?,? +(?:[\w.'-]{1,30} +){0,3}(?i:street|st|road|rd|avenue|ave|lane|ln|boulevard|blvd)\b"
    r"\.?(?:,? (?:[A-Z][\w'-]{0,30}|\d{4,6})){0,5}"
)
_titled = re.compile(r"(?i)\b(?P<title>mr|mrs|mx|ms|dr|prof)\b\.? +(?P<name>[a-z][a-z'-]*)")

SHORT: Final = frozenset(["ms", "dr"])
"""Titles that are short for something else as often: what follows is a name only if somebody bears it."""


def clauses(text: str) -> Iterator[Span]:
    """Quotations, links, addresses, numbers in words, names with a title, what follows a word for a secret."""
    for match in _quoted.finditer(text):
        yield Span(*match.span(), ("<text>",), Why.QUOTED)
    for match in _url.finditer(text):
        yield Span(*match.span(), ("<path>",), Why.PATH)
    for match in _address.finditer(text):
        yield Span(*match.span(), ("<text>",), Why.ADDRESS)
    for match in _numerals.finditer(text):
        if match[0].lower() not in _LONE:
            yield Span(*match.span(), ("<number>",), Why.SPELLED)
    for match in _titled.finditer(text):
        name = match["name"].lower()
        if name in homonyms() if match["title"].lower() in SHORT else name not in FUNCTION:
            yield Span(*match.span(), ("<name>",), Why.NAME)
    for stretch in secrets(text):
        yield Span(*stretch, ("<secret>",), Why.SECRET)
