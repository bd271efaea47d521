"""Which changes leave all relations as they are, so that they need not be made anew.

Most edits touch neither what a file refers to nor what it is. Relations depend on a part of its facts
only; when that part is the same, and the file is neither alike, ordered nor in conflict with another,
before or after, then making all relations anew would give exactly what is kept.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence

import msgspec

from plantwin.private import catalogue
from plantwin.private.facts import Facts
from plantwin.private.index import PARTS, Index, Row, Unchanged, unpack
from plantwin.private.memory import Memory
from plantwin.private.relate.similarity import AGREEING, BANDS, BUCKET

_WIDTH = BANDS * 4
_split = struct.Struct(f">{BANDS}I").unpack


def bands(facts: Sequence[Facts]) -> bytes:
    """The hashes under which likeness files a file, those of each part after the other."""
    return b"".join(each.sketch[:_WIDTH] for each in facts if len(each.sketch) >= _WIDTH)


def unchanged(index: Index | Memory, rows: Sequence[Row], generation: int) -> Unchanged | None:
    """The word that relations of this generation stay valid with these rows; None when they may not."""
    if index.related_generation() != generation:
        return None
    counts = catalogue.counted(index.summary())
    corrections = index.corrections()
    filed = index.bands()
    for row in rows:
        known = index.facts_of(row.path)
        after = unpack(row.facts)
        if known is None:
            return None
        number, before = known
        if not after and not before:
            continue
        if len(after) != 1 or len(before) != 1 or _relational(after[0]) != _relational(before[0]):
            return None
        if index.bound(number * PARTS) or not _alone(filed, bands(before), row.bands):
            return None
        filed += row.bands  # the next of these rows may now be like this one
        corrected = corrections.get((row.path, ""))
        counts.recount(before[0], after[0], corrected)
    return Unchanged(generation, msgspec.json.encode(counts))


def _relational(facts: Facts) -> tuple[object, ...]:
    """The part of facts that relations depend on."""
    return (
        facts.part, facts.format, facts.kind, facts.ranking[0][0], facts.confidence, facts.role, facts.readiness,
        facts.readiness_cause, facts.needs, facts.references, facts.provides, facts.settings, facts.pins, facts.span,
        facts.size.bit_length(), not facts.sketch,
    )  # fmt: skip


def _alone(filed: bytes, before: bytes, after: bytes) -> bool:
    """Whether no other file is filed near this one, before or after, and no bucket overflows."""
    if not before and not after:
        return True
    ours = [set(_split(each)) if each else set() for each in (before, after)]
    wanted = [struct.pack(">I", each) for each in ours[0] | ours[1]]
    others: Counter[int] = Counter()
    for each in wanted:
        start = filed.find(each)
        while start >= 0:
            if start % 4 == 0:
                others[start // _WIDTH] += 1
            start = filed.find(each, start + 1)
        if filed.count(each) >= BUCKET:
            return False
    itself = True
    for position in others:
        theirs = filed[position * _WIDTH : (position + 1) * _WIDTH]
        if itself and theirs == before:
            itself = False  # one of them is this file as it was
            continue
        if any(len(ours_then & set(_split(theirs))) >= AGREEING for ours_then in ours):
            return False
    return True
