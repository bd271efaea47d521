"""Relations after an edit of a few files, without making all of them anew.

Most edits leave what relations are made from as it was, but for the sketch of lines. A sketch decides which files are
alike, and that is told by its few neighbours: those that share a band with it (`relate.similarity`). Whatever is not
provably so local is left to `Scan.relate`.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from plantwin.private import catalogue
from plantwin.private.facts import Facts, Private, Related, Unchanged
from plantwin.private.index import PARTS, Index, Row, unpack
from plantwin.private.memory import Memory
from plantwin.private.relate.edges import EDGES, KEPT, LIKENESSES, WEIGHTS
from plantwin.private.relate.similarity import AGREEING, BANDS, BUCKET, WIDTH, closest

_split = struct.Struct(f">{BANDS}I").unpack


class NotLocalError(Exception):
    """The change may reach further than its neighbours."""


def unchanged(index: Index | Memory, rows: Sequence[Row], generation: int) -> Unchanged | None:
    """What remains of the relations of this generation with these rows; None when they must be made anew."""
    if index.related_generation() != generation:
        return None
    counts = catalogue.counted(index.summary())
    corrections = index.corrections()
    sketched: dict[str, Facts] = {}
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
        related = index.related(number * PARTS)
        if related is None or related.bound:
            return None
        if _likeness(after[0]) != _likeness(before[0]):
            sketched[row.path] = after[0]
        counts.recount(before[0], after[0], corrections.get((row.path, "")))
    try:
        changed = tuple(_alike(index, sketched, counts)) if sketched else ()
    except NotLocalError:
        return None
    return Unchanged(generation, msgspec.json.encode(counts), changed)


def _relational(facts: Facts) -> tuple[object, ...]:
    """The part of facts that relations depend on, likeness aside."""
    return (
        facts.part, facts.format, facts.kind, facts.ranking[0][0], facts.confidence, facts.role, facts.readiness,
        facts.readiness_cause, facts.needs, facts.references, facts.provides, facts.settings, facts.pins, facts.span,
        facts.size.bit_length(), len(facts.sketch) < WIDTH,
    )  # fmt: skip


def _likeness(facts: Facts) -> tuple[object, ...]:
    """The part of facts that likeness depends on; without a sketch, nothing."""
    return (facts.sketch, facts.lines, facts.size) if len(facts.sketch) >= WIDTH else ()


class _Filed(Private):
    """All sketched files in the order of paths, as `similar` files them, at one time."""

    def __init__(self, index: Index | Memory, rows: list[tuple[str, bytes]], now: Mapping[str, Facts]) -> None:
        self._index, self._now = index, now
        self.paths: list[str] = []
        filed: list[bytes] = []
        for path, held in rows:
            if path in now:
                held = now[path].sketch[:WIDTH]
            for start in range(0, len(held), WIDTH):  # a database has the bands of each of its tables
                self.paths.append(path)
                filed.append(held[start : start + WIDTH])
        self._bands = b"".join(filed)
        self._same: dict[bytes, list[int]] = {}
        for place, held in enumerate(filed):
            self._same.setdefault(held, []).append(place)
        self._holders: dict[int, list[int]] = {}
        self._facts: dict[int, tuple[int, Facts]] = {}

    def bands(self, place: int) -> tuple[int, ...]:
        return _split(self._bands[place * WIDTH : (place + 1) * WIDTH])

    def facts(self, place: int) -> tuple[int, Facts]:
        """Number and facts of the object at a place."""
        if place not in self._facts:
            path = self.paths[place]
            known = self._index.facts_of(path)
            if known is None or len(known[1]) != 1:
                raise NotLocalError  # tables of a database: which part this is cannot be told
            self._facts[place] = (known[0] * PARTS, self._now.get(path, known[1][0]))
        return self._facts[place]

    def sketch(self, place: int) -> bytes:
        return self.facts(place)[1].sketch

    def holders(self, band: int) -> list[int]:
        """Places of those filed under a band."""
        if band not in self._holders:
            wanted = struct.pack(">I", band)
            found, start = [], self._bands.find(wanted)
            while start >= 0:
                if start % 4 == 0:
                    found.append(start // WIDTH)
                start = self._bands.find(wanted, start + 1)
            self._holders[band] = found
        return self._holders[band]

    def twins(self, place: int) -> list[int]:
        """Other places with the same sketch."""
        same = self._same[self._bands[place * WIDTH : (place + 1) * WIDTH]]
        return [other for other in same if other != place and self.sketch(other) == self.sketch(place)]

    def first(self, place: int) -> bool:
        """Whether it is the first of its sketch: others are in no bucket."""
        if self.paths[place] in (self.paths[place - 1], self.paths[(place + 1) % len(self.paths)]):
            raise NotLocalError  # tables of a database stand in another order
        return all(other > place for other in self.twins(place))

    def near(self, place: int, band: int, *, after: bool) -> list[int]:
        """The few next to it in the bucket of a band: those before it, or those that have it before them."""
        holders = self.holders(band)
        side = holders[bisect_right(holders, place) :] if after else holders[: bisect_left(holders, place)][::-1]
        found: list[int] = []
        for other in side:
            if len(found) == BUCKET:
                break
            if self.first(other):
                found.append(other)
        return found

    def alike(self, place: int) -> list[tuple[int, str]]:
        """What it has diverged from, with the evidence."""
        agreeing: dict[int, int] = {}
        for band in self.bands(place):
            for other in self.near(place, band, after=False):
                agreeing[other] = agreeing.get(other, 0) + 1
        close = [(other, self.sketch(other)) for other, number in agreeing.items() if number >= AGREEING]
        return closest(self.sketch(place), close)


def _alike(index: Index | Memory, sketched: dict[str, Facts], counts: catalogue.Counts) -> Iterator[Related]:
    """The relations of the edited files and of those that are compared with them, where these change."""
    rows = index.bands()
    before, now = _Filed(index, list(rows), {}), _Filed(index, rows, sketched)
    affected = set()
    for path in sketched:
        place = bisect_left(now.paths, path)
        affected.add(place)
        for filed in (before, now):
            if filed.twins(place):
                raise NotLocalError  # which of the twins comes first, and whether one is a copy, may change
            for band in filed.bands(place):
                affected.update(filed.near(place, band, after=True))
    for place in affected:
        number, facts = now.facts(place)
        related = index.related(number)
        if related is None or facts.span is not None:
            raise NotLocalError
        edges = _edges(index, now, related, now.alike(place))
        if edges != related.edges:
            counts.edges["similar_to"] = counts.edges.get("similar_to", 0) + len(edges) - len(related.edges)
            if not counts.edges["similar_to"]:
                del counts.edges["similar_to"]
            yield related._replace(edges=edges)


def _edges(
    index: Index | Memory, now: _Filed, related: Related, alike: list[tuple[int, str]]
) -> tuple[tuple[str, str, int, float, str], ...]:
    """The edges of one object with its likeness as it is now."""
    others = [edge for edge in related.edges if edge[1] != "diverged"]
    if len(related.edges) >= KEPT or len(others) + len(alike) >= KEPT:
        raise NotLocalError  # some were, or would be, left out
    told = []
    for place, evidence in alike:
        number = now.facts(place)[0]
        theirs = index.related(number)
        if theirs is None or len(theirs.edges) >= KEPT:
            raise NotLocalError
        between = [edge[1] for edge in others if edge[2] == number]
        between += [edge[1] for edge in theirs.edges if edge[2] == related.number]
        if not any(reason in LIKENESSES for reason in between):
            weight = WEIGHTS["diverged"][3 if theirs.component != related.component else 0]
            told.append((EDGES["diverged"], "diverged", number, weight, evidence))
    return tuple(sorted((*others, *told), key=_order))


def _order(edge: tuple[str, str, int, float, str]) -> tuple[float, int]:
    """By weight; among equals what is depended on or derived from comes first, then likeness, then the rest."""
    return -edge[3], 0 if edge[0] in ("depends_on", "derived_from") else 1 if edge[1] == "diverged" else 2
