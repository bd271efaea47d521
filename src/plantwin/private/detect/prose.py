"""People, organisations and addresses in text for people, from context and word lists: low confidence.

Every reading starts from something rare and cheap to find (a number, a capital, a telling word) and
looks at a few words around it, so that the whole stays linear.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from plantwin.private.detect.allow import Candidate
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

_LISTS: dict[str, str] = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def _words(name: str) -> frozenset[str]:
    text = _LISTS[name]
    parts = text.replace("\n", " ").split(",") if "," in text else text.split()
    return frozenset(part.strip() for part in parts if part.strip())


GIVEN = _words("given")
ORGANISATION = _words("organisation")
COMMON = _words("common")
PLACES = _words("places")
STREET = _words("street")
NAMING = _words("naming")
NAMING_PAIRS = _words("naming_pairs")
PLACING = _words("placing")
WORKING = _words("working")


LIMIT = 4_000
"""Candidates of one segment: a text with more is a list, and is found by its columns."""

Span = tuple[int, int, str]

_LETTER = r"[^\W\d_]"
_FIRST = r"[^\W\d_a-zß-öø-ÿ]"
_MORE = r"[\w'’\-]{0,30}"
_CAP = _FIRST + _MORE
_SEQUENCE = re.compile(
    rf"{_FIRST}(?<![\w@/.#\-]{_FIRST}){_MORE}(?:\.(?= {_CAP}))?"
    rf"(?:(?:,? (?:and|of|&|van|von|de|der|den|la|le|da|dos|di|del|bin|al|el|y|e) | |, (?=(?:Inc|LLC|Ltd|Jr"
    rf"|Sr)\b)){_CAP}(?:\.(?= {_CAP}))?){{0,5}}"
)
_PAIR = re.compile(r"[\w'’\-]+(?:, [\w'’\-]+)* and [\w'’\-]+|[A-Z]\w+-[A-Z]\w+")
_TOLD = _LEXICON.pattern("told")
_SPOKEN = re.compile(
    rf"(?:(?:mr|mrs|ms|dr|Mr|Mrs|Ms|Dr)\.? )?{_LETTER}[\w'’\-]{{1,24}}"
    rf"(?: (?!(?:in|and|but|is|was|or|with|on|at|to|for|from|please|the|not|correct"
    rf"|incorrect)\b){_LETTER}[\w'’\-.]{{0,24}}){{0,3}}"
)
_LEADS = _LEXICON.pattern("leads")
_ADDRESS = _LEXICON.pattern("address")
# What stands before is asked about after the first character, since few places have a right first one.
_NUMBER = re.compile(r"\d(?<![\w.,]\d)\d{0,4}(?![\d.,]\d)")
_ENGLISH = re.compile(rf"[A-Za-z]?((?: {_CAP}){{2,5}})")
_BLOCK = re.compile(rf" (?:\d{{1,4}} )?{_CAP}[^\n:;?!]{{2,60}}(?=\n|$)")
_SUFFIX = _LEXICON.pattern("suffix")
_ROMANCE = _LEXICON.pattern("romance")
_ROOM = re.compile(r"\b(?:Apt|Apartment|Suite|Ste|Flat|Floor|Room|Unit|Box|P\.? ?O\.? Box|PSC)\.? ?#?$", re.I)
_FORCES = re.compile(r"(?:(?:PSC|Unit|UNIT|USCGC|USNS|USNV|USS)[^\n]{1,40}\n)?[ ]?(?:APO|FPO|DPO) A[APE] $")
_ENDINGS = tuple(
    """strasse straße gasse weg allee platz straat laan gade gate vej veien vegen gata gatan vagen vägen katu tie kuja
    utca koz köz ter tér stien strade stræde gränd stigen""".split()  # noqa: SIM905
)
_BEGINNINGS = frozenset(
    """rue via viale piazza calle avenida av. plaza paseo rua travessa praça largo ul. aleja al. boulevard chemin place
    quai ulica c/ corso quinta camino""".split()  # noqa: SIM905
)
_ROOMS = frozenset("apt apartment suite ste flat floor room unit box psc aa ap ae".split())  # noqa: SIM905
_LATER = re.compile(rf"( {_CAP}){{1,4}} \d{{1,4}}\b")
_CODE = re.compile(r"(?:-\d{3,4})?(?=[\s.,]|$)| \d\d(?=[\s.,]|$)")
_MONTH = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}")
_LONG_DATE = re.compile(r"(?:st|nd|rd|th)?,? \d{4}\b")
_AFTER_DATE = re.compile(r"\.? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,? \d{4}\b")
_CLOCK = re.compile(r"-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?")
_SLASHED = re.compile(r"/\d{1,2}/\d{2,4}\b")
_ADDRESS_END = re.compile(r"[^\s<>\"')\]]{4,200}")


def prose(data: bytes) -> list[Candidate]:
    """Candidates of a text for people, in byte offsets."""
    text = data.decode("utf-8", "surrogateescape")
    spans: list[Span] = []
    for span in _spans(text):
        spans.append(span)
        if len(spans) >= LIMIT:
            break
    if not text.isascii():
        spans = _bytes(text, spans)
    return [Candidate(start, end, type_, "personal", "low", True) for start, end, type_ in spans]


def _bytes(text: str, spans: list[Span]) -> list[Span]:
    """The same spans with byte offsets."""
    back: dict[int, int] = {}
    place = offset = 0
    for position in sorted({edge for start, end, _ in spans for edge in (start, end)}):
        offset += len(text[place:position].encode("utf-8", "surrogateescape"))
        back[position] = offset
        place = position
    return [(back[start], back[end], type_) for start, end, type_ in spans]


def _spans(text: str) -> Iterator[Span]:
    low = text.lower()
    if len(low) != len(text):  # A few capitals grow when lowered; keep the places.
        low = "".join(token.lower() if len(token.lower()) == 1 else token for token in text)
    yield from _web(text, low)
    for lead in _LEADS.finditer(low):
        match = _ADDRESS.match(text, lead.start(), lead.start() + 400)
        if match is not None:
            name = "v" if match["v"] is not None else "w"
            yield match.start(name), match.start(name) + len(match[name].rstrip()), "postal_address"
    for lead in _TOLD.finditer(low):
        spoken = _SPOKEN.match(text, lead.end(), lead.end() + 120)
        if spoken is not None and spoken[0].lower() not in COMMON:
            yield *spoken.span(), "person_name"
    for number in _NUMBER.finditer(text):
        found = _numbered(text, number)
        if found is not None:
            yield found
    for match in _SEQUENCE.finditer(text):
        if low[match.start() : match.end()] in COMMON:
            continue
        named = _sequence(text, low, match)
        if named is not None:
            yield named


def _web(text: str, low: str) -> Iterator[Span]:
    place = low.find("://")
    while place >= 0:
        start = place - (5 if low.startswith("https", place - 5) and place >= 5 else 4)
        match = _ADDRESS_END.match(text, place + 3)
        if start >= 0 and low.startswith("http", start) and match is not None:
            yield start, match.end(), "web_address"
        place = low.find("://", place + 3)


def _numbered(text: str, number: re.Match[str]) -> Span | None:
    """What a short number belongs to: a street, a room, a date, a postal code, an age."""
    start, end = number.span()
    before = text[max(0, start - 72) : start]
    match = _ENGLISH.match(text, end, end + 160)
    if match is not None:
        words = match[1].split(" ")
        for place in range(len(words) - 1, 1, -1):
            if words[place].rstrip(".") in STREET:
                return start, match.start(1) + len(" ".join(words[: place + 1])), "postal_address"
    near = before.lower().split()[-8:]
    if near and before.endswith(" "):
        pattern = _SUFFIX if near[-1].endswith(_ENDINGS) else _ROMANCE if not _BEGINNINGS.isdisjoint(near) else None
        match = pattern.search(before) if pattern is not None else None
        if match is not None:
            return start - len(before) + match.start(1), end, "postal_address"
    if near and near[-1].strip(".#") in _ROOMS and (match := _ROOM.search(before) or _FORCES.search(before)):
        return start - len(before) + match.start(), end, "postal_address"
    line = before.rpartition("\n")[2] if "\n" in before or start == len(before) else "x"
    if not line.strip(" >") and (match := _BLOCK.match(text, end, end + 90)):
        return start, match.end(), "postal_address"
    if (match := _LATER.match(text, end, end + 140)) and end - start >= 2:
        return start, match.end(), "postal_address"
    return _counted(text, start, end, before)


def _counted(text: str, start: int, end: int, before: str) -> Span | None:
    size = end - start
    for pattern in (_CLOCK, _SLASHED, _AFTER_DATE):
        match = pattern.match(text, end, end + 24)
        if match is not None:
            return start, match.end(), "date"
    if size <= 2 and (match := _LONG_DATE.match(text, end, end + 10)):
        month = re.search(_MONTH.pattern + r"\.? $", before)
        if month is not None:
            return start - len(before) + month.start(), match.end(), "date"
    if size == 4 and text[start : start + 2] in ("19", "20") and before[-3:].lower() in ("in ", " a ", "an "):
        return start, end, "date"
    if size >= 3 and before[-1:] == " " and before[-2:-1].isalpha() and (match := _CODE.match(text, end, end + 6)):
        return (start, match.end(), "postal_code") if size >= 4 or match.end() > end else None
    if size == 2 and (before.endswith(("turn ", "aged ", " is a ", "he was ")) or text.startswith(" years old", end)):
        return start, end, "age"
    return None


def _sequence(text: str, low: str, match: re.Match[str]) -> Span | None:
    """What a run of capitalised words names, if anything."""
    start, end = match.span()
    words = match[0].split(" ")
    # Words that open a sentence or are plain are no part of the name.
    while words and _plain(words[0]):
        start += len(words[0]) + 1
        words = words[1:]
    while words and _plain(words[-1]):
        end -= len(words[-1]) + 1
        words = words[:-1]
    if not words:
        return None
    value = text[start:end]
    if low[start:end] in PLACES:
        return start, end, "location"
    tail = low[max(0, start - 24) : start]
    last = tail.split()[-3:] if tail[-1:] in (" ", ":") else []
    word = last[-1].rstrip(".,:") if last else ""
    if (
        words[0].rstrip(".").lower() in GIVEN
        or word in NAMING
        or " ".join(last[-2:]) in NAMING_PAIRS
        or " ".join(last) in NAMING_PAIRS
    ):
        firm = words[-1].rstrip(".,") in ORGANISATION
        return start, end, "organisation" if firm else "person_name"
    if words[-1].rstrip(".,") in ORGANISATION or _PAIR.fullmatch(value):
        return (start, end, "organisation") if len(words) > 1 or "-" in value else None
    if word in PLACING:
        return start, end, "location"
    if len(words) == 1 and value.isupper():
        return None
    if word in WORKING:
        return start, end, "organisation"
    if len(words) >= 2:
        return start, end, "person_name"
    before = text[max(0, start - 3) : start].rstrip(" \"'(")
    opens = before[-1:] in ("", ".", "!", "?", ":", "\n", ">", "*", "#", "-")
    if opens and not text.startswith((" is ", " was ", " songwriter", " of ", " has ", ", can ", " spent ", "\n"), end):
        return None
    return start, end, "person_name"


def _plain(word: str) -> bool:
    return word.islower() or len(word) < 2 or word.rstrip(".,").lower() in COMMON
