"""What a document says happened, and when: sentences with a time, or with a date."""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Iterator

from plantwin.private.capabilities.incident.happenings import Happening
from plantwin.private.capabilities.incident.signs import ADMITTED, sign_of

MOST = 400
LINES = 20_000
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_DATE = re.compile(
    rf"(?<!\d)(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}})(?!\d)"
    rf"|(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}\.?(?:,? (\d{{4}}))?(?!\d)"
    rf"|\b{_MONTH}\.? (\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (\d{{4}}))?"
)
_CLOCK = re.compile(
    r"(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?:[.,]\d{1,6})?(?![\d:])"
    r"\s{0,2}((?:[ap]\.?m\b)|Z\b|UTC\b|[+-]\d\d:?\d\d\b)?", re.IGNORECASE,
)  # fmt: skip
_SENTENCE = re.compile(r"(?<=[.!?;])\s{1,4}(?=[A-Z\"'(\d])")
_MARKUP = re.compile(r"[*_`#>|]{1,6}")
Day = tuple[int, int, int]


def dated(label: str, name: str, text: str) -> Iterator[Happening]:
    """Sentences of a document with their time. A time of day belongs to the last date above it."""
    day = _day(_DATE.search(name.replace("_", "-")), 0)
    told = 0
    for number, line in enumerate(text.split("\n")[:LINES], 1):
        line = line[:4000]
        heading = line.lstrip().startswith("#")
        for sentence in _SENTENCE.split(line):
            found = _DATE.search(sentence)
            if found is not None:
                mine = _day(found, day[0] if day else 0)
                day = (mine if heading or _complete(found) or day is None else day) or day
            else:
                mine = day
            clock = _CLOCK.search(sentence)
            if mine is None or (clock is None and found is None) or (heading and clock is None):
                continue
            said = " ".join(_MARKUP.sub(" ", sentence).split())
            if len(said) < 12 or told >= MOST:
                continue
            told += 1
            sign = sign_of(said)
            kind = sign if sign and sign != ADMITTED else "note"
            yield Happening(_time(mine, clock), label, number, kind, said)


def _complete(found: re.Match[str]) -> bool:
    return bool(found[1] or found[6] or found[9])


def _day(found: re.Match[str] | None, year: int) -> Day | None:
    if found is None:
        return None
    if found[1]:
        made = int(found[1]), int(found[2]), int(found[3])
    else:
        month = _MONTHS.index((found[5] or found[7])[:3].lower()) + 1
        made = int(found[6] or found[9] or year), month, int(found[4] or found[8])
    return made if 1970 <= made[0] < 2200 and 1 <= made[1] <= 12 and 1 <= made[2] <= 31 else None


def _time(day: Day, clock: re.Match[str] | None) -> float:
    if clock is None:
        return float(timegm((*day, 0, 0, 0)))
    hour = int(clock[1])
    zone = (clock[4] or "").lower().replace(".", "")
    if zone in ("am", "pm"):
        hour = hour % 12 + (12 if zone == "pm" else 0)
    seconds = timegm((*day, hour, int(clock[2]), int(clock[3] or 0)))
    if zone[:1] in ("+", "-"):
        offset = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
        seconds -= offset if zone[0] == "+" else -offset
    return float(seconds)
