"""A second, broader look at a redacted copy: what is still sure is hidden too, what may be a value is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from plantwin.private.detect.engine import Detector
from plantwin.private.detect.identifying import FITS, is_name_like
from plantwin.private.detect.prose import GIVEN
from plantwin.private.detect.redaction import Redaction
from plantwin.private.detect.spread import PLACEHOLDER, TOKEN, is_ordinary, pieces
from plantwin.private.detect.structured import HEAD, bare, filled, redaction_blocks, tables
from plantwin.private.facts import Finding

_BROAD = {
    "an e-mail address": re.compile(rb"(?<![\w.+\-])[\w.+\-]{1,64}@[\w\-]{1,63}\.[\w.\-]{2,80}"),
    "a long number": re.compile(rb"(?<![\w.\-:])\+?\d(?:[ .()\-]?\d){8,18}(?![\w:]|[.\-]\d)"),
    "coordinates": re.compile(
        rb"(?<![\w.\-])-?\d{1,3}\.\d{4,15}[ \t]{0,4}[,;|\t][ \t]{0,4}[\"']?-?\d{1,3}\.\d{4,15}(?![\w.])"
    ),
    "a phone number": re.compile(rb"(?<![\w.])(?:\+\d{1,3} ?)?\(\d{2,5}\)[ \-]?\d{2,4}[ \-]?\d{3,5}(?!\w)"),
    "a bank account": re.compile(rb"(?<![\w.])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"),
    "a street address": re.compile(
        rb"(?<![\w.])\d{1,5} (?:[A-Z][A-Za-z']{1,20} |\d{1,3}(?:ST|ND|RD|TH|st|nd|rd|th) ){1,3}"
        rb"[A-Z][A-Za-z]{1,9}(?=[,\r\n\"'<|;*])"
    ),
    "a name": re.compile(
        rb"(?<![\w/.\-\x80-\xff])[A-Z\xc3-\xdf][\w'\x80-\xff\-]{2,20}"
        rb"(?= (?P<second>[A-Z\xc3-\xdf][\w'\x80-\xff\-]{2,20})|,)"
    ),
}


LEAST = 3
"""Values of a column below which nothing is said of it."""
_CODE = re.compile(r"(?=[^\d]{0,64}\d)[\w./#\-]{5,64}|(?=.{0,64}[^\W\d_])[^\s@,;:/]{4,64}")
_PLAIN = re.compile(r"-?[\d.,]{1,6}|-?\d{1,20}[.,]\d{1,3}|(?:https?|urn):\S{0,500}")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d")
_DEGREES = re.compile(r"-?\d{1,3}\.\d{4,15}")


class Left(NamedTuple):
    """What a second look at a redacted text still sees."""

    sure: int
    unsure: dict[str, list[int]]
    """By what it may be: the first lines."""


Wanted = Callable[[str, str, str], bool]


def settled(
    detector: Detector, chunks: Iterable[bytes], path: str, redaction: Redaction, wanted: Wanted
) -> Iterator[bytes]:
    """Hide what is found once placeholders stand for the rest."""
    original = bytearray()

    def blank() -> Iterator[bytes]:
        for piece in pieces(chunks):
            original.extend(piece)
            yield _blank(piece)

    for block in redaction_blocks(detector, blank(), path):
        data = bytes(original[: len(block.data)])
        del original[: len(block.data)]
        place = 0
        for found in _sure(block.findings, data, block.base, wanted):
            start, end = found.start - block.base, found.end - block.base
            number = block.json and bare(data, start)
            yield data[place:start]
            yield redaction.placeholder(found.type.upper(), data[start:end], bare=number).encode()
            place = end
        yield data[place:]


def left(detector: Detector, chunks: Iterable[bytes], path: str, ordinary: set[bytes], wanted: Wanted) -> Left:
    """Look at a redacted text again, more broadly: what the detector still sees, hidden names, shapes of values."""
    sure, line = 0, 1
    unsure: dict[str, list[int]] = {}
    parts = pieces(chunks)
    head = next(parts, b"")
    for what, places in (*_columns(head[:HEAD], path), *_changing(head[:HEAD], path)):
        lines = sorted(head.count(b"\n", 0, start) + 1 for start, _ in places)
        unsure.setdefault(what, []).extend(lines)
    original = bytearray()

    def blank() -> Iterator[bytes]:
        for piece in chain((head,), parts):
            original.extend(piece)
            yield _blank(piece)

    for block in redaction_blocks(detector, blank(), path):
        data = bytes(original[: len(block.data)])
        del original[: len(block.data)]
        seen = [
            (found.start - block.base, found.end - block.base)
            for found in _sure(block.findings, data, block.base, wanted)
        ]
        sure += len(seen)
        for what, places in _shapes(block.data, ordinary):
            at, here = 0, line
            for start, _ in _outside(places, seen):
                here += block.data.count(b"\n", at, start)
                at = start
                unsure.setdefault(what, []).append(here)
        line += block.data.count(b"\n")
    return Left(sure, unsure)


def _blank(data: bytes) -> bytes:
    """Return a text without its placeholders, which are no context for what stands beside them."""
    return PLACEHOLDER.sub(lambda match: b" " * len(match[0]), data)


def _sure(findings: Iterable[Finding], data: bytes, base: int, wanted: Wanted) -> Iterator[Finding]:
    """Yield what is surely a value: no word of a language, and no rest of what a placeholder stands for."""
    for found in findings:
        if found.group not in ("secret", "personal") or found.confidence == "low":
            continue
        start, end = found.start - base, found.end - base
        touches = data[start - 1 : start] == b">" or data[end : end + 1] == b"<" or PLACEHOLDER.search(data[start:end])
        if not touches and not is_ordinary(data[start:end].lower()) and wanted(*found[:2], found.confidence):
            yield found


def _columns(data: bytes, path: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the columns beside hidden ones whose values may still tell a person, with what they look like."""
    for table in tables(data, path):
        if not any(PLACEHOLDER.search(data, start, end) for cells in table.values() for start, end in cells[:50]):
            continue
        for name, cells in table.items():
            shown = [cell for cell in cells if filled(data[slice(*cell)]) and not PLACEHOLDER.search(data, *cell)]
            values = [data[start:end].decode("utf-8", "replace").strip() for start, end in shown]
            if len(values) >= LEAST and (what := _telling(values)):
                label = name.partition("\0")[0].strip()
                yield f"{what}{f' in the column {label}' if label.isprintable() and label else ''}", shown


_SPOKEN = ("log", "txt", "md", "mbox", "eml", "org", "rst", "dat", "out", "properties", "")
_SLOT = re.compile(
    rb"(?:^|(?<=([ \t\[(<{'\"=:,/@\\|*])))[A-Za-z\xc3-\xdf][\w.'\x80-\xff\-]{2,40}(?=([\s\])>}'\",;:/@|*]|\Z))", re.M
)
_BEFORE = re.compile(rb"[\w$]{1,20}\W{0,4}$|^\W{0,4}$|\W{1,4}$")


def _changing(data: bytes, path: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield words of no language that change from line to line in one place: in logs and chats, what names somebody."""
    ending = path.rpartition("/")[2].rpartition(".")
    if (ending[2].lower() if ending[1] else "") not in _SPOKEN:
        return
    slots: dict[tuple[bytes, bytes], list[tuple[int, int]]] = {}
    for match in _SLOT.finditer(data):
        before = _BEFORE.search(data, max(data.rfind(b"\n", 0, match.start()) + 1, match.start() - 24), match.start())
        slots.setdefault((before[0] if before else b"", match[2] or b""), []).append(match.span())
    for places in slots.values():
        words = [data[start:end] for start, end in places]
        strange = [
            word
            for word in words
            if not PLACEHOLDER.fullmatch(b"<" + word + b">") and not is_ordinary(word.rstrip(b".").lower())
        ]
        if len(set(strange)) >= LEAST and len(strange) * 2 > len(words):
            yield (
                "a word that changes from line to line",
                [place for place, word in zip(places, words, strict=True) if word in strange],
            )


def _telling(values: list[str]) -> str:
    """Return what the values of a column may be; empty where they look like nothing that tells a person."""
    size, different = len(values), len(set(values))
    if sum(map(is_name_like, values)) * 2 > size and different > 2:
        return "words that may be names"
    if sum(map(FITS["date"], values)) >= 0.9 * size:
        years = [int(found[0]) for found in map(_YEAR.search, values) if found]
        return "dates that may be birthdays" if years and max(years) - min(years) > 15 else ""
    if different >= 0.9 * size and sum(_DEGREES.fullmatch(value) is not None for value in values) >= 0.9 * size:
        return "numbers that may be coordinates"
    codes = sum(_CODE.fullmatch(value) is not None and not _PLAIN.fullmatch(value) for value in values)
    words = sum(is_ordinary(value.lower().encode()) for value in values)
    return "codes that hardly repeat" if different >= 0.9 * size and codes >= 0.9 * size and words * 4 < size else ""


_SHORT = re.compile(rb"(?<=  [,;|\t^])\d{3,4}(?=[,;|\t^\r\n])")


def _shapes(data: bytes, ordinary: set[bytes]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    if _SHORT.search(data.partition(b"\n")[0] + b"\n"):
        # Of a table without a header nobody can tell which short numbers are codes of cards.
        yield "a short number beside hidden values", [match.span() for match in _SHORT.finditer(data)]
    for what, pattern in _BROAD.items():
        places = [match.span() for match in pattern.finditer(data) if what != "a name" or _is_name(match)]
        if places:
            yield what, places
    if ordinary:
        yield (
            "a hidden name that is also a word",
            [match.span() for match in TOKEN.finditer(data) if match[0][:1].isupper() and match[0].lower() in ordinary],
        )


def _is_name(match: re.Match[bytes]) -> bool:
    """Tell whether a capitalised word is a given name, or a pair of words that no dictionary knows."""
    if match[0].lower().decode("utf-8", "replace") in GIVEN:
        return True
    pair = (match[0], match["second"] or b"a")
    return not any(is_ordinary(word.lower()) or len(word) < 3 for word in pair)


def _outside(places: list[tuple[int, int]], taken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places that touch nothing that is taken."""
    taken = sorted(taken)
    out, at = [], 0
    for start, end in sorted(places):
        while at < len(taken) and taken[at][1] <= start:
            at += 1
        if at == len(taken) or taken[at][0] >= end:
            out.append((start, end))
    return out
