"""Tables of a database dump: the rows of its `INSERT` and `COPY` statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from plantwin import expressions
from plantwin.private.capabilities.data.cells import Cell
from plantwin.private.capabilities.data.table import BATCH, MOST_COLUMNS, MOST_TABLES, Batch, Table, unique_names
from plantwin.private.capabilities.job import Input
from plantwin.private.capabilities.statements.split import Statement, statements

_NAME = r"(?:[`\"\[]?[\w$]{1,80}[`\"\]]?\.){0,2}[`\"\[]?([\w$]{1,80})[`\"\]]?"
_INSERT = expressions.compile(
    rf"(?:INSERT|REPLACE)\s+(?:IGNORE\s+|OR\s+\w+\s+)?INTO\s+{_NAME}\s*(?:\(([^()]{{1,8000}})\))?\s*VALUES\s*",
    re.IGNORECASE,
)
_COPY = expressions.compile(rf"COPY\s+{_NAME}\s*(?:\(([^()]{{1,8000}})\))?\s+FROM\s+STDIN", re.IGNORECASE)
_CREATE = expressions.compile(rf"CREATE\s+(?:TEMP\w*\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?{_NAME}\s*\(", re.IGNORECASE)
_COLUMN = expressions.compile(r"\s*[`\"\[]?(\w{1,80})[`\"\]]?\s+(\w{1,40}(?:\s*\([\d, ]{1,20}\))?)")
_CONSTRAINT = frozenset(
    ["primary", "foreign", "unique", "key", "constraint", "check", "index", "fulltext", "exclude", "like"]
)
_VALUE = expressions.compile(
    r"[NEXnexB]?'((?:[^'\\]|''|\\.)*+)(?:'|\Z)|(?P<open>\()|(?P<close>\))|(?P<comma>,)|(?P<word>[^\s(),']+)", re.DOTALL
)
_ESCAPE = expressions.compile(r"\\(.)", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "0": "", "b": "\b"}
KEPT = 24 << 20
"""Bytes of rows that are kept over all tables: the rows of a table are scattered over a dump."""

Row = tuple[int, list[Cell]]


class _Content:
    """What one table of the dump holds."""

    def __init__(self) -> None:
        self.columns: list[str] = []
        self.types: dict[str, str] = {}
        self.rows: list[Row] = []


def dump(given: Input, text: str, cut: bool) -> list[Table]:
    """The tables of a dump, those with rows first."""
    found: dict[str, _Content] = {}
    left = KEPT
    for each in statements(text):
        head = each.text[:400].upper()
        if "CREATE" in head:
            _created(each, found)
        elif left > 0 and ("INSERT" in head or "REPLACE" in head):
            left -= _inserted(each, found, left)
        elif left > 0 and each.data[1]:
            left -= _copied(each, text, found, left)
    tables = []
    for name, content in sorted(found.items(), key=lambda pair: -len(pair[1].rows))[:MOST_TABLES]:
        width = max((len(row) for _, row in content.rows[:100]), default=0)
        columns = content.columns or [f"column {number}" for number in range(1, width + 1)]
        columns = columns[:MOST_COLUMNS]
        if columns:
            tables.append(
                Table(
                    label=f"{given.label}#{name}", name=name, columns=unique_names(columns),
                    read=partial(_batches, content.rows, len(columns)), storage="SQL dump",
                    truncated=cut or left <= 0, declared=content.types, head=_head(columns, content.rows),
                )
            )  # fmt: skip
    return tables


def _names(listed: str | None) -> list[str]:
    return [each.strip().strip('`"[]') for each in listed.split(",")] if listed else []


def _created(each: Statement, found: dict[str, _Content]) -> None:
    match = _CREATE.match(each.text)
    if match is None or len(found) >= 500:
        return
    content = found.setdefault(match[1], _Content())
    depth, start, parts = 1, match.end(), []
    for bracket in re.finditer(r"[(),]", each.text[: match.end() + 200_000][match.end() :]):
        at = bracket.start() + match.end()
        if bracket[0] == "(":
            depth += 1
        elif bracket[0] == ")":
            depth -= 1
        if (bracket[0] == "," and depth == 1) or depth == 0:
            parts.append(each.text[start:at])
            start = at + 1
        if depth == 0:
            break
    for part in parts:
        column = _COLUMN.match(part)
        if column is not None and column[1].lower() not in _CONSTRAINT:
            content.columns.append(column[1])
            content.types[column[1]] = column[2]


def _content(found: dict[str, _Content], name: str, columns: list[str]) -> _Content:
    content = found.setdefault(name, _Content())
    content.columns = content.columns or columns
    return content


def _inserted(each: Statement, found: dict[str, _Content], left: int) -> int:
    match = _INSERT.match(each.text)
    if match is None:
        return 0
    columns = _names(match[2])
    content = _content(found, match[1], columns)
    places = [content.columns.index(name) if name in content.columns else -1 for name in columns]
    line, counted = each.line, 0
    row: list[Cell] | None = None
    depth = 0
    for token in _VALUE.finditer(each.text, match.end()):
        kind = token.lastgroup
        if kind == "open":
            depth += 1
            if depth == 1:
                row = []
        elif kind == "close":
            depth -= 1
            if depth == 0 and row is not None:
                line += each.text.count("\n", counted, token.start())
                counted = token.start()
                content.rows.append((line, _placed(row, places, len(content.columns))))
                row = None
        elif row is not None and depth == 1 and kind != "comma":
            row.append(_literal(token))
        if token.end() - match.end() > left:
            break
    return len(each.text)


def _placed(row: list[Cell], places: list[int], width: int) -> list[Cell]:
    if not places or places == list(range(width)) or len(places) != len(row):
        return row
    cells: list[Cell] = [None] * width
    for place, cell in zip(places, row, strict=True):
        if place >= 0:
            cells[place] = cell
    return cells


def _literal(token: re.Match[str]) -> Cell:
    word = token["word"]
    if word is None:
        return _ESCAPE.sub(lambda each: _MEANT.get(each[1], each[1]), token[1].replace("''", "'"))[:4000]
    return None if word.upper() in ("NULL", "DEFAULT") else word[:4000]


def _copied(each: Statement, text: str, found: dict[str, _Content], left: int) -> int:
    match = _COPY.match(each.text)
    if match is None:
        return 0
    start, end = each.data
    content = _content(found, match[1], _names(match[2]))
    line = each.line + each.text.count("\n") + 1
    for number, row in enumerate(text[start : min(end, start + left)].split("\n")):
        if row:
            content.rows.append((line + number, [None if cell == "\\N" else cell for cell in row.split("\t")]))
    return end - start


def _batches(rows: list[Row], width: int, table: Table) -> Iterator[Batch]:
    for at in range(0, len(rows), BATCH):
        part = rows[at : at + BATCH]
        cells = [row if len(row) == width else (row + [None] * width)[:width] for _, row in part]
        yield Batch([line for line, _ in part], list(zip(*cells, strict=True)))


def _head(columns: list[str], rows: list[Row]) -> bytes:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(row for _, row in rows[:200])
    return text.getvalue().encode("utf-8", "replace")[: 1 << 18]
