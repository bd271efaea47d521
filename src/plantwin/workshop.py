"""Everything a session needs, put together from the settings: environment, ledger, policy, executor, approver.

A workshop serves many sessions on one folder; a bench is what one of them works with.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.boundary.approval import Approver, Desk, Nobody
from plantwin.boundary.execution import Executor
from plantwin.boundary.expansion import Expansion
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.held import Held
from plantwin.boundary.identity import Issuer
from plantwin.boundary.ledger.interface import Audience, Entry, Known, Ledger
from plantwin.boundary.policy import Decided, Party, Policy, Ruling, need_verbatim
from plantwin.boundary.release import Release
from plantwin.boundary.trail import canonical_json
from plantwin.config.settings import Settings
from plantwin.errors import LedgerError
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.private.config import load
from plantwin.private.environment import Environment, Progress, Scan
from plantwin.private.execute import Limits as Bounds
from plantwin.private.execute import SandboxExecutor
from plantwin.private.extensions import issued
from plantwin.private.lineage import Lineage
from plantwin.private.mentions import Choose, Recall
from plantwin.private.records import Record
from plantwin.private.scene import Scene, compose
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
        scene = compose(
            goal,
            list(scan.records()),
            tuple(scan.relations()),
            catalog=catalog,
            keys=lambda records: self.keys(scan, records),
            labels=lambda path: self.settings.labels_of(self.environment.root, path),
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
        return Bench(self, scan, scene, planner, made, scanned, catalog)

    def _most(self) -> int:
        """Objects that a request may show: so many, and so many as a prompt has room for."""
        limits = self.settings.limits
        return max(1, min(limits.max_objects, limits.max_tokens // TOKENS))

    def keys(self, scan: Scan, records: Sequence[Record]) -> dict[int, bytes]:
        """Ledger keys of these records, by number."""
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
        catalog: Catalog,
    ) -> None:
        settings = workshop.settings
        self._workshop = workshop
        self._session = made.session
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
        self._accountant = settings.accountant()
        self._folder = settings.folder(workshop.lineage.folder(workshop.environment.root))
        self._before = self._ledger.known(self.audience, [each.key for each in scene.held] + [self._folder.key])
        self.release = Release(
            made.session, self._ledger, self._accountant, self.audience, settings.rates(), self._folder
        )
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
            surroundings=Neighbourhood(scan, scene.records).around,
            extensions={each.capability.own: each.extension for each in workshop.own},
            model=workshop.text_model,
        )
        if not self.executor.sandboxed:
            made.warnings.append("no sandbox: bubblewrap is not usable here, so steps run with limits alone")
        self.party = Party(planner.name, planner.audience, planner.locality)
        self.goal_mode = workshop.goal_mode
        if self.goal_mode == "verbatim":
            need_verbatim(workshop.policy, self.party, catalog, scene.held, sandboxed=self.executor.sandboxed)
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
            catalog=self.catalog,
            shown=self.release.shown,
            ledger=self._ledger,
            accountant=self._accountant,
            policy=self._workshop.policy,
            desk=Desk(self._workshop.approver, lifetime=settings.approval.lifetime),
            executor=executor,
            audience=self.audience,
            party=self.party,
            limits=settings.rates(),
            require_sandbox=settings.sandbox.require,
            session=self._session,
            expansion=Expansion(self.release.groups, self),
            goal_mode=self.goal_mode,
        )

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
            id_: self._workshop.policy.decide(
                self.party, wanted, self.release.shown[id_], goal_mode=self.goal_mode, sandboxed=self.executor.sandboxed
            )
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
            or any(self.release.shown[id_].unsure for id_ in objects if id_ in self.release.shown)
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
                    threshold=self._accountant.threshold(held),
                    told=tuple(sorted(now.units - before.units)),
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
            told=tuple(sorted(after.units - before.units)),
            withheld=(),
        )

    def costs(self) -> list[tuple[str, int]]:
        """Every unit that this session has told so far, with its price."""
        everything = self.scene.all_held
        after = self._ledger.known(self.audience, [each.key for each in everything] + [self._folder.key])
        like = [*everything, *(held._replace(key=self._folder.key) for held in everything[:1])]
        return [
            (unit, self._accountant.price(held, unit, Known()))
            for held in like
            for unit in after[held.key].units - self._before[held.key].units
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


def approves(approver: Approver) -> str:
    """How questions are answered in a session, for the trail: by a person, by an option, by nobody."""
    return str(getattr(approver, "manner", "nobody" if isinstance(approver, Nobody) else "person"))


def open_ledger(settings: Settings, state: State) -> Ledger:
    """The ledger that the settings name."""
    key = state.keyed("audit", b"ledger")
    folder = state.subfolder("ledger")
    if settings.ledger.kind == "postgres":
        from plantwin.ledgers.postgres import PostgresLedger

        dsn = os.environ.get(settings.ledger.dsn_env or "", "")
        if not dsn:
            raise LedgerError("ledger.dsn_env: the environment variable that it names is not set")
        return PostgresLedger(dsn, key, anchor=folder / "postgres.anchor", refresh=settings.refresh_seconds)
    from plantwin.boundary.ledger.sqlite import SqliteLedger

    path = Path(settings.ledger.path) if settings.ledger.path else folder / "ledger.db"
    return SqliteLedger(path, key, refresh=settings.refresh_seconds)
