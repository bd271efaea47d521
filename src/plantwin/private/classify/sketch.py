"""A bottom-k sketch of an object's lines: near-duplicates share most of it. It holds hashes only."""

from __future__ import annotations

from array import array
from collections.abc import Collection
from sys import byteorder
from zlib import crc32

K = 32
LEAST = 5
_LIMIT = 24 << 10
_LINES = 800
_SHORTEST = 8
"""Braces, `else:`, `return` and the like are in every file and say nothing."""


def sketch(data: bytes) -> bytes:
    """The 32 smallest hashes of its non-trivial lines, big-endian and ascending; nothing for less than five lines."""
    lines = data[:_LIMIT].translate(None, b" \t\r").split(b"\n", _LINES)
    hashes: Collection[int] = set(map(crc32, [line for line in lines if len(line) >= _SHORTEST]))
    if len(hashes) < LEAST:
        return b""
    if len(hashes) > 4 * K:
        # Hashes spread evenly: those below twice the expected 32nd nearly always suffice, and sorting few is cheap.
        bound = (2 * K << 32) // len(hashes)
        low = [value for value in hashes if value < bound]
        hashes = low if len(low) >= K else hashes
    smallest = array("I", sorted(hashes)[:K])
    if byteorder == "little":
        smallest.byteswap()
    return smallest.tobytes()
