"""similar_to by content: copies and near-duplicates, from the sketches that extraction keeps.

A sketch holds the smallest hashes of an object's lines. Objects that share one of their few
smallest hashes are compared; a bucket remembers only its latest few members, so that ten thousand
files with one licence header cost no more than ten thousand files without.
"""

from __future__ import annotations

import struct

from plantwin.private.relate.bonds import Bonds
from plantwin.private.relate.tables import Tables

SIZE = 32
"""Hashes in a full sketch."""
BANDS = 4
"""Smallest hashes that an object is filed under."""
BUCKET = 8
LIKENESS = 0.8
_MOST = 3
"""Near-duplicates kept of one object."""

_Hashes = tuple[int, ...]


def likeness(one: _Hashes, other: _Hashes) -> float:
    """Jaccard similarity as the smallest hashes of the union estimate it."""
    shared = set(one) & set(other)
    if not shared:
        return 0.0
    size = min(SIZE, max(len(one), len(other)))
    smallest = sorted({*one, *other})
    if len(one) == SIZE or len(other) == SIZE:
        # Beyond the smallest hashes of the union, a full sketch says nothing.
        smallest = smallest[:size]
    return sum(each in shared for each in smallest) / len(smallest)


def similar(tables: Tables, bonds: Bonds) -> None:
    """Add copy and diverged relations, from the later path to the earlier."""
    first: dict[bytes, int] = {}
    buckets: dict[int, list[tuple[int, _Hashes]]] = {}
    facts = tables.facts
    for position, each in enumerate(facts):
        sketch = each.sketch
        size = len(sketch) // 4
        if not size or len(sketch) % 4 or size > SIZE:
            continue
        twin = first.setdefault(sketch, position)
        if twin != position:
            same = facts[twin].lines == each.lines
            bonds.add(position, "copy" if same else "diverged", twin, "all sampled lines equal")
            continue
        hashes: _Hashes = struct.unpack(f">{size}I", sketch)
        near: dict[int, float] = {}
        for band in hashes[:BANDS]:
            bucket = buckets.get(band)
            if bucket is None:
                buckets[band] = [(position, hashes)]
                continue
            for other, theirs in bucket:
                if other not in near:
                    near[other] = likeness(hashes, theirs)
            if len(bucket) == BUCKET:
                bucket.pop(0)
            bucket.append((position, hashes))
        close = sorted((-value, other) for other, value in near.items() if value >= LIKENESS)
        for value, other in close[:_MOST]:
            bonds.add(position, "diverged", other, f"{-value:.0%} of sampled lines equal")
