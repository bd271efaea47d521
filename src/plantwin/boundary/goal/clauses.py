"""Stretches of a goal that never cross as words, even where each word of them is public."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from plantwin.boundary.goal.words import FUNCTION, Why
from plantwin.lexicon import words


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
MOST: Final = 12
"""Words of a secret at most."""

# Bounded and without nesting, so that no text makes them slow.
_quoted = re.compile(
    r"```.{0,4000}?(?:```|\Z)|`[^`\n]{1,1000}`|\"[^\"\n]{1,1000}\"|(?<![\w'])'[^'\n]{1,1000}'(?!\w)", re.DOTALL
)
_numeral = rf"(?:{'|'.join(NUMERALS.split())})"
_numerals = re.compile(rf"(?i)\b{_numeral}\b(?:[ ,-]{{1,2}}(?:and )?\b{_numeral}\b)*")
_address = re.compile(
    r"\b\d{1,6}[a-zA-Z]?,? +(?:[\w.'-]{1,30} +){0,3}(?i:street|st|road|rd|avenue|ave|lane|ln|boulevard|blvd)\b"
    r"\.?(?:,? (?:[A-Z][\w'-]{0,30}|\d{4,6})){0,5}"
)
_secret = re.compile(
    r"(?i)\b(?:(?P<sure>pass ?(?:word|phrase|code)|passwd|pwd|pin(?: code)?)|secret|token|key|credentials?)\b"
    r"(?P<link> *(?:is|was|are|=|:|->) *)?"
)
_piece = re.compile(r"[^\s,;!?\n]+")
_clause = re.compile(r"[ \t]*[^,;!?\n]{0,400}")


def clauses(text: str) -> Iterator[Span]:
    """Quotations, addresses, numbers in words and what follows a word for a secret, in this order."""
    for match in _quoted.finditer(text):
        yield Span(*match.span(), ("<text>",), Why.QUOTED)
    for match in _address.finditer(text):
        yield Span(*match.span(), ("<text>",), Why.ADDRESS)
    for match in _numerals.finditer(text):
        if match[0].lower() not in _LONE:
            yield Span(*match.span(), ("<number>",), Why.SPELLED)
    for match in _secret.finditer(text):
        end = _secret_end(text, match)
        if end > match.end():
            yield Span(match.end(), end, ("<secret>",), Why.SECRET)


def _secret_end(text: str, match: re.Match[str]) -> int:
    """Where what may be a secret ends; where it would begin if nothing may be one.

    After "the password is" whatever follows may be one. After "the token is", or "password" alone, it takes a word
    that is not public, and for the latter three words that only a passphrase has side by side.
    """
    clause = _clause.match(text, match.end())
    stop = clause.end() if clause else match.end()
    found = list(_piece.finditer(text, match.end(), stop))[:MOST]
    if not match["link"]:
        count = next((number for number, each in enumerate(found) if each[0].lower() in FUNCTION), len(found))
        found = found[:count] if count >= 3 and match["sure"] else []
    if not found or (not (match["sure"] and match["link"]) and all(_public(each[0]) for each in found)):
        return match.end()
    return found[-1].end()


def _public(text: str) -> bool:
    return text.strip(".()").lower() in words()
