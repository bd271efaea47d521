"""A database file: one finding for each column of its tables that holds something, whatever it is."""

from __future__ import annotations

import os
from collections.abc import Iterator

from plantwin.private.observe.tables import cells
from plantwin.private.redact.columnar import amount
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.folding import Fold
from plantwin.private.redact.located import Located, shown_name
from plantwin.private.redact.sheets import sheets

MAGIC = b"SQLite format 3\0"
_SURE = ("low", "medium", "high")


def is_database(descriptor: int) -> bool:
    """Whether an open file is an SQLite database. What cannot be read twice, such as a pipe, is not asked."""
    try:
        return os.pread(descriptor, len(MAGIC), 0) == MAGIC
    except OSError:
        return False


def tabled(detector: Detector, descriptor: int, path: str, raw: Iterator[Located]) -> Iterator[Located]:
    """The columns of every table, then secrets of other types that stand anywhere else in the file.

    `raw` are the findings of the file's bytes: free pages and what the tables do not show are among them.
    """
    found: dict[tuple[str, str, str], tuple[str, str, int, str]] = {}
    tables = 0
    for table, text in cells(descriptor):
        tables += 1
        for column, type_, group, confidence, count, allowed in _columns(detector, text, path):
            key = (table, column, type_)
            _, sure, many, by = found.get(key, (group, "low", 0, allowed))
            found[key] = (group, max(sure, confidence, key=_SURE.index), many + count, by if by == allowed else "")
    for (table, column, type_), (group, confidence, count, by) in found.items():
        name = f"{shown_name(detector, table)}.{shown_name(detector, column)}"
        yield Located(type_, group, confidence, 1, 1, 0, 0, 0, 0, name, by, name, amount(count))
    told = {type_ for _, _, type_ in found}
    for each in raw:
        if not tables or (each.group == "secret" and each.type not in told):
            yield each


def _columns(detector: Detector, text: bytes, path: str) -> Iterator[tuple[str, str, str, str, int, str]]:
    """Column, type, group, confidence, count and who allows it: of columns as a whole, then of cells by column."""
    names = {each.number: each.name for each in sheets(text, f"{path}.csv")}
    fold = Fold(detector, text, f"{path}.csv", "")
    for each in fold.columns:
        yield each.column, each.type, each.group, each.confidence, each.filled, each.allowed
    for found, number in fold.placed(detector.scan(text, path=f"{path}.csv"), text):
        yield names.get(number, f"column {number + 1}"), found.type, found.group, found.confidence, 1, found.allowed
