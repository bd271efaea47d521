"""What one cell is: empty, a number, a truth value, a date, a text."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

from plantwin.private.formats.timestamps import MONTHS

Cell = str | int | float | bool | None

EMPTY, INTEGER, NUMBER, BOOLEAN, DATE, TIME, TEXT, NESTED = (
    "empty", "integer", "number", "boolean", "date", "timestamp", "text", "nested",
)  # fmt: skip
WORD = "truth in a word"
"""`F` or `no`: beside other words a word like them, such as `M` or `maybe`."""
BAD_DATE = "impossible date"
"""Written as a date that no calendar has."""

MISSING = frozenset(
    ("", "na", "n/a", "nan", "null", "none", "nil", "-", "--", "?", "\\n", "#n/a", "missing", "unknown")
)
"""How tables write that there is nothing. `unknown` and `missing` are words, and still say so."""
_TRUTH = frozenset(("true", "false", "yes", "no", "t", "f", "y", "n"))
_INTEGER = re.compile(r"[-+]?\d{1,30}")
_NUMBER = re.compile(
    r"[-+]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][-+]?\d{1,3})?|[-+]?inf(?:inity)?", re.IGNORECASE
)
_GROUPED = re.compile(
    r"[-+]?[$€£¥]?\s?\d{1,3}(?:,\d{3})+(?:\.\d{1,10})?|[-+]?[$€£¥]\s?\d{1,20}(?:\.\d{1,10})?|[-+]?\d{1,12}(?:\.\d{1,10})?\s?%"
)
_COMMA = re.compile(r"[-+]?\d{1,3}(?:\.\d{3})*,\d{1,10}")
_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|UTC|[+-]\d\d:?\d\d)?)?"
)
_DAY_FIRST = re.compile(
    r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|(?<=\d\d/\d\d/)\d{2})"
    r"(?:[T ,]{1,2}(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?[AaPp][Mm])?)?"
)
_NAMED = re.compile(
    r"(?:(?P<m1>[A-Za-z]{3,9})\.? (?P<d1>\d{1,2}),? (?P<y1>\d{4})"
    r"|(?P<d2>\d{1,2})[ -](?P<m2>[A-Za-z]{3,9})\.?[ -](?P<y2>\d{4}))"
    r"(?:,? (\d{1,2}):(\d{2})(?::(\d{2}))?)?"
)
_MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_STRIPPED = str.maketrans("", "", ",$€£¥% ")


class Value(NamedTuple):
    """A cell as it is understood."""

    kind: str
    number: float = 0.0
    """Of a date, seconds since 1970."""
    note: str = ""

    def __repr__(self) -> str:
        return f"<Value {self.kind}>"


_EMPTY = Value(EMPTY)
_TEXT = Value(TEXT)
_NESTED = Value(NESTED)
LONGEST = 64
"""A longer cell is text, whatever it holds."""


def understood(cell: Cell) -> Value:
    """Return what a cell is."""
    if cell is None:
        return _EMPTY
    if isinstance(cell, str):
        return _written(cell)
    if isinstance(cell, bool):
        return Value(BOOLEAN, float(cell))
    if isinstance(cell, int):
        return Value(INTEGER, _float(cell))
    if cell != cell:
        return _EMPTY
    return Value(NUMBER, cell)


def _float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _written(cell: str) -> Value:
    text = cell.strip()
    if len(text) > LONGEST:
        return _NESTED if text[0] in "{[" and text[-1] in "}]" else _TEXT
    low = text.lower()
    if low in MISSING:
        return _EMPTY
    first = low[0]
    if first.isdigit() or first in "+-.$€£¥i":
        found = _numeric(text)
        if found is not None:
            return found
    if low[:3] in MONTHS and (named := _named_date(text)) is not None:
        return named
    if low in _TRUTH:
        return Value(BOOLEAN, float(low[0] in "ty"), WORD)
    return _NESTED if first in "{[" and text[-1] in "}]" else _TEXT


def _numeric(text: str) -> Value | None:
    if _INTEGER.fullmatch(text):
        if len(text) > 1 and text[0] == "0":
            return Value(TEXT, 0.0, "leading zero")
        return Value(INTEGER, _float(int(text)))
    if _NUMBER.fullmatch(text):
        return Value(NUMBER, float(text))
    match = _ISO.fullmatch(text)
    if match is not None:
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
        return _moment(year, month, day, hour, minute, second, match[4] is not None)
    match = _DAY_FIRST.fullmatch(text)
    if match is not None:
        first, second_, year = int(match[1]), int(match[3]), int(match[4])
        year += 0 if year > 99 else 2000 if year < 70 else 1900
        day, month = (first, second_) if second_ <= 12 else (second_, first)
        hour, minute, second = (int(match[at] or 0) for at in (5, 6, 7))
        found = _moment(year, month, day, hour, minute, second, match[5] is not None)
        note = "day first" if first > 12 else "month first" if second_ > 12 else "day or month first"
        return found if found.note else found._replace(note=note)
    if text[-1].isdigit() and text[-4:].isdigit() and (named := _named_date(text)) is not None:
        return named
    if _GROUPED.fullmatch(text):
        return Value(NUMBER, float(text.translate(_STRIPPED)), "written for people")
    if _COMMA.fullmatch(text):
        return Value(NUMBER, float(text.replace(".", "").replace(",", ".")), "decimal comma")
    return None


def _named_date(text: str) -> Value | None:
    """Return a date with the name of its month: `Jan 1 2000`, `1 January 2000`."""
    match = _NAMED.fullmatch(text)
    name = (match["m1"] or match["m2"]).lower() if match is not None else ""
    if match is None or not any(name in (month[:3], month) for month in _MONTH_NAMES):
        return None
    hour, minute, second = (int(match[at] or 0) for at in (7, 8, 9))
    year, day = int(match["y1"] or match["y2"]), int(match["d1"] or match["d2"])
    return _moment(year, MONTHS.index(name[:3]) + 1, day, hour, minute, second, match[7] is not None)


def _moment(year: int, month: int, day: int, hour: int, minute: int, second: int, timed: bool) -> Value:
    kind = TIME if timed else DATE
    try:
        return Value(kind, datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC).timestamp())
    except (ValueError, OverflowError):
        return Value(kind, float("nan"), BAD_DATE)


def shown_moment(seconds: float, timed: bool) -> str:
    """Return a moment as the report writes it."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S" if timed else "%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return "?"
