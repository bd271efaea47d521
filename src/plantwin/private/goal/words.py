"""What becomes of one word of a goal: itself, where it is public; else a blank that tells only its sort."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from plantwin.lexicon import homonyms, lookalikes, subjects, terms, words


class Why(StrEnum):
    """Why a word became what it did; local, for the person."""

    WORD = "a word of the lexicon"
    FORM = "a form of a word of the lexicon"
    ADDED = "a word that you added"
    MARK = "a mark"
    REFERENCE = "names what is in the folder"
    HIDDEN = "names what is not shown"
    DETECTED = "detection found it"
    QUOTED = "quoted"
    SECRET = "follows a word for a secret"  # noqa: S105 - a reason
    ADDRESS = "an address"
    SPELLED = "a number in words"
    NAME = "may be a name"
    PATH = "a path, address or file name"
    NUMBER = "a number"
    DATE = "a date or time"
    VERSION = "a version"
    TERM = "not in the lexicon"
    SUBJECT = "of a sensitive subject"
    FOREIGN = "not plain ASCII"
    NOTHING = "says nothing"


class Became(NamedTuple):
    """What a word became, and why."""

    tokens: tuple[str, ...]
    why: Why


_FUNCTION: Final = """
a after all always an and any are as at be before both but by can cannot could do does each every for from had has have
how i if in into is it its me more most must my never no none not now of off on only or our out over per should so some
than that the their them then there these they this those to too under until up us was we were what when where which
while who why with within without would you your
"""
FUNCTION: Final = frozenset(_FUNCTION.split())
"""Words that carry a sentence: these pass in any case, and none of them is a part of a secret by itself."""

_ALIASES: Final = {
    "e.g": ("such", "as"), "i.e": ("that", "is"), "etc": ("and", "so", "on"), "vs": ("versus",), "c++": ("cpp",),
    "c#": ("csharp",), ".net": ("dotnet",), "node.js": ("nodejs",), "next.js": ("nextjs",), "&": ("and",),
    "and/or": ("and", "or"), "ci/cd": ("ci", "cd"), "read/write": ("read", "write"), "tcp/ip": ("tcp", "ip"),
    "input/output": ("input", "output"), "client/server": ("client", "server"), "can't": ("can", "not"),
    "won't": ("not",), "shan't": ("not",),
}  # fmt: skip
_DAYS: Final = """
january february march april may june july august september october november december monday tuesday wednesday thursday
friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
"""
_MONTHS: Final = frozenset(_DAYS.split())
_AMBIGUOUS: Final = frozenset(["march", "may", "august"])
"""Words of other meanings when they are written small."""
_FORMS: Final = (("ies", "y"), ("s", ""), ("es", ""), ("ing", "e"), ("ing", ""), ("ed", "e"), ("ed", ""), ("ly", ""))
_SHORTEST: Final = 3
"""Letters that are left of a form without its ending: of fewer, it is another word."""

_path = re.compile(r"[^/\\*@~]*[/\\*@~].*|(?:[\w-]+\.)+[A-Za-z]\w{0,7}|\.\w[\w.-]*", re.DOTALL)
_date = re.compile(
    r"\d{1,4}[-/]\d{1,2}[-/]\d{1,4}\S*|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}:\d{2}\S*|(?:19|20)\d\d(?:-?[qQ]\d|-\d\d?)?|[qQ][1-4]"
)
_version = re.compile(r"[vV]\d[\w.+-]*|\d+(?:\.\w+){2,}(?:[-+]\S*)?|[~^<>=]=?\d\S*")
_number = re.compile(r"[+-]?[$#]?\d[\d,._]*(?:%|[A-Za-z]{1,3})?")
_plain = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_tail = re.compile(r"(?i)(?:'s|(?<=s)')\Z")
_CONTRACTED: Final = {"'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}


@cache
def request_rows() -> tuple[str, ...]:
    """Words of requests, and short forms with what they mean."""
    return _rows("request_words.txt")


def _rows(name: str) -> tuple[str, ...]:
    lines = Path(__file__).with_name(name).read_text("ascii").splitlines()
    return tuple(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def spelling_rows() -> tuple[str, ...]:
    """What a misspelt word may stand for: words of requests, short forms, and other words that planners know."""
    return (*request_rows(), *_rows("spelling_words.txt"))


@cache
def request_words() -> frozenset[str]:
    """Words of requests."""
    return frozenset(word for word in request_rows() if "=" not in word)


def word(text: str, *, start: bool, added: frozenset[str] = frozenset()) -> Became:
    """What becomes of a word without spaces around it. `start`: whether a sentence begins with it."""
    if not text.isascii():  # first of all: some foreign letters are written small as plain ones
        return Became(("<name>" if text[0].isupper() else "<term>",), Why.FOREIGN)
    low = text.lower()
    if low in _ALIASES:
        return Became(_ALIASES[low], Why.WORD)
    if not any(map(str.isalnum, text)):
        return Became((), Why.NOTHING)
    if _date.fullmatch(text) or (low in _MONTHS and (text != low or low not in _AMBIGUOUS)):
        return Became(("<date>",), Why.DATE)
    if _version.fullmatch(text):
        return Became(("<version>",), Why.VERSION)
    if _number.fullmatch(text):
        return Became(("<number>",), Why.NUMBER)
    if _path.fullmatch(text):
        return Became(("<name>" if "@" in text else "<path>",), Why.PATH)
    if low.endswith("n't"):
        return _joined([*_parts(text[:-3]), "not"], start, added)
    for ending, written_out in _CONTRACTED.items():
        if low.endswith(ending):
            return _joined([*_parts(text[: -len(ending)]), written_out], start, added)
    return _joined(_parts(_tail.sub("", text)), start, added)


def _parts(text: str) -> list[str]:
    return [part for part in text.split("-") if part]


def _joined(parts: list[str], start: bool, added: frozenset[str]) -> Became:
    """Words that hyphens join: all of them pass, or none does."""
    became = [_plainly(part, start and not number, added) for number, part in enumerate(parts)]
    for each in became:
        if each.tokens[0].startswith("<"):
            return each
    return Became(tuple(token for each in became for token in each.tokens), became[0].why)


def _plainly(text: str, start: bool, added: frozenset[str]) -> Became:
    low = text.lower()
    if not _plain.fullmatch(text):
        return Became(("<term>",), Why.TERM)
    if _passes(text, low, start):
        return Became((low,), Why.WORD)
    if low in added:
        return Became((f"+{low}",), Why.ADDED)
    if low in subjects():
        return Became((f"<{subjects()[low]}>",), Why.SUBJECT)
    if text == low:
        # Waters, Wells and Jared are no forms of water, well and jar: half of a name is not to cross either.
        stem = None if low in lookalikes() else next((each for each in stems(low) if each not in homonyms()), None)
        return Became(("<term>",), Why.TERM) if stem is None else Became((stem,), Why.FORM)
    if text in (low.capitalize(), low.upper()):
        return Became(("<name>",), Why.NAME)
    return Became(("<term>",), Why.TERM)


def stems(low: str) -> Iterator[str]:
    """Words of the lexicon that a word may be a form of, the likeliest first."""
    for ending, instead in _FORMS:
        left = low.removesuffix(ending)
        if left != low and len(left) >= _SHORTEST and left + instead in words():
            yield left + instead


def _passes(text: str, low: str, start: bool) -> bool:
    """A capital makes a name of every word but those of technology, and those that may begin a sentence."""
    if low not in words():
        return False
    if text == low or low in terms() or low in FUNCTION:
        return True
    return start and text == low.capitalize() and low not in homonyms()
