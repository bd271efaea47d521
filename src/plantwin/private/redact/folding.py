"""Structured input as people see it: one finding for a column or key, in the place of one for each of its cells.

A cell's finding goes when its column is told and says no less: the same type, or in the same group
something that is no secret. Whatever is surer than its column, or of another group, is told by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.facts import Finding
from plantwin.private.redact.columns import table
from plantwin.private.redact.headings import plain_word
from plantwin.private.redact.sheets import LIMIT, form

if TYPE_CHECKING:
    from plantwin.private.redact.columnar import ColumnFinding
    from plantwin.private.redact.engine import Detector

_SURE = {"low": 0, "medium": 1, "high": 2}
BEFORE = 2400
"""Bytes before a value in which its key is looked for: a key and a long value, in the widest encoding."""


class Fold:
    """The columns of one input that are told as a whole. Findings must come in the order of their places."""

    def __init__(self, detector: Detector, head: bytes, path: str, wide: str) -> None:
        self._form = form(head, path)
        self._wide = wide
        found = detector.columns(head, path) if self._form else []
        self.columns = sorted((each for each in found if self._telling(each)), key=lambda each: each.start)
        self._by_number = {each.cells.number: each for each in self.columns if each.cells.number >= 0}
        self._by_key = {each.column.encode("utf-8", "replace"): each for each in self.columns}
        self._values = {value: each for each in self.columns for value in each.cells.values}
        self._spans = self._intervals()
        self._named: set[tuple[int, str]] = set()
        if self._form == "delimited":
            line = self._plain(head[:65536]).partition(b"\n")[0]
            self._delimiter = max((b",", b"\t", b";", b"|"), key=line.count)
            named = table(self._plain(head[:16384]))
            self._named = {(each.place, each.type) for each in named.columns} if named else set()
        self._place = 0
        self._column = 0
        self._quoted = False
        self._tail = b""

    def __repr__(self) -> str:
        return "<Fold private>"

    def _telling(self, column: ColumnFinding) -> bool:
        """Whether a column is worth a line: a key of JSON is one from two values on, and not by a word like `name`."""
        if self._form != "pairs":
            return True
        vague = column.confidence == "low" or plain_word(column.column)
        return column.filled > 1 and (column.by != "name" or not vague)

    def _intervals(self) -> tuple[list[int], list[tuple[int, ColumnFinding]]]:
        """Starts of a dump's cells and of JSON's lists, with where each ends and its column."""
        if self._form not in ("dump", "pairs"):
            return [], []
        cells = [
            (start, end, each)
            for each in self.columns
            for start, end in zip(each.cells.places[::2], each.cells.places[1::2], strict=True)
        ]
        cells.sort(key=lambda cell: cell[0])
        return [cell[0] for cell in cells], [cell[1:] for cell in cells]

    def kept(self, findings: list[Finding], data: bytes, base: int) -> list[Finding]:
        """The findings of a block that no column tells."""
        if not self.columns:
            return findings
        out = [each for each in findings if not self._told(each, data, base)]
        self._pass(data[max(0, self._place - base) :], base + len(data))
        self._tail = (self._tail + data[-BEFORE:])[-BEFORE:]
        return out

    def placed(self, findings: list[Finding], data: bytes) -> Iterator[tuple[Finding, int]]:
        """The findings of a whole table that no column tells, each with the number of its column."""
        for each in findings:
            if not self._told(each, data, 0):
                yield each, self._column

    def _told(self, found: Finding, data: bytes, base: int) -> bool:
        column = self._column_of(found, data, base)
        if column is None:
            return False
        surer = _SURE[found.confidence] > _SURE[column.confidence]
        if found.type == column.type:
            # Where the header alone makes findings of the cells, the column was judged by more than that.
            return not surer or (column.cells.number, found.type) in self._named
        return not surer and found.group == column.group and (found.group != "secret" or found.confidence != "high")

    def _column_of(self, found: Finding, data: bytes, base: int) -> ColumnFinding | None:
        if self._form == "delimited":
            self._pass(data[max(0, self._place - base) : found.start - base], found.start)
            return self._by_number.get(self._column)
        if self._form == "pairs":
            start = found.start - base
            before = data[max(0, start - BEFORE) : start]
            key = _key(self._plain(before if start >= BEFORE else self._tail + before))
            return self._by_key.get(key) if key else self._within(found.start)
        if self._form == "notebook":
            return self._values.get(self._plain(data[found.start - base : found.end - base]))
        return self._of_dump(found)

    def _of_dump(self, found: Finding) -> ColumnFinding | None:
        if found.start >= LIMIT or self._wide:
            # Past what is read as structure, the type alone tells.
            return next((each for each in self.columns if each.type == found.type), None)
        return self._within(found.start)

    def _within(self, start: int) -> ColumnFinding | None:
        starts, cells = self._spans
        place = bisect_right(starts, start) - 1
        return cells[place][1] if place >= 0 and start < cells[place][0] else None

    def _pass(self, between: bytes, place: int) -> None:
        """Move on to a place, over these bytes: count the delimiters of its line, outside of quotes."""
        self._place = max(self._place, place)
        if self._form != "delimited":
            return
        between = self._plain(between)
        line = between.rfind(b"\n")
        if line >= 0:
            # A quote that is not closed on its line is more often a stray one than a cell of several lines.
            self._column, self._quoted, between = 0, False, between[line + 1 :]
        if self._quoted or b'"' in between:
            parts = between.split(b'"')
            self._column += sum(part.count(self._delimiter) for part in parts[self._quoted :: 2])
            self._quoted ^= len(parts) % 2 == 0
        else:
            self._column += between.count(self._delimiter)

    def _plain(self, data: bytes) -> bytes:
        return data.decode(self._wide, "ignore").encode("utf-8", "ignore") if self._wide else data


def _key(before: bytes) -> bytes:
    """The key of the JSON value that starts at the end of these bytes, or goes on there."""
    parts = before.rsplit(b'"', 3)
    if len(parts) == 4 and parts[2].strip() == b":":
        return parts[1]
    return parts[-2] if len(parts) > 2 and parts[-1].lstrip().startswith(b":") else b""
