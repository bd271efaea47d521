"""A workspace for evaluations: a study says who approves, and a step that was carried out once is not run again.

The same capability on the same files of an unchanged workspace gives the same result, so what one attempt ran serves
all others. Prices, gates and budgets are those of a session.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.boundary.release import Released
from plantwin.cloud.transport import UnusableError
from plantwin.config.settings import Settings
from plantwin.private.execution.cache import ResultCache
from plantwin.private.execution.over_sets import Task
from plantwin.private.facts import Record
from plantwin.private.project import build
from plantwin.private.selection.sets import SessionSets
from plantwin.run import Run
from plantwin.session_context import SessionContext
from plantwin.types.approval import Answer, Question
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed
from plantwin.types.identity import Issuer
from plantwin.types.local import LocalObject
from plantwin.types.plan import StepInput
from plantwin.types.twin import TwinEdge
from plantwin.vocabulary import Kind, Part, SemanticClass, member
from plantwin.workspace import Workspace
from plantwin_evals.direct import KeptCalls, Permitted, called

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner

APPROVERS = ("all", "nobody", "remote")
"""Who is asked: someone who says yes to everything; nobody; nobody, and the planner counts as a remote one."""
Meaning = tuple[Any, ...]
"""A step and its inputs, whatever they are called in a session."""
Call = Callable[[Task], Executed | None]
"""Carries a step out in this process; None where it cannot."""


class Done(NamedTuple):
    """What a step came to."""

    executed: Executed
    result: Any = None
    error: str = ""
    parts: Mapping[Part, Sequence[str]] = {}
    """Names of the objects that each part of the result has."""


Memory = dict[Meaning, Done]
POLICIES: dict[str, Any] = {}
"""By version: what one attempt asked a policy it knows for all others."""


class Consent:
    """Answers every question alike, and counts them."""

    manner = "evaluation"

    def __init__(self, approved: bool = True) -> None:
        self.approved = approved
        self.asked = 0

    def ask(self, question: Question) -> Answer:
        """Yes or no, to exactly this."""
        self.asked += 1
        return Answer(question.digest, self.approved)


class Remembering:
    """An executor that runs each combination of capability and real inputs once."""

    def __init__(self, inner: Any, memory: Memory, call: Call | None = None) -> None:
        self._inner = inner
        self._call = call
        self._memory = memory
        self._meaning: dict[str, Meaning] = {}
        self._recipes: dict[str, tuple[Capability, Meaning, Done]] = {}
        self.examined: dict[tuple[str, str], None] = {}
        """Every capability that steps carried out, with the path of each object that it worked on."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def expect(self, capabilities: Iterable[Capability]) -> None:
        """Start nothing ahead: most steps need no worker."""

    def again(self, step: str, recipe: str) -> None:
        """Take what an earlier step with this recipe gave for this one's."""
        self._keep(step, *self._recipes[recipe])

    def execute(self, step: str, capability: Capability, inputs: Sequence[StepInput], **options: Any) -> Executed:
        """Carry out a step, with the options of a `Task`."""
        return self.run(Task(step, capability, inputs, **options))

    def run(self, task: Task) -> Executed:
        """As it went before, else for real."""
        capability = task.capability
        means = (self._means(name, task.permitted) for name in task.inputs)
        meaning = (capability.word, task.absent, tuple(task.missing), *means)
        given = tuple(worked_on(capability, self._inner.resolve(task.inputs), task.permitted))
        found = self._memory.get(meaning)
        if found is None:
            found = self._memory[meaning] = self._run(task)
        self._recipes[task.recipe] = capability, meaning, found
        self._keep(task.step, capability, meaning, found)
        skipped = {record.path for record in self._inner._members.parts(task.step).get(Part.UNEXAMINED, ())}
        self.examined |= dict.fromkeys((capability.name.value, path) for path in given if path not in skipped)
        return found.executed

    def _means(self, name: StepInput, permitted: Permitted) -> Meaning:
        """What an input stands for, whatever it is called in this session."""
        if isinstance(name, str) and name in self._meaning:
            return self._meaning[name]
        records = self._inner.resolve([name])
        return tuple((record.path, record.part, permitted(record)) for record in records)

    def _keep(self, step: str, capability: Capability, meaning: Meaning, found: Done) -> None:
        self._meaning[step] = meaning
        self._inner.forget([step])
        if found.result is not None:
            self._inner.keep(step, capability, found.result)
            record_of = self._inner._view.record_of
            parts = {
                part: tuple(record for name in names if (record := record_of(name)) is not None)
                for part, names in found.parts.items()
            }
            self._inner._members.keep(step, parts)
        elif found.error:
            self._inner.errors[step] = found.error

    def _run(self, task: Task) -> Done:
        step = task.step
        executed = self._call(task) if self._call is not None else None
        if executed is None:
            executed = self._inner.run(task)
        parts = {
            part: [f"{record.path}#{record.part}" if record.part else record.path for record in records]
            for part, records in self._inner._members.parts(step).items()
        }
        return Done(executed, self._inner.results.get(step), self._inner.errors.get(step, ""), parts)


def worked_on(capability: Capability, records: Iterable[Record], permitted: Permitted) -> Iterator[str]:
    """Paths of those of these records that a capability takes and the policy lets it work on."""
    for record in records:
        fits = capability.accepts(member(Kind, record.kind), member(SemanticClass, record.semantic_class))
        if fits and permitted(record):
            yield record.path


class EvaluationWorkspace(Workspace):
    """One workspace for one attempt, or for a sequence that shares a ledger."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        state: Path,
        memory: Memory,
        direct: bool = False,
        approver: str = "all",
        kept: Path | None = None,
    ) -> None:
        """`direct`: steps are calls in this process, where that is possible. `approver`: one of `APPROVERS`.

        `kept`: where results of workers are for all attempts on this folder; else beside the state.
        """
        self.consent = Consent(approver == "all")
        super().__init__(root, settings=settings, state=state, approver=self.consent, jobs=1)
        self.policy = POLICIES.setdefault(self.policy.version, self.policy)
        # Nothing in the folder changes while it is open.
        self._scanned = cache(partial(self.environment.scan, jobs=1))
        self.environment.scan = lambda **_: self._scanned()  # type: ignore[method-assign]
        self._elsewhere = approver == "remote"
        self.unanswered = 0
        """Calls of a planner that did not come back."""
        self._memory = memory
        self._direct = direct
        self._kept = kept or state.parent
        self.bodies: list[bytes] = []
        """Every byte that a planner was sent beside envelopes: prompts, as its witness saw them."""
        self.contexts: list[SessionContext] = []
        """Of all sessions so far."""

    def open_session(
        self, goal: str, planner: Planner, made: Run, only: Collection[tuple[str, str]] | None = None
    ) -> SessionContext:
        """As a workspace's, with an executor that remembers."""
        context = super().open_session(goal, planner, made, only)
        call = partial(called, context) if self._direct else None
        # What was found in a file serves all attempts, whatever else was examined with it.
        self._kept.mkdir(parents=True, exist_ok=True)
        context.executor._cache = ResultCache(self._kept / "results.db", self.environment.root)
        if self._direct:
            calls: Any = KeptCalls(context.executor.calls, self.environment.root, self._kept / "calls")
            context.executor.calls = calls
        self.executor = Remembering(context.executor, self._memory, call)
        context.executor = self.executor  # type: ignore[assignment]
        context.gatekeeper = context.gate(context.executor)
        self.contexts.append(context)
        recorded = context.release.payload

        def payload(data: bytes, origin: str, skill: str) -> None:
            recorded(data, origin, skill)
            self.bodies.append(data)

        context.release.payload = payload  # type: ignore[method-assign]
        return context

    def watched(self, planner: Planner) -> Planner:
        """Count calls that a planner does not answer; have one count as remote where that is studied."""
        plan = planner.plan

        def counted(envelopes: Sequence[Released]) -> bytes:
            self.unanswered += 1
            try:
                answer = plan(envelopes)
            except UnusableError:
                self.unanswered -= 1
                raise
            self.unanswered -= 1
            return answer

        planner.plan = counted  # type: ignore[method-assign]
        if self._elsewhere:
            planner.locality, planner.audience = "remote", "evaluation"
        return planner

    def ids(self) -> dict[str, str]:
        """What ids of the current session stand for, as another session would say it: a name, or who is in a set."""
        found = {id_: "/".join(place) for id_, place in self.names.items()}
        context = self.contexts[-1]
        for set_id in context.release.sets:
            members = sorted(f"{record.path}/{record.part}" for record in context.members(set_id))
            found[set_id] = hashlib.sha256("\0".join(members).encode("utf-8", "surrogateescape")).hexdigest()
        return found

    def everything(self, most: int | None = None) -> list[Known]:
        """Objects of the folder with their accounts: those that came into sessions, and others at random."""
        scan = self._scanned()
        shown = set(self.names.values())
        records = sorted(scan.records(), key=lambda record: record.number)
        random.Random(20).shuffle(records)  # noqa: S311 - a sample, the same each time
        records = sorted(records, key=lambda record: (record.path, record.part) not in shown)[:most]
        keys = self.keys(scan, records)
        made = build(list(records), tuple(scan.relations()), Issuer())
        edges: dict[str, list[TwinEdge]] = {}
        for edge in made.twin.edges:
            edges.setdefault(edge.source, []).append(edge)
        found = []
        for each in made.twin.objects:
            record = made.objects[each.object_id]
            held = LocalObject(
                object=each,
                key=keys[record.number].key,
                edges=tuple(edges.get(each.object_id, ())),
                version=keys[record.number].version,
            )
            found.append(Known(record, held))
        return found

    def spent(self, objects: Sequence[Known], audience: str) -> list[tuple[int, int]]:
        """What was spent on each object, on its own account and on its cell's together, and its threshold."""
        sets = self.contexts[-1].selected.session_sets
        cells = {known.record.number: self._cell(sets, known.record) for known in objects}
        keys = [*(known.held.key for known in objects), *(key for found in cells.values() for key in found)]
        told = self.ledger.known(self.settings.audience(audience), list(dict.fromkeys(keys)))
        accountant = self.settings.accountant()
        return [
            (
                told[known.held.key].spent + max((told[key].spent for key in cells[known.record.number]), default=0),
                accountant.threshold(known.held, told[known.held.key]),
            )
            for known in objects
        ]

    def _cell(self, sets: SessionSets, record: Record) -> tuple[bytes, ...]:
        """The account of the cell that a record lies in; none where the policy keeps it from the planner."""
        try:
            return sets.accounts([record])
        except KeyError:
            return ()


class Known(NamedTuple):
    """An object of the folder, and its account."""

    record: Record
    held: LocalObject
