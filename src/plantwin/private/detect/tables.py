"""Structured text as columns: delimited tables, JSON, SQL dumps, outputs of notebooks. Samples, in linear time.

What does not parse ends its reading and is no error: everything read so far counts.
"""

from __future__ import annotations

import csv
import io
import json
import re
from array import array
from collections.abc import Callable, Iterator

import msgspec

from plantwin.private.detect.context import codec
from plantwin.private.facts import Private

LIMIT = 8 << 20
"""Bytes of one input that are read as structure."""
SAMPLE = 500
"""Values kept of a column."""
MOST = 400
"""Columns of one input."""
LONGEST = 500

_PAIR = re.compile(
    rb'"(?P<key>[^"\\\n]{1,80})"[ \t]{0,4}:\s{0,8}(?:"(?P<text>[^"\\\n]{0,500})"|(?P<number>-?\d[\d.eE+\-]{0,40}))'
)
_ARRAY = re.compile(rb'"(?P<key>[^"\\\n]{1,80})"[ \t]{0,4}:\s{0,8}\[')
_ITEM = re.compile(
    rb'\s{0,200}(?:"(?P<text>[^"\\\n]{0,500})"|(?P<number>-?\d[\d.eE+\-]{0,40}))\s{0,200}(?P<more>[,\]])'
)
DELIMITERS = (b",", b"\t", b";", b"|", b"^", b"~")
_PLAIN = ("", "txt", "dat")
"""Endings of files that may hold a table."""
_TABLED = ("csv", "tsv", "tab", "psv")
_JSON = ("json", "jsonl", "ndjson", "geojson", "har")


class Cells(Private, msgspec.Struct):
    """One column: its name, where that stands, how many values it has and some of them."""

    name: str
    start: int = 0
    end: int = 0
    count: int = 0
    values: list[bytes] = msgspec.field(default_factory=list)
    number: int = -1
    """Its place among the columns of a delimited table, from 0."""
    places: array[int] = msgspec.field(default_factory=lambda: array("Q"))
    """Where the values of a dump's column, or the lists of a key, start and end, by turns."""

    def add(self, value: bytes, at: int = -1) -> None:
        """Take one value, and where it starts when that is known; what is empty is none."""
        if at >= 0:
            self.places.extend((at, at + len(value)))
        value = value.strip(b" \t\r\"'")
        if len(value) < 2 or value.lower() in (b"null", b"none", b"n/a", b"nan", b"\\n", b"true", b"false"):
            return
        self.count += 1
        if len(self.values) < SAMPLE:
            self.values.append(value[:LONGEST])


def sheets(data: bytes, path: str = "") -> list[Cells]:
    """The columns of an input, whatever its format; none when it has no structure."""
    wide = codec(data[:1024])
    narrow = data[: LIMIT * 2].decode(wide, "replace").encode("utf-8", "replace") if wide else data
    plain = narrow[:LIMIT]
    if plain.startswith(b"\xef\xbb\xbf"):
        plain = b"   " + plain[3:]
    found = [column for column in _reader(plain, _suffix(path))(plain) if column.count][:MOST]
    if wide:
        _widen(found, narrow, wide)
    return found


def form(data: bytes, path: str = "") -> str:
    """How an input is read: `delimited`, `pairs`, `dump` or `notebook`; empty when it has no structure."""
    wide = codec(data[:1024])
    head = data[:8192].decode(wide, "replace").encode("utf-8", "replace") if wide else data[:4096]
    reader = _reader(head.removeprefix(b"\xef\xbb\xbf"), _suffix(path))
    return "" if reader is _nothing else reader.__name__


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    return name.rpartition(".")[2] if "." in name else ""


def _widen(found: list[Cells], narrow: bytes, wide: str) -> None:
    """Lead the places of names back to the original bytes; those of values are not."""
    back = {0: 0}
    before = 0
    for place in sorted({place for span in found for place in (span.start, span.end)}):
        back[place] = back[before] + len(narrow[before:place].decode("utf-8", "replace").encode(wide, "replace"))
        before = place
    for finding in found:
        finding.start, finding.end, finding.places = back[finding.start], back[finding.end], array("Q")


def _reader(data: bytes, suffix: str) -> Callable[[bytes], list[Cells]]:
    if suffix in _TABLED:
        return delimited
    if suffix == "ipynb":
        return notebook
    if suffix in _JSON:
        return pairs
    from plantwin.private.detect.sql_dumps import STATEMENT, dump

    head = data[:4096].lstrip()
    if suffix in ("sql", "dump") or STATEMENT.search(head):
        return dump
    if head[:1] in (b"{", b"[") and _PAIR.search(head):
        return pairs
    return delimited if suffix in _PLAIN and _looks_delimited(head, 1 if not suffix else 2) else _nothing


def _nothing(_data: bytes) -> list[Cells]:
    return []


def _looks_delimited(head: bytes, least: int) -> bool:
    """Whether the first three lines have the same number of one delimiter, at least so many."""
    lines = head.split(b"\n")[:3]
    if len(lines) < 3:
        return False
    return any(len({line.count(mark) for line in lines}) == 1 and lines[0].count(mark) >= least for mark in DELIMITERS)


def delimited(data: bytes) -> list[Cells]:
    """The columns of a delimited table. A first row that is data names them by number."""
    line = data[:65536].partition(b"\n")[0]
    delimiter = max(DELIMITERS, key=line.count)
    columns: list[Cells] = []
    for number, row in enumerate(_rows(data, delimiter.decode())):
        if number == 0:
            columns = _named(row, line)
            for place, column in enumerate(columns):
                column.number = place
            if all(span.start != span.end for span in columns):
                continue
        for place, value in enumerate(row[: len(columns)]):
            columns[place].add(value.encode("utf-8", "replace"))
    return columns


def _rows(data: bytes, delimiter: str) -> Iterator[list[str]]:
    text = io.StringIO(data.decode("utf-8", "replace").replace("\0", ""), newline="")
    try:
        yield from csv.reader(text, delimiter=delimiter)
    except csv.Error:
        return


def _named(row: list[str], line: bytes) -> list[Cells]:
    """Columns from a first row; without a place when it holds data."""
    header = all(re.fullmatch(r"[^\W\d][\w .,:/#%()\-\[\]?$&*+]{0,63}", text.strip()) for text in row[:MOST]) and bool(
        row
    )
    columns = []
    place = 0
    for number, cell in enumerate(row[:MOST], 1):
        name = cell.strip()
        found = line.find(name.encode("utf-8", "replace"), place) if header else -1
        if found < 0:
            columns.append(Cells(name if header else f"column {number}"))
            continue
        place = found + len(name.encode("utf-8", "replace"))
        columns.append(Cells(name, found, place))
    if not header:
        return columns
    for column in columns:  # A header is a header even where a name could not be found again.
        column.end = max(column.end, column.start + 1)
    return columns


def pairs(data: bytes) -> list[Cells]:
    """The keys of JSON, of one document or many, with their plain values and those in plain lists."""
    columns: dict[bytes, Cells] = {}
    for match in _PAIR.finditer(data):
        column = _keyed(columns, match)
        if column is not None:
            text = match["text"]
            column.add(match["number"] if text is None else text)
    for match in _ARRAY.finditer(data):
        item = _ITEM.match(data, match.end())
        column = _keyed(columns, match) if item is not None else None
        if column is None:
            continue
        place = match.end()
        while item is not None:
            text = item["text"]
            column.add(item["number"] if text is None else text)
            place = item.end()
            item = _ITEM.match(data, place) if item["more"] == b"," else None
        column.places.extend((match.end(), place))
    return list(columns.values())


def _keyed(columns: dict[bytes, Cells], match: re.Match[bytes]) -> Cells | None:
    """The column of a key; none when there are too many already."""
    key = match["key"]
    if key not in columns:
        if len(columns) >= MOST:
            return None
        columns[key] = Cells(key.decode("utf-8", "replace"), *match.span("key"))
    return columns[key]


_HEAD = re.compile(r"<th\b[^<>]{0,200}>([^<>]{0,200})</th>", re.I)
_CELL = re.compile(r"<td\b[^<>]{0,200}>([^<>]{0,2000})</td>", re.I)


def notebook(data: bytes) -> list[Cells]:
    """The columns of tables among a notebook's outputs, and the keys of its metadata."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return pairs(data)
    cells = tree.get("cells") if isinstance(tree, dict) else None
    found: list[Cells] = []
    place = 0
    for number, cell in enumerate(cells if isinstance(cells, list) else [], 1):
        outputs = cell.get("outputs") if isinstance(cell, dict) else None
        for output in outputs if isinstance(outputs, list) else []:
            for one in _output(output):
                at = data.find(one.name.encode("utf-8", "replace"), max(place, data.find(b'"outputs"')))
                one.start = one.end = 0
                if at >= 0:
                    one.start, one.end = at, at + len(one.name.encode())
                    place = at
                one.name = f"output {number}: {one.name}"
                found.append(one)
        if len(found) >= MOST:
            break
    return found


def _output(output: object) -> list[Cells]:
    if not isinstance(output, dict):
        return []
    data = output.get("data")
    pages = data if isinstance(data, dict) else {}
    html = _text(pages.get("text/html"))
    if html:
        return _page(html)
    for kind in ("text/csv", "application/json"):
        if kind in pages:
            text = _text(pages[kind]) if kind == "text/csv" else json.dumps(pages[kind])
            return (delimited if kind == "text/csv" else pairs)(text.encode("utf-8", "replace"))
    return _aligned(_text(pages.get("text/plain")) or _text(output.get("text")))


def _text(value: object) -> str:
    if isinstance(value, list):
        return "".join(member for member in value if isinstance(member, str))
    return value if isinstance(value, str) else ""


def _page(html: str) -> list[Cells]:
    """The columns of the first table of a page."""
    names = [text.strip() for text in _HEAD.findall(html.partition("</thead>")[0])]
    columns = [Cells(name) for name in names if name][:MOST]
    values = _CELL.findall(html)
    if columns:
        for place, value in enumerate(values):
            columns[place % len(columns)].add(value.encode("utf-8", "replace"))
    return columns


def _aligned(text: str) -> list[Cells]:
    """The columns of a table that is set with spaces, such as a printed data frame."""
    lines = text[:LIMIT].splitlines()
    if len(lines) < 2:
        return []
    names = [word for word in re.split(r"\s{2,40}|\t", lines[0].strip()) if word][:MOST]
    columns = [Cells(name) for name in names]
    for line in lines[1:]:
        values = [word for word in re.split(r"\s{2,40}|\t", line.strip()) if word]
        # A printed frame numbers its rows.
        values = values[1:] if len(values) == len(columns) + 1 else values
        if len(values) == len(columns):
            for column, value in zip(columns, values, strict=True):
                column.add(value.encode("utf-8", "replace"))
    return columns
