"""Input of any size, cut into segments and blocks that hold their findings whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from plantwin.private.detect import engine
from plantwin.private.detect.context import Context, codec
from plantwin.private.detect.engine import MARGIN, ROWS, SEGMENT, Detector
from plantwin.private.detect.summary import Summary, count, rows_of
from plantwin.private.detect.views import wide_candidates
from plantwin.private.facts import Finding, Private, private

SATURATED = 1_000
"""So many non-secret findings are many, whatever follows."""
SAMPLED = 64
"""Once saturated, the noisy rules run on one segment in so many."""


class Stream(Private):
    """Detection over chunks, in memory bounded by one segment and the findings kept."""

    def __init__(self, detector: Detector, *, path: str = "", limit: int = 100_000, summary: bool = False) -> None:
        self._detector = detector
        self._path = path
        self._limit = limit
        self._counting = summary
        self._context: Context | None = None
        self._buffer = bytearray()
        self._base = 0
        """Offset of the buffer's first byte."""
        self._next = 0
        """Offset of the next segment's first byte."""
        self._segments = 0
        self._noise = 0
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._findings: list[Finding] = []
        self._done = False

    def feed(self, chunk: bytes) -> None:
        """Look at the next bytes."""
        view = memoryview(chunk)
        place = 0
        while place < len(view):
            # Never hold more than one segment with its margins, whatever the size of a chunk.
            room = self._next + SEGMENT + MARGIN - self._base - len(self._buffer)
            self._buffer += view[place : place + room]
            place += room
            if len(self._buffer) + self._base >= self._next + SEGMENT + MARGIN:
                self._segment(SEGMENT)

    def finish(self) -> list[Finding]:
        """The findings (none with `summary`), after the last byte."""
        if not self._done:
            while self._base + len(self._buffer) > self._next:
                self._segment(SEGMENT)
            self._done = True
            self._buffer = bytearray()
        return self._findings

    def summary(self) -> Summary:
        """Type, group, confidence and count of everything found so far."""
        return rows_of(self._counts)

    def _segment(self, size: int) -> None:
        data = bytes(self._buffer)
        if self._context is None:
            context = Context.of(self._path, data[:MARGIN])
            self._context = context._replace(seen={}) if self._counting else context
        quiet = self._counting and self._noise >= SATURATED and self._segments % SAMPLED != 0
        rows = ROWS if self._counting else 1 << 31
        found = (
            wide_candidates(self._detector, data, self._base, self._context, quiet=quiet)
            if self._context.wide
            else self._detector.candidates(data, self._context, quiet=quiet, first=self._base == 0, rows=rows)
        )
        base, first, last = self._base, self._next - self._base, self._next - self._base + size
        noise = 0
        for type_, group, start, end, confidence, allowed in self._detector.resolved(found):
            if not first <= start < last:
                continue
            count(self._counts, type_, group, confidence, allowed)
            noise += group != "secret"
            if not self._counting and len(self._findings) < self._limit:
                self._findings.append(Finding(type_, group, base + start, base + end, confidence, allowed))
        if self._counting and self._segments == 0 and not self._context.wide:
            self._detector.count_columns(self._counts, data, self._path)
        # Places looked at in vain cost as well, if less.
        self._noise += max(noise, self._detector.hits // 16)
        self._segments += 1
        self._next += size
        keep = max(0, self._next - MARGIN - self._base)
        del self._buffer[:keep]
        self._base += keep


UNLIMITED = 1 << 62


@private
class Block(NamedTuple):
    """Some bytes and the findings in them, which neither overlap nor reach out."""

    base: int
    """Offset of its first byte."""
    data: bytes
    findings: list[Finding]
    """With offsets in the whole input, on the edges of characters."""
    wide: str
    """The codec, when characters are two or four bytes wide."""
    json: bool = False
    """Whether a bare number must be replaced by a quoted placeholder."""


class _Settling(Stream):
    """A stream whose findings are taken while it goes on."""

    def taken(self) -> list[Finding]:
        """What was found since the last call."""
        found, self._findings = self._findings, []
        return found

    @property
    def settled(self) -> int:
        """No later finding starts before this offset."""
        return self._next


def blocks(detector: engine.Detector, chunks: Iterable[bytes], path: str = "") -> Iterator[Block]:
    """The input in order, all of it, in blocks of about a segment: memory does not grow with the input."""
    source = iter(chunks)
    head = b""
    for chunk in source:
        head += chunk
        if len(head) > engine.SEGMENT:
            break
    else:
        wide = codec(head[: engine.MARGIN])
        yield Block(0, head, _fitted(head, 0, detector.scan(head, path=path), wide), wide)
        return
    wide = codec(head[: engine.MARGIN])
    stream = _Settling(detector, path=path, limit=UNLIMITED)
    kept = bytearray()
    base = 0
    for piece in _pieces(chain((head,), source)):
        stream.feed(piece)
        kept += piece
        if stream.settled > base:
            findings = stream.taken()
            reach = max([stream.settled, *(finding.end for finding in findings[-1:])])
            data = bytes(kept[: _edge(kept, reach - base, wide)])
            del kept[: len(data)]
            yield Block(base, data, _fitted(data, base, findings, wide), wide)
            base += len(data)
    stream.finish()
    yield Block(base, bytes(kept), _fitted(bytes(kept), base, stream.taken(), wide), wide)


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of at most a segment."""
    for chunk in chunks:
        for place in range(0, len(chunk), engine.SEGMENT):
            yield chunk[place : place + engine.SEGMENT]


def _fitted(data: bytes, base: int, findings: list[Finding], wide: str) -> list[Finding]:
    """Findings widened to whole characters; one that overlaps its predecessor is cut to what remains."""
    out: list[Finding] = []
    after = base
    for type_, group, start, end, confidence, allowed in findings:
        start = max(after, base + _edge(data, start - base, wide, before=True))
        end = base + _edge(data, end - base, wide)
        if start < end:
            out.append(Finding(type_, group, start, end, confidence, allowed))
            after = end
    return out


def _edge(data: bytes | bytearray, place: int, wide: str, *, before: bool = False) -> int:
    """The end of the character that this place is inside of, or its start; the place itself between characters."""
    place = max(0, min(place, len(data)))
    if wide:
        width = 4 if "32" in wide else 2
        return place - place % width if before else min(len(data), place + -place % width)
    if place == len(data) or not 0x80 <= data[place] < 0xC0:
        return place
    for lead in range(place - 1, max(-1, place - 4), -1):
        first = data[lead]
        if first >= 0xC2:
            size = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2
            if lead + size > place and _character(data[lead : lead + size]):
                return lead if before else lead + size
            return place
        if first < 0x80:
            return place
    return place


def _character(data: bytes | bytearray) -> bool:
    try:
        return len(data.decode()) == 1
    except UnicodeDecodeError:
        return False
