"""Read the tables of an input, whatever stores them: CSV, JSON, YAML, TOML, Parquet, SQLite, SQL dumps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.tables.table import READ, Table
from plantwin.private.classify.identify import identify
from plantwin.private.facts import private
from plantwin.private.formats.documents import FORMATS as DOCUMENTS
from plantwin.private.formats.source_views import MASKS
from plantwin.private.formats.text import binary

if TYPE_CHECKING:
    from plantwin.private.capabilities.tables.table import Table
LONGEST_SETTINGS = 4 << 20
"""Bytes of YAML or TOML that are examined."""


@private
class Opened(NamedTuple):
    """The tables of an input, or why there are none."""

    tables: list[Table]
    problem: str = ""


def tables_of(given: Input, limit: int = READ) -> Opened:
    """Return the tables of one object, of which at most `limit` bytes are read."""
    try:
        tables, problem = _tables(given, limit)
    except OSError:
        return Opened([], f"{given.label} cannot be read.")
    return Opened(tables, "" if tables else f"{given.label} {problem}.")


def _tables(given: Input, limit: int) -> tuple[list[Table], str]:
    from plantwin.private.capabilities.tables.records import (
        decodes,
        encoding_of,
        is_even,
        json_lines,
        json_tables,
        separated,
    )
    from plantwin.private.capabilities.tables.relational import columnar, database, dump

    head = given.read(1 << 16)
    if not head:
        return [], "is empty"
    format = identify(given.name, head)
    if given.part or format == "sqlite" or head.startswith(b"SQLite format 3\0"):
        return database(given), "is no readable database, or has no such table"
    if format == "columnar" or head[:4] == b"PAR1" or head[:6] == b"ARROW1":
        return columnar(given), "is a columnar file that cannot be read here; the extra `data` has a reader"
    wide = encoding_of(head)[0].startswith("utf-16")
    if (b"\0" in head[:4096] or binary(head[:4096])) and not wide:
        return [], "is not text and no known table"
    data = given.read(limit)
    cut = given.size > len(data)
    if cut:
        data = data[: data.rfind(b"\n") + 1] or data
    sections = format in ("toml", "ini", "editorconfig", "systemd")
    if format in ("json", "jsonl", "notebook", "lock") or (_JSON.match(head) and not sections and format not in MASKS):
        text = data.decode(encoding_of(data)[0], "replace").lstrip("\ufeff")
        found = json_tables(given, text, cut) if format != "jsonl" else []
        if found and (format != "log" or found[0].columns):
            return found, ""
        if format != "jsonl" and not decodes(text.lstrip().partition("\n")[0]):
            return [], "is no JSON that parses"
        table = json_lines(given, text, cut)
        return [table] if table.columns else [], "is no JSON that parses"
    if format == "sql" or given.name.lower().endswith((".sql", ".dump")):
        return dump(given, data.decode(encoding_of(data)[0], "replace"), cut), "holds no rows"
    if format in ("yaml", "toml"):
        return _settings(given, data, cut, format), "does not parse"
    if format in MASKS or format in ("xml", "svg") or (format in DOCUMENTS and format != "text"):
        return [], "is code or a document for readers, and no table"
    table = separated(given, data, cut)
    if format not in ("csv", "tsv") and (len(table.columns) < 2 or not is_even(data, table)):
        return [], "is no table: no separator gives its lines the same number of cells"
    return [table], ""


def _settings(given: Input, data: bytes, cut: bool, format: str) -> list[Table]:
    """Return the lists of records that settings hold."""
    from plantwin.private.capabilities.tables.records import plain_values, tables_in

    text = data[:LONGEST_SETTINGS].decode("utf-8", "replace")
    try:
        if format == "yaml":
            from plantwin.private.formats import yaml as yaml_format

            documents, _ = yaml_format.load(text)
            root: object = documents[0] if len(documents) == 1 else documents
        else:
            import tomllib

            root = tomllib.loads(text)
        root = plain_values(root)
    except (TypeError, ValueError, RecursionError):
        return []
    return tables_in(given, root, cut or len(data) > LONGEST_SETTINGS)


_JSON = re.compile(rb"\s{0,1000}(?:\{|\[\s{0,1000}[\[{\"\d\]-])")
"""How JSON begins: `[section]` is no list."""
FORMATS = frozenset(("csv", "tsv", "jsonl", "sqlite"))
SAMPLED = 5000
"""Rows whose cells are examined."""
_NUMBER = re.compile(r"[-+]?\d[\d_,]{0,20}(?:\.\d{0,20})?(?:[eE][-+]?\d{1,3})?%?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_BOOLEAN = re.compile(r"true|false|yes|no|0|1", re.IGNORECASE)
_TYPES = {"number": _NUMBER, "date": _DATE, "boolean": _BOOLEAN}


class Column(NamedTuple):
    """One column."""

    name: str
    type: str
    missing: int


@private
class Sheet(NamedTuple):
    """One table."""

    name: str
    columns: list[Column]
    rows: int
    exact: bool


def sheets(source: Source) -> list[Sheet]:
    """Return the tables of an object."""
    if source.format == "sqlite" or source.input.part:
        from plantwin.private.capabilities.tables.database import declared
        from plantwin.private.observe.tables import COUNTED

        found = []
        for table in declared(source.input):
            columns = [Column(name, type_.lower() or "any", 0) for name, type_ in table.columns]
            found.append(Sheet(table.name, columns, min(table.rows, COUNTED), table.rows <= COUNTED))
        return found
    from plantwin.private.capabilities.tables.reader import tables_of

    given = Input(name=source.input.name, data=source.data)
    tables = tables_of(given).tables
    return [_sheet(table, source) for table in tables] or [Sheet(source.label, [], 0, not source.truncated)]


def _sheet(table: Table, source: Source) -> Sheet:
    cells: list[list[str]] = [[] for _ in table.columns]
    rows = 0
    for batch in table.batches():
        rows += len(batch.lines)
        for sample, column in zip(cells, batch.columns, strict=True):
            sample += ["" if cell is None else str(cell)[:100] for cell in column[: SAMPLED - len(sample)]]
    columns = [_column(name, sample) for name, sample in zip(table.columns, cells, strict=True)]
    return Sheet(source.label, columns, rows, not source.truncated and not table.truncated)


def _column(name: str, values: list[str]) -> Column:
    filled = [value.strip()[:60] for value in values if value.strip()]
    fits = (kind for kind, pattern in _TYPES.items() if all(map(pattern.fullmatch, filled)))
    return Column(name, next(fits, "text") if filled else "empty", len(values) - len(filled))
