"""A log as a table: a row for each entry, with its time, level, program, address, request and message."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.engine.source import decoded
from plantwin.private.capabilities.logs.log import drop_false_times
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.table import Batch, Table, batched
from plantwin.private.facts import Private
from plantwin.private.formats.logs import START, Entry, entries
from plantwin.private.formats.text import binary
from plantwin.private.formats.timestamps import shown

BLOCK = 4 << 20
"""Bytes whose entries are held at once."""
TRACE = 1 << 17
"""Bytes at the end of a block in which an entry must begin, so that none is cut in two."""
KEPT = 24 << 20
"""Bytes of a log whose rows are kept between two readings."""
STORAGE = "log"
COLUMNS = ("time", "level", "program", "address", "method", "path", "status", "duration ms", "message")
_LONGEST = 400


def log_table(given: Input, limit: int) -> Table | None:
    """Return a log as a table; None where no line has a time, a level or a status."""
    head = given.read(BLOCK)
    if not head or (not _wide(head) and (head[:65536].count(b"\0") > 16 or binary(head[:4096]))):
        return None
    cut = head.rfind(b"\n") + 1
    first = entries(decoded(head[:cut] if cut and given.size > len(head) else head))
    drop_false_times(first)
    told = sum(entry.timed or bool(entry.level) or bool(entry.status) for entry in first)
    if not told or told * 2 < len(first):
        return None
    rows = [_row(entry) for entry in first[:20_000]]
    used = [place for place, _ in enumerate(COLUMNS) if any(row[place] is not None for row in rows)]
    return Table(
        label=given.label, name=given.label, columns=[COLUMNS[place] for place in used],
        read=_Rows(given, limit, used).batches, storage=STORAGE, lined=given.size <= limit,
        truncated=given.size > limit,
    )  # fmt: skip


def _wide(data: bytes) -> bool:
    return data.startswith((b"\xff\xfe", b"\xfe\xff"))


class _Rows(Private):
    """The entries of a log as rows; of a log that is not long they are kept for the second reading."""

    def __init__(self, given: Input, limit: int, used: list[int]) -> None:
        self.given, self.limit, self.used = given, limit, used
        self.kept: list[Batch] | None = [] if given.size <= KEPT else None
        self.read = False

    def batches(self, table: Table) -> Iterator[Batch]:
        """Yield the rows."""
        if self.read and self.kept is not None:
            yield from self.kept
            return
        for batch in batched(self._rows()):
            if self.kept is not None:
                self.kept.append(batch)
            yield batch
        self.read = True

    def _rows(self) -> Iterator[tuple[int, list[Cell]]]:
        if self.kept is not None:
            self.kept.clear()
        before = 0
        for block in _blocks(_last(self.given, self.limit)):
            found = entries(decoded(block))
            drop_false_times(found)
            for entry in found:
                row = _row(entry)
                yield entry.line + before, [row[place] for place in self.used]
            before += block.count(b"\n")


def _last(given: Input, limit: int) -> bytes:
    """Return the bytes of a log; of a long one the last, which begin with a line."""
    size = given.size
    if size <= limit:
        return given.read(limit)
    if given.data is not None:
        data = given.data[-limit:]
    else:
        with Path(given.file).open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError("not a regular file")
            file.seek(size - limit)
            data = file.read(limit)
    return data[data.find(b"\n", 0, 1 << 20) + 1 :]


def _blocks(data: bytes) -> Iterator[bytes]:
    """Yield the bytes of a log in parts that begin with an entry; one document of JSON or wide letters is one part."""
    at = 0
    whole = _wide(data) or (data[:200].lstrip()[:1] == b"[")
    while at < len(data):
        end = len(data) if whole else min(len(data), at + BLOCK)
        if end < len(data):
            place = data.rfind(b"\n", at, end)
            while place > max(at, end - TRACE) and START.match(decoded(data[place + 1 : place + 301])) is None:
                place = data.rfind(b"\n", at, place)
            last = data.rfind(b"\n", at, end)
            end = (place if place > max(at, end - TRACE) else last if last > at else end) + 1
        yield data[at:end]
        at = end


def _row(entry: Entry) -> tuple[Cell, ...]:
    return (
        shown(entry.time) or None, entry.level or None, entry.logger.strip("\0") or None, entry.address or None,
        entry.method or None, entry.path or None, entry.status or None, entry.latency if entry.latency >= 0 else None,
        " ".join([entry.text, *entry.more])[:_LONGEST] or None,
    )  # fmt: skip
