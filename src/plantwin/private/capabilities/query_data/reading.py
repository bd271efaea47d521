"""The words of a question about data: what is to be computed, and words that must be columns, values or tables."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, partial
from typing import NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats.lexicon import beside
from plantwin.private.selection.words import stem

TABLES = beside(__file__, "words.toml")
LONGEST = 600
"""Characters of a question that are read."""
WORD, OPERATION, MARKER, UNIT, NUMBER, MOMENT, QUOTED = (
    "word", "operation", "marker", "unit", "number", "moment", "quoted",
)  # fmt: skip
LIGHT = frozenset(TABLES["light"]["words"].split())
LOG_LIGHT = frozenset(TABLES["light"]["log"].split())
VALUED = frozenset(TABLES["light"]["value"].split())
MONTHS = {name: int(number) for number, names in TABLES["months"].items() for name in names.split()}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?:,? (?:of |de |del )?(?P<year>(?:19|20|21)\d\d))"
_DATED = tuple(
    re.compile(rf"(?:{text})(?![\w/:-]|\.\w)")
    for text in (
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)? (?:of |de )?(?P<month>{_MONTH})\.?{_YEAR}?",
        rf"(?P<month>{_MONTH})\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_YEAR}?",
        rf"(?P<month>{_MONTH})\.?{_YEAR}",
    )
)
"""Dates in words: `4 March 2025`, `march 4`, `March 2025`."""
_PIECES = re.compile(r"[^\W\d_]+|\d+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TOKEN = re.compile(
    r"\"(?P<q1>[^\"\n]{1,200})\"|“(?P<q2>[^”\n]{1,200})”|`(?P<q3>[^`\n]{1,200})`|(?<!\w)'(?P<q4>[^'\n]{1,200})'(?!\w)"
    r"|(?P<moment>\b\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?)?\b)"
    r"|(?P<number>(?<![\w.])[-+]?[$€£]?\d[\d,]*(?:\.\d+)?(?![\w]|\.\w))"
    r"|(?P<path>(?<![\w/])/\w(?:[\w./%~-]*\w)?)"
    r"|(?P<word>[^\W_](?:[\w'’&+-]|[./#](?=\w))*)"
    r"|(?P<sign>[<>]=?)"
)


_PARTS = re.compile(r"(?i)(?:,? (?:and|und|et|y)|[?;.]) +(?:also )?(?=(?:how|what|what's|which|who|when|where|why)\b)")


@private
class Token(NamedTuple):
    """One word or phrase of a question."""

    kind: str
    text: str
    """Small letters without accents; of an operation, marker or unit its name."""
    raw: str
    number: float = 0.0


@private
class Question(NamedTuple):
    """A question as it is understood before any table is looked at."""

    tokens: tuple[Token, ...]
    about: str
    """A question about a table as a whole, such as `missing`; else empty."""
    most: int
    """How many are asked for: the `10` of `top 10`; zero where it does not say."""


def folded(text: str) -> str:
    """Return small letters without accents."""
    text = text.replace("’", "'").replace("ß", "ss").casefold()
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))


@cache
def pieces(name: str) -> tuple[str, ...]:
    """Return the words of a name such as `order_id`, `orderId` or `Order ID`."""
    found = (folded(piece) for piece in _PIECES.findall(_HUMPS.sub(" ", name)))
    return tuple("id" if piece == "ids" else piece for piece in found)


@cache
def forms(word: str) -> frozenset[str]:
    """Return the stem of a word and the names of its meanings."""
    found = {stem(word)}
    for name, words in TABLES["same"].items():
        if word in words.split() or stem(word) in map(stem, words.split()):
            found.add(f"={name}")
    return frozenset(found)


@cache
def _rows(section: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"(?<![\w.])(?:{text})(?![\w]|\.\w)")) for name, text in TABLES[section].items())


def read(request: str, own: frozenset[str] = frozenset()) -> Question:
    """Read a question. `own`: words of the columns, which mean these: `monthly` beside a `monthly_amount`."""
    text = " ".join(request.replace("’", "'").split())[:LONGEST]
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    # Quotations keep their letters; the rest is read in small ones.
    plain = re.sub(r"\"[^\"]{1,200}\"|“[^”]{1,200}”|`[^`]{1,200}`|(?<!\w)'[^']{1,200}'(?!\w)", keep, text)
    for expression, instead in TABLES["instead"].items():
        plain = re.sub(rf"(?i)\b(?:{expression})\b", partial(_said, instead, own), plain)
    low = folded(plain)
    about = next((name for name, pattern in _rows("about") if pattern.search(low)), "")
    plain = re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], plain)
    tokens, most = _tokens(plain)
    return Question(tuple(tokens), about, most)


def _said(instead: str, own: frozenset[str], match: re.Match[str]) -> str:
    return match[0] if folded(match[0]) in own else match.expand(instead)


def parts(request: str) -> list[str]:
    """Return the questions that are joined in one: `how many …, and what …`."""
    return [part.strip(" ?.;") for part in _PARTS.split(" ".join(request.split())[:LONGEST]) if part.strip(" ?.;")]


def _tokens(text: str) -> tuple[list[Token], int]:
    made: list[Token] = []
    most, at = 0, 0
    low = folded(text)
    same = len(low) == len(text)
    while at < len(text):
        if same and (date := _date(low, at)) is not None:
            made.append(Token(MOMENT, date[0], text[at : date[1]]))
            at = date[1]
            continue
        if same and (found := _phrase(low, at)) is not None:
            kind, name, end = found
            digits = re.search(r"\d+", low[at:end])
            most = int(digits[0][:6]) if name == "most" and digits else most
            made.append(Token(kind, name, text[at:end]))
            at = end
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            at += 1
            continue
        made.append(_token(match))
        at = match.end()
    return made, most


def _date(low: str, at: int) -> tuple[str, int] | None:
    """Return the date in words that begins here, as `2025-03-04`, `2025-03` or, of any year, `-03-04`; and its end."""
    if at and (low[at - 1].isalnum() or low[at - 1] in "_.'-/$€£"):
        return None
    for pattern in _DATED:
        if (match := pattern.match(low, at)) is not None:
            part = match.groupdict()
            day = f"-{int(part['day']):02}" if part.get("day") else ""
            return f"{part['year'] or ''}-{MONTHS[part['month']]:02}{day}", match.end()
    return None


def _phrase(low: str, at: int) -> tuple[str, str, int] | None:
    """Return the longest phrase of the tables that begins here."""
    if at and (low[at - 1].isalnum() or low[at - 1] in "_.'"):
        return None
    best: tuple[str, str, int] | None = None
    for kind, section in ((OPERATION, "operation"), (MARKER, "marker"), (UNIT, "unit")):
        for name, pattern in _rows(section):
            match = pattern.match(low, at)
            if match is not None and low[match.end() : match.end() + 1] != "_" and (not best or match.end() > best[2]):
                best = kind, name, match.end()
    return best


def _token(match: re.Match[str]) -> Token:
    raw = match[0]
    if match["moment"]:
        return Token(MOMENT, raw, raw)
    if match["number"]:
        digits = re.sub(r"[,$€£]", "", raw)
        return Token(NUMBER, digits, raw, float(digits))
    quoted = next((match[name] for name in ("q1", "q2", "q3", "q4") if match[name]), None)
    if quoted is not None or match["path"]:
        return Token(QUOTED, folded(quoted or raw), quoted or raw)
    return Token(WORD, folded(raw).removesuffix("'s"), raw)
