"""Tables of separated values: the encoding, the separator, the header and the rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.tables.cells import understood
from plantwin.private.capabilities.tables.table import HEAD, READ, Batch, Table, batched, unique_names
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from _csv import Reader as _Reader

FIELD = 1 << 20
"""Characters of one cell; more means that a quote was never closed."""
LISTED = 5
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
    if len(head) > 3 and head.count(0) * 3 > len(head):
        name = "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"
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
                    if ragged <= LISTED:
                        table.flaw("DATA-RAGGED-ROW", start, cells=len(row), columns=width)
                    row = (row + [""] * width)[:width]
                yield start, row
        except csv.Error:
            table.flaw("DATA-DAMAGED", last + 1 + skipped, problem=OPEN_QUOTE)
            table.truncated = True
        if ragged > LISTED:
            table.flaw("DATA-RAGGED-ROWS", severity=Severity.HIGH if longer else None, count=ragged)

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
