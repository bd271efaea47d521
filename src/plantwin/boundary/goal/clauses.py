"""Stretches of a goal that never cross as words, even where each word of them is public."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plantwin.boundary.goal.words import FUNCTION, Why
from plantwin.lexicon import homonyms, words


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
_url = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"]*[^\s<>\".,;:!?)\]]")
_numeral = rf"(?:{'|'.join(NUMERALS.split())})"
_numerals = re.compile(rf"(?i)\b{_numeral}\b(?:[ ,-]{{1,2}}(?:and )?\b{_numeral}\b)*")
_address = re.compile(
    r"\b\d{1,6}[a-zA-Z]?,? +(?:[\w.'-]{1,30} +){0,3}(?i:street|st|road|rd|avenue|ave|lane|ln|boulevard|blvd)\b"
    r"\.?(?:,? (?:[A-Z][\w'-]{0,30}|\d{4,6})){0,5}"
)
_secret = re.compile(
    r"(?i)\b(?:(?P<sure>pass[ -]?(?:word|phrase|code|key)s?|passwds?|pwds?|pins?(?: codes?)?"
    r"|(?:secret|access|security) (?:word|phrase|code|answer)s?)|secrets?|tokens?|keys?|credentials?)\b"
    r"(?P<link>(?:,? (?:which|that))? *(?:(?:is|was|are|were|be|equals?|reads?)\b|=|:|->|\()[ \t]*\n?)?"
)
_titled = re.compile(r"(?i)\b(?P<title>mr|mrs|mx|ms|dr|prof)\b\.? +(?P<name>[a-z][a-z'-]*)")
_setting = re.compile(r"(?i)\b(?:chang|set|reset|updat|switch|rotat)\w*(?: [\w'-]{1,30}){0,4} \Z")
_piece = re.compile(r"[^\s,;!?\n]+")
_clause = re.compile(r"[ \t]*[^,;!?\n]{0,400}")

LINKS: Final = frozenset(["is", "was", "are", "were", "be", "equals", "=", ":", "->"])
"""Words between a word for a secret and the secret."""
BELONGING: Final = frozenset(["for", "of", "to", "on", "at", "in", "from", "with", "should", "must", "will", "shall"])
"""Words that may stand between the two, with what they belong to."""
FAR: Final = 8
"""Words after a word for a secret among which the link is looked for."""
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
    for match in _secret.finditer(text):
        start, end = _secret_in(text, match)
        if end > start:
            yield Span(start, end, ("<secret>",), Why.SECRET)


def _secret_in(text: str, match: re.Match[str]) -> tuple[int, int]:
    """Where what may be a secret begins and ends; the same place twice if nothing may be one.

    After "the password is", "the password for it is" or "set the password to" whatever follows may be one. After "the
    token is", or "password" alone, it takes a word that is not public, and for the latter three words that only a
    passphrase has side by side.
    """
    clause = _clause.match(text, match.end())
    stop = clause.end() if clause else match.end()
    found = list(_piece.finditer(text, match.end(), stop))[: MOST + FAR]
    linked = bool(match["link"])
    if match["sure"] and not linked and (after := _linked(text[max(0, match.start() - 200) : match.start()], found)):
        found, linked = found[after:], True
    found = found[:MOST]
    if not linked:
        count = next((number for number, each in enumerate(found) if each[0].lower() in FUNCTION), len(found))
        found = found[:count] if count >= 3 and match["sure"] else []
    if not found or (not (match["sure"] and linked) and all(_public(each[0]) for each in found)):
        return match.end(), match.end()
    return found[0].start(), found[-1].end()


def _linked(before: str, after: Sequence[re.Match[str]]) -> int:
    """How many words after a word for a secret lead to it; none where they lead nowhere."""
    words = [each[0].lower() for each in after[:FAR]]
    if words[:1] == ["to"] and _setting.search(before) and not FUNCTION & set(words[1:2]):
        return 1
    if not BELONGING & set(words[:1]):
        return 0
    return next((place for place, word in enumerate(words, start=1) if word in LINKS or word.endswith((":", "="))), 0)


def _public(text: str) -> bool:
    return text.strip(".()").lower() in words()
