"""Where findings are, as people and programs count: lines, columns, characters of the decoded text.

The text is UTF-8, or UTF-16/32 where the bytes say so; a byte that is not UTF-8 counts as one
character, which is what Latin-1 makes of it. A byte order mark is not part of the text.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plantwin.private.redact.blocks import Block, blocks
from plantwin.private.redact.engine import Detector

MARKS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff", "utf-32-le": b"\xff\xfe\0\0", "utf-32-be": b"\0\0\xfe\xff"}
MARK = b"\xef\xbb\xbf"


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

    def __repr__(self) -> str:
        return "<Located private>"


def located(detector: Detector, chunks: Iterable[bytes], path: str = "") -> Iterator[Located]:
    """Every finding of an input, in order, in memory that does not grow with the input."""
    place: _Place | None = None
    for block in blocks(detector, chunks, path):
        if place is None:
            place = _Place(block)
        yield from place.through(block)


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

    def through(self, block: Block) -> Iterator[Located]:
        """The findings of the next block."""
        base, data = block.base, block.data
        for type_, group, first, last, confidence, allowed in block.findings:
            first = max(first, self._byte)
            if first >= last:
                continue
            self._move(data[self._byte - base : first - base], whole=True)
            line, column, start = self._line, self._character - self._line_start + 1, self._character
            raw = data[first - base : last - base]
            self._move(raw, whole=True)
            value = raw.decode(self._wide or "utf-8", "replace")
            yield Located(type_, group, confidence, line, column, start, self._character, first, last, value, allowed)
        self._move(data[self._byte - base :], whole=False)

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
