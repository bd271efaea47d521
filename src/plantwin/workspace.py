"""A folder with everything that its sessions share: index, ledger, lineage, policy, catalog, approver."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.boundary.approval import Approver, Nobody
from plantwin.boundary.authority import Authority
from plantwin.boundary.identity import Issuer
from plantwin.boundary.ledger.base import BaseLedger
from plantwin.boundary.ledger.interface import Ledger
from plantwin.boundary.policy import Party, Policy, Subject
from plantwin.config.settings import Settings
from plantwin.errors import LedgerError
from plantwin.ledgers.records import read_statements
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.private.config import load
from plantwin.private.environment import Environment, Progress, Scan
from plantwin.private.execution.sandbox import bubblewrap
from plantwin.private.extensions import issued
from plantwin.private.lineage.lineage import Identity, Lineage
from plantwin.private.records import Record
from plantwin.private.selection.goal_text import Sentence, detected
from plantwin.private.selection.mentions import Choose, Recall
from plantwin.private.selection.selected import select_for_goal
from plantwin.private.selection.session_objects import subject_of
from plantwin.private.state import State
from plantwin.run import Run
from plantwin.session_context import Observation, SessionContext
from plantwin.types.capability import Catalog
from plantwin.types.envelope import MAX_OBJECTS

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner

TOKENS = 100
"""What an object takes in a prompt, about."""


class Workspace:
    """One folder with its ledger, policy and catalog."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        settings: Settings | None = None,
        state: Path | None = None,
        ignore: bool = True,
        approver: Approver | None = None,
        rehearse: bool = False,
        jobs: int | None = None,
        progress: Progress | None = None,
        goal_mode: str | None = None,
    ) -> None:
        """`approver`: who is asked where a person must decide; nobody by default, so it is denied.

        `rehearse`: decide everything and record nothing, for looking at what would happen.
        `goal_mode`: how much of a goal crosses, instead of what the settings say.
        """
        from plantwin.config.policies import policy_of
        from plantwin.config.settings import load_settings
        from plantwin.private.capabilities import catalog
        from plantwin.private.extensions import registered
        from plantwin.private.model.selection import for_extraction, for_text
        from plantwin.private.selection.meaning.offer import sense

        self.settings = settings or load_settings()
        self.catalog: Catalog = catalog(self.settings.session.catalog)
        """The built-in ones. Each session adds the person's own, under names of its own."""
        self.policy: Policy = policy_of(self.settings)
        self.text_model = for_text(self.settings)
        """Weights and runtime of the small model that text work may use."""
        self.environment = Environment(root, state=state, ignore=ignore, model=for_extraction(self.settings))
        self.state = State(state)
        self.own = registered(self.settings.capabilities, self.environment.root, self.state.folder)
        self.approver: Approver = approver or Nobody()
        real = open_ledger(self.settings, self.state)
        self.ledger: Ledger = Rehearsal(real) if rehearse else real
        self.begun = self.state.subfolder("ledger") if real.is_new else None
        """Where a ledger was begun just now: the person is told, since one that was lost would look like it."""
        # A ledger that a team shares holds what others told, whose files are not here.
        alone = self.settings.ledger.kind == "sqlite"
        try:
            self.lineage = Lineage(self.state, self.ledger, lambda: alone and any(True for _ in read_statements(real)))
        except BaseException:
            real.close()
            self.environment.close()
            raise
        self.names: dict[str, tuple[str, str]] = {}
        """Path and part of every object of the current session, by id; the person's own names of their capabilities."""
        self._jobs, self._progress = jobs, progress
        self._sense = sense(self.environment.root, self.state, self.environment.signatures, progress)
        self.goal_mode = goal_mode or self.settings.goal.mode
        self.choose: Choose | None = None
        """Asks the person which of several objects a goal means; without it, they count as unsure."""
        self.recall: Recall | None = None
        """What a goal means by words for what was spoken of before, where there is a before."""

    def __repr__(self) -> str:
        return "<Workspace private>"

    def close(self) -> None:
        """Close the index, the ledger and the lineage."""
        self.lineage.close()
        self.ledger.close()
        self.environment.close()

    def open_session(
        self, goal: str, planner: Planner, made: Run, only: Collection[tuple[str, str]] | None = None
    ) -> SessionContext:
        """Observe the folder now, and set up one session about it. `only`: path and part of the objects to show."""
        scanned = time.time_ns()
        scan = self.environment.scan(jobs=self._jobs, progress=self._progress)
        made.root = self.environment.root
        made.warnings += scan.summary.warnings
        if self.settings.session.catalog == "fine":
            made.warnings.append("the fine catalog is unsafe: its probes tell content. It is for experiments alone")
        catalog = Catalog([*self.catalog.values(), *issued(self.own, Issuer())])
        authority = self.authority(planner, catalog)
        admitted: list[Record] = []
        kept: dict[Subject, int] = {}
        for each in scan.records():
            subject = self.subject(each)
            if authority.admits(subject):
                admitted.append(each)
            else:
                made.denied.append(each.path)
                kept[subject] = kept.get(subject, 0) + 1
        selected = select_for_goal(
            goal,
            admitted,
            tuple(scan.relations()),
            catalog=catalog,
            keys=lambda records: self.keys(scan, records),
            labels=self.labels,
            most=self._most() if only is None else MAX_OBJECTS,
            words=scan.words(),
            sense=self._sense,
            only=only,
            sentence=Sentence(self.goal_mode, self.settings.goal.words, detected(load(self.environment.root))),
            choose=self.choose,
            recall=self.recall,
            defined=scan.defining,
        )
        if self._sense and self._sense.left:
            made.warnings.append(f"meaning: {self._sense.left:,} files are not looked at yet; the next request goes on")
        self.names |= {id_: (record.path, record.part) for id_, record in selected.records.items()}
        self.names |= {each.wire: (each.own, "") for each in catalog.values() if each.own}
        return SessionContext(self, Observation(scan, scanned, selected, authority, catalog, kept), planner, made)

    def authority(self, planner: Planner, catalog: Catalog) -> Authority:
        """The policy as it applies to this planner."""
        return Authority(
            self.policy,
            Party(planner.name, planner.audience, planner.locality),
            catalog,
            goal_mode=self.goal_mode,
            sandboxed=bubblewrap() is not None,
            labels={each.label for each in self.settings.labels},
        )

    def labels(self, path: str) -> frozenset[str]:
        """Labels that the person's configuration gives a path."""
        return self.settings.labels_of(self.environment.root, path)

    def subject(self, record: Record) -> Subject:
        """A record as a policy sees it."""
        return subject_of(record, self.labels(record.path))

    def _most(self) -> int:
        """Objects that a request may show: so many, and so many as a prompt has room for."""
        limits = self.settings.limits
        return max(1, min(limits.max_objects, limits.max_tokens // TOKENS))

    def keys(self, scan: Scan, records: Sequence[Record]) -> dict[int, Identity]:
        """Accounts of these records, and the versions of their content, by number."""
        sketches = scan.sketches({each.number for each in records})
        return self.lineage.keys(self.environment.root, records, sketches, scan.records)


def open_ledger(settings: Settings, state: State, *, accept: bool = False) -> BaseLedger:
    """The ledger that the settings name. `accept`: go on with an older copy of it, or anew, as the person says."""
    key = state.keyed("audit", b"ledger")
    folder = state.subfolder("ledger")
    if settings.ledger.kind == "postgres":
        from plantwin.ledgers.postgres import PostgresLedger

        dsn = os.environ.get(settings.ledger.dsn_env or "", "")
        if not dsn:
            raise LedgerError("ledger.dsn_env: the environment variable that it names is not set")
        anchor = folder / "postgres.anchor"
        witnesses = state.witnesses(anchor)
        return PostgresLedger(
            dsn, key, anchor=anchor, witnesses=witnesses, accept=accept, refresh=settings.refresh_seconds
        )
    from plantwin.boundary.ledger.sqlite import SqliteLedger

    path = Path(settings.ledger.path) if settings.ledger.path else folder / "ledger.db"
    return SqliteLedger(path, key, witnesses=state.witnesses(path), accept=accept, refresh=settings.refresh_seconds)
