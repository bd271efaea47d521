"""Sessions over sets without a folder: the real cells, sets, release, gatekeeper and merging over given records.

What a capability finds in a record is a function of the test. Everything that is told and charged is real.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oracle import AUDIENCE, Permits
from worlds import Blank, Person

from plantwin.boundary.approval import Approvals
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Sharing, Weighted
from plantwin.boundary.channel import Channel
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.policy import CedarPolicy
from plantwin.boundary.release import Release
from plantwin.boundary.set_disclosure import FIELDS
from plantwin.config.settings import Privacy, Settings
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.engine.job import Finding, Result
from plantwin.private.execution.members import Members, label
from plantwin.private.execution.merged_outcomes import EMPTY
from plantwin.private.execution.merging import Merger
from plantwin.private.execution.over_sets import RecordExecutor, SetsExecutor, Task
from plantwin.private.facts import Record, Relation
from plantwin.private.lineage.lineage import Identity
from plantwin.private.selection.cells import Accounting, cut
from plantwin.private.selection.selected import Selected, SessionObjects, subject_of
from plantwin.private.selection.sets import SessionSets
from plantwin.types.accounting import Accountant
from plantwin.types.approval import Approver
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed
from plantwin.types.goal import Goal
from plantwin.types.ledger import UNLIMITED, Ledger
from plantwin.types.plan import Plan, Step
from plantwin.types.policy import Party, Ruling
from plantwin.types.verdict import Allowed, Verdict
from plantwin.vocabulary import Part, SemanticClass

CATALOG = catalog()
YES = Person(True)
Finds = Callable[[str, Record], bool]
"""Whether a capability finds something in a record."""


def record(number: int, **fields: Any) -> Record:
    """An ordinary file, but for these fields."""
    leaf = SemanticClass(fields.get("semantic_class", "app_config"))
    plain = {
        "path": f"file{number}", "kind": "config", "semantic_class": str(leaf), "family": str(leaf.family),
        "role": "production", "sensitivity": "low", "freshness": "recent", "size_bucket": "small", "confidence": "high",
    }  # fmt: skip
    return Record(number=number, **{**plain, **fields})


def key_of(one: Record) -> bytes:
    """The account of an object."""
    return hashlib.sha256(f"object {one.number}".encode()).digest()


class Running(RecordExecutor):
    """Runs a function of the test on every record, and merges what it finds as a session does."""

    sandboxed = True

    def __init__(self, finds: Finds, members: Callable[[str], Sequence[Record]], objects: Mapping[str, Record]) -> None:
        self._finds, self._members = finds, Members(objects, members)
        self._recipes: dict[str, Any] = {}
        self.ran: list[tuple[str, frozenset[int]]] = []
        """Every step that ran, with the numbers of the records that it was run on."""

    def resolve(self, inputs):
        return self._members.resolve(inputs)

    def again(self, step, recipe):
        self._members.keep(step, self._recipes[recipe])

    def run(self, task: Task) -> Executed:
        step, capability = task.step, task.capability
        given = [one for one in self.resolve(task.inputs) if one.number not in task.absent]
        taken = list(filter(task.permitted, given))
        self.ran.append((step, frozenset(one.number for one in taken)))
        merger = Merger(capability, given)
        merger.leave_out([one for one in given if one not in taken], "not permitted")
        for place, one in enumerate(taken):
            merger.add(place, [one], self._result(capability, one))
        made = merger.merged(lambda _: None)
        self._recipes[task.recipe] = made.parts
        self._members.keep(step, made.parts)
        return Executed(made.result.outcome if given else EMPTY)

    def _result(self, capability: Capability, one: Record) -> Result:
        found = self._finds(capability.name.value, one)
        tag = min(capability.tags, default="")
        finding = Finding(name=label(one), line=1, rule="r", severity="high", tag=str(tag), message="found")
        words = {"status": "done", "severity": "high" if found else "none", "count": "one" if found else "none"}
        return Result(outcome=words, findings=(finding,) if found else ())


class Crowd:
    """One session of one audience over these records."""

    def __init__(
        self,
        records: Sequence[Record],
        finds: Finds = lambda *_: False,
        *,
        ledger: Ledger | None = None,
        k: int = 5,
        others_known: bool = False,
        limit: int = 18_000,
        accountant: Accountant | None = None,
        policy: CedarPolicy | None = None,
        person: Approver = YES,
        relations: Sequence[Relation] = (),
        named: Sequence[Sequence[Record]] = (),
        listed: Sequence[Record] = (),
        labels: Mapping[int, frozenset[str]] | None = None,
        most: int = 24,
        apart: Sequence[Record] = (),
    ) -> None:
        self.records = list(records)
        self.ledger = Rehearsal(Blank()) if ledger is None else ledger
        self._labels = labels or {}
        authority = Authority(
            policy or Permits(), Party("gpt", "acme", "remote"), CATALOG,
            labels={word for words in self._labels.values() for word in words},
        )  # fmt: skip
        sharing = Sharing(k, limit, others_known)
        self.channel = Channel("s", AUDIENCE, self.ledger, accountant or Weighted(), authority, UNLIMITED, sharing)
        self.admitted = [one for one in self.records if authority.admits(self.subject(one))]
        objects = SessionObjects(relations, self._keys, lambda _: frozenset(), frozenset())
        objects.enter([one for one in listed if one in self.admitted])

        closed = {
            one.number
            for one in self.admitted
            if authority.rule(CATALOG["describe"], self.subject(one)).ruling is not Ruling.PERMIT
        }
        accounting = Accounting(_account, _version, closed)
        known = {one.number: id_ for id_, one in objects.records.items()}
        by_themselves = frozenset(one.number for one in apart)
        cells = cut(self.admitted, k, closed)
        sets = SessionSets(cells, relations, accounting, objects.issuer, {}, known, by_themselves)
        self.sets = sets.for_goal((), named, most)
        within = {one.number: each.id for each in self.sets if not each.set.named for one in sets.members(each.id)}
        objects.place(within, sets.account)
        self.selected = Selected(Goal(), objects.entered, self.sets, {}, objects, sets)
        self.release = Release(self.channel)
        self.running = Running(finds, sets.members, objects.records)
        settings = Settings(privacy=Privacy(k=k))
        over_sets = SetsExecutor(self.running, self.selected, self.subject, settings, lambda _: None)
        self.keeper = Gatekeeper(
            self.channel, CATALOG, self.release, over_sets, Approvals(person)
        )  # fmt: skip
        self._number = 0

    def subject(self, one: Record):
        """As the policy sees it."""
        return subject_of(one, self._labels.get(one.number, frozenset()))

    @staticmethod
    def _keys(records):
        return {one.number: Identity(key_of(one), _version([one])) for one in records}

    def opening(self, words: Sequence[str] = FIELDS) -> list[dict[str, Any]]:
        """Registration and request with these fields of sets, as a planner reads them."""
        held = self.selected.held
        subjects = {self.subject(one) for one in self.records}
        fields = {each.id: tuple(words) for each in self.sets} | {
            each.id: ("semantic_class", "within") for each in held
        }
        relations = self.selected.session_sets.object_relations
        sent = [
            self.release.registration(held, self.sets, subjects),
            self.release.request(Goal(), fields, (), relations),
        ]
        return [json.loads(each.data) for each in sent]

    def plan(self, *steps: Step) -> list[Verdict]:
        """Decide these steps one after the other, as one plan."""
        plan, verdicts, refused = Plan(steps=steps), [], set()
        for position in plan.order():
            verdict = self.keeper.gate(plan, position, frozenset(refused))
            verdicts.append(verdict)
            if not isinstance(verdict, Allowed) or verdict.failure is not None:
                refused.add(plan.steps[position].id)
        return verdicts

    def ask(self, capability: str, *inputs: Any, **fields: Any) -> Verdict:
        """One step under a fresh id, which `last` then names."""
        self._number += 1
        self.last = f"q{self._number}"
        return self.plan(Step(id=self.last, capability=capability, inputs=inputs, **fields))[0]

    def found(self, part: str, records: Sequence[Record]) -> None:
        """Let this part of the last result be these."""
        parts = self.running._members.parts(self.last)
        self.running._members.keep(self.last, {**parts, Part(part): tuple(records)})

    def spent(self, one: Record) -> int:
        """What was charged to an object by itself."""
        return self.channel.ledger.known(AUDIENCE, [key_of(one)])[key_of(one)].spent

    def shared(self, one: Record) -> int:
        """What was charged to it as one of many: to its cell."""
        (account,) = self.selected.session_sets.accounts([one])
        return self.channel.ledger.known(AUDIENCE, [account])[account].spent

    def charged(self, one: Record) -> int:
        """All that was charged to it."""
        return self.spent(one) + self.shared(one)

    @property
    def known_sets(self) -> list[str]:
        """Ids of all sets that were ever made."""
        return [*self.release.sets, *(each.id for each in self.sets if each.id not in self.release.sets)]

    def numbers(self, set_id: str) -> tuple[int, ...]:
        """Numbers of the members of a set."""
        return tuple(sorted(one.number for one in self.selected.session_sets.members(set_id)))

    def depth(self, set_id: str) -> str:
        """How a set came to be: by itself, or out of which other, by number of members."""
        told = self.release.told.get(set_id)
        return f"in {self.numbers(told.within)}" if told is not None and told.within else ""

    def set_of(self, one: Record) -> str:
        """The id of the set that it is a member of."""
        sets = self.selected.session_sets
        return next(each.id for each in self.sets if not each.set.named and one in sets.members(each.id))


def _account(cell_label: tuple[str, ...]) -> bytes:
    return hashlib.sha256(repr(cell_label).encode()).digest()


def _version(records: Sequence[Record]) -> str:
    return hashlib.sha256(
        repr([one.number for one in sorted(records, key=lambda one: one.number)]).encode()
    ).hexdigest()[:12]
