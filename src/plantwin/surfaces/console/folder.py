"""The folder behind the console: one thread observes it, and answers what pages ask about objects, sets and budgets."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from plantwin.boundary.ledger.base import BaseLedger
from plantwin.cloud.registry import Registry
from plantwin.config.settings import Settings
from plantwin.private.facts import Private, Record, Summary, private
from plantwin.private.queue import ApprovalQueue
from plantwin.private.state import State
from plantwin.run import Run, Spending
from plantwin.surfaces.cli.budget import Account, Counting, by_key
from plantwin.surfaces.cli.preview import SetView, set_views
from plantwin.surfaces.cli.twin import GOAL
from plantwin.surfaces.console.table import ObjectTable
from plantwin.types.ledger import Row
from plantwin.workspace import Workspace, open_ledger

T = TypeVar("T")


@private
class CutSet(NamedTuple):
    """A set of the folder, with its members and their accounts."""

    view: SetView
    members: tuple[int, ...]
    cells: tuple[bytes, ...]


@private
class Cut(NamedTuple):
    """The folder as the sets that a request would tell of."""

    sets: list[CutSet]
    cell_of: dict[int, bytes]
    """The account under which an object is told of as one of many."""
    set_of: dict[int, int]
    """The position of the set that an object is in."""


@private
class History(NamedTuple):
    """What audiences were told of one object."""

    own: list[Row]
    in_sets: list[Row]
    """As one of many."""


@dataclass(repr=False)
class Observed(Private):
    """The folder as it was last looked at. It belongs to the thread of its folder."""

    workspace: Workspace
    table: ObjectTable
    summary: Summary
    at: float
    cut: Cut | None = None
    accounts: dict[int, Account] = field(default_factory=dict)

    def accounts_of(self, records: Sequence[Record]) -> list[Account]:
        """Under which keys objects were told of."""
        new = [record for record in records if record.number not in self.accounts]
        if new:
            # Sketches are needed of parts alone, and these follow their file closely enough to be shown.
            root = self.workspace.environment.root
            traced = self.workspace.lineage.trace(root, new, {}, self.table.places)
            self.accounts |= {record.number: Account(record, traced[record.number]) for record in new}
        return [self.accounts[record.number] for record in records]

    def spending(self, records: Sequence[Record], audiences: Sequence[str]) -> dict[int, dict[str, Spending]]:
        """What each audience was told of these objects by themselves, by number and audience."""
        accounts = self.accounts_of(records)
        told = by_key(self.workspace.ledger.told([key for account in accounts for key in account.keys]))
        counted = {name: Counting.of(name, self.workspace.settings) for name in audiences}
        return {
            account.record.number: {
                name: found for name, how in counted.items() if (found := how.spending(account, told)) is not None
            }
            for account in accounts
        }

    def history(self, record: Record, cut: Cut) -> History:
        """Everything that was ever told of an object, newest first."""
        (account,) = self.accounts_of([record])
        own = self.workspace.ledger.told(list(account.keys))
        cell = cut.cell_of.get(record.number)
        in_sets = self.workspace.ledger.told([cell]) if cell else []
        return History(own[::-1], in_sets[::-1])


class Folder(Private):
    """A folder with its settings and state."""

    def __init__(
        self,
        root: Path,
        *,
        settings: Settings,
        state: Path,
        config: str | None = None,
        ignore: bool = True,
        jobs: int | None = None,
    ) -> None:
        self.root, self.settings, self.config = root.resolve(), settings, config
        self.state = State(state)
        self._ignore, self._jobs = ignore, jobs
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="folder")
        self._cutting = threading.Lock()
        self._observed: Observed | None = None
        self._heard: tuple[int, frozenset[str]] = (-(1 << 62), frozenset())

    def workspace(self, **options: Any) -> Workspace:
        """The folder for one session, in the thread that calls."""
        return Workspace(
            self.root, settings=self.settings, state=self.state.folder, ignore=self._ignore, jobs=self._jobs, **options
        )

    def registry(self, workspace: Workspace, *, keyless: bool = False) -> Registry:
        """The planners that can be asked. `keyless`: nothing will be sent."""
        return Registry(self.settings, workspace.catalog, self.state.subfolder("planners"), keyless)

    @contextmanager
    def ledger(self) -> Iterator[BaseLedger]:
        """The ledger, in the thread that calls."""
        opened = open_ledger(self.settings, self.state)
        try:
            yield opened
        finally:
            opened.close()

    @contextmanager
    def queue(self) -> Iterator[ApprovalQueue]:
        """Steps that wait for a person, in the thread that calls."""
        opened = ApprovalQueue(self.state.subfolder("approvals") / "queue.db")
        try:
            yield opened
        finally:
            opened.close()

    def ask(self, work: Callable[[Observed], T]) -> T:
        """Ask about the folder as it was last looked at; the first time it is looked at now."""
        return self._worker.submit(lambda: work(self._observed or self._look())).result()

    def look(self) -> None:
        """Look at the folder again, soon."""
        self._worker.submit(self._look)

    def look_now(self) -> None:
        """Look at the folder again, and wait for it."""
        self._worker.submit(self._look).result()

    def cut(self) -> Cut:
        """The folder as sets, made once for each look; other pages do not wait meanwhile."""
        with self._cutting:
            observed = self.ask(lambda observed: observed)
            if observed.cut is None:
                made = self.workspace(rehearse=True)
                try:
                    observed.cut = self._rehearsed(made)
                finally:
                    made.close()
            return observed.cut

    def audiences(self) -> list[str]:
        """Every audience that was ever told anything; only what is new in the ledger is looked at."""
        with self.ledger() as ledger:
            last, known = self._heard
            query = "SELECT audience, MAX(number) FROM told WHERE number > ? GROUP BY audience"
            rows = ledger.read(lambda rows: rows.all(query, (last,)))
        self._heard = max([last, *(number for _, number in rows)]), known | {name for name, _ in rows}
        return sorted(self._heard[1])

    def close(self) -> None:
        """Close what is open."""
        self._worker.submit(self._forget).result()
        self._worker.shutdown()

    def _forget(self) -> None:
        if self._observed is not None:
            self._observed.table.close()
            self._observed.workspace.close()
            self._observed = None

    def _look(self) -> Observed:
        workspace = self._observed.workspace if self._observed else self.workspace()
        scan = workspace.environment.scan(jobs=self._jobs)
        before, table = self._observed, ObjectTable(scan.records(), scan.relations())
        if before is not None:
            before.table.close()
        self._observed = Observed(workspace, table, scan.summary, time.time())
        return self._observed

    def _rehearsed(self, made: Workspace) -> Cut:
        planner = self.registry(made, keyless=True).planner("offline")
        record = Run("rehearsal", GOAL, planner.name, planner.audience, planner.locality)
        context = made.open_session(GOAL, planner, record)
        try:
            messages = [json.loads(envelope.data) for envelope in context.opening(GOAL)]
            views = set_views(context, messages, context.set_spending())
        finally:
            context.executor.close()
        held = {one.id: one for one in context.selected.sets}
        numbers = {view.id: tuple(record.number for record in context.members(view.id)) for view in views}
        sets = [CutSet(view, numbers[view.id], held[view.id].cells) for view in views]
        account = context.selected.session_sets.account
        cell_of = {number: account(number) for members in numbers.values() for number in members}
        set_of = {number: position for position, one in enumerate(sets) for number in one.members}
        return Cut(sets, cell_of, set_of)
