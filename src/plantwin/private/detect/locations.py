"""Where findings are, as people and programs count: lines, columns, characters, columns of databases.

The text is UTF-8, or UTF-16/32 where the bytes say so; a byte that is not UTF-8 counts as one
character, which is what Latin-1 makes of it. A byte order mark is not part of the text.
"""

from __future__ import annotations

import codecs
import os
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from plantwin.private.detect.column_findings import ColumnFinding, Fold, amount
from plantwin.private.detect.context import codec
from plantwin.private.detect.engine import MARGIN, Detector
from plantwin.private.detect.stream import Block, blocks
from plantwin.private.detect.summary import preview
from plantwin.private.detect.tables import LIMIT, form, sheets
from plantwin.private.facts import private
from plantwin.private.observe.tables import cells

MARKS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff", "utf-32-le": b"\xff\xfe\0\0", "utf-32-be": b"\0\0\xfe\xff"}
MARK = b"\xef\xbb\xbf"
HEAD = 4096
"""So many bytes tell whether an input has structure."""


@private
class Located(NamedTuple):
    """A finding with its place and value."""

    type: str
    group: str
    confidence: str
    line: int
    column: int
    """In characters, from 1, as the line."""
    start: int
    end: int
    """In characters of the decoded text."""
    byte_start: int
    byte_end: int
    value: str
    allowed: str = ""
    """Who allows it: `comment`, `folder` or `user`; empty when nobody does."""
    name: str = ""
    """The column's or key's, when the finding is about all of it; its place is then that of the name."""
    amount: str = ""
    """How many values the column has: one, few or many."""


def located(detector: Detector, chunks: Iterable[bytes], path: str = "", *, cells: bool = False) -> Iterator[Located]:
    """Every finding of an input, in order, in memory that does not grow with the input.

    A column of a structured input is one finding; with `cells`, each of its cells is one as well.
    """
    source = iter(chunks)
    head = b""
    while len(head) < HEAD and (chunk := next(source, None)) is not None:
        head += chunk
    fold: Fold | None = None
    if form(head, path):
        parts = [head]
        size = len(head)
        while size < LIMIT and (chunk := next(source, None)) is not None:
            parts.append(chunk)
            size += len(chunk)
        head = b"".join(parts)
        fold = Fold(detector, head, path, codec(head[:MARGIN]))
    waiting = deque(fold.columns if fold else ())
    place: _Place | None = None
    for block in blocks(detector, chain((head,), source), path):
        if place is None:
            place = _Place(block)
        if fold is not None and fold.columns:
            told = []
            while waiting and waiting[0].start < block.base + len(block.data):
                told.append(waiting.popleft())
            findings = block.findings if cells else fold.kept(block.findings, block.data, block.base)
            yield from place.through(block._replace(findings=findings), told, detector)
        else:
            yield from place.through(block)


def shown_name(detector: Detector, name: str) -> str:
    """A column's name as it may be shown: masked where it is a value itself."""
    found = detector.scan(name.encode("utf-8", "replace"), path="name.log")
    return preview(name) if any(finding.confidence != "low" for finding in found) else name


class _Place:
    """A position that moves forward through the input."""

    def __init__(self, first: Block) -> None:
        mark = MARKS.get(first.wide, MARK)
        self._wide = first.wide
        self._byte = len(mark) if first.data.startswith(mark) else 0
        self._character = 0
        self._line = 1
        self._line_start = 0
        errors = "replace" if first.wide else "surrogateescape"
        self._decoder = codecs.getincrementaldecoder(first.wide or "utf-8")(errors)
        self._pending = False

    def through(
        self, block: Block, columns: Iterable[ColumnFinding] = (), detector: Detector | None = None
    ) -> Iterator[Located]:
        """The findings of the next block, and the columns whose names stand in it."""
        base, data = block.base, block.data
        waiting = deque(columns)
        for type_, group, first, last, confidence, allowed in block.findings:
            while waiting and waiting[0].start <= first:
                yield self._column(waiting.popleft(), data, base, first, detector)
            first = max(first, self._byte)
            if first >= last:
                continue
            self._move(data[self._byte - base : first - base], whole=True)
            line, column, start = self._line, self._character - self._line_start + 1, self._character
            raw = data[first - base : last - base]
            self._move(raw, whole=True)
            value = raw.decode(self._wide or "utf-8", "replace")
            yield Located(type_, group, confidence, line, column, start, self._character, first, last, value, allowed)
        while waiting:
            yield self._column(waiting.popleft(), data, base, base + len(data), detector)
        self._move(data[self._byte - base :], whole=False)

    def _column(self, column: ColumnFinding, data: bytes, base: int, limit: int, detector: Detector | None) -> Located:
        """A column at its name, as far as that is before the next finding."""
        name = shown_name(detector, column.column) if detector else column.column
        first = max(column.start, self._byte)
        last = max(first, min(column.end, limit))
        self._move(data[self._byte - base : first - base], whole=True)
        line, at, start = self._line, self._character - self._line_start + 1, self._character
        self._move(data[first - base : last - base], whole=True)
        return Located(
            column.type, column.group, column.confidence, line, at, start, self._character, first, last, name,
            column.allowed, name, column.amount,
        )  # fmt: skip

    def _move(self, data: bytes, *, whole: bool) -> None:
        """Pass these bytes; `whole` when the last character ends with them."""
        self._byte += len(data)
        if not self._pending and not self._wide and data.isascii():
            self._character += len(data)
            lines, rest = data.count(b"\n"), len(data) - data.rfind(b"\n") - 1
        else:
            text = self._decoder.decode(data, whole)
            self._pending = bool(self._decoder.getstate()[0])
            self._character += len(text)
            lines, rest = text.count("\n"), len(text) - text.rfind("\n") - 1
        if lines:
            self._line += lines
            self._line_start = self._character - rest


MAGIC = b"SQLite format 3\0"
_SURE = ("low", "medium", "high")


def is_database(descriptor: int) -> bool:
    """Whether an open file is an SQLite database. What cannot be read twice, such as a pipe, is not asked."""
    try:
        return os.pread(descriptor, len(MAGIC), 0) == MAGIC
    except OSError:
        return False


def tabled(detector: Detector, descriptor: int, path: str, raw: Iterator[Located]) -> Iterator[Located]:
    """The columns of every table, then secrets of other types that stand anywhere else in the file.

    `raw` are the findings of the file's bytes: free pages and what the tables do not show are among them.
    """
    found: dict[tuple[str, str, str], tuple[str, str, int, str]] = {}
    tables = 0
    for table, text in cells(descriptor):
        tables += 1
        for column, type_, group, confidence, count, allowed in _columns(detector, text, path):
            key = (table, column, type_)
            _, sure, many, by = found.get(key, (group, "low", 0, allowed))
            found[key] = (group, max(sure, confidence, key=_SURE.index), many + count, by if by == allowed else "")
    for (table, column, type_), (group, confidence, count, by) in found.items():
        name = f"{shown_name(detector, table)}.{shown_name(detector, column)}"
        yield Located(type_, group, confidence, 1, 1, 0, 0, 0, 0, name, by, name, amount(count))
    told = {type_ for _, _, type_ in found}
    for line in raw:
        if not tables or (line.group == "secret" and line.type not in told):
            yield line


def _columns(detector: Detector, text: bytes, path: str) -> Iterator[tuple[str, str, str, str, int, str]]:
    """Column, type, group, confidence, count and who allows it: of columns as a whole, then of cells by column."""
    names = {sheet.number: sheet.name for sheet in sheets(text, f"{path}.csv")}
    fold = Fold(detector, text, f"{path}.csv", "")
    for column in fold.columns:
        yield column.column, column.type, column.group, column.confidence, column.filled, column.allowed
    for found, number in fold.placed(detector.scan(text, path=f"{path}.csv"), text):
        yield names.get(number, f"column {number + 1}"), found.type, found.group, found.confidence, 1, found.allowed
