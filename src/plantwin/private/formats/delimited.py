"""Delimited tables (CSV, TSV): which character separates fields, and whether the first row is a header."""

from __future__ import annotations

import re

from plantwin.private.formats.values import is_number

_DELIMITERS = ",;\t|"
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


def is_header(rows: list[list[str]]) -> bool:
    """Return whether the first row holds names: words in every field, distinct, and unlike what stands below."""
    first = [cell.strip().strip("\ufeff") for cell in rows[0]]
    filled = [cell for cell in first if cell]
    if not filled or len(set(filled)) < len(filled) or any(is_number(cell) for cell in filled):
        return False
    if sum(1 for cell in filled if _FIELD_NAME.fullmatch(cell)) * 10 < len(filled) * 7:
        return False
    if len(rows) == 1:
        return True
    # A field repeated below its own name is a value.
    repeated = sum(1 for cell, below in zip(first, rows[1], strict=False) if cell and cell == below.strip())
    return repeated * 2 < len(filled)
