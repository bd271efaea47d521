"""What can be wrong with the values of one column, from what was gathered of it."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from math import isfinite, log
from statistics import median

from plantwin.private.capabilities.data.cells import BAD_DATE, EMPTY, MISSING, Cell, understood
from plantwin.private.capabilities.data.column import Column, mangled
from plantwin.private.capabilities.data.issue import Issue, Test
from plantwin.private.capabilities.data.spelling import spellings
from plantwin.vocabulary import OutcomeTag, Severity

FEW = 20
"""Values needed to speak of a distribution."""
FAR = 8.0
"""How many robust deviations from the median make an outlier."""
RARE = 0.01
KEY = re.compile(
    r"(?:^|[_\s.-])(?:id|uuid|guid|key|pk)$|^(?:id|uuid|guid|key|pk)(?:$|[_\s-])|(?<=[a-z])(?:Id|ID|Uuid|Key)$"
)
_ERROR = re.compile(r"#(?:REF|DIV/0|NAME|VALUE|NUM|NULL)[!?]")
_EXPONENT = re.compile(r"\d(?:\.\d{1,6})?E\+\d\d")
_EMAIL = re.compile(r"[^@\s,;]{1,100}@[^@\s,;.]{1,100}(?:\.[^@\s,;.]{1,60}){1,6}")
_PAST = re.compile(
    r"birth|dob|created|placed|ordered|paid|signed|registered|joined|hired|occurred|logged|visited|shipped",
    re.IGNORECASE,
)
_FALSE = ("false", "no", "n", "f", "0")

RANGES: tuple[tuple[str, float, float, str], ...] = (
    (r"(?:^|_)age(?:$|_years?$)", 0, 130, "an age"),
    (r"(?:^|_)(?:quantity|qty|stock|headcount|num_\w+|n_\w+|\w+_count|count)$", 0, float("inf"), "a count"),
    (
        r"(?:^|_)(?:price|unit_price|cost|salary|wage|weight|height|distance|duration|latency|size|area|volume)(?:_\w{1,6})?$",
        0,
        float("inf"),
        "a measure",
    ),
    (r"(?:^|_)(?:lat|latitude)$", -90, 90, "a latitude"),
    (r"(?:^|_)(?:lon|lng|longitude)$", -180, 180, "a longitude"),
    (r"(?:^|_)(?:prob|probability|likelihood)$", 0, 1, "a probability"),
    (r"(?:^|_)(?:percent|percentage|pct)$", -100, 1000, "a percentage"),
    (r"(?:^|_)month$", 1, 12, "a month"),
    (r"(?:^|_)(?:day|day_of_month)$", 0, 31, "a day"),
    (r"(?:^|_)hour$", 0, 24, "an hour"),
    (r"(?:^|_)minute$", 0, 60, "a minute"),
    (r"(?:^|_)(?:year|birth_year|yob)$", 1000, 2200, "a year"),
    (r"(?:^|_)port$", 0, 65535, "a port"),
)
_RANGES = tuple((re.compile(pattern, re.IGNORECASE), low, high, word) for pattern, low, high, word in RANGES)


def column_issues(column: Column, sort: str, shown: Callable[[Cell], str]) -> Iterator[Issue]:
    """Everything that is wrong with one column; `sort` is what the detector takes it for."""
    if not column.rows:
        return
    yield from _missing(column)
    if not column.filled:
        return
    if column.exact and column.distinct == 1 and column.rows >= 5 and not column.empty:
        yield Issue(
            column.name,
            OutcomeTag.CONSTANT,
            Severity.LOW,
            f"Every row has the same value, {shown(next(iter(column.counts)))}",
            "Leave it out, or check that it is filled as meant.",
        )
    yield from _types(column, shown)
    yield from _dates(column)
    yield from spellings(column, shown)
    yield from _damage(column, sort)
    if not sort:
        yield from _numbers(column, shown)


def _missing(column: Column) -> Iterator[Issue]:
    share = column.empty / column.rows
    if share == 1:
        yield Issue(
            column.name,
            OutcomeTag.MISSING_VALUES,
            Severity.LOW,
            "The column is always empty",
            "Leave it out, or fill it.",
        )
        return
    blank: Test = _blank
    if column.empty and KEY.search(column.name):
        own = len(column.counts) >= 0.9 * column.filled
        severity = Severity.HIGH if own else Severity.MEDIUM if share <= 0.2 else Severity.LOW
        yield Issue(
            column.name,
            OutcomeTag.MISSING_VALUES,
            severity,
            f"{column.empty} rows have no value in what looks like a key",
            "Rows without a key cannot be joined or found again.",
            blank,
        )
    elif 0 < share <= 0.05 and column.rows >= FEW:
        yield Issue(
            column.name,
            OutcomeTag.MISSING_VALUES,
            Severity.LOW,
            f"{column.empty} of {column.rows} rows have no value, nearly all others do",
            "Find out why these are missing.",
            blank,
        )
    elif share >= 0.5 and column.rows >= FEW:
        yield Issue(column.name, OutcomeTag.MISSING_VALUES, Severity.LOW, f"{share:.0%} of the rows have no value")
    if column.notes["placeholder"] and column.notes["placeholder"] < column.empty:
        yield Issue(
            column.name,
            OutcomeTag.INCONSISTENT_VALUES,
            Severity.LOW,
            f"Missing values are written in several ways: {column.notes['placeholder']} as a word such as NA or null, {column.empty - column.notes['placeholder']} as nothing",
            "Write them in one way.",
            _worded,
        )


def _blank(cell: Cell) -> bool:
    return understood(cell).kind == EMPTY


def _worded(cell: Cell) -> bool:
    return isinstance(cell, str) and bool(cell.strip()) and cell.strip().lower() in MISSING


_FAMILY = {"integer": "number", "date": "timestamp"}


def _types(column: Column, shown: Callable[[Cell], str]) -> Iterator[Issue]:
    own = _FAMILY.get(column.type, column.type)
    kinds = {kind for kind in column.kinds if kind != EMPTY}
    strays = {kind for kind in kinds if _FAMILY.get(kind, kind) != own}
    number = sum(column.kinds[kind] for kind in strays)
    if not strays:
        return
    if own != "text":
        yield Issue(
            column.name,
            OutcomeTag.MIXED_TYPES,
            Severity.MEDIUM,
            f"{number} values are no {_words(own)}, as the other {column.filled - number} are",
            "Correct them, or load the column as text.",
            lambda cell: understood(cell).kind in strays,
        )
        return
    text = column.kinds["text"] + column.kinds["nested"]
    numeric = column.kinds["integer"] + column.kinds["number"]
    coded = column.notes["leading zero"]
    if numeric >= 0.5 * column.filled and text - coded > 0 and column.filled >= 5 and not coded:
        yield Issue(
            column.name,
            OutcomeTag.MIXED_TYPES,
            Severity.MEDIUM,
            f"{numeric} values are numbers and {text} are texts",
            "Split them, or say which is meant.",
            lambda cell: understood(cell).kind in ("text", "nested"),
        )
    dated = column.kinds["date"] + column.kinds["timestamp"]
    if dated >= 0.5 * column.filled:
        yield Issue(
            column.name,
            OutcomeTag.MIXED_TYPES,
            Severity.MEDIUM,
            f"{column.filled - dated} values are no dates, as the other {dated} are",
            "Correct them.",
            lambda cell: understood(cell).kind not in ("date", "timestamp", EMPTY),
        )


def _words(kind: str) -> str:
    return {"number": "numbers", "timestamp": "dates", "boolean": "truth values", "nested": "lists or objects"}.get(
        kind, kind
    )


def _dates(column: Column) -> Iterator[Issue]:
    if column.bad_dates:
        yield Issue(
            column.name,
            OutcomeTag.INVALID_VALUES,
            Severity.HIGH if column.dated else Severity.MEDIUM,
            f"{column.bad_dates} dates do not exist",
            "No calendar has such a day.",
            lambda cell: understood(cell).note == BAD_DATE,
        )
    if not column.dated or not column.numbers:
        return
    day, month = column.notes["day first"], column.notes["month first"]
    other = day + month + column.notes["day or month first"]
    if day and month:
        rare = "day first" if day < month else "month first"
        yield Issue(
            column.name,
            OutcomeTag.INCONSISTENT_VALUES,
            Severity.HIGH,
            f"{day} dates are written day first and {month} month first: the others can mean either",
            "Write dates as YYYY-MM-DD.",
            lambda cell: understood(cell).note == rare,
        )
    elif other and other < column.filled - column.bad_dates:
        yield Issue(
            column.name,
            OutcomeTag.INCONSISTENT_VALUES,
            Severity.MEDIUM,
            f"{other} dates are written with the year last, the others with the year first",
            "Write dates as YYYY-MM-DD.",
            lambda cell: "first" in understood(cell).note,
        )
    now = datetime.now(UTC).timestamp() + 2 * 86400
    if column.most > now and _PAST.search(column.name):
        yield Issue(
            column.name,
            OutcomeTag.INVALID_VALUES,
            Severity.MEDIUM,
            "Dates of what has happened lie in the future",
            "",
            lambda cell: understood(cell).kind in ("date", "timestamp") and understood(cell).number > now,
        )
    old, far = datetime(1901, 1, 1, tzinfo=UTC).timestamp(), datetime(2200, 1, 1, tzinfo=UTC).timestamp()
    if (column.least < old or column.most > far) and median(column.numbers) > old:
        yield Issue(
            column.name,
            OutcomeTag.INVALID_VALUES,
            Severity.LOW,
            "Dates such as 1900-01-01 or 9999-12-31 stand for something else",
            "Leave it empty where there is no date.",
            lambda cell: understood(cell).kind in ("date", "timestamp") and not old <= understood(cell).number <= far,
        )


def _damage(column: Column, sort: str) -> Iterator[Issue]:
    if column.broken:
        yield Issue(
            column.name,
            OutcomeTag.INVALID_VALUES,
            Severity.MEDIUM,
            f"{column.broken} values have characters that were broken by a wrong encoding",
            "Read the source again with the right encoding.",
            lambda cell: isinstance(cell, str) and ("\ufffd" in cell or ("Ã" in cell and mangled(cell))),
        )
    texts = [cell for cell in column.counts if isinstance(cell, str)]
    if any(_ERROR.fullmatch(cell.strip()) for cell in texts):
        yield Issue(
            column.name,
            OutcomeTag.INVALID_VALUES,
            Severity.HIGH,
            "Values are error messages of a spreadsheet",
            "Compute them again.",
            lambda cell: isinstance(cell, str) and _ERROR.fullmatch(cell.strip()) is not None,
        )
    if (KEY.search(column.name) or sort) and any(_EXPONENT.fullmatch(cell.strip()) for cell in texts):
        yield Issue(
            column.name,
            OutcomeTag.INVALID_VALUES,
            Severity.HIGH,
            "Identifiers were turned into rounded numbers by a spreadsheet",
            "Their last digits are lost: load them again as text.",
            lambda cell: isinstance(cell, str) and _EXPONENT.fullmatch(cell.strip()) is not None,
        )
    if sort == "email":
        bad = sum(column.counts[cell] for cell in texts if not _EMAIL.fullmatch(cell.strip()))
        if bad and bad < 0.5 * column.filled:
            yield Issue(
                column.name,
                OutcomeTag.INVALID_VALUES,
                Severity.LOW,
                f"{bad} values are no e-mail addresses",
                "",
                lambda cell: isinstance(cell, str) and not _blank(cell) and not _EMAIL.fullmatch(cell.strip()),
            )
    if column.longest in (50, 100, 128, 250, 255, 256, 500, 1000, 1024, 4000) and column.type == "text":
        cut = sum(
            times for cell, times in column.counts.items() if isinstance(cell, str) and len(cell) == column.longest
        )
        if cut >= 3 and column.exact:
            yield Issue(
                column.name,
                OutcomeTag.INVALID_VALUES,
                Severity.LOW,
                f"{cut} texts have exactly {column.longest} characters and none has more: they may be cut",
                "Check the limit of the field.",
                lambda cell: isinstance(cell, str) and len(cell) == column.longest,
            )


def _numbers(column: Column, shown: Callable[[Cell], str]) -> Iterator[Issue]:
    if not column.numeric or not column.numbers:
        return
    for pattern, low, high, word in _RANGES:
        if pattern.search(column.name) and (column.least < low or column.most > high):
            yield Issue(
                column.name,
                OutcomeTag.INVALID_VALUES,
                Severity.MEDIUM,
                f"Values that {word} cannot have: from {column.least:g} to {column.most:g}",
                "",
                _outside(low, high),
            )
            return
    if KEY.search(column.name) or column.distinct <= 5 or column.filled < FEW:
        return
    bounds = fences(list(column.numbers))
    if bounds is None or (column.least >= bounds[0] and column.most <= bounds[1]):
        return
    far = sum(not bounds[0] <= each <= bounds[1] for each in column.numbers)
    if 0 < far <= max(1, RARE * len(column.numbers)):
        yield Issue(
            column.name,
            OutcomeTag.OUTLIERS,
            Severity.LOW,
            f"Values lie far from all others: usual are {max(bounds[0], column.least):.4g} to {min(bounds[1], column.most):.4g}",
            "Check their unit and origin.",
            _outside(*bounds),
        )


def _outside(low: float, high: float) -> Test:
    def test(cell: Cell) -> bool:
        value = understood(cell)
        return value.kind in ("integer", "number") and isfinite(value.number) and not low <= value.number <= high

    return test


def fences(numbers: list[float]) -> tuple[float, float] | None:
    """Between which values numbers are usual: by the median and the median deviation, of logarithms where they are skewed."""
    middle = median(numbers)
    skewed = min(numbers) > 0 and sum(numbers) / len(numbers) > 1.3 * middle
    scaled = [log(each) for each in numbers] if skewed else numbers
    center = median(scaled)
    deviation = 1.4826 * median([abs(each - center) for each in scaled])
    if not deviation:
        ordered = sorted(scaled)
        deviation = (ordered[len(ordered) * 3 // 4] - ordered[len(ordered) // 4]) / 1.349
    if not deviation:
        return None
    low, high = center - FAR * deviation, center + FAR * deviation
    try:
        return (2.718281828459045**low, 2.718281828459045**high) if skewed else (low, high)
    except OverflowError:
        return None
