"""The same findings over chunks: input is cut at fixed places, and each cut sees its neighbours."""

from __future__ import annotations

from collections import Counter

from plantwin.private.facts import Finding
from plantwin.private.redact.context import Context
from plantwin.private.redact.engine import MARGIN, ROWS, SEGMENT, Detector
from plantwin.private.redact.summary import Summary, count, rows_of
from plantwin.private.redact.wide import wide_candidates

SATURATED = 1_000
"""So many non-secret findings are many, whatever follows."""
SAMPLED = 64
"""Once saturated, the noisy rules run on one segment in so many."""


class Stream:
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

    def __repr__(self) -> str:
        return "<Stream private>"

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
