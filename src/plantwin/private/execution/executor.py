"""Carries out a step: finds its inputs, starts workers, keeps the full result, and passes on the outcome part.

A step on objects and earlier results is one call in one worker. A step on sets, or on parts of results, is carried out
over all their members: see `fanout`.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from plantwin.config.settings import Settings
from plantwin.errors import PlanTwinError
from plantwin.private.capabilities.engine.job import Input, Result
from plantwin.private.execution import sandbox
from plantwin.private.execution.cache import ResultCache
from plantwin.private.execution.calls import Calls, FolderView, Given, startable
from plantwin.private.execution.fanout import UNREAL, FanOut
from plantwin.private.execution.launcher import Launcher, WaitingRoom, Worker, launcher_for
from plantwin.private.execution.members import (
    NAMES_ALONE,
    REFUSED,
    TOO_MANY,
    TOO_MUCH,
    UNFIT,
    Ages,
    Members,
    Parts,
    at_once,
    label,
    once,
)
from plantwin.private.execution.merged_outcomes import EMPTY
from plantwin.private.execution.merging import Merger
from plantwin.private.execution.over_sets import Asked, Means, RecordExecutor, Seen, Task
from plantwin.private.execution.protocol import Extension
from plantwin.private.facts import Private, Record
from plantwin.private.index import Signature
from plantwin.private.state import State
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed
from plantwin.types.local import LocalObject
from plantwin.types.plan import StepInput, several_like
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName, Kind, SemanticClass, WorksOn, member

if TYPE_CHECKING:
    from plantwin.private.cluster import Cluster
    from plantwin.private.execution.elsewhere import Elsewhere
    from plantwin.private.extensions.registry import Registered

TWICE = 2.0
"""Seconds within which a second interruption is meant for the whole session."""


class SandboxExecutor(Private, RecordExecutor):
    """Runs capabilities on the objects of one scan."""

    def __init__(
        self,
        launcher: Launcher,
        objects: Mapping[str, Record],
        *,
        signatures: Mapping[str, Signature] | None = None,
        scanned_ns: int | None = None,
        view: FolderView | None = None,
        extensions: Mapping[str, Extension] | None = None,
        rules_off: Sequence[str] = (),
        max_files: int | None = None,
        cache: Path | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        """`objects`: by id of this session.

        `signatures`: of each file at the scan, by path. Without one a file must not have changed since `scanned_ns`,
        by default now. `extensions`: how the person's own capabilities are run, by their names.
        `rules_off`: ids of rules whose findings the person does not want. `max_files`: members of sets that one step
        examines. `cache`: where results of unchanged files are kept; nowhere without it. `cluster`: machines that
        carry out calls of steps over sets.
        """
        self.results: dict[str, Result] = {}
        """Full results by step."""
        self.errors: dict[str, str] = {}
        """Why steps failed: the exception's type and the line of our code, or what to do, for the local report."""
        self.interrupted = False
        """Whether a person interrupted twice within `TWICE` seconds: every further step then ends at once."""
        self.cut_short = False
        """Whether a person interrupted any step."""
        self.progress: Callable[[str, int, int], None] | None = None
        """Told how far a step over sets has come: its id, members done, members in all; at most ten times a second."""
        self._last_interruption = -TWICE
        self._launcher = launcher
        self.sandboxed: bool = launcher.tool is not None
        """Whether workers run without network and with a read-only view of their inputs alone."""
        self.unsandboxed_reason: str = "" if self.sandboxed else sandbox.unusable()
        """What is missing for a sandbox, with the next step; empty where there is one."""
        self._root = launcher.root
        self._view = view or FolderView()
        self._objects = objects
        self._capabilities: dict[str, str] = {}
        self._recipes: dict[str, tuple[str, Result | None, str, Parts]] = {}
        self._room = WaitingRoom(self._launcher.waiting)
        self.calls = Calls(
            launcher,
            self._view,
            self._room,
            signatures=signatures or {},
            scanned_ns=time.time_ns() if scanned_ns is None else scanned_ns,
            extensions=extensions or {},
            rules_off=rules_off,
        )
        self._members = Members(objects, self._view.members)
        self._max_files = max_files
        self._cluster = cluster
        self._cache = ResultCache(cache, self._root) if cache is not None else None

    def forget(self, steps: Iterable[str] = ()) -> None:
        """Another plan begins, whose steps have these ids: none of them may pass for an earlier one of the same id.

        All other results, and their parts, stay for later steps.
        """
        self._room.close()
        for step in steps:
            self._drop(step)

    def _drop(self, step: str) -> None:
        self.results.pop(step, None)
        self.errors.pop(step, None)
        self._capabilities.pop(step, None)
        self._members.forget(step)

    def expect(self, capabilities: Iterable[Capability]) -> None:
        """What the next steps will ask for, in order, so that their workers can start already."""
        if self._launcher.tool is not None:
            self._room.expect(
                [capability.name.value for capability in capabilities if startable(capability, self._launcher)]
            )

    def close(self) -> None:
        """End the workers that still wait for a step, and close the file of kept results."""
        self._room.close()
        if self._cache is not None:
            self._cache.close()

    def keep(self, step: str, capability: Capability, result: Any) -> None:
        """Take a step's result as had before, so that later steps can use it."""
        self._keep(step, capability, result, ())

    def _keep(self, step: str, capability: Capability, result: Result, given: Sequence[Record]) -> None:
        """Keep the result of one call, with the parts that it has."""
        self.results[step] = result
        self._capabilities[step] = capability.name.value
        named = dict.fromkeys(finding.name for finding in result.findings)
        records = given or [record for name in named if (record := self._view.record_of(name)) is not None]
        merger = Merger(capability, records, Ages(self._view.relations()) if capability.least > 1 else None)
        merger.add(0, records, result)
        self._members.keep(step, merger.merged(self._view.record_of).parts)

    def resolve(self, inputs: Sequence[StepInput]) -> tuple[Record, ...]:
        """All records behind a step's inputs, each once: objects, members of sets and of parts of earlier results."""
        return self._members.resolve(inputs)

    def prepare(self, capability: Capability, inputs: Sequence[StepInput]) -> str:
        """A digest of all that the folder's own code would see, to be held against what then runs.

        Of what lies around its inputs, and of what is looked for there, for a capability that looks there; else empty.
        """
        if not capability.project:
            if not capability.surroundings:
                return ""
            options = self.calls.options(capability).items()
            told = sorted((name, value) for name, value in options if name not in UNREAL)
            around = self.calls.around(capability, self._named(inputs))
            return hashlib.sha256(msgspec.json.encode((around, told))).hexdigest()
        try:
            return self.calls.surveyed().digest
        except (OSError, PlanTwinError):
            return "unknown"  # no digest: whatever runs is held against it in vain

    def again(self, step: str, recipe: str) -> None:
        """Take what an earlier step with this recipe gave for this one's."""
        name, result, error, parts = self._recipes[recipe]
        self._drop(step)
        if result is not None:
            self.results[step], self._capabilities[step] = result, name
            self._members.keep(step, parts)
        elif error:
            self.errors[step] = error

    def sees(self, capability: Capability) -> Sequence[LocalObject]:
        """Objects that code which the capability runs could read."""
        return self._view.readable()

    def run(self, task: Task) -> Executed:
        """Carry out a step, and keep its full result and the parts of it."""
        step, capability, inputs = task.step, task.capability, task.inputs
        missing = list(task.missing)
        earlier = dict(self.results)
        names = dict(self._capabilities)
        if capability.name is CapabilityName.REPORT and not capability.own:
            steps = [name for name in inputs if isinstance(name, str) and not several_like(name)]
            failed = [name for name in steps if name not in self._objects and name not in earlier]
            missing += [name for name in failed if name not in missing]
            inputs = [name for name in steps if name not in failed]
        results = [
            Input(name=name, result=msgspec.to_builtins(earlier[name]), capability=names[name])
            for name in inputs
            if isinstance(name, str) and name in earlier and name not in self._objects
        ]
        if any(map(several_like, inputs)):
            sides = self._sides(inputs)
            records = [[record for record in side if record.number not in task.absent] for side in sides]
            self._drop(step)
            executed = self._over_sets(task, records, results)
            if task.absent and (made := self.results.get(step)):  # the person is told what the planner is not
                note = f"Not examined, since no more may be told of them: {len(task.absent)} of the members.\n"
                self.results[step] = msgspec.structs.replace(made, text=f"{note}{made.text}")
        else:
            given = self._named(inputs)
            self._drop(step)
            by_name = {result.name: result for result in results}
            chosen = [record if isinstance(record, Record) else by_name.get(record, record) for record in given]
            executed = self._execute(task, chosen, {"missing": missing} if missing else {})
        parts = self._members.parts(step)
        self._recipes[task.recipe] = capability.name.value, self.results.get(step), self.errors.get(step, ""), parts
        return executed

    def _named(self, inputs: Sequence[StepInput]) -> list[str | Record]:
        """Inputs with the records that they stand for; a step stays its id."""
        found: dict[object, str | Record] = {}
        for given in inputs:
            records = list(self._members.of(given))
            found |= {(record.path, record.part): record for record in records}
            if not records and isinstance(given, str) and not several_like(given):
                found[given] = given
        return list(found.values())

    def _sides(self, inputs: Sequence[StepInput]) -> list[list[Record]]:
        """The records of every input that is no step."""
        return [list(self._members.of(given)) for given in inputs if several_like(given) or given in self._objects]

    def _over_sets(self, task: Task, sides: Sequence[Sequence[Record]], results: Sequence[Input]) -> Executed:
        """Examine all members that the policy permits and the capability takes; count the others."""
        step, capability = task.step, task.capability
        given = once(record for side in sides for record in side)
        if not given and not results:
            merger = Merger(capability, ())
            self.results[step] = msgspec.structs.replace(
                merger.merged(self._view.record_of).result,
                outcome=EMPTY,
                text="Nothing to examine: the set is empty.\n",
            )
            self._capabilities[step] = capability.name.value
            self._members.keep(step, {})
            return Executed(raw=EMPTY)
        if self.interrupted:
            return Executed(failure=Failure.INTERRUPTED)
        comparing = capability.works_on is WorksOn.PAIRS
        merger = Merger(capability, given, Ages(self._view.relations()) if comparing else None)
        members = self._chosen(task, given, merger)
        if capability.project or capability.own:
            return self._once_for_all(task, members, results, merger)
        limits = self._launcher.bounds(capability)
        waiting = [self._room.take(capability.name.value)] if startable(capability, self._launcher) else []
        options = self.calls.options(capability)
        means = Means(
            root=self._root,
            limits=limits,
            unchanged=self.calls.unchanged,
            start=lambda: self._another(waiting, capability),
            setup=lambda around, bounds: msgspec.json.encode(
                msgspec.structs.replace(self.calls.request(capability, around, (), bounds), options=options)
            ),
            options=options,
            around=lambda records: self.calls.around(capability, records),
            alone=lambda records, others, left: self.calls.alone(capability, records, others, limits.within(left)),
            cache=self._cache if capability.repeatable else None,
            progress=self.progress,
            elsewhere=self._elsewhere(capability),
        )
        asked = Asked(step, capability, sides, results, task.seconds)
        fan_out = FanOut(asked, means, merger)
        try:
            fan_out.run(members, self._view.relations)
        finally:
            for worker in waiting:
                if worker is not None:
                    worker.end()
            self._room.fill()
        if fan_out.interrupted:
            self._interrupt()
        if fan_out.error:
            self.errors[step] = fan_out.error
        return self._merged(step, capability, merger)

    def _elsewhere(self, capability: Capability) -> Elsewhere | None:
        """Who else carries out calls: nobody where there is no cluster, or no content is looked at."""
        if self._cluster is None or capability.name in NAMES_ALONE:
            return None
        from plantwin.private.execution.elsewhere import Elsewhere

        return Elsewhere(self._cluster, self.calls, capability, self._view)

    def _merged(self, step: str, capability: Capability, merger: Merger) -> Executed:
        merged = merger.merged(self._view.record_of)
        self.results[step] = merged.result
        self._capabilities[step] = capability.name.value
        self._members.keep(step, merged.parts)
        return Executed(raw=merged.result.outcome)

    def _chosen(self, task: Task, given: Sequence[Record], merger: Merger) -> list[Record]:
        """The members that will be examined; the merger is told of all others."""
        fitting = [
            record
            for record in given
            if task.capability.accepts(member(Kind, record.kind), member(SemanticClass, record.semantic_class))
        ]
        allowed = list(filter(task.permitted, fitting))
        most = len(allowed) if self._max_files is None else self._max_files
        kept = {label(record) for record in allowed}
        merger.leave_out((record for record in fitting if label(record) not in kept), REFUSED)
        taken = {label(record) for record in fitting}
        merger.leave_out((record for record in given if label(record) not in taken), UNFIT)
        merger.leave_out(allowed[most:], TOO_MANY)
        return allowed[:most]

    def _once_for_all(
        self, task: Task, members: Sequence[Record], results: Sequence[Input], merger: Merger
    ) -> Executed:
        """One call for all members: what runs the folder's code, or is a person's own, does not start for each."""
        most = at_once(task.capability)
        merger.leave_out(members[most:], TOO_MUCH)
        chosen = members[:most]
        if not chosen and not results:
            return self._merged(task.step, task.capability, merger)
        executed = self._execute(task, [*chosen, *results], {})
        if executed.failure is not None:
            return executed
        merger.add(0, chosen, self.results[task.step])
        return self._merged(task.step, task.capability, merger)

    def _another(self, waiting: list[Worker | None], capability: Capability) -> Worker | None:
        """A worker that serves many files: the one that waits for this step, else a new one."""
        found = waiting.pop() if waiting else None
        if found is not None and found.alive:
            return found
        if found is not None:
            found.end()
        return self._launcher.waiting(capability.name.value, programs=self._launcher.programs(capability))

    def _execute(self, task: Task, inputs: Sequence[Given], options: Mapping[str, object]) -> Executed:
        """One call."""
        if self.interrupted:
            return Executed(failure=Failure.INTERRUPTED)
        called = self.calls.call(task.capability, inputs, task.prepared, options, task.seconds)
        if called.by_person:
            self._interrupt()
        if called.result is None:
            if called.error:
                self.errors[task.step] = called.error
            return Executed(failure=called.failure)
        self._keep(task.step, task.capability, called.result, [given for given in inputs if isinstance(given, Record)])
        return Executed(raw=called.result.outcome)

    def _interrupt(self) -> None:
        """Once ends one step, which has just happened; soon again ends the others too."""
        now = time.monotonic()
        self.cut_short = True
        self.interrupted = self.interrupted or now - self._last_interruption < TWICE
        self._last_interruption = now


def executor_for(
    settings: Settings,
    state: State,
    seen: Seen,
    objects: Mapping[str, Record],
    view: FolderView,
    own: Iterable[Registered],
    cluster: Cluster | None = None,
) -> SandboxExecutor:
    """An executor within the person's settings, which keeps its results in the state folder."""
    return SandboxExecutor(
        launcher_for(settings, seen.root, state),
        objects,
        signatures=seen.signatures,
        scanned_ns=seen.scanned_ns,
        view=view,
        extensions={registered.capability.own: registered.extension for registered in own},
        rules_off=settings.rules.off,
        max_files=settings.limits.max_files,
        cache=state.subfolder("results") / "results.db",
        cluster=cluster,
    )
