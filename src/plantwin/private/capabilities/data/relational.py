"""Tables of a database file, and of columnar files where their reader is installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from functools import partial

from plantwin.private.capabilities.common.database import declared, descriptor
from plantwin.private.capabilities.data.cells import Cell
from plantwin.private.capabilities.data.table import (
    BATCH,
    MOST_COLUMNS,
    MOST_TABLES,
    READ,
    Batch,
    Flaw,
    Reference,
    Table,
    unique_names,
)  # fmt: skip
from plantwin.private.capabilities.job import Input

SECONDS = 20.0
"""Processor time for the rows of one table."""
LONGEST = 4000


def database(given: Input) -> list[Table]:
    """The table that the input names, or all of its file."""
    found = []
    for each in declared(given)[:MOST_TABLES]:
        names = [name for name, _ in each.columns][:MOST_COLUMNS]
        label = given.label if given.part else f"{given.name}#{each.name}"
        found.append(
            Table(
                label=label,
                name=each.name,
                columns=names,
                read=partial(_rows, given, each.name, names),
                storage="SQLite",
                lined=False,
                declared={name: type_ for name, type_ in each.columns if type_},
                references=[Reference(column, table, target) for column, table, target in each.foreign_keys],
                keys=[columns for _, unique, columns in each.indexes if unique],
                head=each.sample,
            )
        )
    return found


def _rows(given: Input, name: str, columns: list[str], table: Table) -> Iterator[Batch]:
    from plantwin.private.observe.tables import rows

    warnings: list[str] = []
    kept: list[list[Cell]] = []
    number = size = 0
    with descriptor(given) as fd:
        for row in rows(fd, name, columns, warnings.append, SECONDS):
            number += 1
            cells = [_cell(each) for each in row]
            size += sum(len(each) if isinstance(each, str) else 8 for each in cells)
            kept.append(cells)
            if len(kept) >= BATCH:
                yield Batch(range(number - len(kept) + 1, number + 1), list(zip(*kept, strict=True)))
                kept = []
            if size > READ:
                table.truncated = True
                break
    if kept:
        yield Batch(range(number - len(kept) + 1, number + 1), list(zip(*kept, strict=True)))
    if warnings:
        table.truncated = True
        table.flaws.append(
            Flaw(0, "Not every row of the table could be read", "Check the database's integrity.", "medium")
        )


def _cell(value: object) -> Cell:
    if isinstance(value, bytes):
        if b"\0" in value[:256]:
            return f"({len(value)} bytes)"
        return value[:LONGEST].decode("utf-8", "replace")
    return value if isinstance(value, (int, float, str)) else None


def columnar(given: Input) -> list[Table] | None:
    """A Parquet, Feather or Arrow file; None where no reader is installed or it is none of them."""
    try:
        import pyarrow as arrow
        from pyarrow import feather, parquet
    except ImportError:
        return None
    data = given.read(READ + 1)
    if len(data) > READ:
        return None
    try:
        if data[:4] == b"PAR1":
            file = parquet.ParquetFile(io.BytesIO(data))
            names = list(file.schema_arrow.names)
            types = {name: str(file.schema_arrow.field(name).type) for name in names[:MOST_COLUMNS]}
        elif data[:6] == b"ARROW1" or data[:4] == b"FEA1":
            whole = feather.read_table(io.BytesIO(data))
            names, types = list(whole.column_names), {name: str(whole.field(name).type) for name in whole.column_names}
        else:
            return None
    except (arrow.ArrowException, OSError, ValueError, KeyError, MemoryError):
        return None
    kept = names[:MOST_COLUMNS]
    table = Table(
        label=given.label, name=given.label, columns=unique_names(kept), read=partial(_arrow, data, kept),
        storage="columnar", lined=False, declared=types,
    )  # fmt: skip
    table.head = _head(table)
    return [table]


def _arrow(data: bytes, names: list[str], table: Table) -> Iterator[Batch]:
    import pyarrow as arrow
    from pyarrow import feather, parquet

    number = 0
    try:
        if data[:4] == b"PAR1":
            batches = parquet.ParquetFile(io.BytesIO(data)).iter_batches(
                batch_size=BATCH, columns=names, use_threads=False
            )
        else:
            batches = iter(feather.read_table(io.BytesIO(data), use_threads=False).select(names).to_batches(BATCH))
        for batch in batches:
            columns = [[_plain(each) for each in column.to_pylist()] for column in batch.columns]
            yield Batch(range(number + 1, number + batch.num_rows + 1), columns)
            number += batch.num_rows
    except (arrow.ArrowException, OSError, ValueError, MemoryError):
        table.truncated = True
        table.flaws.append(Flaw(0, "The file is damaged: not every row could be read", "", "high"))


def _plain(value: object) -> Cell:
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return value[:LONGEST].decode("utf-8", "replace") if isinstance(value, bytes) else str(value)[:LONGEST]


def _head(table: Table) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    first = next(table.read(table), None)
    if first is not None:
        writer.writerows(row for row, _ in zip(zip(*first.columns, strict=True), range(200), strict=False))
    return text.getvalue().encode("utf-8", "replace")[: 1 << 18]
