"""Timestamps as logs write them, to unix seconds, and back to text.

Without a zone they count as UTC, without a year as of 1972, without a date as of 1 January 1970.
"""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median

YEARLESS = 1972
"""A leap year long before any log, so that logs without a year only ever meet each other."""
YEAR_KNOWN = 3 * 366 * 86400
"""Any later second was written with its year."""
DAY = 86400.0
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WIDTHS = (1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 604800, 2592000, 31536000)
"""Seconds that one bucket of a plot or a rate may cover."""

_TIME = r"(?P<hour>\d{2}):(?P<minute>\d{2}):(?P<second>\d{2})"
_FORMATS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<year>\d{{4}})[-/.](?P<month>\d{{2}})[-/.](?P<day>\d{{2}})(?:[T _]|, ){_TIME}(?:[.,]\d{{1,9}})?[ ]?"
        r"(?P<zone>Z|[+-]\d{2}:?\d{2}\b)?",
        rf"(?P<day>\d{{2}})/(?P<name>[A-Z][a-z]{{2}})/(?P<year>\d{{4}})[: ]{_TIME}(?: (?P<zone>[+-]\d{{4}}))?",
        rf"(?P<name>[A-Z][a-z]{{2}}) [ ]?(?P<day>\d{{1,2}}) {_TIME}(?:\.\d{{1,9}})?(?: (?P<year>\d{{4}})\b)?",
        rf"\A[IWEF](?P<month>\d{{2}})(?P<day>\d{{2}}) {_TIME}\.\d",
        rf"(?P<first>\d{{2}})[/-](?P<middle>\d{{2}})[/-](?P<last>\d{{4}}|\d{{2}})(?: |, ){_TIME}",
        r"\A(?P<year>\d{2})(?P<month>\d{2})(?P<day>\d{2}) (?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2}) \d",
    )
)
_EPOCH = re.compile(r"(?<![\d.])(1\d{9})(?:\d{3}|\.\d{1,9})?(?![\d])")
_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?")
_DASHED = re.compile(r"(\d\d)-([A-Z][a-z]{2})-(\d{4})[ :](\d\d:\d\d:\d\d)")


def when(text: str) -> int | None:
    """Return the first time in the start of a line."""
    text = text[:120]
    for pattern in _FORMATS:
        if match := pattern.search(text):
            return _seconds(match.groupdict())
    match = _EPOCH.search(text)
    return int(match[1]) if match else None


def _seconds(parts: dict[str, str | None]) -> int | None:
    if "first" in parts:
        first, middle, last = (int(parts[key] or 0) for key in ("first", "middle", "last"))
        if last <= 99:  # 24/03/01
            year, month, day = 2000 + first, middle, last
        else:
            year, month, day = (last, first, middle) if first <= 12 else (last, middle, first)
    else:
        name = parts.get("name")
        month = _month(name) if name else int(parts["month"] or 0)
        written = parts.get("year") or str(YEARLESS)
        year, day = int(written) + (2000 if len(written) == 2 else 0), int(parts["day"] or 0)
    hour, minute, second = (int(parts[key] or 0) for key in ("hour", "minute", "second"))
    if not (1970 <= year < 2200 and 1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second < 61):
        return None
    return timegm((year, month, day, hour, minute, second)) - offset(parts.get("zone"))


def _month(name: str) -> int:
    return MONTHS.index(name.lower()) + 1 if name.lower() in MONTHS else 0


def offset(zone: str | None) -> int:
    """Return the seconds that a zone such as `+02:00` is ahead of UTC."""
    if not zone or zone[0] not in "+-":
        return 0
    seconds = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
    return seconds if zone[0] == "+" else -seconds


def seconds(text: str) -> float:
    """Return the time at the start of a text with its fraction; below zero where there is none."""
    found = when(text)
    if found is None and (dashed := _DASHED.search(text[:60])) is not None:
        found = when(f"{dashed[1]}/{dashed[2]}/{dashed[3]}:{dashed[4]}")
    if found is None and "  " in text:
        found = when(" ".join(text.split()))
    clock = _CLOCK.search(text[:120])
    if found is None:
        if clock is None or clock.start() > 12 or int(clock[1]) > 23 or int(clock[2]) > 59:
            return -1.0
        found = int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3])
    fraction = clock[4] if clock is not None else None
    return found + (int(fraction) / 10 ** len(fraction) if fraction else 0.0)


def known(time: float) -> bool:
    """Return whether a time was written with its year."""
    return time >= YEAR_KNOWN


def shift(times: Sequence[float], reference: Sequence[float]) -> float:
    """Return what to add to times without a year or a date so that they lie beside others that have one."""
    if not times or not reference or known(times[0]):
        return 0.0
    middle, mine = median(reference), median(times)
    if mine < DAY:
        return (middle // DAY) * DAY
    moment = datetime.fromtimestamp(mine, UTC)
    year = datetime.fromtimestamp(middle, UTC).year
    shifts = [_moved(moment, candidate) - mine for candidate in (year - 1, year, year + 1)]
    return min(shifts, key=lambda amount: abs(mine + amount - middle))


def _moved(moment: datetime, year: int) -> float:
    try:
        return moment.replace(year=year).timestamp()
    except ValueError:  # 29 February
        return moment.replace(year=year, day=28).timestamp() + DAY


def shown(time: float, *, date: bool = True) -> str:
    """Write a time as `2024-09-17 09:05:12`, as far as it is known."""
    if time < 0 or time > 7e9:
        return ""
    moment = datetime.fromtimestamp(time, UTC)
    if not date or time < DAY:
        return moment.strftime("%H:%M:%S")
    return moment.strftime("%Y-%m-%d %H:%M:%S" if known(time) else "%m-%d %H:%M:%S")


def duration(span: float) -> str:
    """Write a duration as `6 min 40 s`, `3 h` or `2 days`."""
    span = abs(span)
    if span < 1:
        return f"{span * 1000:.0f} ms" if span else "0 s"
    if span < 120:
        return f"{span:.0f} s"
    if span < 7200:
        minutes, rest = divmod(int(span), 60)
        return f"{minutes} min" + (f" {rest} s" if rest and minutes < 15 else "")
    if span < 2 * DAY:
        hours, rest = divmod(int(span), 3600)
        return f"{hours} h" + (f" {rest // 60} min" if rest >= 60 else "")
    return f"{span / DAY:.0f} days"


def width_of(span: float, most: int = 60) -> int:
    """Return the narrowest bucket so that a span has at most so many of them."""
    return next((width for width in WIDTHS if span / width < most), WIDTHS[-1])
