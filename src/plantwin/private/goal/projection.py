"""`lexicon` mode: the sentence crosses word by word, and each word only if it is public.

    1. stretches that name objects become ids; stretches that detection or grammar finds become blanks
    2. of the rest each word passes, or becomes a blank that tells only its sort
    3. blanks of one sort that follow each other become one, and what is too long is cut

Total and deterministic. Which public words a person chooses, and in which order, is their own to say: no more is
claimed than that every token is public, a blank, an id, or a word that they added.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from plantwin.lexicon import homonyms
from plantwin.private.facts import private
from plantwin.private.goal.credentials import credential_words, secrets
from plantwin.private.goal.words import FUNCTION, Became, Why, word
from plantwin.types.goal import MARKS, joined


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


MAX_GOAL: Final = 4000
"""Characters of a goal that are looked at."""


@private
class Piece(NamedTuple):
    """A stretch of the goal, what became of it, and why. The stretch stays local."""

    start: int
    end: int
    tokens: tuple[str, ...]
    why: Why


_PLAIN: Final = str.maketrans("“”„«»‘’‚–—…\u00a0", '"""""\'\'\'--. ')
"""Marks of good typesetting, one for one."""
_TITLES: Final = frozenset(
    ["mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "inc", "ltd", "co", "corp", "gmbh", "llc"]
)
"""Words with a point that ends no sentence."""
_asking = re.compile(r"(?:Will|May) (?:the|this|that|these|those|it|we|they|our|my|there|any)\b")
"""Verbs that are names too, before a word that follows no name."""
_chunk = re.compile(r"\n|[^\s\[\](){}|<>\"`,;!?]+|[,;!?]")


def project(
    text: str, *, references: Sequence[Span] = (), found: Sequence[Span] = (), added: Collection[str] = ()
) -> tuple[Piece, ...]:
    """What becomes of each stretch. `references` and `found` are spans of the text; references go first."""
    text = text[:MAX_GOAL].translate(_PLAIN)
    own = frozenset(added)
    spans = _laid(text, (*clauses(_hidden(text, found)), *found, *references))
    pieces: list[Piece] = []
    start, place = True, 0
    for span in (*spans, Span(len(text), len(text), (), Why.NOTHING)):
        for match in _chunk.finditer(text, place, span.start):
            made, start = _read(match, start, own)
            pieces += made
        pieces.append(Piece(*span))
        start, place = False, span.end
    return tuple(pieces[:-1])


def tokens(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The tokens of all pieces, as they may stand in a goal."""
    return joined(token for piece in pieces for token in piece.tokens)


def unsecret(text: str, found: Sequence[Span] = ()) -> str:
    """The goal with spaces for its secrets: from the rest is read what is wanted, so that no secret decides it."""
    text = text[:MAX_GOAL]
    for span in (*clauses(_hidden(text.translate(_PLAIN), found)), *found):
        if span.instead == ("<secret>",):
            start, end = max(0, span.start), min(len(text), span.end)
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def _hidden(text: str, found: Sequence[Span]) -> str:
    """The text with other letters in what was found, so that these decide nothing; words for credentials stay."""
    letters = list(text)
    for span in found:
        first, last = max(0, span.start), min(len(text), span.end)
        if first < last:
            first, last = _widened(text, first, last)
            letters[first:last] = ["q" if letter.isalpha() else letter for letter in letters[first:last]]
    for start, end in credential_words(text):
        letters[start:end] = text[start:end]
    return "".join(letters)


def _laid(text: str, spans: Sequence[Span]) -> list[Span]:
    """Spans side by side, the later ones over the earlier; none ends within a word."""
    owner = [-1] * len(text)
    for number, span in enumerate(spans):
        first, last = max(0, span.start), min(len(text), span.end)
        if first < last:
            first, last = _widened(text, first, last)
            owner[first:last] = [number] * (last - first)
    found: list[Span] = []
    place = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or owner[index] != owner[place]:
            if owner[place] >= 0:
                span = spans[owner[place]]
                found.append(Span(place, index, span.instead, span.why))
            place = index
    return found


def _widened(text: str, first: int, last: int) -> tuple[int, int]:
    while first and _inside(text[first - 1]) and _inside(text[first]):
        first -= 1
    while last < len(text) and _inside(text[last - 1]) and _inside(text[last]):
        last += 1
    return first, last


def _inside(letter: str) -> bool:
    return letter == "_" or letter.isalnum() or not letter.isascii()


def _read(match: re.Match[str], start: bool, added: frozenset[str]) -> tuple[list[Piece], bool]:
    """What becomes of a word with the marks after it, and whether a sentence may begin then."""
    chunk, first, last = match[0], match.start(), match.end()
    if chunk == "\n":
        return [], True
    if chunk in MARKS:
        return [Piece(first, last, (chunk,), Why.MARK)], chunk in ".?!"
    core = chunk.rstrip(".:")
    tail = chunk[len(core) :]
    if start and _asking.match(match.string, first):
        core = core.lower()
    became = word(core.strip("'"), start=start, added=added) if core.strip("'*-") else Became((), Why.NOTHING)
    pieces = [Piece(first, first + len(core), *became)]
    if became.why is Why.NOTHING:
        return pieces, start
    if not tail or core.lower() in _TITLES:
        return pieces, False
    return [*pieces, Piece(first + len(core), last, (tail[0],), Why.MARK)], tail[0] == "."
