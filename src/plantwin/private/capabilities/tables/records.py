"""Tables out of records: JSON lines, lists of objects, and the lists inside an object."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import isfinite

import msgspec

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.table import (
    HEAD,
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_TABLES,
    Batch,
    Table,
    batched,
    unique_names,
)

SAMPLED = 2000
"""Records that tell the columns; later ones may add."""
DEEPEST = 3
"""Objects inside objects become columns down to here."""
LISTED = 20
_SPACE = re.compile(r"[\s,]{0,1000}")
_OPEN = re.compile(r"\s{0,1000}\[")
_BAD = (msgspec.DecodeError, ValueError, RecursionError)

Records = Callable[[Table | None], Iterator[tuple[int, object]]]
"""Yields lines, or numbers, with what stands there; notes flaws where a table is given."""


def flat(value: object) -> dict[str, Cell]:
    """Return a record as cells: inner objects by dotted names, lists as text."""
    if not isinstance(value, dict):
        return {"value": _cell(value)}
    found: dict[str, Cell] = {}
    stack: list[tuple[str, object, int]] = [("", value, 0)] if value else []
    while stack and len(found) < MOST_COLUMNS:
        name, inner, depth = stack.pop()
        if isinstance(inner, dict) and inner and depth < DEEPEST:
            items = reversed(list(inner.items())[:MOST_COLUMNS])
            stack += [(f"{name}.{key}" if name else str(key), item, depth + 1) for key, item in items]
        else:
            found[name] = _cell(inner)
    return found


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    try:
        return msgspec.json.encode(value).decode()[:LONGEST_CELL]
    except (RecursionError, ValueError, TypeError):
        return "{…}"


def json_lines(given: Input, text: str, cut: bool) -> Table:
    """Return the table of a text with one object per line."""
    return _table(given.label, given.label, partial(_lines, text), "JSON lines", cut)


def _lines(text: str, table: Table | None) -> Iterator[tuple[int, object]]:
    decoder = msgspec.json.Decoder()
    at = number = broken = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        at, number = end + 1, number + 1
        if not line:
            continue
        try:
            yield number, decoder.decode(line)
        except _BAD:
            broken += 1
            if table is None or broken > LISTED:
                continue
            if at >= len(text):
                table.flaw("DATA-CUT-OFF", number, problem="The last line is no whole record")
            else:
                table.flaw("DATA-BAD-JSON", number)
    if table is not None and broken > LISTED:
        table.flaw("DATA-BAD-JSON-LINES", count=broken)


def json_tables(given: Input, text: str, cut: bool) -> list[Table]:
    """Return a list of records, or the lists of records in an object; an object alone is a table of one row."""
    label = given.label
    opening = _OPEN.match(text)
    if opening is not None:
        return [_table(label, label, partial(_elements, text, opening.end()), "JSON list", cut)]
    try:
        root = msgspec.json.decode(text)
    except _BAD:
        return []
    return tables_in(given, root, cut)


def tables_in(given: Input, root: object, cut: bool) -> list[Table]:
    """Return the tables of a decoded document."""
    label = given.label
    found = []
    if isinstance(root, list):
        return [_table(label, label, partial(_numbered, root), "JSON list", cut)]
    if isinstance(root, dict):
        lists = [(str(key), value) for key, value in root.items() if _is_records(value)]
        for key, values in lists[:MOST_TABLES]:
            found.append(_table(f"{label}#{key}", key, partial(_numbered, values), "JSON list", cut))
        rows = _by_column(root)
        if rows is not None:
            found.append(_table(label, label, partial(_numbered, rows), "JSON by column", cut))
    return found or [_table(label, label, partial(_numbered, [root]), "one JSON record", cut)]


def _is_records(value: object) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return sum(isinstance(item, dict) for item in value[:50]) * 2 > len(value[:50])


def _by_column(root: dict[str, object]) -> list[object] | None:
    """Return the rows of lists of equal length, each a column."""
    columns = {str(key): value for key, value in root.items() if isinstance(value, list) and not _is_records(value)}
    lengths = {len(value) for value in columns.values()}
    if len(columns) < 2 or len(lengths) != 1 or lengths == {0}:
        return None
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _numbered(values: Sequence[object], table: Table | None) -> Iterator[tuple[int, object]]:
    yield from enumerate(values, start=1)


def _elements(text: str, at: int, table: Table | None) -> Iterator[tuple[int, object]]:
    """Yield the elements of a list one by one, so that a long list is never held as objects."""
    decoder = json.JSONDecoder()
    number = 0
    while True:
        space = _SPACE.match(text, at)
        at = space.end() if space is not None else at
        if at >= len(text) or text[at] == "]":
            break
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if table is not None:
                table.flaw("DATA-DAMAGED", text.count("\n", 0, at) + 1, problem="The record does not parse")
                table.truncated = True
            return
        number += 1
        yield number, value
    if table is not None and at >= len(text) and not table.truncated:
        table.flaw("DATA-CUT-OFF", text.count("\n") + 1, problem="The list is not closed")


def _table(label: str, name: str, records: Records, storage: str, cut: bool) -> Table:
    names: dict[str, None] = {}
    head: list[bytes] = []
    size = 0
    for _, value in islice(records(None), SAMPLED):
        record = flat(value)
        names.update(dict.fromkeys(islice((key for key in record if key not in names), MOST_COLUMNS - len(names))))
        if size < HEAD:
            finite = {key: cell for key, cell in record.items() if not isinstance(cell, float) or isfinite(cell)}
            head.append(msgspec.json.encode(finite))
            size += len(head[-1])
    columns = list(names)
    return Table(
        label=label,
        name=name,
        columns=unique_names(columns),
        read=partial(_batches, records, columns),
        storage=storage,
        lined=storage == "JSON lines",
        truncated=cut,
        head=b"\n".join(head)[:HEAD],
        head_name="head.jsonl",
    )


def _batches(records: Records, columns: list[str], table: Table) -> Iterator[Batch]:
    late: dict[str, int] = {}
    known = set(columns)

    def rows() -> Iterator[tuple[int, list[Cell]]]:
        for line, value in records(table):
            record = flat(value)
            if len(late) < LISTED:
                for key in record.keys() - known:
                    late.setdefault(key, line)
            yield line, [record.get(key) for key in columns]

    yield from batched(rows())
    for key, line in sorted(late.items(), key=lambda item: item[1]):
        table.flaw("DATA-LATE-FIELD", line, field=key[:80], place=table.place([line]))
