"""The finest cut of a folder: cells of at least `k` objects that are alike in closed values.

Cells are cut by the folder alone, before any goal is known and before any planner speaks. Every set that is ever told
is a union of cells, so whatever is computed from what was told of several sets (what is in one and not in the other,
what is in both) again speaks of whole cells: never of fewer than `k` objects.
"""

from __future__ import annotations

import base64
import hashlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, repeat
from operator import attrgetter
from typing import NamedTuple

from plantwin.boundary.isolation import MARK
from plantwin.private.facts import Record, private
from plantwin.private.index import UNSETTLED, Signature
from plantwin.vocabulary import FACETS

LEVELS = ("kind", "family", "semantic_class", "environment", "provider", "ecosystem", "role", "component")
"""Along what a folder is cut, the coarsest first. Not by age, which changes with every commit: cells are to last."""
NONE = "-"
"""Stands for no word at all, of what an object may have none of."""
PARTS = 3
"""From this level on a cut adds much to what is told and little to plans: only large pieces are cut there."""
MOST = 100
"""Pieces of a folder, about, that the later levels make."""
REST = "*"
"""Stands for the values that too few objects have to make a cell of their own."""

PLACE = attrgetter("path", "part")

Label = tuple[str, ...]
"""Values of a cell's objects, level by level; shorter where they are cut no further."""


@private
class Cell(NamedTuple):
    """Objects that are always told of together."""

    label: Label
    members: tuple[Record, ...]


class Accounting(NamedTuple):
    """What the ledger needs to know of cells and their members."""

    account: Callable[[Label], bytes]
    """The account of the cell with this label."""
    version: Callable[[Sequence[Record]], str]
    """A keyed digest of these records and their content."""
    closed: AbstractSet[int] = frozenset()
    """Numbers of the objects of which only the kind may be told."""
    mark: Callable[[Record], str] = lambda record: f"{record.number:0{MARK}}"
    """A keyed digest of its place in the folder."""


def keyed_accounting(
    accounts: Mapping[Label, bytes], signatures: Mapping[str, Signature], closed: AbstractSet[int], key: bytes
) -> Accounting:
    """Account for cells by digests under the local key. `signatures`: what the scan saw of each file."""

    def version(records: Sequence[Record]) -> str:
        ordered = sorted(records, key=attrgetter("number"))
        # Without the mode: it says whether a scan trusts the times, and a file that settles is no other file.
        found = map(signatures.get, map(attrgetter("path"), ordered), repeat(UNSETTLED))
        times = array("q", chain.from_iterable(found))
        del times[Signature._fields.index("mode") :: len(Signature._fields)]
        places = "\0".join(chain.from_iterable(map(PLACE, ordered))).encode("utf-8", "surrogateescape")
        made = hashlib.blake2b(places, key=key, digest_size=6, person=b"members")
        made.update(b"\0" + times.tobytes())
        return made.hexdigest()

    marks: dict[int, str] = {}

    def mark(record: Record) -> str:
        if record.number in marks:
            return marks[record.number]
        place = f"{record.path}\0{record.part}".encode("utf-8", "surrogateescape")
        made = hashlib.blake2b(place, key=key, digest_size=6, person=b"mark")
        return marks.setdefault(record.number, base64.urlsafe_b64encode(made.digest())[:MARK].decode())

    return Accounting(accounts.__getitem__, version, closed, mark)


def cut(records: Sequence[Record], k: int, closed: AbstractSet[int] = frozenset()) -> list[Cell]:
    """Cut records into cells. `closed`: of these numbers only the kind may be told: they are cut by nothing else."""
    large = max(k, -(-len(records) // MOST))
    found, left = _cells(list(records), (), (k, large), closed)
    if not left:
        return found
    if len(left) >= k or not found:
        return [*found, Cell((REST,), tuple(left))]
    # Too few to stand alone: they are told of with the smallest cell, so that nothing is found by subtraction.
    smallest = min(found, key=lambda cell: (len(cell.members), cell.label))
    found.remove(smallest)
    return [*found, Cell((REST,), (*smallest.members, *left))]


def _cells(
    records: list[Record], label: Label, least: tuple[int, int], closed: AbstractSet[int]
) -> tuple[list[Cell], list[Record]]:
    """Cut along the next level: cells that are large enough, and what is left over for the level above."""
    enough = least[len(label) >= PARTS]
    if len(records) < least[0]:
        return [], records
    if len(label) == len(LEVELS) or len(records) < 2 * enough:
        return [Cell(label, tuple(records))], []
    values: defaultdict[str, list[Record]] = defaultdict(list)
    nothing = NONE if LEVELS[len(label)] in FACETS else REST
    hidden = closed if label else ()
    for record, value in zip(records, map(attrgetter(LEVELS[len(label)]), records), strict=True):
        values[REST if hidden and record.number in hidden else value or nothing].append(record)
    rest = values.pop(REST, [])
    found: list[Cell] = []
    for value in sorted(values):
        if len(values[value]) < enough:
            rest += values[value]
        else:
            cells, left = _cells(values[value], (*label, value), least, closed)
            found += cells
            rest += left
    if len(rest) >= least[0]:
        return [*found, Cell((*label, REST) if found else label, tuple(rest))], []
    return found, rest
