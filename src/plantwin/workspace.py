"""A folder with everything that its sessions share: index, ledger, lineage, policy, catalog, approver."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.boundary.authority import Authority
from plantwin.boundary.ledger.base import BaseLedger
from plantwin.cloud.planner import sends
from plantwin.config.settings import Settings
from plantwin.errors import LedgerError
from plantwin.ledgers.records import read_statements
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.private.config import load
from plantwin.private.environment import Environment, Progress
from plantwin.private.execution.over_sets import Seen
from plantwin.private.execution.sandbox import bubblewrap
from plantwin.private.extensions import issued
from plantwin.private.facts import Private, Record
from plantwin.private.goal import read
from plantwin.private.index import Signature
from plantwin.private.lineage.lineage import Identity, Lineage
from plantwin.private.scan import Scan
from plantwin.private.selection.cells import Accounting, Cell, cut, keyed_accounting
from plantwin.private.selection.goal_text import Sentence, detected
from plantwin.private.selection.mentions import Choose, Recall
from plantwin.private.selection.selected import Cutting, select_for_goal, subject_of
from plantwin.private.state import State
from plantwin.run import Run
from plantwin.session_context import Observation, SessionContext
from plantwin.statefiles import need_own
from plantwin.types.approval import Approver, Nobody
from plantwin.types.capability import Catalog
from plantwin.types.envelope import MAX_OBJECTS
from plantwin.types.identity import Issuer
from plantwin.types.ledger import Ledger
from plantwin.types.local import Subject
from plantwin.types.policy import Party

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.ledgers.postgres import PostgresLedger
    from plantwin.private.cluster import Cluster

TOKENS = 100
"""What an object takes in a prompt, about."""


class Workspace(Private):
    """One folder with its ledger, policy and catalog."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        settings: Settings | None = None,
        state: str | os.PathLike[str] | None = None,
        ignore: bool = True,
        approver: Approver | None = None,
        ledger: Ledger | None = None,
        rehearse: bool = False,
        jobs: int | None = None,
        progress: Progress | None = None,
        goal_mode: str | None = None,
        only: Collection[str] | None = None,
        planner_goal: bool = False,
        cluster: Cluster | None = None,
    ) -> None:
        """`approver`: who is asked where a person must decide; nobody by default, so it is denied.

        `state`: another state folder. `ledger`: another ledger than the one that the settings name.
        `rehearse`: decide everything and record nothing, for looking at what would happen.
        `goal_mode`: how much of a goal crosses, instead of what the settings say. `only`: paths below the root; there
        is nothing else then. `planner_goal`: the planner writes the goals itself, so that no word of them is held
        against names or contents of the folder: it could try whether a name exists. `cluster`: machines that read
        files and carry out steps.
        """
        from plantwin.config.policies import policy_of
        from plantwin.config.settings import load_settings
        from plantwin.private.capabilities import catalog
        from plantwin.private.extensions import registered

        self.settings = settings or load_settings()
        self.catalog: Catalog = catalog(self.settings.session.catalog)
        """The built-in ones. Each session adds the person's own, under names of its own."""
        self.policy = policy_of(self.settings)
        self.environment = Environment(root, state=state, ignore=ignore, only=only, cluster=cluster)
        self.state = State(state)
        self.own = registered(self.settings.capabilities, self.environment.root, self.state.folder)
        real = ledger or open_ledger(self.settings, self.state)
        self._may_approve = may_approve(real)
        self.approver = approver or Nobody()
        self.ledger: Ledger = Rehearsal(real) if rehearse else real
        self.begun = self.state.subfolder("ledger") if getattr(real, "is_new", False) else None
        """Where a ledger was begun just now: the person is told, since one that was lost would look like it."""
        # A ledger that a team shares holds what others told, whose files are not here.
        alone = self.settings.ledger.kind == "sqlite"
        try:
            told = lambda: alone and any(True for _ in read_statements(real))  # noqa: E731
            person: str = getattr(real, "person", str)()
            self.lineage = Lineage(self.state, self.ledger, told, shared=not alone, person=person)
        except BaseException:
            real.close()
            self.environment.close()
            raise
        self.names: dict[str, tuple[str, str]] = {}
        """Path and part of every object of the current session, by id; the person's own names of their capabilities."""
        self._jobs, self._progress = jobs, progress
        self.goal_mode = goal_mode or self.settings.goal.mode
        self.planner_goal = planner_goal
        """Whether planners write the goals, so that nothing of X may be held against their words."""
        self.choose: Choose | None = None
        """Asks the person which of several objects a goal means; without it, they count as unsure."""
        self.recall: Recall | None = None
        """What a goal means by words for what was spoken of before, where there is a before."""

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
        signatures = self.environment.signatures()
        everything = list(scan.records())
        kept = [record for record in everything if not authority.admits(self.subject(record))]
        made.denied += [record.path for record in kept]
        # Component, age, relations and what is lacking follow from other files: from those that may be known of alone.
        known = scan.without({record.number for record in kept})
        admitted = list(known.records()) if kept else everything
        named = not self.planner_goal
        said = read(goal, lambda word: named and (_names(word, admitted) or bool(known.defining(frozenset([word])))))
        made.read_as = said if said != goal else ""
        selected = select_for_goal(
            said,
            admitted,
            tuple(known.relations()),
            catalog=catalog,
            keys=lambda records: self.keys(scan, records),
            labels=self.labels,
            cutting=Cutting(
                lambda records: self._cells(scan, signatures, records, authority),
                objects=self._most() if only is None else MAX_OBJECTS,
                sets=self.settings.limits.max_sets,
            ),
            words=scan.words() if named else (),
            only=only,
            sentence=Sentence(self.goal_mode, self.settings.goal.words, detected(load(self.environment.root))),
            choose=self.choose,
            recall=self.recall,
            defined=known.defining,
            # Where nothing is sent, to read one file too many costs nothing: nobody is asked which one is meant.
            asks=sends(planner),
            named=named,
        )
        self.names |= {id_: (record.path, record.part) for id_, record in selected.records.items()}
        self.names |= {capability.wire: (capability.own, "") for capability in catalog.values() if capability.own}
        seen = Seen(self.environment.root, scanned, signatures)
        observation = Observation(scan, known, seen, selected, authority, catalog, frozenset(map(self.subject, kept)))
        return SessionContext(self, observation, planner, made)

    def authority(self, planner: Planner, catalog: Catalog) -> Authority:
        """The policy as it applies to this planner."""
        return Authority(
            self.policy,
            Party(planner.name, planner.audience, planner.locality),
            catalog,
            goal_mode=self.goal_mode,
            sandboxed=bubblewrap() is not None,
            labels={label.label for label in self.settings.labels},
            unlisted=self.settings.unlisted() if self.rationed(planner) else (),
        )

    def rationed(self, planner: Planner) -> bool:
        """Whether budgets and hourly limits refuse: a planner that cannot send anything is only counted."""
        return sends(planner) or planner.locality == "remote" or self.settings.budget.ration_local

    @property
    def approver(self) -> Approver:
        """Who is asked where a person must decide; nobody where the team's roles let this person approve nothing."""
        return self._approver

    @approver.setter
    def approver(self, approver: Approver) -> None:
        self._approver: Approver = approver if self._may_approve else Nobody()

    def labels(self, path: str) -> frozenset[str]:
        """Labels that the person's configuration gives a path."""
        return self.settings.labels_of(self.environment.root, path)

    def subject(self, record: Record) -> Subject:
        """A record as a policy sees it."""
        return subject_of(record, self.labels(record.path))

    def _cells(
        self,
        scan: Scan,
        signatures: Mapping[str, Signature],
        records: Sequence[Record],
        authority: Authority,
    ) -> tuple[Sequence[Cell], Accounting]:
        """The folder's cells, as far as the policy admits their members, with their accounts."""
        closed = {each.number for each in records if not authority.describes(self.subject(each))}
        cells = cut(records, self.settings.privacy.k, closed)
        # A folder that was moved or copied: its cells take over what was told of the others'.
        self.lineage.folder(self.environment.root, scan.facts, signatures)
        accounts = self.lineage.cells(self.environment.root, cells)
        return cells, keyed_accounting(accounts, signatures, closed, self.state.key)

    def _most(self) -> int:
        """Objects that a request may show besides those that the goal names: none, but in the mode of the paper."""
        limits = self.settings.limits
        if self.settings.twin.mode == "sets":
            return 0
        return max(1, min(limits.max_objects, limits.max_tokens // TOKENS))

    def keys(self, scan: Scan, records: Sequence[Record]) -> dict[int, Identity]:
        """Accounts of these records, and the versions of their content, by number."""
        sketches = scan.sketches({record.number for record in records})
        return self.lineage.keys(self.environment.root, records, sketches, scan.records)


def _names(word: str, records: Sequence[Record]) -> bool:
    """Whether a word is the name of a file, with or without its suffix, or of a folder."""
    return any(word in re.split(r"[/.]", record.path.lower()) for record in records)


def may_approve(ledger: Ledger) -> bool:
    """Whether this person may approve steps: with a team's ledger, its roles say so."""
    allowed = getattr(ledger, "may_approve", None)
    return allowed is None or allowed()


def ledger_key(state: State) -> bytes:
    """The key of the ledger's MACs: one of its own where there is one, so that a team can change it."""
    own = need_own(state.subfolder("keys") / "ledger.key")
    return state.secret("ledger") if own else state.keyed("audit", b"ledger")


def open_team_ledger(
    settings: Settings, state: State, dsn_env: str, key: bytes, *, accept: bool = False
) -> PostgresLedger:
    """The PostgreSQL ledger that an environment variable names."""
    from plantwin.ledgers.postgres import PostgresLedger

    dsn = os.environ.get(dsn_env, "")
    if not dsn:
        raise LedgerError("ledger.dsn_env: the environment variable that it names is not set")
    # A ledger under another key is another ledger, with an anchor of its own.
    first = key == state.keyed("audit", b"ledger")
    name = "postgres.anchor" if first else f"postgres-{hashlib.sha256(key).hexdigest()[:16]}.anchor"
    anchor = state.subfolder("ledger") / name
    witnesses = state.witnesses(anchor)
    return PostgresLedger(
        dsn, key, anchor=anchor, witnesses=witnesses, accept=accept, refresh=settings.refresh_seconds,
        budgets=settings.ledger.budgets,
    )  # fmt: skip


def open_ledger(settings: Settings, state: State, *, accept: bool = False) -> BaseLedger:
    """The ledger that the settings name. `accept`: go on with an older copy of it, or anew, as the person says."""
    if settings.ledger.kind == "postgres":
        return open_team_ledger(settings, state, settings.ledger.dsn_env or "", ledger_key(state), accept=accept)
    from plantwin.ledgers.sqlite import SqliteLedger

    path = Path(settings.ledger.path) if settings.ledger.path else state.subfolder("ledger") / "ledger.db"
    return SqliteLedger(
        path, ledger_key(state), witnesses=state.witnesses(path), accept=accept, refresh=settings.refresh_seconds
    )
