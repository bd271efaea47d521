"""What a planner would be told first of a folder, for showing it to its owner: before any goal, policy or budget."""

from __future__ import annotations

from msgspec.structs import replace

from plantwin.private.scan import Scan
from plantwin.private.selection.cells import Accounting, cut
from plantwin.private.selection.sets import SessionSets
from plantwin.types.envelope import Registration
from plantwin.types.identity import Issuer
from plantwin.types.sets import TwinSet


def registration(scan: Scan, k: int, most: int) -> Registration:
    """Build what a planner is told first: the folder as at most `most` sets, with the size, kind and class of each."""
    accounting = Accounting(lambda _: b"", lambda _: "")
    cells = cut(list(scan.records()), k)
    sets = SessionSets(cells, (), accounting, Issuer(), {}, {}).for_goal((), (), most)
    return Registration(sets=tuple(_first(held.set) for held in sets))


def _first(told: TwinSet) -> TwinSet:
    """Return what a registration tells of a set."""
    first = TwinSet(set_id=told.set_id, size=told.size, kind=told.kind, semantic_class=told.semantic_class)
    return first if told.semantic_class else replace(first, family=told.family)
