"""What redaction leaves of invented tables of people, and what it takes from public tables without any.

python -m benchmarks.capabilities.redact_document [FOLDER OF PUBLIC CSV FILES]
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.capabilities.people_tables import Made, as_csv, as_database, as_json_lines, as_workbook, tables
from benchmarks.capabilities.section import Section
from plantwin.private.capabilities.redact_document import Copier
from plantwin.private.capabilities.redact_document.workbook import _CELL, _ITEM, _Cell, _joined, _parts
from plantwin.private.detect import detector

FORMS = ("csv", "tsv", "jsonl", "sqlite", "xlsx")


def rows_of(form: str, copy: bytes, header: list[str]) -> list[list[str]]:
    """Read a redacted copy back, which proves that it is still valid."""
    if form in ("csv", "tsv"):
        return list(csv.reader(io.StringIO(copy.decode(), newline=""), delimiter="," if form == "csv" else "\t"))[1:]
    if form == "jsonl":
        return [[str(json.loads(line)[name]) for name in header] for line in copy.decode().splitlines()]
    if form == "sqlite":
        connection = sqlite3.connect(":memory:")
        connection.deserialize(copy)
        return [[str(cell) for cell in row] for row in connection.execute("SELECT * FROM people")]
    parts = _parts(copy)
    shared = [_joined(match["body"] or b"") for match in _ITEM.finditer(parts["xl/sharedStrings.xml"])]
    cells = [_Cell(match, shared).text for match in _CELL.finditer(parts["xl/worksheets/sheet1.xml"])]
    width = len(header)
    return [cells[at : at + width] for at in range(width, len(cells), width)]


def redacted(form: str, table: Made) -> tuple[bytes, int]:
    """Copy a table in one form; also how many values the second look still sees."""
    copier = Copier(detector())
    if form in ("csv", "tsv", "jsonl"):
        data = as_json_lines(table) if form == "jsonl" else as_csv(table, "," if form == "csv" else "\t")
        (copy,) = copier.finished([copier.copy(data, f"{table.name}.{form}", False)])
        return copy.data, copy.left.sure
    if form == "xlsx":
        copy = copier.binary("workbook", as_workbook(table), "people.xlsx")
        return copy.data, copy.left.sure
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "people.db")
        as_database(table, path)
        copy = copier.binary("sqlite", path.read_bytes(), "people.db")
    return copy.data, copy.left.sure


def measure(spellings: int = 5, rows: int = 300) -> list[tuple[str, int, int, int, int, int, float]]:
    """For each form: identifying values, those left, other values, those taken, what the second look saw, seconds."""
    out = []
    for form in FORMS:
        kept: Counter[str] = Counter()
        values = left = others = taken = seen = 0
        started = time.perf_counter()
        for table in tables(rows=rows, spellings=spellings):
            copy, again = redacted(form, table)
            seen += again
            for before, after in zip(table.rows, rows_of(form, copy, table.header), strict=True):
                for at, (one, other) in enumerate(zip(before, after, strict=True)):
                    same = one == other or (
                        form in ("jsonl", "sqlite") and _number(one) is not None and _number(one) == _number(other)
                    )
                    if at in table.hidden:
                        values += 1
                        left += same
                        kept[f"{table.name}.{table.header[at]}"] += same
                    elif table.header[at] != "notes":
                        others += 1
                        taken += not same
                        kept[f"taken {table.name}.{table.header[at]}"] += not same
                    elif "{" not in one and any(word in other for word in _names(before, table)):
                        left += 1
                        kept[f"{table.name}.notes"] += 1
        out.append((form, values, left, others, taken, seen, time.perf_counter() - started))
        for place, times in kept.most_common(40):
            if times:
                print(f"    {form} {place}: {times}", file=sys.stderr)
    return out


def _names(row: list[str], table: Made) -> list[str]:
    """Whole names of people of a row that its note mentions."""
    return [row[at] for at in table.hidden if len(row[at]) > 6 and not row[at][0].isdigit() and row[at] in row[-1]]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def public(folder: Path) -> list[tuple[str, int, int, str]]:
    """The columns that are taken from public tables: file, cells, cells taken, which."""
    from plantwin.private.detect.structured import _layout

    out = []
    for path in sorted(folder.rglob("*.csv")):
        data = path.read_bytes()[: 1 << 20]
        header = next(csv.reader(io.StringIO(data[:65536].decode("utf-8", "replace"), newline=None)), [])
        layout = _layout(data)
        taken = [f"{name}={kind.type}" for name, kind in zip(header, layout.columns, strict=False) if kind is not None]
        out.append((str(path.relative_to(folder)), len(layout.columns), len(taken), ", ".join(taken)))
    return out


def sections(data: Path | None) -> list[Section]:
    """Return what is measured. The peer, presidio, brings 366 MB and a model, and reads no columns."""
    heads = ("form", "identifying values", "left", "other values", "taken", "time")
    rows = [
        [form, values, left, others, taken, f"{seconds:.1f} s"]
        for form, values, left, others, taken, _, seconds in measure(spellings=2, rows=100)
    ]
    text = "Invented tables of people in five forms, each copied and read back. No peer is run."
    return [Section("redact_document: tables of people", text, heads, rows)]


def main() -> None:
    """Print the tables."""
    print("form   identifying values   left   other values   taken   second look   seconds")
    for form, values, left, others, taken, seen, seconds in measure():
        print(f"{form:7}{values:18}{left:7}{others:15}{taken:8}{seen:14}{seconds:10.1f}")
    if len(sys.argv) > 1:
        found = public(Path(sys.argv[1]))
        columns, gone = sum(row[1] for row in found), sum(row[2] for row in found)
        print(f"\n{len(found)} public tables, {columns} columns, {gone} taken")
        for name, _, _, which in found:
            if which:
                print(f"  {name}: {which}")


if __name__ == "__main__":
    main()
