"""Everything a session needs, put together from the settings: environment, ledger, policy, executor, approver.

A workshop serves many sessions on one folder; a bench is what one of them works with.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.boundary.approval import Approver, Desk, Nobody
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Accountant, Counting, statement_of
from plantwin.boundary.channel import Channel
from plantwin.boundary.execution import Executor
from plantwin.boundary.expansion import Expansion
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.groups import Naming
from plantwin.boundary.held import Held
from plantwin.boundary.identity import Issuer
from plantwin.boundary.ledger.book import Book
from plantwin.boundary.ledger.interface import Audience, Entry, Known, Ledger
from plantwin.boundary.limits import UNLIMITED
from plantwin.boundary.policy import Decided, Party, Policy, Ruling, Subject
from plantwin.boundary.release import Release, Released
from plantwin.boundary.trail import canonical_json
from plantwin.config.settings import Settings
from plantwin.errors import LedgerError
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.private.config import load
from plantwin.private.environment import Environment, Progress, Scan
from plantwin.private.execute import Limits as Bounds
from plantwin.private.execute import SandboxExecutor
from plantwin.private.execute.sandbox import bubblewrap
from plantwin.private.extensions import issued
from plantwin.private.lineage import Identity, Lineage
from plantwin.private.mentions import Choose, Recall
from plantwin.private.observe.unobserved import unobserved
from plantwin.private.records import Record
from plantwin.private.scene import Scene, compose
from plantwin.private.selection.shelf import Stage, subject_of
from plantwin.private.sentence import Sentence, detected
from plantwin.private.state import State
from plantwin.private.surroundings import Neighbourhood
from plantwin.run import Ending, Run, Spending
from plantwin.types.capability import Catalog
from plantwin.types.envelope import MAX_OBJECTS, Offer
from plantwin.types.plan import Step
from plantwin.types.twin import canonical
from plantwin.vocabulary import Family, Kind, Risk

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner

MB = 1 << 20
TOKENS = 100
"""What an object takes in a prompt, about."""
CLOSED = (Ruling.DENY, Ruling.FAIL)


class Workshop:
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
        from plantwin.private.model.choice import for_extraction, for_text
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
            self.lineage = Lineage(self.state, self.ledger, lambda: alone and any(True for _ in real.statements()))
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
        return "<Workshop private>"

    def close(self) -> None:
        """Close the index, the ledger and the lineage."""
        self.lineage.close()
        self.ledger.close()
        self.environment.close()

    def bench(self, goal: str, planner: Planner, made: Run, only: Collection[tuple[str, str]] | None = None) -> Bench:
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
        scene = compose(
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
        self.names |= {id_: (record.path, record.part) for id_, record in scene.records.items()}
        self.names |= {each.wire: (each.own, "") for each in catalog.values() if each.own}
        return Bench(self, scan, scene, planner, made, scanned, authority, catalog, kept)

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


class Bench:
    """What one session works with."""

    def __init__(
        self,
        workshop: Workshop,
        scan: Scan,
        scene: Scene,
        planner: Planner,
        made: Run,
        scanned_ns: int,
        authority: Authority,
        catalog: Catalog,
        kept: Mapping[Subject, int],
    ) -> None:
        """`kept`: what the policy keeps from the planner, and how many there are of each."""
        settings = workshop.settings
        self._workshop = workshop
        self._session = made.session
        self._kept = kept
        self.scene = scene
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
        self._ledger = workshop.ledger
        self.rehearsal = isinstance(workshop.ledger, Rehearsal)
        """Whether nothing is recorded, so that nothing may be sent."""
        self._accountant: Accountant = settings.accountant()
        remote = getattr(planner, "sends", True) or planner.locality == "remote"
        self.rationed = remote or settings.budget.ration_local
        """Whether budgets and hourly limits refuse: a planner that cannot send anything is only counted."""
        folder = workshop.lineage.folder(workshop.environment.root, scan.facts)
        self._folder = settings.folder(folder, limited=self.rationed)
        self._before = self._ledger.known(self.audience, [each.key for each in scene.held] + [self._folder.key])
        self.authority = authority
        self.channel = Channel(
            made.session,
            self.audience,
            self._ledger,
            self._accountant if self.rationed else Counting(self._accountant),
            authority,
            settings.rates() if self.rationed else UNLIMITED,
        )
        self._naming = Naming()
        self.release = Release(self.channel, self._folder, self._naming)
        self._opening_costs: list[tuple[str, int]] = []
        self._seen_by_code: Sequence[Held] | None = None
        self.executor = SandboxExecutor(
            workshop.environment.root,
            scene.records,
            limits=Bounds(
                seconds=settings.sandbox.seconds,
                memory=settings.sandbox.memory_mb * MB,
                processes=settings.sandbox.processes,
                output=settings.sandbox.output_mb * MB,
            ),
            private=(workshop.state.folder,),
            signatures=workshop.environment.signatures(),
            scanned_ns=scanned_ns,
            temporary=workshop.state.subfolder("work"),
            surroundings=Neighbourhood(scan, scene.records, self._admitted).around,
            hidden=lambda: self.hidden(scan),
            readable=lambda: self._readable(scan),
            extensions={each.capability.own: each.extension for each in workshop.own},
            model=workshop.text_model,
        )
        made.rationed, self.denied = self.rationed, made.denied
        self.goal_mode = workshop.goal_mode
        self.gatekeeper = self.gate(self.executor)
        body = {
            "session": made.session, "audience": self.audience.name, "shared": self.audience.shared,
            "planner": planner.name, "locality": planner.locality, "policy": workshop.policy.version,
            "approver": approves(workshop.approver), "sandboxed": self.executor.sandboxed, "goal_mode": self.goal_mode,
        }  # fmt: skip
        self._ledger.note(self.audience.name, "session", (Entry("session", canonical_json(body)),))

    def __repr__(self) -> str:
        return "<Bench private>"

    def gate(self, executor: Executor) -> Gatekeeper:
        """A gatekeeper over what this session shows, with this executor."""
        settings = self._workshop.settings
        return Gatekeeper(
            self.channel,
            self.catalog,
            self.release.shown,
            executor,
            Desk(self._workshop.approver, lifetime=settings.approval.lifetime),
            Expansion(self.release.groups, self),
            require_sandbox=settings.sandbox.require,
        )

    def _admitted(self, record: Record) -> bool:
        """Whether the planner may know of an object."""
        return self.authority.admits(self._workshop.subject(record))

    def hidden(self, scan: Scan) -> set[str]:
        """Paths that code of the folder may not read when it is run.

        Holders of secrets, what the policy denies, and what was ignored, since nobody has looked at that for secrets.
        """
        running = [each for each in self.catalog.values() if each.project]
        shows = self._workshop.settings.sandbox.show_secrets
        environment = self._workshop.environment
        found = set() if shows else unobserved(environment.root, environment.signatures().keys())
        for record in scan.records():
            subject = self._workshop.subject(record)
            secret = subject.kind is Kind.SECRET_CONTAINER and not shows
            if secret or any(self.authority.rule(each, subject).ruling in CLOSED for each in running):
                found.add(record.path)
        return found

    def _readable(self, scan: Scan) -> Sequence[Held]:
        """The objects that code of the folder can read when it is run."""
        hidden = self.hidden(scan)
        records = [each for each in scan.records() if each.path not in hidden]
        return Stage((), lambda some: self._workshop.keys(scan, some), self._workshop.labels, frozenset()).enter(
            records
        )

    def opening(self, goal: str, release: Release | None = None) -> list[Released]:
        """What a planner is told first: which objects there are, what is wanted, and the very words if asked for."""
        release = release or self.release
        # With what is denied: a folder of which nothing may be known is not an empty one.
        outbound = [release.registration(self.scene.held, {**self.scene.rest, **self._kept})]
        outbound.append(release.request(self.scene.goal, self.scene.fields, self.offers))
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

    def draw(self, kind: Kind, families: frozenset[Family], most: int) -> Sequence[Held]:
        """Further objects of a group come into the session: with names for the report, and what is known of them."""
        held = self.scene.shelf.draw(kind, families, most)
        self._before |= self._ledger.known(self.audience, [each.key for each in held])
        records = self.scene.records
        self._workshop.names |= {each.id: (records[each.id].path, records[each.id].part) for each in held}
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
        after = self._ledger.known(self.audience, [each.key for each in self.scene.all_held])
        found = []
        for held in self.scene.all_held:
            record = self.scene.records[held.id]
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
            path=str(self._workshop.environment.root),
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
        keys = dict.fromkeys([*(each.key for each in self.scene.all_held), self._folder.key])
        after = ledger.known(self.audience, list(keys))
        return [
            (unit, self._accountant.price(unit, Known()))
            for key in keys
            for unit in after[key].units - self._before[key].units
        ]

    def finish(self, made: Run) -> None:
        """What a report needs to know of the objects."""
        records = self.scene.records
        made.names = {id_: (record.path, record.part) for id_, record in records.items()}
        made.names |= {each.wire: (each.own, "") for each in self.catalog.values() if each.own}
        made.names |= self.group_names
        made.others = {held.key.hex()[:16]: records[held.id].path for held in self.scene.all_held}
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


def open_ledger(settings: Settings, state: State, *, accept: bool = False) -> Book:
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
