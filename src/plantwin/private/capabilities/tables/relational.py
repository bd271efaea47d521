"""Tables of a SQLite database, and of columnar files where their reader is installed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from plantwin import expressions
from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.database import declared, descriptor
from plantwin.private.capabilities.tables.table import (
    BATCH,
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_TABLES,
    READ,
    Batch,
    Reference,
    Table,
    batched,
    csv_head,
    unique_names,
)
from plantwin.private.formats.sql import Statement, statements
from plantwin.vocabulary import Severity

KEPT = 24 << 20
"""Bytes of rows that are kept over all tables: the rows of a table are scattered over a dump."""
LONGEST_DEFINITION = 200_000
MOST_DEFINED = 500
_NAME = r"(?:[`\"\[]?[\w$]{1,80}[`\"\]]?\.){0,2}[`\"\[]?([\w$]{1,80})[`\"\]]?"
_LIST = r"\s*(?:\(([^()]{1,8000})\))?"
_INSERT = expressions.compile(
    rf"(?:INSERT|REPLACE)\s+(?:IGNORE\s+|OR\s+\w+\s+)?INTO\s+{_NAME}{_LIST}\s*VALUES\s*", re.IGNORECASE
)
_COPY = expressions.compile(rf"COPY\s+{_NAME}{_LIST}\s+FROM\s+STDIN", re.IGNORECASE)
_CREATE = expressions.compile(rf"CREATE\s+(?:TEMP\w*\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?{_NAME}\s*\(", re.IGNORECASE)
_COLUMN = expressions.compile(
    r"\s*(?!(?:primary|foreign|unique|key|constraint|check|index|fulltext|exclude|like)\b)"
    r"[`\"\[]?(\w{1,80})[`\"\]]?\s+(\w{1,40}(?:\s*\([\d, ]{1,20}\))?)",
    re.IGNORECASE,
)
_VALUE = expressions.compile(
    r"[NEXnexB]?'((?:[^'\\]|''|\\.)*+)(?:'|\Z)|(?P<open>\()|(?P<close>\))|(?P<comma>,)|(?P<word>[^\s(),']+)", re.DOTALL
)
_PLACEHOLDER = expressions.compile(r"\$\w|:[A-Za-z_]|[?@]|%[s(]|\{")
"""What a program fills in: a statement with one is no row of data."""
_ESCAPE = expressions.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "", "b": "\b"}
Row = tuple[int, list[Cell]]


@dataclass
class _Content:
    """What one table of the dump holds."""

    columns: list[str] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    def batches(self, width: int, table: Table) -> Iterator[Batch]:
        """Yield the rows at one width."""
        return batched((line, row if len(row) == width else (row + [None] * width)[:width]) for line, row in self.rows)


def dump(given: Input, text: str, cut: bool) -> list[Table]:
    """Return the tables of a dump, those with rows first."""
    found: dict[str, _Content] = {}
    left = KEPT
    for statement in statements(text):
        head = statement.text[:400].upper()
        if "CREATE" in head:
            _create(statement, found)
        elif left > 0 and ("INSERT" in head or "REPLACE" in head):
            left -= _insert(statement, found, left)
        elif left > 0 and statement.data[1]:
            left -= _copy(statement, text, found, left)
    tables = []
    for name, content in sorted(found.items(), key=lambda item: -len(item[1].rows))[:MOST_TABLES]:
        width = max((len(row) for _, row in content.rows[:100]), default=0)
        columns = content.columns or [f"column {number}" for number in range(1, width + 1)]
        columns = columns[:MOST_COLUMNS]
        if not columns:
            continue
        table = Table(
            label=f"{given.label}#{name}",
            name=name,
            columns=unique_names(columns),
            read=partial(content.batches, len(columns)),
            storage="SQL dump",
            truncated=cut or left <= 0,
            declared=content.types,
            head=csv_head(columns, (row for _, row in content.rows[:200])),
        )
        tables.append(table)
    return tables


def _content(found: dict[str, _Content], name: str, columns: list[str]) -> _Content:
    content = found.setdefault(name, _Content())
    content.columns = content.columns or columns
    return content


def _names(listed: str | None) -> list[str]:
    return [name.strip().strip('`"[]') for name in listed.split(",")] if listed else []


def _create(statement: Statement, found: dict[str, _Content]) -> None:
    match = _CREATE.match(statement.text)
    if match is None or len(found) >= MOST_DEFINED:
        return
    content = found.setdefault(match[1], _Content())
    depth, start = 1, match.end()
    for bracket in expressions.compile(r"[(),]").finditer(statement.text, start, start + LONGEST_DEFINITION):
        depth += {"(": 1, ")": -1, ",": 0}[bracket[0]]
        if depth == 0 or (depth == 1 and bracket[0] == ","):
            column = _COLUMN.match(statement.text, start, bracket.start())
            if column is not None:
                content.columns.append(column[1])
                content.types[column[1]] = column[2]
            start = bracket.end()
        if depth == 0:
            break


def _insert(statement: Statement, found: dict[str, _Content], left: int) -> int:
    """Add the rows of an INSERT, and return its size."""
    text = statement.text
    match = _INSERT.match(text)
    if match is None:
        return 0
    columns = _names(match[2])
    content = _content(found, match[1], columns)
    places = [content.columns.index(name) if name in content.columns else -1 for name in columns]
    line, counted, depth = statement.line, 0, 0
    row: list[Cell] = []
    filled = False
    for token in _VALUE.finditer(text, match.end()):
        kind = token.lastgroup
        if kind == "open":
            depth += 1
            row, filled = (row, filled) if depth > 1 else ([], False)
        elif kind == "close":
            depth -= 1
            if depth == 0:
                line += text.count("\n", counted, token.start())
                counted = token.start()
                if not filled:
                    content.rows.append((line, _ordered(row, places, len(content.columns))))
        elif depth == 1 and kind != "comma":
            row.append(_literal(token))
            filled = filled or (token["word"] is not None and _PLACEHOLDER.match(token["word"]) is not None)
        elif depth == 0 and kind == "word" and row:
            break  # ON CONFLICT, RETURNING: what follows is no row
        if token.end() - match.end() > left:
            break
    if not content.rows and not content.types:
        del found[match[1]]
    return len(text)


def _ordered(row: list[Cell], places: list[int], width: int) -> list[Cell]:
    """Return the cells of a row in the order of the table's columns."""
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
        return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), token[1].replace("''", "'"))[:LONGEST_CELL]
    return None if word.upper() in ("NULL", "DEFAULT") else word[:LONGEST_CELL]


def _copy(statement: Statement, text: str, found: dict[str, _Content], left: int) -> int:
    """Add the rows of a COPY, and return their size."""
    match = _COPY.match(statement.text)
    if match is None:
        return 0
    start, end = statement.data
    content = _content(found, match[1], _names(match[2]))
    first = statement.line + statement.text.count("\n") + 1
    for line, row in enumerate(text[start : min(end, start + left)].split("\n"), start=first):
        if row:
            content.rows.append((line, [None if cell == "\\N" else cell for cell in row.split("\t")]))
    return end - start


SECONDS = 20.0
"""Processor time for the rows of one table."""


def database(given: Input) -> list[Table]:
    """Return the table that the input names, or all of its file."""
    found = []
    for stated in declared(given)[:MOST_TABLES]:
        names = [name for name, _ in stated.columns][:MOST_COLUMNS]
        found.append(
            Table(
                label=given.label if given.part else f"{given.name}#{stated.name}",
                name=stated.name,
                columns=names,
                read=partial(_rows, given, stated.name, names),
                storage="SQLite",
                lined=False,
                declared={name: type_ for name, type_ in stated.columns if type_},
                references=[Reference(*key) for key in stated.foreign_keys],
                keys=[columns for _, unique, columns in stated.indexes if unique],
                head=stated.sample,
            )
        )
    return found


def _rows(given: Input, name: str, columns: list[str], table: Table) -> Iterator[Batch]:
    from plantwin.private.observe.tables import rows

    warnings: list[str] = []

    def numbered() -> Iterator[tuple[int, list[Cell]]]:
        size = 0
        for number, row in enumerate(rows(fd, name, columns, warnings.append, SECONDS), start=1):
            cells = [_cell(value) for value in row]
            size += sum(len(cell) if isinstance(cell, str) else 8 for cell in cells)
            yield number, cells
            if size > READ:
                table.truncated = True
                return

    with descriptor(given) as fd:
        yield from batched(numbered())
    if warnings:
        table.truncated = True
        table.flaw("DATA-DAMAGED", severity=Severity.MEDIUM, problem="Not every row of the table could be read")


def _cell(value: object) -> Cell:
    if isinstance(value, bytes) and b"\0" in value[:256]:
        return f"({len(value)} bytes)"
    return _plain(value) if isinstance(value, (bytes, int, float, str)) else None


def _plain(value: object) -> Cell:
    if isinstance(value, bytes):
        return value[:LONGEST_CELL].decode("utf-8", "replace")
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)[:LONGEST_CELL]


def columnar(given: Input) -> list[Table]:
    """Return the table of a Parquet, Feather or Arrow file; none where no reader is installed or it is none of them."""
    try:
        import pyarrow as arrow
    except ImportError:
        return []
    data = given.read(READ + 1)
    if len(data) > READ:
        return []
    try:
        schema = _open(data).schema_arrow if data[:4] == b"PAR1" else _open(data).schema
    except (arrow.ArrowException, OSError, ValueError, KeyError, MemoryError):
        return []
    names = list(schema.names)[:MOST_COLUMNS]
    table = Table(
        label=given.label,
        name=given.label,
        columns=unique_names(names),
        read=partial(_arrow, data, names),
        storage="columnar",
        lined=False,
        declared={name: str(schema.field(name).type) for name in names},
    )
    first = next(table.read(table), None)
    table.head = csv_head(table.columns, zip(*first.columns, strict=True) if first is not None else ())
    return [table]


def _open(data: bytes) -> Any:
    from pyarrow import feather, parquet

    file = io.BytesIO(data)
    if data[:4] == b"PAR1":
        return parquet.ParquetFile(file)
    if data[:6] == b"ARROW1" or data[:4] == b"FEA1":
        return feather.read_table(file, use_threads=False)
    raise ValueError("neither Parquet nor Arrow")


def _arrow(data: bytes, names: list[str], table: Table) -> Iterator[Batch]:
    import pyarrow as arrow

    number = 0
    try:
        file = _open(data)
        if data[:4] == b"PAR1":
            batches = file.iter_batches(batch_size=BATCH, columns=names, use_threads=False)
        else:
            batches = file.select(names).to_batches(BATCH)
        for batch in batches:
            columns = [[_plain(value) for value in column.to_pylist()] for column in batch.columns]
            yield Batch(range(number + 1, number + batch.num_rows + 1), columns)
            number += batch.num_rows
    except (arrow.ArrowException, OSError, ValueError, MemoryError):
        table.truncated = True
        table.flaw("DATA-DAMAGED", problem="The file is damaged")
