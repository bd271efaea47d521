"""Input of any size, cut into blocks that hold their findings whole: what locating and redacting work on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from plantwin.private.facts import Finding
from plantwin.private.redact import engine
from plantwin.private.redact.context import codec
from plantwin.private.redact.stream import Stream

UNLIMITED = 1 << 62


class Block(NamedTuple):
    """Some bytes and the findings in them, which neither overlap nor reach out."""

    base: int
    """Offset of its first byte."""
    data: bytes
    findings: list[Finding]
    """With offsets in the whole input, on the edges of characters."""
    wide: str
    """The codec, when characters are two or four bytes wide."""

    def __repr__(self) -> str:
        return "<Block private>"


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
            reach = max([stream.settled, *(each.end for each in findings[-1:])])
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
