"""Tables of separated values: the encoding, the separator, the header and the rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from functools import partial
from itertools import islice

from plantwin.private.capabilities.data.cells import understood
from plantwin.private.capabilities.data.table import BATCH, MOST_COLUMNS, READ, Batch, Flaw, Table, unique_names
from plantwin.private.capabilities.job import Input

FIELD = 1 << 20
"""Characters of one cell; more means that a quote was never closed."""
LISTED = 5
"""Flaws of one sort that are listed."""


def encoding_of(data: bytes) -> tuple[str, str]:
    """The encoding, and what is odd about it."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return name, ""
    head = data[:4096]
    if len(head) > 3 and head.count(0) * 3 > len(head):
        return ("utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"), "no byte order mark"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 4 and len(data) >= READ:
            return "utf-8", ""
        broken = data.count(b"\xc3") + data.count(b"\xe2")
        high = len(data[: 1 << 20].translate(None, bytes(range(128))))
        return ("utf-8", "broken") if high and broken * 2 > high else ("cp1252", "not UTF-8")
    return "utf-8", ""


def separated(given: Input, data: bytes, cut: bool, mark: str = "") -> Table:
    """The table that separated values make."""
    from plantwin.private.extract.formats.tables import delimiter, is_header

    encoding, odd = encoding_of(data)
    head = data[: 1 << 18].decode(encoding, "replace").lstrip("\ufeff")
    lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    skipped = 0
    while skipped < len(lines) - 1 and (lines[skipped].startswith("#") or not lines[skipped].strip()):
        skipped += 1
    if lines[skipped].lower().startswith("sep=") and len(lines[skipped]) == 5:
        mark, skipped = lines[skipped][4], skipped + 1
    lines = lines[skipped:]
    mark = mark or ("\t" if given.name.lower().endswith((".tsv", ".tab")) and "\t" in lines[0] else delimiter(lines))
    rows = _few("\n".join(lines[:60]), mark)
    headed = bool(rows) and (is_header(rows) or (_worded(rows[0]) and is_header([unique_names(rows[0]), *rows[1:]])))
    width = max((len(row) for row in rows[:50]), default=0)
    names = rows[0] if headed else [f"column {number}" for number in range(1, width + 1)]
    return Table(
        label=given.label,
        name=given.label,
        columns=unique_names(names),
        read=partial(_batches, data, encoding, mark, skipped, headed, odd),
        storage=f"separated by {_NAMES.get(mark, mark)}, {encoding.removesuffix('-sig')}"
        + ("" if headed else ", no header"),
        truncated=cut,
        head="\n".join(lines[:2001]).encode("utf-8", "replace")[: 1 << 18],
    )


_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}


def _worded(row: list[str]) -> bool:
    """Whether no cell is a number: names that repeat are still names."""
    return not any(understood(cell).kind in ("integer", "number") for cell in row) and len(set(row)) * 2 > len(row)


def _few(text: str, mark: str) -> list[list[str]]:
    csv.field_size_limit(FIELD)
    try:
        return [row for row in csv.reader(io.StringIO(text), delimiter=mark) if row]
    except csv.Error:
        return [line.split(mark) for line in text.split("\n") if line]


def _batches(
    data: bytes, encoding: str, mark: str, skipped: int, headed: bool, odd: str, table: Table
) -> Iterator[Batch]:
    csv.field_size_limit(FIELD)
    if odd:
        bad = _first_bad(data)
        message = "The text is in no one encoding" if odd == "broken" else f"The text is read as {encoding}: {odd}"
        table.flaws.append(Flaw(bad, message, "Store it as UTF-8.", "medium" if odd == "broken" else "low"))
    if b"\0" in data and not encoding.startswith("utf-16"):
        table.flaws.append(Flaw(data[: data.index(b"\0")].count(b"\n") + 1, "There are zero bytes in the text"))
        data = data.replace(b"\0", b"")
    text = io.TextIOWrapper(io.BytesIO(data), encoding=encoding, errors="replace", newline="")
    for _ in range(skipped):
        text.readline(1 << 20)
    reader = csv.reader(text, delimiter=mark)
    width = len(table.columns)
    if headed:
        for row in reader:
            if row:
                break
    ragged = longer = 0
    last = reader.line_num
    while True:
        rows: list[list[str]] = []
        lines: list[int] = []
        ended = False
        taken = 0
        try:
            for row in islice(reader, BATCH):
                taken += 1
                start, last = last + 1, reader.line_num
                if not row:
                    continue
                if len(row) != width:
                    ragged += 1
                    longer += len(row) > width
                    if ragged <= LISTED:
                        table.flaws.append(_ragged(start + skipped, len(row), width))
                    row = (row + [""] * width)[:width]
                rows.append(row)
                lines.append(start + skipped)
            ended = taken < BATCH
        except csv.Error:
            table.flaws.append(
                Flaw(
                    last + 1 + skipped,
                    "A quote opens here and is never closed: the rest is not read",
                    "Repair the row.",
                    "high",
                )
            )
            table.truncated = True
            ended = True
        if rows:
            yield Batch(lines, list(zip(*rows, strict=True)))
        if ended:
            break
    if ragged > LISTED:
        table.flaws.append(
            Flaw(
                0, f"{ragged} rows in all have more or fewer cells than the header", "", "high" if longer else "medium"
            )
        )
    _ending(data, table, reader.line_num + skipped, mark.encode())


def _ragged(line: int, has: int, width: int) -> Flaw:
    return Flaw(
        line,
        f"The row has {has} cells, the header {min(width, MOST_COLUMNS)}",
        "Quote cells that hold the separator.",
        "medium",
    )


def _first_bad(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return 0


def _ending(data: bytes, table: Table, last: int, mark: bytes) -> None:
    """A file that was cut while it was written ends in the middle of a row."""
    if table.truncated or not data or data.endswith((b"\n", b"\r", b"\n\0")):
        return
    final = data[data.rfind(b"\n") + 1 :]
    if len(table.columns) > 1 and final.count(mark) + 1 < len(table.columns) and b'"' not in final:
        table.flaws.append(
            Flaw(last, "The file ends in the middle of a row: it may be cut", "Get it again from its source.", "high")
        )
