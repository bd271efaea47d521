"""Input of any size, cut into blocks that hold their findings whole: what locating and redacting work on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    head = bytearray()
    for chunk in source:
        head += chunk
        if len(head) > engine.SEGMENT:
            break
    else:
        data = bytes(head)
        wide = codec(data[: engine.MARGIN])
        yield Block(0, data, _fitted(data, 0, detector.scan(data, path=path), wide), wide)
        return
    wide = codec(bytes(head[: engine.MARGIN]))
    stream = _Settling(detector, path=path, limit=UNLIMITED)
    kept = bytearray()
    base = 0
    for chunk in _rechunked(head, source):
        stream.feed(chunk)
        kept += chunk
        if (end := stream.settled) > base:
            block = _block(kept, base, stream.taken(), end, wide)
            yield block
            base += len(block.data)
            del kept[: len(block.data)]
    stream.finish()
    yield Block(base, bytes(kept), _fitted(bytes(kept), base, stream.taken(), wide), wide)


def _rechunked(head: bytearray, source: Iterator[bytes]) -> Iterator[bytes]:
    """The head and what follows, in pieces of at most a segment."""
    for chunk in (bytes(head), *((),)):
        yield from _pieces(chunk)
    head.clear()
    for chunk in source:
        yield from _pieces(chunk)


def _pieces(chunk: bytes | tuple[()]) -> Iterator[bytes]:
    for place in range(0, len(chunk), engine.SEGMENT):
        yield bytes(chunk[place : place + engine.SEGMENT])
