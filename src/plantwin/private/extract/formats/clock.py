"""Times as logs write them, to unix seconds. Without a zone they count as UTC, without a year as of 1972."""

from __future__ import annotations

import re
from calendar import timegm

_MONTHS = {
    name: number
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
YEARLESS = 1972
"""A leap year long before any log, so that logs without a year only ever meet each other."""
YEAR_KNOWN = 3 * 366 * 86400
"""Any later second was written with its year."""

_TIME = r"(\d{2}):(\d{2}):(\d{2})"
ISO = re.compile(
    rf"(\d{{4}})[-/.](\d{{2}})[-/.](\d{{2}})(?:[T _]|, ){_TIME}(?:[.,]\d{{1,9}})?[ ]?(Z|[+-]\d{{2}}:?\d{{2}}\b)?"
)
_CLF = re.compile(rf"(\d{{2}})/([A-Z][a-z]{{2}})/(\d{{4}}):{_TIME}(?: ([+-]\d{{4}}))?")
_SYSLOG = re.compile(rf"([A-Z][a-z]{{2}}) [ ]?(\d{{1,2}}) {_TIME}(?:\.\d{{1,9}})?(?: (\d{{4}})\b)?")
_KLOG = re.compile(rf"[IWEF](\d{{2}})(\d{{2}}) {_TIME}\.\d")
_COMPACT = re.compile(r"(\d{2})(\d{2})(\d{2}) (\d{2})(\d{2})(\d{2}) \d")
_SLASHED = re.compile(rf"(\d{{2}})[/-](\d{{2}})[/-](\d{{4}}|\d{{2}})(?: |, ){_TIME}")
_EPOCH = re.compile(r"(?<![\d.])(1\d{9})(?:\d{3}|\.\d{1,9})?(?![\d])")


def _offset(zone: str | None) -> int:
    if not zone or zone == "Z":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    seconds = hours * 3600 + minutes * 60
    return seconds if zone[0] == "+" else -seconds


def _seconds(year: int, month: int, day: int, clock: tuple[str, str, str], zone: str | None = None) -> int | None:
    hour, minute, second = map(int, clock)
    if not (1970 <= year < 2200 and 1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second < 61):
        return None
    return timegm((year, month, day, hour, minute, second)) - _offset(zone)


def when(text: str) -> int | None:
    """The first time in the start of a line."""
    text = text[:120]
    if match := ISO.search(text):
        year, month, day, *clock, zone = match.groups()
        return _seconds(int(year), int(month), int(day), (clock[0], clock[1], clock[2]), zone)
    if match := _CLF.search(text):
        month = _MONTHS.get(match[2].lower(), 0)
        return _seconds(int(match[3]), month, int(match[1]), (match[4], match[5], match[6]), match[7])
    if match := _SYSLOG.search(text):
        month = _MONTHS.get(match[1].lower(), 0)
        return _seconds(int(match[6] or YEARLESS), month, int(match[2]), (match[3], match[4], match[5]))
    if match := _KLOG.match(text):
        return _seconds(YEARLESS, int(match[1]), int(match[2]), (match[3], match[4], match[5]))
    if match := _SLASHED.search(text):
        first, second, third = int(match[1]), int(match[2]), int(match[3])
        clock3 = (match[4], match[5], match[6])
        if third > 99:
            return _seconds(third, first, second, clock3) if first <= 12 else _seconds(third, second, first, clock3)
        return _seconds(2000 + first, second, third, clock3)
    if match := _COMPACT.match(text):
        return _seconds(2000 + int(match[1]), int(match[2]), int(match[3]), (match[4], match[5], match[6]))
    if match := _EPOCH.search(text):
        return int(match[1])
    return None
