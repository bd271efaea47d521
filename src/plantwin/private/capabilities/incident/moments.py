"""Moments: as logs write them, set beside each other, and as people read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median

from plantwin.private.extract.formats.clock import YEAR_KNOWN, YEARLESS, when

DAY = 86400.0
_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?")
_DASHED = re.compile(r"(\d\d)-([A-Z][a-z]{2})-(\d{4})[ :](\d\d:\d\d:\d\d)")
WIDTHS = (1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 604800, 2592000, 31536000)
"""Seconds that one part of a plot or a rate may cover."""


def seconds(text: str) -> float:
    """The time at the start of a text, with its fraction; below zero where there is none.

    Without a year it counts as of 1972, without a date as of the first day there is.
    """
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
    """Whether it was written with its year."""
    return time >= YEAR_KNOWN


def shift(times: Sequence[float], reference: Sequence[float]) -> float:
    """What to add to times without a year or a date so that they come to lie beside others that have one."""
    if not times or not reference or known(times[0]):
        return 0.0
    middle = median(reference)
    mine = median(times)
    if mine < DAY:
        return (middle // DAY) * DAY
    year = datetime.fromtimestamp(middle, UTC).year
    start = datetime(YEARLESS, 1, 1, tzinfo=UTC).timestamp()
    moment = datetime.fromtimestamp(mine, UTC)
    best = 0.0
    for candidate in (year - 1, year, year + 1):
        try:
            moved = moment.replace(year=candidate).timestamp() - mine
        except ValueError:
            moved = datetime(candidate, 1, 1, tzinfo=UTC).timestamp() - start
        if not best or abs(mine + moved - middle) < abs(mine + best - middle):
            best = moved
    return best


def shown(time: float, *, date: bool = True) -> str:
    """`2024-09-17 09:05:12`, as far as it is known."""
    if time < 0 or time > 7e9:
        return ""
    moment = datetime.fromtimestamp(time, UTC)
    if not date or time < DAY:
        return moment.strftime("%H:%M:%S")
    return moment.strftime("%Y-%m-%d %H:%M:%S" if known(time) else "%m-%d %H:%M:%S")


def lasting(span: float) -> str:
    """`6 min 40 s`, `3 h`, `2 days`."""
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
    """The narrowest part so that a span has at most so many."""
    return next((width for width in WIDTHS if span / width < most), WIDTHS[-1])


def times(number: int, noun: str) -> str:
    """`1 request`, `2 requests`."""
    return (
        f"{number} {noun}"
        if number == 1
        else f"{number} {noun[:-1]}ies"
        if noun.endswith("ry")
        else f"{number} {noun}s"
    )
