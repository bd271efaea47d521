"""Which objects define a name, kept as check sums: a name that a goal has can be looked up, and none be read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from zlib import crc32

SIZE = 4
"""Bytes of one check sum."""
SHORTEST, LONGEST = 3, 200
"""Letters of a name that is worth keeping."""


def definitions(names: Iterable[str]) -> bytes:
    """The check sums of these names, each once."""
    return b"".join(sorted({_sum(name) for name in names if SHORTEST <= len(name) <= LONGEST}))


def defining(names: Collection[str], kept: Mapping[int, bytes]) -> dict[str, tuple[int, ...]]:
    """For each name that somebody defines, who does (by number)."""
    found = {}
    for name in names:
        wanted = _sum(name)
        numbers = tuple(number for number, sums in kept.items() if wanted in sums and _holds(sums, wanted))
        if numbers:
            found[name] = numbers
    return found


def _holds(sums: bytes, wanted: bytes) -> bool:
    """Whether it is one of them, and not the end of one and the start of the next."""
    place = sums.find(wanted)
    while place >= 0 and place % SIZE:
        place = sums.find(wanted, place + 1)
    return place >= 0


def _sum(name: str) -> bytes:
    return crc32(name.encode("utf-8", "surrogatepass")).to_bytes(SIZE, "big")
