"""What one session works with: the objects it shows, the channel to its planner, its executor and gatekeeper."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from plantwin.boundary.approval import Approvals
from plantwin.boundary.authority import Authority
from plantwin.boundary.channel import Channel
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.release import Release, Released
from plantwin.config.accountants import UnlimitedAccountant
from plantwin.errors import LedgerError
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.private.execution.calls import FolderView
from plantwin.private.execution.executor import executor_for
from plantwin.private.execution.members import by_name
from plantwin.private.execution.over_sets import RecordExecutor, Seen, SetsExecutor
from plantwin.private.facts import Private, Record
from plantwin.private.observe.walk import unobserved
from plantwin.private.project import nameless
from plantwin.private.report.wording import set_words
from plantwin.private.scan import Scan
from plantwin.private.selection.selected import Selected, SessionObjects
from plantwin.private.surroundings import Neighbourhood, changes_of
from plantwin.run import Ending, Run, Spending
from plantwin.types.accounting import Accountant
from plantwin.types.approval import Approver, Nobody
from plantwin.types.capability import Capability, Catalog
from plantwin.types.envelope import Offer
from plantwin.types.ledger import REMEMBERED, UNLIMITED, Audience, Entry, Known, Ledger, canonical_json
from plantwin.types.local import LocalObject, LocalSet, Subject
from plantwin.types.plan import Narrowed, Step
from plantwin.types.policy import Decided, Ruling
from plantwin.types.prices import statement_of
from plantwin.types.twin import canonical
from plantwin.vocabulary import Kind, Risk, SemanticClass, member

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.workspace import Workspace

CLOSED = (Ruling.DENY, Ruling.FAIL)
NAMED = 12
"""Members of a set that a report names."""


class Observation(NamedTuple):
    """One look at the folder, for one goal and one planner."""

    scan: Scan
    known: Scan
    """The same as if what the policy keeps from the planner were not there."""
    seen: Seen
    selected: Selected
    authority: Authority
    catalog: Catalog
    kept: AbstractSet[Subject]
    """What the policy keeps from the planner."""

    def __repr__(self) -> str:
        return "<Observation private>"


class SessionContext(Private):
    """What one session works with."""

    def __init__(self, workspace: Workspace, observation: Observation, planner: Planner, made: Run) -> None:
        scan, known, seen, selected, authority, catalog, self._kept = observation
        settings = workspace.settings.heard_by(planner.audience)
        self._limit = settings.sharing().limit
        self._workspace = workspace
        self._session = made.session
        self._known = known
        self.selected = selected
        self.catalog = catalog
        """What can be asked for in this session."""
        self.offers = tuple(
            Offer(
                capability=capability.wire,
                like=capability.name,
                kinds=canonical(capability.kinds),
                returns=capability.returns,
            )
            for capability in catalog.values()
            if capability.own
        )
        """The person's own capabilities, as a planner may see them."""
        self.audience: Audience = settings.audience(planner.audience)
        self.turns = settings.limits.max_turns
        self.seconds = settings.limits.planner_seconds
        self._ledger = workspace.ledger
        self.rehearsal = isinstance(workspace.ledger, Rehearsal)
        """Whether nothing is recorded, so that nothing may be sent."""
        # Most accountants look at no object but those that are told of, and so the others are not even made.
        self._accountant: Accountant = settings.accountant(
            catalog.values(),
            ((nameless(record), selected.session_sets.account(record.number)) for record in known.records()),
        )
        self.rationed = workspace.rationed(planner)
        cells = [key for set_ in selected.sets for key in set_.cells]
        keys = dict.fromkeys([*(shown.key for shown in selected.held), *cells])
        self._before = self._ledger.known(self.audience, list(keys))
        self.authority = authority
        self.channel = Channel(
            made.session,
            self.audience,
            self._ledger,
            self._accountant if self.rationed else UnlimitedAccountant(self._accountant),
            authority,
            settings.rates() if self.rationed else UNLIMITED,
            settings.sharing(limited=self.rationed),
        )
        self.release = Release(self.channel)
        self._opening_costs: list[tuple[str, int]] = []
        self._subjects = {workspace.subject(record) for held in selected.sets for record in self.members(held.id)}
        # Of a goal that the planner wrote, capabilities get no word: it could try names of commits and code.
        request = "" if workspace.planner_goal else made.read_as or made.goal
        view = FolderView(
            Neighbourhood(known, selected.records, self._may_look_at).around,
            lambda: self._readable(scan),
            lambda: self.hidden(scan),
            members=selected.session_sets.members,
            relations=lambda: tuple(known.relations()),
            subject=workspace.subject,
            record_of=lambda name: self._by_name.get(name),
            changes=lambda: changes_of(seen.root, known, request),
            request=request,
        )
        self.executor = executor_for(
            settings, workspace.state, seen, selected.records, view, workspace.own, workspace.environment.cluster
        )
        made.rationed, self.denied = self.rationed, made.denied
        self.goal_mode = workspace.goal_mode
        self.gatekeeper = self.gate(self.executor)
        body = {
            "session": made.session, "audience": self.audience.name, "shared": self.audience.shared,
            "planner": planner.name, "locality": planner.locality, "policy": workspace.policy.version,
            "approver": approves(workspace.approver), "sandboxed": self.executor.sandboxed, "goal_mode": self.goal_mode,
            "sends": bool(getattr(planner, "sends", True)), **getattr(self._ledger, "who", dict)(),
        }  # fmt: skip
        self._ledger.note(self.audience.name, "session", (Entry("session", canonical_json(body)),))

    def gate(self, executor: RecordExecutor) -> Gatekeeper:
        """A gatekeeper over what this session shows, with this executor."""
        settings = self._workspace.settings
        over_sets = SetsExecutor(executor, self.selected, self._workspace.subject, settings, self._came)
        return Gatekeeper(
            self.channel,
            self.catalog,
            self.release,
            over_sets,
            Approvals(self._workspace.approver, lifetime=settings.approval.lifetime),
            require_sandbox=settings.sandbox.require,
        )

    @cached_property
    def _by_name(self) -> dict[str, Record]:
        return by_name(self._known.records())

    def _may_look_at(self, record: Record, capability: Capability | None) -> bool:
        """Whether a capability may count an object that is not its input.

        Nobody is asked about such: what a person would have to agree to is left out, unless they are asked whatever
        the objects are.
        """
        if capability is None:
            return False
        ruling = self.authority.rule(capability, self._workspace.subject(record)).ruling
        asked = capability.approval or capability.risk is Risk.HIGH
        return ruling is Ruling.PERMIT or (asked and ruling is Ruling.ASK)

    def hidden(self, scan: Scan) -> set[str]:
        """Paths that code of the folder may not read when it is run.

        Holders of secrets, what the policy denies, and what was ignored, since nobody has looked at that for secrets.
        """
        running = [capability for capability in self.catalog.values() if capability.project]
        shows = self._workspace.settings.sandbox.show_secrets
        environment = self._workspace.environment
        found = set() if shows else unobserved(environment.root, environment.signatures().keys())
        for record in scan.records():
            subject = self._workspace.subject(record)
            secret = subject.kind is Kind.SECRET_CONTAINER and not shows
            if secret or any(self.authority.rule(capability, subject).ruling in CLOSED for capability in running):
                found.add(record.path)
        return found

    def _readable(self, scan: Scan) -> Sequence[LocalObject]:
        """The objects that code of the folder can read when it is run."""
        hidden = self.hidden(scan)
        records = [record for record in scan.records() if record.path not in hidden]
        objects = SessionObjects((), lambda some: self._workspace.keys(scan, some), self._workspace.labels, frozenset())
        objects.cell_of = self.selected.session_sets.account
        return objects.enter(records)

    def opening(self, goal: str, release: Release | None = None) -> list[Released]:
        """What a planner is told first: which objects there are, what is wanted, and the very words if asked for."""
        release = release or self.release
        # With what is denied: a folder of which nothing may be known is not an empty one.
        subjects = {*self._subjects, *self._kept}
        selected = self.selected
        outbound = [release.registration(selected.held, selected.sets, subjects)]
        relations = selected.session_sets.object_relations
        outbound.append(release.request(selected.goal, selected.fields, self.offers, relations))
        if self.goal_mode == "verbatim":
            outbound.append(release.verbatim(goal, self._subjects))
        return outbound

    def drafted(self, goal: str) -> list[Released]:
        """What a planner would be told first, decided on the ledger as it stands; nothing is recorded."""
        if self.rehearsal:
            return self.opening(goal)
        rehearsal = Rehearsal(self._ledger)
        release = Release(self.channel._replace(ledger=rehearsal))
        envelopes = self.opening(goal, release)
        self._opening_costs = self._costs(rehearsal)
        return envelopes

    def members(self, set_id: str) -> Sequence[Record]:
        """The members of a set, those that fit the goal best first."""
        return self.selected.session_sets.members(set_id)

    def _came(self, held: Sequence[LocalObject]) -> None:
        """Objects came into the session by themselves: with names for the report, and what is known of them."""
        new = [shown for shown in held if shown.key not in self._before]
        self._before |= self._ledger.known(self.audience, [shown.key for shown in new])
        records = self.selected.records
        self._workspace.names |= {shown.id: (records[shown.id].path, records[shown.id].part) for shown in held}

    def name_sets(self) -> None:
        """Let whoever is asked about a step read what its sets are."""
        self._workspace.names |= {id_: (name, "") for id_, name in self.set_names.items()}

    @property
    def names(self) -> dict[str, tuple[str, str]]:
        """Path and part of objects by id, what sets are, and the person's own names of their capabilities."""
        names = {id_: (record.path, record.part) for id_, record in self.selected.records.items()}
        names |= {capability.wire: (capability.own, "") for capability in self.catalog.values() if capability.own}
        return names | {id_: (name, "") for id_, name in self.set_names.items()}

    @property
    def set_names(self) -> dict[str, str]:
        """Sets by id, as a person reads them."""
        return {id_: self._described(set_) for id_, set_ in self.release.sets.items()}

    def _described(self, held: LocalSet) -> str:
        return set_words(held.set, [record.path for record in self.members(held.id)])

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
            or any(ruling.ruling is Ruling.ASK for ruling in self.rulings(step.capability, objects).values())
        )

    def spending(self) -> list[Spending]:
        """What has been told of each object and what it cost, the dearest first."""
        keys = dict.fromkeys(key for shown in self.selected.all_held for key in (shown.key, shown.cell) if key)
        after = self._ledger.known(self.audience, list(keys))
        found = []
        for held in self.selected.all_held:
            record = self.selected.records[held.id]
            before, now = self._before.get(held.key, Known()), after[held.key]
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
                    in_sets=after[held.cell].spent if held.cell else 0,
                )
            )
        return sorted(found, key=lambda spent: (-spent.spent, spent.path, spent.part))

    def standing(self) -> dict[str, Spending]:
        """What has been told of each object, and of those members of each set of whom most is left to tell, by id."""
        return {spent.object_id: spent for spent in (*self.spending(), *self.set_spending(min))}

    def set_spending(self, of: Callable[..., bytes] = max) -> list[Spending]:
        """What has been told of the members of each set as some of many, the dearest first.

        `of`: which of a set's cells stands for it, by what was spent.
        """
        sets = self.release.sets.values()
        after = self._ledger.known(self.audience, list(dict.fromkeys(key for set_ in sets for key in set_.cells)))
        found = []
        for held in sets:
            cell = of(held.cells, key=lambda key: after[key].spent)
            before, now = self._before.get(cell, Known()), after[cell]
            found.append(
                Spending(
                    path=self._described(held),
                    part="",
                    object_id=held.id,
                    before=before.spent,
                    spent=now.spent,
                    threshold=self._limit,
                    told=_told(before, now),
                    withheld=self.release.withheld.get(held.id, ()),
                )
            )
        return sorted(found, key=lambda spending: (-spending.spent, spending.path))

    def costs(self) -> list[tuple[str, int]]:
        """Every unit that the opening tells, with its price."""
        return self._costs(self._ledger) if self.rehearsal else self._opening_costs

    def _costs(self, ledger: Ledger) -> list[tuple[str, int]]:
        cells = (key for set_ in self.selected.sets for key in set_.cells)
        keys = dict.fromkeys([*(shown.key for shown in self.selected.all_held), *cells])
        after = ledger.known(self.audience, list(keys))
        return [
            (unit, self._accountant.price(unit, Known()))
            for key in keys
            for unit in after[key].units - self._before.get(key, Known()).units
            if not unit.startswith(REMEMBERED)  # another session asks at the same time
        ]

    def finish(self, made: Run) -> None:
        """What a report needs to know of the objects."""
        records = self.selected.records
        made.names = self.names
        made.members = {id_: names_of(self.members(id_)[:NAMED]) for id_ in self.release.sets}
        made.others = {held.key.hex()[:16]: records[held.id].path for held in self.selected.all_held}
        sets = {set_.id: self._described(set_) for set_ in self.selected.sets}
        made.unplanned = self._unplanned(made)
        made.excluded = [records[id_].path if id_ in records else sets[id_] for id_ in self.release.excluded]
        planned = {step.capability for turn in made.turns for step in turn.plan.steps}
        made.applicable = self._applicable(planned or self.selected.goal.intents)
        try:
            made.spending = self.spending()
            made.set_spending = self.set_spending()
        except LedgerError as error:
            # A ledger that cannot be read must not cost the person the report of what was done.
            made.ending, made.error = Ending.GATE, made.error or str(error)

    def _unplanned(self, made: Run) -> list[str]:
        """Sets that no step took, the largest first. A set that was split stands in its parts."""
        inputs = [name for turn in made.turns for step in turn.plan.steps for name in step.inputs]
        taken = {name.set if isinstance(name, Narrowed) else name for name in inputs}
        parts = {set_.set.within for set_ in self.release.sets.values() if set_.set.within is not UNSET}
        left = [set_ for id_, set_ in self.release.sets.items() if id_ not in taken | parts and not set_.set.named]
        return [self._described(left_over) for left_over in sorted(left, key=lambda held: (-held.count, held.id))]

    def _applicable(self, capabilities: Collection[str]) -> dict[str, int]:
        """How many files each of these capabilities could be put to, of those that the planner may know of."""
        asked = [self.catalog[word] for word in capabilities if word in self.catalog]
        found: dict[str, set[str]] = {capability.word: set() for capability in asked}
        for record in self._known.records() if asked else ():
            kind, leaf = member(Kind, record.kind), member(SemanticClass, record.semantic_class)
            for capability in asked:
                if capability.accepts(kind, leaf):
                    found[capability.word].add(record.path)
        return {word: len(paths) for word, paths in found.items()}


def _told(before: Known, after: Known) -> tuple[str, ...]:
    """What was newly told, without the version of the content that it was told of."""
    new = (unit for unit in after.units - before.units if not unit.startswith(REMEMBERED))
    return tuple(sorted(set(map(statement_of, new))))


def names_of(records: Iterable[Record]) -> list[str]:
    """The real names of objects."""
    return [f"{record.path}#{record.part}" if record.part else record.path for record in records]


def approves(approver: Approver) -> str:
    """How questions are answered in a session, for the trail: by a person, by an option, by nobody."""
    return str(getattr(approver, "manner", "nobody" if isinstance(approver, Nobody) else "person"))
