"""Delimited tables (CSV, TSV): which character separates fields, and whether the first row is a header."""

from __future__ import annotations

import re
from itertools import pairwise

from plantwin.private.formats.values import is_number

_DELIMITERS = ",;\t|"
_PERIODS = (re.compile(r"(?:1[5-9]|20)\d\d"), re.compile(r"[1-9]\d?"))
"""Years and ranks."""
_VALUE = re.compile(
    r"[-+$€£]?[\d.,]{1,30}%?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ][\d:.,Z+-]{4,24})?|true|false|yes|no", re.IGNORECASE
)
_MISSING = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "--", "?", "."))
_FIELD_NAME = re.compile(r"[#%@$]?[A-Za-z_À-ž][\w .()/%#\-À-ž]{0,79}")


def delimiter(lines: list[str]) -> str:
    """Return the separator that gives most lines the same number of fields."""
    best, score = ",", 0
    for candidate in _DELIMITERS:
        counts = [line.count(candidate) for line in lines[:40]]
        common = max(set(counts), key=counts.count) if counts else 0
        points = counts.count(common) * min(common, 20)
        if common and points > score:
            best, score = candidate, points
    return best


def _are_periods(places: list[int], rows: list[list[str]]) -> bool:
    """Return whether numbers of a first row are years or ranks over columns of other values, as in wide tables."""
    for place in places:
        below = [row[place].strip() for row in rows[1:] if place < len(row) and row[place].strip()]
        sort = next((pattern for pattern in _PERIODS if pattern.fullmatch(rows[0][place].strip())), None)
        if sort is None or not below or sum(sort.fullmatch(cell) is not None for cell in below) * 2 >= len(below):
            return False
    return True


def _is_series(cells: list[str]) -> bool:
    """Return whether all cells are years at one distance, three or more: nothing but a wide table has such a row."""
    years = [int(cell) for cell in cells if _PERIODS[0].fullmatch(cell)]
    steps = {later - earlier for earlier, later in pairwise(years)}
    return len(years) == len(cells) >= 3 and len(steps) == 1 and steps != {0}


def is_header(rows: list[list[str]]) -> bool:
    """Return whether the first row holds names: unlike the numbers and dates below it, or distinct words over words."""
    first = [cell.strip().strip("\ufeff") for cell in rows[0]]
    filled = [cell for cell in first if cell]
    numbers = [place for place, cell in enumerate(first) if cell and is_number(cell)]
    if not filled or not _are_periods(numbers, rows):
        return False
    if len(numbers) == len(filled):
        return _is_series(first)
    over_values = [cell for place, cell in enumerate(first) if place not in numbers and _has_values(place, rows)]
    named = [cell for cell in over_values if cell.lower() not in _MISSING and _VALUE.fullmatch(cell) is None]
    if over_values and len(filled) > 1:
        return len(named) * 2 > len(over_values) and len(set(filled)) * 2 > len(filled)
    if len(set(filled)) < len(filled):
        return False
    if sum(1 for cell in filled if _FIELD_NAME.fullmatch(cell)) * 10 < (len(filled) - len(numbers)) * 7:
        return False
    if len(rows) == 1:
        return True
    # A field repeated below its own name is a value.
    repeated = sum(1 for cell, below in zip(first, rows[1], strict=False) if cell and cell == below.strip())
    return repeated * 2 < len(filled)


def _has_values(place: int, rows: list[list[str]]) -> bool:
    """Return whether nearly all cells of a column below the first row are numbers, dates or truth values."""
    below = [row[place].strip() for row in rows[1:60] if place < len(row)]
    filled = [cell for cell in below if cell.lower() not in _MISSING]
    return len(filled) > 1 and sum(
        is_number(cell) or _VALUE.fullmatch(cell) is not None for cell in filled
    ) >= 0.9 * len(filled)
