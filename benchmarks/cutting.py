"""Cutting a large folder into sets for a goal, beside a plain grouping of the same records.

    python -m benchmarks.cutting [--objects 50000] [--rounds 5] [--profile]

The records are generated: kinds, classes, roles and components in uneven numbers, tags, and two relations of each. Cold
is the first time, when the cells are remembered; warm is any later session on the same folder. Processor time, the
best of some rounds, so that other work on the machine counts little. The peer groups the records by the same five
values and counts tags and classes of each group, which no way to cut could leave out.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.harness import say, scratch
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.private.facts import Facts, Record, Relation
from plantwin.private.index import Signature
from plantwin.private.lineage.lineage import Lineage
from plantwin.private.project import USEFUL
from plantwin.private.selection.cells import LEVELS, Accounting, Cell, cut, keyed_accounting
from plantwin.private.selection.sets import SessionSets
from plantwin.private.state import State
from plantwin.types.identity import Issuer
from plantwin.types.local import LocalSet
from plantwin.vocabulary import Absence, ContentTag, Family, Kind, Role, SemanticClass

WANTED = 500.0
"""Milliseconds of a warm cut, at most."""
COMPONENTS = 120


class Folder:
    """A generated folder with its state: what a session needs to cut it."""

    def __init__(self, place: Path, objects: int) -> None:
        self.records = generated(objects)
        choose = random.Random(4)
        self.relations = tuple(
            Relation(source=number, edge=reason.edge.value, reason=reason.value, target=choose.randrange(objects))
            for number in range(objects)
            for reason in choose.sample(list(USEFUL), 2)
        )
        self.facts = [
            (record.number, Facts("", "text", record.kind, (), "high", (), record.role, size=400 + record.number))
            for record in self.records
        ]
        self.signatures = {record.path: Signature(0, 400, record.number, 1, 2) for record in self.records}
        self.rank = {record.number: position for position, record in enumerate(self.records)}
        self.root = place / "folder"
        self.root.mkdir()
        self.state = State(place / "state")
        self.ledger = SqliteLedger(self.state.subfolder("ledger") / "ledger.db", self.state.keyed("audit", b"ledger"))
        self.lineage = Lineage(self.state, self.ledger)

    def cells(self) -> list[Cell]:
        """The finest cut."""
        return cut(self.records, 5)

    def accounts(self, cells: Sequence[Cell]) -> Accounting:
        """The cells' accounts, as a workspace has them."""
        self.lineage.folder(self.root, lambda: self.facts, self.signatures)
        accounts = self.lineage.cells(self.root, cells)

        return keyed_accounting(accounts, self.signatures, frozenset(), self.state.key)

    def sets(self, cells: Sequence[Cell], accounting: Accounting) -> tuple[LocalSet, ...]:
        """The sets of one session."""
        made = SessionSets(cells, self.relations, accounting, Issuer(), self.rank, {})
        return made.for_goal([Family.CONFIGURATION], [], 24)

    def cut(self) -> tuple[LocalSet, ...]:
        """All of it."""
        cells = self.cells()
        return self.sets(cells, self.accounts(cells))

    def cut_anew(self) -> tuple[LocalSet, ...]:
        """All of it as another process does, which knows only what the first one left in the state folder."""
        self.lineage.close()
        self.lineage = Lineage(self.state, self.ledger)
        return self.cut()

    def close(self) -> None:
        """Close what is open."""
        self.lineage.close()
        self.ledger.close()


def generated(objects: int) -> list[Record]:
    """Records whose values are as uneven as those of a real folder: few classes have most objects."""
    choose = random.Random(3)
    leaves, kinds = list(SemanticClass), list(Kind)
    often = [1 / (1 + position) for position in range(len(leaves))]
    tags, absences, roles = list(ContentTag), list(Absence), list(Role)
    made = []
    for number in range(objects):
        leaf = choose.choices(leaves, often)[0]
        component = f"component{choose.randrange(COMPONENTS)}"
        made.append(
            Record(
                number=number,
                path=f"{component}/{leaf}/file{number}",
                kind=kinds[list(Family).index(leaf.family) % len(kinds)].value,
                semantic_class=leaf.value,
                family=leaf.family.value,
                role=choose.choices(roles, [5, *[1] * (len(roles) - 1)])[0].value,
                sensitivity=choose.choice(("low", "low", "restricted", "high")),
                freshness=choose.choice(("today", "recent", "stale")),
                size_bucket="small",
                contains=tuple((tag.value, "few") for tag in choose.sample(tags, choose.randrange(5))),
                lacks=tuple(absence.value for absence in choose.sample(absences, choose.randrange(3))),
                confidence="high",
                component=component,
            )
        )
    return made


def grouped(records: Sequence[Record]) -> dict[tuple[str, ...], tuple[Counter[str], Counter[str]]]:
    """The peer: records by the values along which they are cut, with counts of their tags and classes."""
    groups: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        groups.setdefault(tuple(getattr(record, level) for level in LEVELS), []).append(record)
    return {
        label: (
            Counter(tag for record in members for tag, _ in record.contains),
            Counter(record.semantic_class for record in members),
        )
        for label, members in groups.items()
    }


def best(work: Callable[[], object], rounds: int) -> float:
    """Milliseconds of processor time, the best of some rounds."""
    taken = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return 1000 * min(taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="say where the time of a warm cut goes")
    options = parser.parse_args()
    with scratch() as place:
        folder = Folder(place, options.objects)
        cold = best(folder.cut, 1)
        warm = best(folder.cut, options.rounds)
        later = best(folder.cut_anew, options.rounds)
        cells = folder.cells()
        accounting = folder.accounts(cells)
        parts = {
            "cells": lambda: folder.cells(),
            "accounts of the folder and its cells": lambda: folder.accounts(cells),
            "sets, with relations": lambda: folder.sets(cells, accounting),
        }
        sets = folder.sets(cells, accounting)
        print(f"{options.objects} objects, {len(cells)} cells, {len(sets)} sets; processor time, best of rounds\n")
        peer = best(lambda: grouped(folder.records), options.rounds)
        say("peer: plain grouping with counts", peer, "ms")
        say("cut for a goal, cold", cold, "ms", f"{cold / peer:.1f} times the peer")
        say("cut for a goal, warm", warm, "ms", f"{warm / peer:.1f} times the peer; at most {WANTED:.0f} ms")
        say(
            "cut for a goal, in a new process",
            later,
            "ms",
            f"{later / peer:.1f} times the peer; at most {WANTED:.0f} ms",
        )
        for name, part in parts.items():
            say(f"  {name}", best(part, options.rounds), "ms")
        if options.profile:
            profile = cProfile.Profile()
            profile.runcall(folder.cut)
            pstats.Stats(profile).sort_stats("tottime").print_stats(18)
        folder.close()


if __name__ == "__main__":
    main()
