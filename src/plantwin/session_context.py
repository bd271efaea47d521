"""What one session works with: the objects it shows, the channel to its planner, its executor and gatekeeper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from plantwin.boundary.approval import Approvals, Approver, Nobody
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Accountant, UnlimitedAccountant, statement_of
from plantwin.boundary.channel import Channel
from plantwin.boundary.execution import Executor
from plantwin.boundary.expansion import Expansion
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.groups import Naming
from plantwin.boundary.ledger.interface import UNLIMITED, Audience, Entry, Known, Ledger, canonical_json
from plantwin.boundary.local_object import LocalObject
from plantwin.boundary.policy import Decided, Ruling, Subject
from plantwin.boundary.release import Release, Released
from plantwin.errors import LedgerError
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.private.environment import Scan
from plantwin.private.execution import FolderView, Launcher, SandboxExecutor
from plantwin.private.execution import Limits as Bounds
from plantwin.private.observe.walk import unobserved
from plantwin.private.records import Record
from plantwin.private.selection.selected import Selected
from plantwin.private.selection.session_objects import SessionObjects
from plantwin.private.surroundings import Neighbourhood
from plantwin.run import Ending, Run, Spending
from plantwin.types.capability import Catalog
from plantwin.types.envelope import Offer
from plantwin.types.plan import Step
from plantwin.types.twin import canonical
from plantwin.vocabulary import Family, Kind, Risk

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.workspace import Workspace

MB = 1 << 20
CLOSED = (Ruling.DENY, Ruling.FAIL)


class Observation(NamedTuple):
    """One look at the folder, for one goal and one planner."""

    scan: Scan
    scanned_ns: int
    """When the scan began."""
    selected: Selected
    authority: Authority
    catalog: Catalog
    kept: Mapping[Subject, int]
    """What the policy keeps from the planner, and how many there are of each."""

    def __repr__(self) -> str:
        return "<Observation private>"


class SessionContext:
    """What one session works with."""

    def __init__(
        self,
        workspace: Workspace,
        observation: Observation,
        planner: Planner,
        made: Run,
    ) -> None:
        scan, scanned_ns, selected, authority, catalog, self._kept = observation
        settings = workspace.settings
        self._workspace = workspace
        self._session = made.session
        self.selected = selected
        self.catalog = catalog
        """What can be asked for in this session."""
        self.offers = tuple(
            Offer(capability=each.wire, like=each.name, kinds=canonical(each.kinds), returns=each.returns)
            for each in catalog.values()
            if each.own
        )
        """The person's own capabilities, as a planner may see them."""
        self.audience: Audience = settings.audience(planner.audience)
        self.turns = settings.limits.max_turns
        self.seconds = settings.limits.planner_seconds
        self._ledger = workspace.ledger
        self.rehearsal = isinstance(workspace.ledger, Rehearsal)
        """Whether nothing is recorded, so that nothing may be sent."""
        self._accountant: Accountant = settings.accountant()
        remote = getattr(planner, "sends", True) or planner.locality == "remote"
        self.rationed = remote or settings.budget.ration_local
        """Whether budgets and hourly limits refuse: a planner that cannot send anything is only counted."""
        folder = workspace.lineage.folder(workspace.environment.root, scan.facts)
        self._folder = settings.folder(folder, limited=self.rationed)
        self._before = self._ledger.known(self.audience, [each.key for each in selected.held] + [self._folder.key])
        self.authority = authority
        self.channel = Channel(
            made.session,
            self.audience,
            self._ledger,
            self._accountant if self.rationed else UnlimitedAccountant(self._accountant),
            authority,
            settings.rates() if self.rationed else UNLIMITED,
        )
        self._naming = Naming()
        self.release = Release(self.channel, self._folder, self._naming)
        self._opening_costs: list[tuple[str, int]] = []
        launcher = Launcher(
            workspace.environment.root,
            Bounds(
                seconds=settings.sandbox.seconds,
                memory=settings.sandbox.memory_mb * MB,
                processes=settings.sandbox.processes,
                output=settings.sandbox.output_mb * MB,
            ),
            private=(workspace.state.folder,),
            temporary=workspace.state.subfolder("work"),
            model=workspace.text_model,
        )
        around = Neighbourhood(scan, selected.records, self._admitted).around
        self.executor = SandboxExecutor(
            launcher,
            selected.records,
            signatures=workspace.environment.signatures(),
            scanned_ns=scanned_ns,
            view=FolderView(around, lambda: self._readable(scan), lambda: self.hidden(scan)),
            extensions={each.capability.own: each.extension for each in workspace.own},
            rules_off=settings.rules.off,
        )
        made.rationed, self.denied = self.rationed, made.denied
        self.goal_mode = workspace.goal_mode
        self.gatekeeper = self.gate(self.executor)
        body = {
            "session": made.session, "audience": self.audience.name, "shared": self.audience.shared,
            "planner": planner.name, "locality": planner.locality, "policy": workspace.policy.version,
            "approver": approves(workspace.approver), "sandboxed": self.executor.sandboxed, "goal_mode": self.goal_mode,
        }  # fmt: skip
        self._ledger.note(self.audience.name, "session", (Entry("session", canonical_json(body)),))

    def __repr__(self) -> str:
        return "<SessionContext private>"

    def gate(self, executor: Executor) -> Gatekeeper:
        """A gatekeeper over what this session shows, with this executor."""
        settings = self._workspace.settings
        return Gatekeeper(
            self.channel,
            self.catalog,
            self.release.shown,
            executor,
            Approvals(self._workspace.approver, lifetime=settings.approval.lifetime),
            Expansion(self.release.groups, self),
            require_sandbox=settings.sandbox.require,
        )

    def _admitted(self, record: Record) -> bool:
        """Whether the planner may know of an object."""
        return self.authority.admits(self._workspace.subject(record))

    def hidden(self, scan: Scan) -> set[str]:
        """Paths that code of the folder may not read when it is run.

        Holders of secrets, what the policy denies, and what was ignored, since nobody has looked at that for secrets.
        """
        running = [each for each in self.catalog.values() if each.project]
        shows = self._workspace.settings.sandbox.show_secrets
        environment = self._workspace.environment
        found = set() if shows else unobserved(environment.root, environment.signatures().keys())
        for record in scan.records():
            subject = self._workspace.subject(record)
            secret = subject.kind is Kind.SECRET_CONTAINER and not shows
            if secret or any(self.authority.rule(each, subject).ruling in CLOSED for each in running):
                found.add(record.path)
        return found

    def _readable(self, scan: Scan) -> Sequence[LocalObject]:
        """The objects that code of the folder can read when it is run."""
        hidden = self.hidden(scan)
        records = [each for each in scan.records() if each.path not in hidden]
        return SessionObjects(
            (), lambda some: self._workspace.keys(scan, some), self._workspace.labels, frozenset()
        ).enter(records)

    def opening(self, goal: str, release: Release | None = None) -> list[Released]:
        """What a planner is told first: which objects there are, what is wanted, and the very words if asked for."""
        release = release or self.release
        # With what is denied: a folder of which nothing may be known is not an empty one.
        outbound = [release.registration(self.selected.held, {**self.selected.rest, **self._kept})]
        outbound.append(release.request(self.selected.goal, self.selected.fields, self.offers))
        if self.goal_mode == "verbatim":
            outbound.append(release.verbatim(goal))
        return outbound

    def drafted(self, goal: str) -> list[Released]:
        """What a planner would be told first, decided on the ledger as it stands; nothing is recorded."""
        if self.rehearsal:
            return self.opening(goal)
        rehearsal = Rehearsal(self._ledger)
        release = Release(self.channel._replace(ledger=rehearsal), self._folder, self._naming)
        envelopes = self.opening(goal, release)
        self._opening_costs = self._costs(rehearsal)
        return envelopes

    def draw(self, kind: Kind, families: frozenset[Family], most: int) -> Sequence[LocalObject]:
        """Further objects of a group come into the session: with names for the report, and what is known of them."""
        held = self.selected.unlisted.draw(kind, families, most)
        self._before |= self._ledger.known(self.audience, [each.key for each in held])
        records = self.selected.records
        self._workspace.names |= {each.id: (records[each.id].path, records[each.id].part) for each in held}
        return held

    @property
    def group_names(self) -> dict[str, tuple[str, str]]:
        """Groups by id, as a person reads them."""
        return {
            id_: (f"{each.group.count} further {each.group.kind} ({each.group.family or 'any family'})", "")
            for id_, each in self.release.groups.items()
        }

    def rulings(self, capability: str, objects: Sequence[str]) -> dict[str, Decided]:
        """What the policy says of a capability on each of these objects, by id; for showing, not for deciding."""
        wanted = self.catalog[capability]
        return {
            id_: self.authority.rule(wanted, self.release.shown[id_].subject)
            for id_ in objects
            if id_ in self.release.shown
        }

    def asks(self, step: Step, objects: Sequence[str]) -> bool:
        """Whether a person will be asked about a step on these objects."""
        capability = self.catalog[step.capability]
        return (
            capability.approval
            or capability.risk is Risk.HIGH
            or step.policy.human_approval
            or any(self.release.shown[id_].subject.unsure for id_ in objects if id_ in self.release.shown)
            or any(each.ruling is Ruling.ASK for each in self.rulings(step.capability, objects).values())
        )

    def spending(self) -> list[Spending]:
        """What has been told of each object and what it cost, the dearest first."""
        after = self._ledger.known(self.audience, [each.key for each in self.selected.all_held])
        found = []
        for held in self.selected.all_held:
            record = self.selected.records[held.id]
            before, now = self._before[held.key], after[held.key]
            found.append(
                Spending(
                    path=record.path,
                    part=record.part,
                    object_id=held.id,
                    before=before.spent,
                    spent=now.spent,
                    threshold=self._accountant.threshold(held, now),
                    told=_told(before, now),
                    withheld=self.release.withheld.get(held.id, ()),
                )
            )
        return sorted(found, key=lambda each: (-each.spent, each.path, each.part))

    def _folder_spending(self) -> Spending:
        """What has been told of the folder as a whole, in groups."""
        before, now = self._before[self._folder.key], self._ledger.known(self.audience, [self._folder.key])
        after = now[self._folder.key]
        return Spending(
            path=str(self._workspace.environment.root),
            part="",
            object_id="",
            before=before.spent,
            spent=after.spent,
            threshold=self._folder.threshold,
            told=_told(before, after),
            withheld=(),
        )

    def costs(self) -> list[tuple[str, int]]:
        """Every unit that the opening tells, with its price."""
        return self._costs(self._ledger) if self.rehearsal else self._opening_costs

    def _costs(self, ledger: Ledger) -> list[tuple[str, int]]:
        keys = dict.fromkeys([*(each.key for each in self.selected.all_held), self._folder.key])
        after = ledger.known(self.audience, list(keys))
        return [
            (unit, self._accountant.price(unit, Known()))
            for key in keys
            for unit in after[key].units - self._before[key].units
        ]

    def finish(self, made: Run) -> None:
        """What a report needs to know of the objects."""
        records = self.selected.records
        made.names = {id_: (record.path, record.part) for id_, record in records.items()}
        made.names |= {each.wire: (each.own, "") for each in self.catalog.values() if each.own}
        made.names |= self.group_names
        made.others = {held.key.hex()[:16]: records[held.id].path for held in self.selected.all_held}
        made.excluded = [records[id_].path for id_ in self.release.excluded]
        try:
            made.spending = self.spending()
            made.folder = self._folder_spending()
        except LedgerError as error:
            # A ledger that cannot be read must not cost the person the report of what was done.
            made.ending, made.error = Ending.GATE, made.error or str(error)


def _told(before: Known, after: Known) -> tuple[str, ...]:
    """What was newly told, without the version of the content that it was told of."""
    return tuple(sorted({statement_of(unit) for unit in after.units - before.units}))


def approves(approver: Approver) -> str:
    """How questions are answered in a session, for the trail: by a person, by an option, by nobody."""
    return str(getattr(approver, "manner", "nobody" if isinstance(approver, Nobody) else "person"))
