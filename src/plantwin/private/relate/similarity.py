"""similar_to by content and time: copies, near-duplicates, and logs that cover the same period.

A sketch holds the smallest hashes of an object's lines. Objects that share two of their few smallest hashes are
compared; a bucket remembers only its latest few members, so that ten thousand files with one licence header cost no
more than ten thousand files without.
"""

from __future__ import annotations

import struct

from plantwin.private.relate.edges import EdgeCollector
from plantwin.private.relate.lookup import Lookup

SIZE = 32
"""Hashes in a full sketch."""
BANDS = 4
"""Smallest hashes that an object is filed under."""
AGREEING = 2
"""Of these, so many must agree: one common line, such as a licence's, is no likeness."""
BUCKET = 8
LIKENESS = 0.8
_MOST = 3
"""Near-duplicates kept of one object."""
_BANDS = struct.Struct(f">{BANDS}I").unpack_from


def likeness(one: bytes, other: bytes) -> float:
    """Jaccard similarity as the smallest hashes of the union estimate it."""
    ours, theirs = set(struct.unpack(f">{len(one) // 4}I", one)), set(struct.unpack(f">{len(other) // 4}I", other))
    shared = ours & theirs
    if 2 * len(shared) < min(len(ours), len(theirs)):
        return 0.0
    smallest = sorted(ours | theirs)
    if max(len(ours), len(theirs)) == SIZE:
        # Beyond the smallest hashes of the union, a full sketch says nothing.
        smallest = smallest[:SIZE]
    return sum(value in shared for value in smallest) / len(smallest)


def similar(lookup: Lookup, collector: EdgeCollector) -> None:
    """Add copy and diverged relations, from the later path to the earlier."""
    first: dict[bytes, int] = {}
    buckets: dict[int, int | list[int]] = {}
    facts = lookup.facts
    for position, own in enumerate(facts):
        sketch = own.sketch
        size = len(sketch)
        if size < BANDS * 4 or size % 4 or size > SIZE * 4:
            continue
        twin = first.setdefault(sketch, position)
        if twin != position:
            same = facts[twin].lines == own.lines and facts[twin].size == own.size
            collector.add(position, "copy" if same else "diverged", twin, "all sampled lines equal")
            continue
        near: dict[int, int] = {}
        for band in _BANDS(sketch):
            held = buckets.get(band)
            if held is None:
                buckets[band] = position
            elif isinstance(held, int):
                near[held] = near.get(held, 0) + 1
                buckets[band] = [held, position]
            else:
                for other in held:
                    near[other] = near.get(other, 0) + 1
                if len(held) == BUCKET:
                    held.pop(0)
                held.append(position)
        close = [other for other, bands in near.items() if bands >= AGREEING]
        if close:
            _compare(lookup, collector, position, close)


def _compare(lookup: Lookup, collector: EdgeCollector, position: int, near: list[int]) -> None:
    facts = lookup.facts
    sketch = facts[position].sketch
    close = sorted((-likeness(sketch, facts[other].sketch), other) for other in near)
    for value, other in close[:_MOST]:
        if -value >= LIKENESS:
            collector.add(position, "diverged", other, f"{-value:.0%} of sampled lines equal")


_ACTIVE = 16
"""Logs still running that a later one is compared with: those that end last."""
_MOST = 3


def overlaps(lookup: Lookup, collector: EdgeCollector) -> None:
    """Add an overlap from each log to the few that share most time with it, in one sweep."""
    logs = sorted(
        (facts.span[0], facts.span[1], position)
        for position, facts in enumerate(lookup.facts)
        if facts.span is not None and facts.span[0] <= facts.span[1]
    )
    active: list[tuple[int, int, int]] = []
    for start, end, position in logs:
        active = [log for log in active if log[0] > start]
        shared = sorted(((min(end, until) - start, -place, other) for until, place, other in active), reverse=True)
        for seconds, _, other in shared[:_MOST]:
            if seconds > 0:
                collector.add(position, "overlaps", other, "covers the same time")
        active.append((end, position, position))
        if len(active) > _ACTIVE:
            active.remove(min(active))
