"""Tables of a SQLite database, and of columnar files where their reader is installed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from typing import Any

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
from plantwin.vocabulary import Severity

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
