"""Which column of one table points into which of another."""

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.private.capabilities.data.column import Column, key_of
from plantwin.private.capabilities.data.table import Table

Columns = tuple[Table, list[Column]]
_SUFFIX = re.compile(r"[_\s-]?(?:id|key|code|no|number|uuid|ref)$|(?<=[a-z])(?:Id|Key|Code|Uuid|Ref)$")
_STEM = re.compile(r".*[/#]")


class Relation(NamedTuple):
    """A column that refers to another table's key."""

    table: Table
    column: str
    other: Table
    key: str
    distinct: int
    broken: int
    """Different values that the other does not have."""
    missing: frozenset[object]
    declared: bool

    def __repr__(self) -> str:
        return "<Relation private>"


def stem(name: str) -> str:
    """A table's name as columns speak of it: without folder, ending and plural."""
    base = _STEM.sub("", name).split(".")[0].lower()
    base = re.sub(r"[_-]?(?:\d{4}.*|v\d+|export|dump|table|data)$", "", base)
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if base.endswith(ending) and len(base) > 3:
            return base[: -len(ending)] + instead
    return base


def relations(tables: list[Columns]) -> list[Relation]:
    """The declared references, and those that names and values suggest."""
    found: list[Relation] = []
    for table, columns in tables:
        declared = {each.column: each for each in table.references}
        for column in columns:
            for other, theirs in tables:
                if other is table:
                    continue
                key = _key(table, column, other, theirs, declared.get(column.name))
                if key is not None and key.exact and column.exact:
                    found.append(_related(table, column, other, key, column.name in declared))
    return found


def _key(table: Table, column: Column, other: Table, theirs: list[Column], declared: object) -> Column | None:
    named = {each.name.lower(): each for each in theirs}
    if declared is not None:
        if getattr(declared, "table", "").lower() != other.name.lower():
            return None
        target = getattr(declared, "target", "").lower()
        return named.get(target) if target else next((each for each in theirs if each.unique), None)
    low = column.name.lower().rpartition(".")[2]
    if not _SUFFIX.search(column.name):
        return None
    base = _SUFFIX.sub("", column.name).lower().strip("_- ")
    if not base:
        return None
    if base == stem(other.name):
        candidates = [named.get(each) for each in ("id", low, f"{base}_id", "key", "code", "uuid")]
        return next((each for each in candidates if each is not None and _keylike(each)), None)
    same = named.get(low)
    mine = next((each for each in [column] if _keylike(each)), None)
    return same if same is not None and same.unique and mine is None else None


def _keylike(column: Column) -> bool:
    return column.rows > 0 and column.exact and len(column.counts) >= 0.9 * column.filled and column.filled > 0


def _related(table: Table, column: Column, other: Table, key: Column, declared: bool) -> Relation:
    there = {_same(each) for each in key.counts}
    missing = frozenset(each for each in column.counts if _same(each) not in there)
    return Relation(table, column.name, other, key.name, len(column.counts), len(missing), missing, declared)


def _same(cell: object) -> str:
    """Values that are equal whatever they are stored as."""
    text = str(key_of(cell) if isinstance(cell, str) else cell).strip()
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text
