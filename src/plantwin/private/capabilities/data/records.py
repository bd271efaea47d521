"""Tables out of records: JSON lines, lists of objects, and the lists inside an object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import partial

import msgspec

from plantwin.private.capabilities.data.cells import Cell
from plantwin.private.capabilities.data.table import BATCH, MOST_COLUMNS, MOST_TABLES, Batch, Flaw, Table, unique_names
from plantwin.private.capabilities.job import Input

SAMPLED = 2000
"""Records that tell the columns; later ones may add."""
DEEPEST = 3
"""Objects inside objects become columns down to here."""
LISTED = 20
_SPACE = re.compile(r"[\s,]{0,1000}")
_OPEN = re.compile(r"\s{0,1000}\[")

Record = tuple[int, object]
"""A line, or a number, and what stands there."""


def flat(value: object) -> dict[str, Cell]:
    """A record as cells: inner objects by dotted names, lists as text."""
    if not isinstance(value, dict):
        return {"value": _cell(value)}
    found: dict[str, Cell] = {}
    stack: list[tuple[str, object, int]] = [
        (str(key), each, 1) for key, each in reversed(list(value.items())[:MOST_COLUMNS])
    ]
    while stack and len(found) < MOST_COLUMNS:
        name, each, depth = stack.pop()
        if isinstance(each, dict) and each and depth < DEEPEST:
            stack += [(f"{name}.{key}", inner, depth + 1) for key, inner in reversed(list(each.items())[:MOST_COLUMNS])]
        else:
            found[name] = _cell(each)
    return found


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    try:
        return msgspec.json.encode(value).decode()[:4000]
    except (RecursionError, ValueError, TypeError):
        return "{…}"


def json_lines(given: Input, text: str, cut: bool) -> Table:
    """One object per line."""
    return _table(given.label, given.label, partial(_lines, text), "JSON lines", True, cut)


def _lines(text: str, table: Table | None) -> Iterator[Record]:
    decoder = msgspec.json.Decoder()
    broken = 0
    at, number = 0, 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        at, number = end + 1, number + 1
        if not line:
            continue
        try:
            yield number, decoder.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            broken += 1
            if table is not None and broken <= LISTED:
                last = at >= len(text)
                message = "The last line is no whole record: the file may be cut" if last else "The line is no JSON"
                table.flaws.append(Flaw(number, message, "", "high"))
    if table is not None and broken > LISTED:
        table.flaws.append(Flaw(0, f"{broken} lines in all are no JSON", "", "high"))


def json_tables(given: Input, text: str, cut: bool) -> list[Table]:
    """A list of records, or the lists of records in an object; an object alone is a table of one row."""
    opening = _OPEN.match(text)
    if opening is not None:
        return [_table(given.label, given.label, partial(_elements, text, opening.end()), "JSON list", False, cut)]
    try:
        root = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return []
    found = []
    if isinstance(root, dict):
        lists = [(str(key), each) for key, each in root.items() if _records(each)]
        for key, each in lists[:MOST_TABLES]:
            found.append(_table(f"{given.label}#{key}", key, partial(_numbered, each), "JSON list", False, cut))
        columnar = _columnar(root)
        if columnar is not None:
            found.append(_table(given.label, given.label, partial(_numbered, columnar), "JSON by column", False, cut))
    if not found:
        found.append(_table(given.label, given.label, partial(_numbered, [root]), "one JSON record", False, cut))
    return found


def _records(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and sum(isinstance(each, dict) for each in value[:50]) * 2 > len(value[:50])
    )


def _columnar(root: dict[str, object]) -> list[object] | None:
    """Lists of equal length, each a column."""
    columns = {str(key): each for key, each in root.items() if isinstance(each, list) and not _records(each)}
    lengths = {len(each) for each in columns.values()}
    if len(columns) < 2 or len(lengths) != 1 or lengths == {0}:
        return None
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _numbered(values: Iterable[object], table: Table | None) -> Iterator[Record]:
    yield from enumerate(values, start=1)


def _elements(text: str, at: int, table: Table | None) -> Iterator[Record]:
    """The elements of a list one by one, so that a long list is never held as objects."""
    decoder = json.JSONDecoder()
    number = 0
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if at >= len(text) or text[at] == "]":
            break
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if table is not None:
                table.flaws.append(
                    Flaw(text.count("\n", 0, at) + 1, "The record does not parse: the rest is not read", "", "high")
                )
                table.truncated = True
            return
        number += 1
        yield number, value
    if table is not None and at >= len(text) and not table.truncated:
        table.flaws.append(
            Flaw(
                text.count("\n") + 1,
                "The list is not closed: the file may be cut",
                "Get it again from its source.",
                "high",
            )
        )


def _table(label: str, name: str, source: partial[Iterator[Record]], storage: str, lined: bool, cut: bool) -> Table:
    names: dict[str, None] = {}
    head: list[bytes] = []
    size = 0
    for _, (_, value) in zip(range(SAMPLED), source(None), strict=False):
        record = flat(value)
        for key in record:
            if len(names) < MOST_COLUMNS:
                names[key] = None
        if size < 1 << 18:
            head.append(msgspec.json.encode({key: each for key, each in record.items() if not _infinite(each)}))
            size += len(head[-1])
    columns = list(names)
    return Table(
        label=label, name=name, columns=unique_names(columns), read=partial(_batches, source, columns), storage=storage,
        lined=lined, truncated=cut, head=b"\n".join(head)[: 1 << 18], head_name="head.jsonl",
    )  # fmt: skip


def _infinite(value: Cell) -> bool:
    return isinstance(value, float) and (value != value or value in (float("inf"), float("-inf")))


def _batches(source: partial[Iterator[Record]], columns: list[str], table: Table) -> Iterator[Batch]:
    rows: list[list[Cell]] = []
    lines: list[int] = []
    late: dict[str, int] = {}
    known = set(columns)
    for line, value in source(table):
        record = flat(value)
        if len(late) < LISTED:
            for key in record.keys() - known:
                late.setdefault(key, line)
        rows.append([record.get(key) for key in columns])
        lines.append(line)
        if len(rows) >= BATCH:
            yield Batch(lines, list(zip(*rows, strict=True)))
            rows, lines = [], []
    if rows:
        yield Batch(lines, list(zip(*rows, strict=True)))
    for key, line in sorted(late.items(), key=lambda each: each[1]):
        table.flaws.append(
            Flaw(
                line if table.lined else 0, f"The field {key[:80]!r} appears only late ({table.place(line)})", "", "low"
            )
        )
