"""Compute a query over the rows of a table: one reading, and only what is a number is added up."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from math import fsum, isfinite, sqrt
from statistics import median
from typing import NamedTuple

from plantwin.private.capabilities.logs.as_table import STORAGE
from plantwin.private.capabilities.logs.log import template_of
from plantwin.private.capabilities.query_data.model import Filter, Group, Query
from plantwin.private.capabilities.query_data.reading import folded
from plantwin.private.capabilities.tables.cells import BAD_DATE, BOOLEAN, DATE, INTEGER, NUMBER, TIME, Cell, understood
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.facts import Private, private

MOST_GROUPS = 200_000
MOST_VALUES = 8_000_000
"""Numbers, and different values, that are held at once."""
LISTED = 40
"""Rows that are shown where they are asked for."""
_DOTTED = re.compile(r"[-+]?\d{1,3}(?:\.\d{3})+")
_COMMAS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+")
_SWAPPED = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2")
_CURRENCY = re.compile(r"[$€£¥]")
_YEARLESS = re.compile(r"(?:(\d\d)-(\d\d) )?(\d\d):(\d\d):(\d\d)")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class UndecidedError(Exception):
    """Why no figure can be told; a sentence for the person."""


@private
class Moment(NamedTuple):
    """A time, and how it is written: without a year, or a date, where there is none."""

    seconds: float
    text: str


class Bucket(Private):
    """What the rows of one group add up to."""

    __slots__ = ("all", "best", "different", "left", "rows", "values")

    def __init__(self) -> None:
        self.rows = self.all = 0
        """Rows that the filters let through; and, where a share is asked for, all."""
        self.left = 0
        """Rows without a number where one is computed."""
        self.values = array("d")
        self.different: set[object] = set()
        self.best: list[tuple[float, int, tuple[Cell, ...]]] = []
        """The rows with the least and the greatest value."""


class Computed(Private):
    """The groups of a query."""

    def __init__(self) -> None:
        self.groups: dict[tuple[str, ...], Bucket] = {}
        self.read = 0
        """Rows that were read,"""
        self.kept = 0
        """and those that the filters let through."""
        self.rows: list[tuple[int, tuple[Cell, ...]]] = []
        self.ranked: list[tuple[float, int, tuple[Cell, ...]]] = []
        """The rows that come first, with what they are ranked by, where several are asked for."""
        """Some of these, where they are asked for."""
        self.ungrouped = 0
        """Rows without a value in a column by which they are grouped."""


def number_of(column: Column) -> Callable[[Cell], float | None]:
    """Return what reads the numbers of a column as it writes them; `UndecidedError` where it writes two ways."""
    texts = [cell for cell in column.counts if isinstance(cell, str)]
    european = column.notes["decimal comma"] > 0
    if european and any(_COMMAS.fullmatch(text.strip()) for text in texts):
        raise UndecidedError(
            f"`{column.name}` writes numbers in two ways (1.234,5 and 1,234.5), which cannot be told apart."
        )
    signs = {mark for text in texts for mark in _CURRENCY.findall(text)}
    if len(signs) > 1:
        raise UndecidedError(f"`{column.name}` holds amounts in several currencies ({', '.join(sorted(signs))}).")
    parts = sum(text.strip().endswith("%") for text in texts)
    if parts and parts < sum(understood(text).kind in (INTEGER, NUMBER) for text in texts):
        raise UndecidedError(f"Some numbers of `{column.name}` are percentages and some are not.")
    known: dict[Cell, float | None] = {}

    def read(cell: Cell) -> float | None:
        if isinstance(cell, bool):
            return None
        if cell in known:
            return known[cell]
        text = cell.strip() if isinstance(cell, str) else ""
        if european and _DOTTED.fullmatch(text):
            found: float | None = float(text.replace(".", ""))
        else:
            value = understood(cell)
            found = value.number if value.kind in (INTEGER, NUMBER) and isfinite(value.number) else None
        if len(known) < 500_000:
            known[cell] = found
        return found

    return read


def moment_of(column: Column) -> Callable[[Cell], Moment | None]:
    """Return what reads the times of a column; `UndecidedError` where day and month cannot be told apart."""
    unclear, month_first, day_first = (column.notes[f"{note} first"] for note in ("day or month", "month", "day"))
    if month_first and day_first:
        raise UndecidedError(f"`{column.name}` writes some dates with the day first and some with the month first.")
    if unclear and not month_first and not day_first:
        dotted = all("." in str(cell) for cell in list(column.counts)[:100] if cell is not None)
        if not dotted:
            raise UndecidedError(f"It cannot be told whether the day or the month comes first in `{column.name}`.")
    known: dict[Cell, Moment | None] = {}

    def read(cell: Cell) -> Moment | None:
        if cell not in known and len(known) < 500_000:
            known[cell] = parsed(cell)
        return known[cell] if cell in known else parsed(cell)

    def parsed(cell: Cell) -> Moment | None:
        text = cell.strip() if isinstance(cell, str) else cell
        if isinstance(text, str) and (bare := _YEARLESS.fullmatch(text)) is not None:
            month, day, hour, minute, second = (int(part or 1) for part in bare.groups())
            return Moment(datetime(1972, month, day, hour, minute, second, tzinfo=UTC).timestamp(), text)
        if isinstance(text, str) and month_first and not day_first:
            text = _SWAPPED.sub(lambda match: f"{match[3]}{match[2]}{match[1]}{match[2]}", text, count=1)
        value = understood(text)
        if value.kind not in (DATE, TIME) or value.note == BAD_DATE or not isfinite(value.number):
            return None
        moment = datetime.fromtimestamp(value.number, UTC)
        return Moment(value.number, moment.strftime("%Y-%m-%d %H:%M:%S" if value.kind == TIME else "%Y-%m-%d"))

    return read


def in_unit(moment: Moment, unit: str) -> str | None:
    """Return the hour, day or month of a time as text; None where it does not say."""
    text = moment.text
    dated, clock = ("", text) if ":" in text and "-" not in text else (text[:10].strip(), text[11:])
    if ":" in text and "-" in text:
        dated, _, clock = text.partition(" ")
    if unit == "minute":
        return text[:-3] if clock else None
    if unit == "hour":
        return f"{text[:-6]}:00" if clock else None
    if not dated:
        return None
    if unit == "day":
        return dated
    yearly = len(dated) == 10
    if unit == "month":
        return dated[:7] if yearly else dated[:2]
    if not yearly:
        return None
    when = datetime.fromtimestamp(moment.seconds, UTC)
    if unit == "weekday":
        return WEEKDAYS[when.weekday()]
    if unit == "week":
        year, week, _ = when.isocalendar()
        return f"{year}-W{week:02}"
    return dated[:4]


def _test(one: Filter, column: Column) -> Callable[[Cell], bool]:
    """Return whether a cell passes a filter."""
    relation, number = one.relation, one.number
    if relation == "is":
        wanted = {str(cell).strip() for cell in one.cells}
        return lambda cell: cell is not None and str(cell).strip() in wanted
    if relation == "has":
        return lambda cell: cell is not None and one.text in folded(str(cell))
    if relation == "empty":
        return lambda cell: understood(cell).kind == "empty"
    if relation in ("in", "from", "after", "before", "until"):
        moment = moment_of(column)
        return lambda cell: _timed(moment(cell), relation, one.text)
    value = number_of(column)
    compare: dict[str, Callable[[float], bool]] = {
        ">": lambda found: found > number, "<": lambda found: found < number, "≥": lambda found: found >= number,
        "≤": lambda found: found <= number, "=": lambda found: found == number,
    }  # fmt: skip
    test = compare[relation]
    return lambda cell: (found := value(cell)) is not None and test(found)


def _timed(moment: Moment | None, relation: str, text: str) -> bool:
    if moment is None:
        return False
    yearly = len(moment.text.partition(" ")[0]) == 10
    if not yearly and (relation != "in" or text[0] != "-"):
        raise UndecidedError("The times are written without a year.")
    written = moment.text
    if relation == "in":
        return (written if text[0] != "-" else written[4:] if yearly else f"-{written}").startswith(text)
    part = written[: len(text)]
    return {"from": part >= text, "after": part > text, "before": part < text, "until": part <= text}[relation]


def compute(query: Query, table: Table, columns: Sequence[Column], *, filtered: bool = True) -> Computed:
    """Compute a query over a table."""
    made = Computed()
    tests = [(one.place, _test(one, columns[one.place]), one.negated) for one in query.filters if filtered]
    keys = [_key(group, columns[group.place], table) for group in query.groups]
    measure = query.measures[0] if query.measures else None
    distinct = query.operations == ["distinct"]
    uncounted = distinct or query.operations == ["groups"]
    read = _no_number if measure is None or uncounted else _reader(columns[measure])
    shared = query.operations == ["share"] and bool(query.groups)
    held = 0
    for line, row in _rows(table):
        made.read += 1
        kept = all(test(row[place]) is not negated for place, test, negated in tests)
        if not kept and not shared:
            continue
        key = tuple(key(row[group.place]) or "" for key, group in zip(keys, query.groups, strict=True))
        if "" in key:
            made.ungrouped += kept
            continue
        if shared:
            made.groups.setdefault(key, Bucket()).all += 1
        if not kept:
            continue
        made.kept += 1
        if query.listed and len(made.rows) < LISTED:
            made.rows.append((line, row))
        bucket = made.groups.get(key)
        if bucket is None:
            if len(made.groups) >= MOST_GROUPS:
                raise UndecidedError(f"There are more than {MOST_GROUPS:,} groups.")
            bucket = made.groups[key] = Bucket()
        bucket.rows += 1
        if measure is None:
            continue
        cell = row[measure]
        if distinct:
            if understood(cell).kind != "empty":
                bucket.different.add(str(cell).strip())
            else:
                bucket.left += 1
            held += 1
            continue
        value = read(cell)
        if value is None:
            bucket.left += 1
            continue
        held += 1
        bucket.values.append(value)
        _keep(bucket, value, line, row)
        if query.rows and query.limit > 1:
            made.ranked.append((value, line, row))
            if len(made.ranked) > 50 * query.limit:
                made.ranked = _first(made.ranked, query)
        if held > MOST_VALUES:
            raise UndecidedError(f"There are more than {MOST_VALUES:,} values.")
    made.ranked = _first(made.ranked, query)
    return made


def _first(rows: list[tuple[float, int, tuple[Cell, ...]]], query: Query) -> list[tuple[float, int, tuple[Cell, ...]]]:
    sign = 1 if query.order == "least" else -1
    return sorted(rows, key=lambda row: (sign * row[0], row[1]))[: query.limit]


def _no_number(_: Cell) -> float | None:
    return None


def _reader(column: Column) -> Callable[[Cell], float | None]:
    if column.kinds[DATE] + column.kinds[TIME] > column.filled / 2 or column.name == "time":
        moment = moment_of(column)
        return lambda cell: found.seconds if (found := moment(cell)) is not None else None
    return number_of(column)


def _keep(bucket: Bucket, value: float, line: int, row: tuple[Cell, ...]) -> None:
    if not bucket.best:
        bucket.best = [(value, line, row), (value, line, row)]
    elif value < bucket.best[0][0]:
        bucket.best[0] = value, line, row
    elif value >= bucket.best[1][0]:
        bucket.best[1] = value, line, row


def _rows(table: Table) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    for batch in table.again():
        yield from zip(batch.lines, zip(*batch.columns, strict=True), strict=True)


def _key(group: Group, column: Column, table: Table) -> Callable[[Cell], str | None]:
    if table.storage == STORAGE and column.name == "message":  # with other numbers and names it is the same message
        return lambda cell: template_of(str(cell))
    if group.unit:
        moment = moment_of(column)
        return lambda cell: in_unit(found, group.unit) if (found := moment(cell)) is not None else None
    if column.type == BOOLEAN:
        return lambda cell: "" if cell is None else str(cell).strip().lower()
    return lambda cell: "" if understood(cell).kind == "empty" else str(cell).strip()


def value_of(bucket: Bucket, operation: str) -> float | None:
    """Return one figure of a group; None where it has no numbers."""
    if operation == "share":
        return 100 * bucket.rows / max(1, bucket.all)
    if operation == "count":
        return float(bucket.rows)
    if operation == "distinct":
        return float(len(bucket.different))
    values = bucket.values
    if not values:
        return None
    if operation == "mean":
        return fsum(values) / len(values)
    if operation == "sum":
        return fsum(values)
    if operation == "median":
        return median(values)
    return min(values) if operation == "minimum" else max(values)


def correlation(table: Table, one: Column, other: Column) -> tuple[float, int] | None:
    """Return Pearson's coefficient of two columns over rows in which both are numbers, and how many there are."""
    first, second = number_of(one), number_of(other)
    places = table.columns.index(one.name), table.columns.index(other.name)
    xs, ys = array("d"), array("d")
    for _, row in _rows(table):
        x, y = first(row[places[0]]), second(row[places[1]])
        if x is not None and y is not None and len(xs) < MOST_VALUES:
            xs.append(x)
            ys.append(y)
    if len(xs) < 3:
        return None
    mean_x, mean_y = fsum(xs) / len(xs), fsum(ys) / len(ys)
    spread_x = fsum((x - mean_x) ** 2 for x in xs)
    spread_y = fsum((y - mean_y) ** 2 for y in ys)
    if not spread_x or not spread_y:
        return None
    return fsum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / sqrt(spread_x * spread_y), len(xs)


def repeated_rows(table: Table, place: int | None) -> tuple[int, int, list[str]]:
    """Return how many rows there are, how many repeat an earlier one (or its value in a column), and some of these."""
    seen: set[object] = set()
    rows = again = 0
    examples: list[str] = []
    for line, row in _rows(table):
        cell = row[place] if place is not None else row
        if place is not None and understood(row[place]).kind == "empty":
            rows += 1
            continue
        key: object = str(cell).strip() if place is not None else hash(row)
        rows += 1
        if key in seen:
            again += 1
            if len(examples) < 5:
                examples.append(f"{'line' if table.lined else 'row'} {line}")
        elif len(seen) < MOST_VALUES:
            seen.add(key)
        else:
            raise UndecidedError(f"There are more than {MOST_VALUES:,} different rows.")
    return rows, again, examples
