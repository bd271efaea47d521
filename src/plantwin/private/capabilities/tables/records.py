"""Tables out of records: JSON lines, lists of objects, and the lists inside an object."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING

import msgspec

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.tables.cells import Cell, understood
from plantwin.private.capabilities.tables.table import (
    HEAD,
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_TABLES,
    READ,
    Batch,
    Table,
    batched,
    unique_names,
)
from plantwin.private.formats import json as json_format
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from _csv import Reader as _Reader

FIELD = 1 << 20
"""Characters of one cell; more means that a quote was never closed."""
LISTED_LINES = 5
"""Ragged rows that are listed."""
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
CUT_ROW = "The file ends in the middle of a row"
OPEN_QUOTE = "A quote opens here and is never closed"


def encoding_of(data: bytes) -> tuple[str, str]:
    """Return the encoding, and what is wrong with it."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, ""
    head = data[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) > 3 and (even + odd) * 3 > len(head) and min(even, odd) * 8 <= max(even, odd):
        name = "utf-16-le" if odd > even else "utf-16-be"
        return name, f"The text is {name.upper()} without a byte order mark"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 4 and len(data) >= READ:
            return "utf-8", ""
        # What follows the lead bytes of most European letters tells broken UTF-8 from another encoding.
        lead = data.count(b"\xc3") + data.count(b"\xe2")
        high = len(data[: 1 << 20].translate(None, bytes(range(128))))
        if high and lead * 2 > high:
            return "utf-8", "The text mixes encodings"
        return "cp1252", "The text is not UTF-8 and is read as cp1252"
    return "utf-8", ""


@dataclass(frozen=True)
class _Layout:
    """How the rows stand in the bytes."""

    data: bytes
    encoding: str
    problem: str
    separator: str
    skipped: int
    """Lines before the header: comments and empty ones."""
    headed: bool

    def rows(self, table: Table) -> Iterator[Batch]:
        """Yield the rows, and note the flaws of the storage."""
        csv.field_size_limit(FIELD)
        data = self.data
        if self.problem:
            low = Severity.LOW if "mixes" not in self.problem else None
            table.flaw("DATA-ENCODING", _first_bad(data), severity=low, problem=self.problem)
        if b"\0" in data and not self.encoding.startswith("utf-16"):
            line = data.count(b"\n", 0, data.index(b"\0")) + 1
            table.flaw("DATA-ENCODING", line, problem="There are zero bytes in the text")
            data = data.replace(b"\0", b"")
        text = io.TextIOWrapper(io.BytesIO(data), encoding=self.encoding, errors="replace", newline="")
        for _ in range(self.skipped):
            text.readline(1 << 20)
        reader = csv.reader(text, delimiter=self.separator)
        yield from batched(self._cells(reader, table))
        self._check_end(data, table, reader.line_num + self.skipped)

    def _cells(self, reader: _Reader, table: Table) -> Iterator[tuple[int, list[str]]]:
        width, skipped = len(table.columns), self.skipped
        if self.headed:
            next(filter(None, reader), None)
        ragged = longer = 0
        last = reader.line_num
        try:
            for row in reader:
                start, last = last + 1 + skipped, reader.line_num
                if len(row) != width:
                    if not row:
                        continue
                    ragged += 1
                    longer += len(row) > width
                    if ragged <= LISTED_LINES:
                        table.flaw("DATA-RAGGED-ROW", start, cells=len(row), columns=width)
                    row = (row + [""] * width)[:width]
                yield start, row
        except csv.Error:
            table.flaw("DATA-DAMAGED", last + 1 + skipped, problem=OPEN_QUOTE)
            table.truncated = True
        if ragged > LISTED_LINES:
            table.flaw("DATA-RAGGED-ROWS", count=ragged)

    def _check_end(self, data: bytes, table: Table, last: int) -> None:
        """Note that the file ends in the middle of a row: it was cut while it was written."""
        if table.truncated or not data or data.endswith((b"\n", b"\r", b"\n\0")):
            return
        final = data[data.rfind(b"\n") + 1 :]
        width = len(table.columns)
        if width > 1 and final.count(self.separator.encode()) + 1 < width and b'"' not in final:
            table.flaw("DATA-CUT-OFF", last, problem=CUT_ROW)


def separated(given: Input, data: bytes, cut: bool) -> Table:
    """Return the table that separated values make."""
    from plantwin.private.formats.delimited import delimiter, is_header

    encoding, problem = encoding_of(data)
    head = data[:HEAD].decode(encoding, "replace").lstrip("\ufeff")
    lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    skipped = 0
    while skipped < len(lines) - 1 and (lines[skipped].startswith("#") or not lines[skipped].strip()):
        skipped += 1
    separator = ""
    if lines[skipped].lower().startswith("sep=") and len(lines[skipped]) == 5:
        separator, skipped = lines[skipped][4], skipped + 1
    lines = lines[skipped:]
    tabbed = given.name.lower().endswith((".tsv", ".tab")) and "\t" in lines[0]
    separator = separator or ("\t" if tabbed else delimiter(lines))
    rows = _parse("\n".join(lines[:60]), separator)
    headed = bool(rows) and (is_header(rows) or (_worded(rows[0]) and is_header([unique_names(rows[0]), *rows[1:]])))
    width = max((len(row) for row in rows[:50]), default=0)
    names = rows[0] if headed else [f"column {number}" for number in range(1, width + 1)]
    by = _SEPARATORS.get(separator, separator)
    return Table(
        label=given.label,
        name=given.label,
        columns=unique_names(names),
        read=_Layout(data, encoding, problem, separator, skipped, headed).rows,
        storage=f"separated by {by}, {encoding.removesuffix('-sig')}" + ("" if headed else ", no header"),
        truncated=cut,
        head="\n".join(lines[:2001]).encode("utf-8", "replace")[:HEAD],
    )


def is_even(data: bytes, table: Table) -> bool:
    """Tell whether nearly all lines have as many separators as there are columns: in prose commas stand anywhere."""
    text = data[:HEAD].decode(encoding_of(data)[0], "replace")
    lines = [line for line in text.split("\n")[:200] if line.strip() and not line.startswith("#")]
    separator = next(mark for mark, name in _SEPARATORS.items() if table.storage.startswith(f"separated by {name},"))
    even = sum(len(row) == len(table.columns) for row in _parse("\n".join(lines), separator))
    return even * 10 >= len(lines) * 8


def _worded(row: list[str]) -> bool:
    """Tell whether no cell is a number: names that repeat are still names."""
    return not any(understood(cell).kind in ("integer", "number") for cell in row) and len(set(row)) * 2 > len(row)


def _parse(text: str, separator: str) -> list[list[str]]:
    csv.field_size_limit(FIELD)
    try:
        return [row for row in csv.reader(io.StringIO(text), delimiter=separator) if row]
    except csv.Error:
        return [line.split(separator) for line in text.split("\n") if line]


def _first_bad(data: bytes) -> int:
    """Return the line of the first byte that is not UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return 0


SAMPLED = 2000
"""Records that tell the columns; later ones may add."""
MOST_VALUES = 1_000_000
"""Values of settings that are read as tables."""
DEEPEST = 3
"""Objects inside objects become columns down to here."""
LISTED = 20
_SPACE = re.compile(r"[\s,]{0,1000}")
_OPEN = re.compile(r"\s{0,1000}\[")
_BAD = (msgspec.DecodeError, ValueError, RecursionError)

Records = Callable[[Table | None], Iterator[tuple[int, object]]]
"""Yields lines, or numbers, with what stands there; notes flaws where a table is given."""


def plain_values(value: object, left: Iterator[int] | None = None) -> object:
    """Return a value as JSON has it. Aliases can make it far larger than its text: `ValueError` above `MOST_VALUES`."""
    left = iter(range(MOST_VALUES)) if left is None else left
    if next(left, None) is None:
        raise ValueError("too many values")
    if isinstance(value, dict):
        return {str(key): plain_values(inner, left) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain_values(inner, left) for inner in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


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


def decodes(text: str) -> bool:
    """Return whether a text is JSON."""
    try:
        msgspec.json.decode(text)
    except _BAD:
        return False
    return True


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
    root, sound = json_format.load(text, not cut)
    return tables_in(given, root, cut) if sound and root is not None else []


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
