"""Checks of one column, from what was gathered of its values."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from math import exp, inf, isfinite, log
from statistics import median
from typing import Any

from plantwin.private.capabilities.tables.cells import BAD_DATE, EMPTY, MISSING, Cell, understood
from plantwin.private.capabilities.tables.column import Column, is_broken
from plantwin.private.capabilities.tables.profiled import Issue
from plantwin.private.capabilities.tables.table import RULES
from plantwin.private.formats.lexicon import beside
from plantwin.vocabulary import Severity

FEW = 20
"""Values needed to speak of a distribution."""
FAR = 8.0
"""How many robust deviations from the median make an outlier."""
RARE = 0.01
SPELLED = 5000
"""Different texts among which spellings are compared."""
LIMITS = (50, 100, 128, 250, 255, 256, 500, 1000, 1024, 4000)
"""Lengths at which fields usually cut their texts."""
KEY = re.compile(
    r"(?:^|[_\s.-])(?:id|uuid|guid|key|pk)$|^(?:id|uuid|guid|key|pk)(?:$|[_\s-])|(?<=[a-z])(?:Id|ID|Uuid|Key)$"
)
_ERROR = re.compile(r"\s*#(?:REF|DIV/0|NAME|VALUE|NUM|NULL)[!?]\s*")
_EXPONENT = re.compile(r"\s*\d(?:\.\d{1,6})?E\+\d\d\s*")
_EMAIL = re.compile(r"\s*[^@\s,;]{1,100}@[^@\s,;.]{1,100}(?:\.[^@\s,;.]{1,60}){1,6}\s*")
_PAST = re.compile(
    r"birth|dob|created|placed|ordered|paid|signed|registered|joined|hired|occurred|logged|visited|shipped",
    re.IGNORECASE,
)
_SPACE = re.compile(r"[\s_\-./]+")
_FAMILY = {"integer": "number", "date": "timestamp"}
_PLURAL = {"number": "numbers", "timestamp": "dates", "boolean": "truth values", "nested": "lists or objects"}
_BOOLEANS = (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("0", "1"))
_FIRST = datetime(1901, 1, 1, tzinfo=UTC).timestamp()
_LAST = datetime(2200, 1, 1, tzinfo=UTC).timestamp()
Show = Callable[[Cell], str]
Test = Callable[[Cell], bool]


@cache
def expectations() -> dict[str, Any]:
    """Return what columns may hold by their names."""
    return beside(__file__, "expectations.toml")


def check_column(column: Column, sort: str, shown: Show) -> Iterator[Issue]:
    """Yield everything that is wrong with one column; `sort` is what the detector takes it for."""

    def issue(rule: str, test: Test | None = None, *, severity: Severity | None = None, **values: object) -> Issue:
        return Issue(column.name, RULES.found(f"DATA-{rule}", 0, severity=severity, **values), test)

    if not column.rows:
        return
    yield from _missing(column, issue)
    if not column.filled:
        return
    if column.exact and column.distinct == 1 and column.rows >= 5 and not column.empty:
        yield issue("CONSTANT", value=shown(next(iter(column.counts))))
    yield from _types(column, issue)
    yield from _dates(column, issue)
    yield from _spellings(column, issue, shown)
    yield from _damage(column, issue, sort)
    if not sort and column.numeric and column.numbers:
        yield from _numbers(column, issue)


Make = Callable[..., Issue]
"""Makes an issue of the column."""


def _missing(column: Column, issue: Make) -> Iterator[Issue]:
    share = column.empty / column.rows
    if share == 1:
        yield issue("EMPTY-COLUMN")
        return
    if column.empty and KEY.search(column.name):
        severity = Severity.MEDIUM if share <= 0.2 else Severity.LOW
        yield issue("MISSING-KEY", _is_empty, severity=severity, count=column.empty)
    elif 0 < share <= 0.05 and column.rows >= FEW:
        yield issue("FEW-MISSING", _is_empty, count=column.empty, rows=column.rows)
    elif share and column.rows >= FEW:
        yield issue("MANY-MISSING", share=f"{share:.0%}")
    words = column.notes["placeholder"]
    if 0 < words < column.empty:
        yield issue("MIXED-PLACEHOLDERS", _is_placeholder, words=words, blank=column.empty - words)


def _is_empty(cell: Cell) -> bool:
    return understood(cell).kind == EMPTY


def _is_placeholder(cell: Cell) -> bool:
    return isinstance(cell, str) and bool(cell.strip()) and cell.strip().lower() in MISSING


def _of_kind(*kinds: str) -> Test:
    return lambda cell: understood(cell).kind in kinds


def _noted(note: str) -> Test:
    return lambda cell: understood(cell).note == note


def _types(column: Column, issue: Make) -> Iterator[Issue]:
    own = _FAMILY.get(column.type, column.type)
    strays = {kind for kind in column.kinds if kind != EMPTY and _FAMILY.get(kind, kind) != own}
    if not strays:
        return
    filled, kinds = column.filled, column.kinds
    if own != "text":
        count = sum(kinds[kind] for kind in strays)
        expected = _PLURAL.get(own, own)
        yield issue("MIXED-TYPES", _of_kind(*strays), count=count, expected=expected, others=filled - count)
        return
    text, numeric = kinds["text"] + kinds["nested"], kinds["integer"] + kinds["number"]
    if numeric >= 0.5 * filled and text and filled >= 5 and not column.notes["leading zero"]:
        yield issue("MIXED-TYPES", _of_kind("text", "nested"), count=text, expected="numbers", others=numeric)
    dated = kinds["date"] + kinds["timestamp"]
    if dated >= 0.5 * filled:
        strays -= {"date", "timestamp"}
        yield issue("MIXED-TYPES", _of_kind("text", *strays), count=filled - dated, expected="dates", others=dated)


def _dates(column: Column, issue: Make) -> Iterator[Issue]:
    if column.bad_dates:
        yield issue("IMPOSSIBLE-DATE", _noted(BAD_DATE), count=column.bad_dates)
    if not column.dated or not column.numbers:
        return
    day, month = column.notes["day first"], column.notes["month first"]
    year_last = day + month + column.notes["day or month first"]
    if day and month:
        rare = "day first" if day < month else "month first"
        yield issue("AMBIGUOUS-DATES", _noted(rare), day=day, month=month)
    elif 0 < year_last < column.filled - column.bad_dates:
        yield issue("MIXED-DATE-FORMATS", lambda cell: "first" in understood(cell).note, count=year_last)
    soon = datetime.now(UTC).timestamp() + 2 * 86400
    if column.most > soon and _PAST.search(column.name):
        yield issue("FUTURE-DATE", _outside(-inf, soon, ("date", "timestamp")))
    if (column.least < _FIRST or column.most > _LAST) and median(column.numbers) > _FIRST:
        yield issue("SENTINEL-DATE", _outside(_FIRST, _LAST, ("date", "timestamp")))


def _damage(column: Column, issue: Make, sort: str) -> Iterator[Issue]:
    if column.broken:
        yield issue("BROKEN-CHARACTERS", lambda cell: isinstance(cell, str) and is_broken(cell), count=column.broken)
    texts = [cell for cell in column.counts if isinstance(cell, str)]
    if any(map(_ERROR.fullmatch, texts)):
        yield issue("SPREADSHEET-ERROR", _matches(_ERROR))
    if (KEY.search(column.name) or sort) and any(map(_EXPONENT.fullmatch, texts)):
        yield issue("ROUNDED-IDENTIFIER", _matches(_EXPONENT))
    if sort == "email":
        bad = sum(column.counts[cell] for cell in texts if not _EMAIL.fullmatch(cell))
        if 0 < bad < 0.5 * column.filled:
            is_email = _matches(_EMAIL)
            yield issue("BAD-EMAIL", lambda cell: not _is_empty(cell) and not is_email(cell), count=bad)
    if column.longest in LIMITS and column.type == "text" and column.exact:
        cut = sum(column.counts[cell] for cell in texts if len(cell) == column.longest)
        if cut >= 3:
            longest = column.longest
            yield issue("CUT-TEXT", lambda cell: len(str(cell)) == longest, count=cut, length=longest)


def _matches(pattern: re.Pattern[str]) -> Test:
    return lambda cell: isinstance(cell, str) and pattern.fullmatch(cell) is not None


def _numbers(column: Column, issue: Make) -> Iterator[Issue]:
    for row in expectations()["range"]:
        least, most = row["least"], row.get("most", inf)
        if re.search(row["columns"], column.name, re.IGNORECASE) and (column.least < least or column.most > most):
            low, high = f"{column.least:g}", f"{column.most:g}"
            yield issue("OUT-OF-RANGE", _outside(least, most), word=row["word"], low=low, high=high)
            return
    if KEY.search(column.name) or column.distinct <= 5 or column.filled < FEW:
        return
    bounds = usual_range(list(column.numbers))
    if bounds is None or (column.least >= bounds[0] and column.most <= bounds[1]):
        return
    far = sum(not bounds[0] <= number <= bounds[1] for number in column.numbers)
    if 0 < far <= max(1, RARE * len(column.numbers)):
        low, high = f"{max(bounds[0], column.least):.4g}", f"{min(bounds[1], column.most):.4g}"
        yield issue("OUTLIER", _outside(*bounds), low=low, high=high)


def _outside(low: float, high: float, kinds: tuple[str, ...] = ("integer", "number")) -> Test:
    def test(cell: Cell) -> bool:
        value = understood(cell)
        return value.kind in kinds and isfinite(value.number) and not low <= value.number <= high

    return test


def usual_range(numbers: list[float]) -> tuple[float, float] | None:
    """Return the usual range of numbers: by the median and the median deviation, of logarithms if they are skewed."""
    skewed = min(numbers) > 0 and sum(numbers) / len(numbers) > 1.3 * median(numbers)
    scaled = sorted(log(number) for number in numbers) if skewed else sorted(numbers)
    center = median(scaled)
    deviation = 1.4826 * median([abs(number - center) for number in scaled])
    if not deviation:
        deviation = (scaled[len(scaled) * 3 // 4] - scaled[len(scaled) // 4]) / 1.349
    if not deviation:
        return None
    low, high = center - FAR * deviation, center + FAR * deviation
    try:
        return (exp(low), exp(high)) if skewed else (low, high)
    except OverflowError:
        return None


def _spellings(column: Column, issue: Make, shown: Show) -> Iterator[Issue]:
    """Yield values that differ in case, spaces or one letter only."""
    counts = column.counts
    if column.type == "boolean":
        words = {str(cell).strip().lower() for cell in counts}
        ways = sum(bool(words & set(pair)) for pair in _BOOLEANS)
        if ways > 1:
            yield issue("MIXED-BOOLEANS", ways=ways)
        return
    if column.type != "text" or not counts or len(counts) > SPELLED:
        return
    groups: dict[str, list[str]] = defaultdict(list)
    for cell in counts:
        if isinstance(cell, str):
            groups[_SPACE.sub(" ", cell.strip()).casefold()].append(cell)
    if column.filled > len(groups) or column.category:
        several = [cells for cells in groups.values() if len({cell.strip() for cell in cells}) > 1]
        for variants in sorted(several, key=len, reverse=True)[:8]:
            variants.sort(key=lambda cell: -counts[cell])
            listed = ", ".join(f"{shown(cell)} ({counts[cell]})" for cell in variants[:5])
            severity = Severity.MEDIUM if len(counts) <= max(50, column.filled // 4) else Severity.LOW
            rare = frozenset(variants[1:])
            yield issue("SPELLING", rare.__contains__, severity=severity, ways=len(variants), variants=listed)
    padded = sum(counts[cell] for cells in groups.values() for cell in cells if cell != cell.strip())
    if padded:
        yield issue("PADDED", lambda cell: str(cell) != str(cell).strip() and not _is_empty(cell), count=padded)
    if column.category and 2 < len(groups) <= 60:
        yield from _typos(column, issue, shown)


def _typos(column: Column, issue: Make, shown: Show) -> Iterator[Issue]:
    words = [
        (cell, times)
        for cell, times in column.counts.items()
        if isinstance(cell, str) and len(cell) >= 5 and cell.isalpha()
    ]
    for cell, times in words:
        for other, often in words:
            if times * 20 <= often and _is_near(cell.lower(), other.lower()):
                values = {"value": shown(cell), "count": times, "other": shown(other), "often": often}
                yield issue("TYPO", cell.__eq__, **values)
                break


def _is_near(one: str, two: str) -> bool:
    """Tell whether one letter was added, lost or replaced, or two were swapped."""
    if one == two or abs(len(one) - len(two)) > 1:
        return False
    head = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    if len(one) == len(two):
        swapped = one[head : head + 2] == two[head : head + 2][::-1] and one[head + 2 :] == two[head + 2 :]
        return swapped or one[head + 1 :] == two[head + 1 :]
    longer, shorter = (one, two) if len(one) > len(two) else (two, one)
    return longer[head + 1 :] == shorter[head:]
