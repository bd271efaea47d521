"""One capability on files of the person's own choice: no planner, no ledger, nothing to tell. The sandbox is the same.

The result is a `Run` as a session makes it, so that it is shown and exported in the same ways.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from plantwin.boundary.outcome import sanitize
from plantwin.config.settings import Settings
from plantwin.private.capabilities.engine.job import LeftOut, Result
from plantwin.private.environment import Environment
from plantwin.private.execution.calls import FolderView
from plantwin.private.execution.executor import executor_for
from plantwin.private.execution.members import by_name, once
from plantwin.private.execution.over_sets import Seen
from plantwin.private.facts import Private, Record
from plantwin.private.observe.walk import unobserved
from plantwin.private.scan import Scan
from plantwin.private.state import State
from plantwin.private.surroundings import Neighbourhood, changes_of
from plantwin.run import Ending, Run
from plantwin.types.identity import Issuer
from plantwin.types.outcome import Outcome
from plantwin.types.plan import MAX_INPUTS, Plan, Step
from plantwin.types.verdict import Admission, Allowed, Code, Denied, Priced, Verdict
from plantwin.vocabulary import Kind, StepStatus, WorksOn

if TYPE_CHECKING:
    from plantwin.private.extensions.registry import Registered
    from plantwin.types.capability import Capability

Progress = Callable[[str, int, int], None]


class Side(NamedTuple):
    """What one argument names."""

    name: str
    records: Sequence[Record]

    def __repr__(self) -> str:
        return "<Side private>"


UNREAD = "no text, table or archive that is read"


def _with_unread(result: Result | None, unread: Sequence[str]) -> Result | None:
    """Count the files that were named and are no objects among what was not examined."""
    if result is None or result.coverage is None or not unread:
        return result
    left_out = LeftOut(reason=UNREAD, count=len(unread), names=tuple(unread[:50]))
    given, others = result.coverage.given + len(unread), result.coverage.left_out
    coverage = msgspec.structs.replace(result.coverage, given=given, left_out=(*others, left_out))
    return msgspec.structs.replace(result, coverage=coverage)


class Direct(Private):
    """A folder, scanned, on which capabilities run because the person says so."""

    def __init__(
        self,
        environment: Environment,
        scan: Scan,
        scanned_ns: int,
        *,
        settings: Settings,
        state: State,
        own: Sequence[Registered] = (),
        request: str = "",
        since: str = "",
    ) -> None:
        """`scanned_ns`: when the scan began. `own`: the person's own capabilities.

        `request`: what to look for, in words. `since`: the revision from which on changes are told.
        """
        self._environment, self._scan, self._settings = environment, scan, settings
        self._sets: dict[str, Sequence[Record]] = {}
        view = FolderView(
            Neighbourhood(scan, {}).around,
            hidden=self._hidden,
            members=lambda id_: self._sets.get(id_, ()),
            relations=lambda: tuple(scan.relations()),
            record_of=lambda name: self._by_name.get(name),
            changes=lambda: changes_of(environment.root, scan, request, since),
            request=request,
        )
        seen = Seen(environment.root, scanned_ns, environment.signatures())
        self._executor = executor_for(settings, state, seen, {}, view, own, environment.cluster)
        self.unsandboxed_reason = self._executor.unsandboxed_reason
        """What is missing for a sandbox; empty where there is one."""

    def close(self) -> None:
        """End what still waits."""
        self._executor.close()

    def run(
        self,
        goal: str,
        capability: Capability,
        sides: Sequence[Side],
        progress: Progress | None = None,
        unread: Sequence[str] = (),
    ) -> Run:
        """Carry it out on these files. `goal`: what the person typed, for the report; `unread`: named, and not read."""
        made = Run(secrets.token_hex(8), goal, "", "", root=self._environment.root, rationed=False)
        made.warnings += self._scan.summary.warnings
        issuer = Issuer()
        if capability.works_on is not WorksOn.PAIRS or len(sides) > MAX_INPUTS:
            every = once(record for side in sides for record in side.records)
            sides = [Side(", ".join(side.name for side in sides), every)]
        named = {issuer.set_id(): side for side in sides}
        self._sets = {id_: side.records for id_, side in named.items()}
        made.names = {id_: (side.name, "") for id_, side in named.items()}
        if capability.own:
            made.names[capability.word] = capability.own, ""
        step = Step(id="s1", capability=capability.word, inputs=tuple(named), output=capability.returns.value)
        turn = made.begin(Plan(steps=(step,)), Admission((Priced(step, None, (), 0),), (0,)))
        self._executor.progress = progress
        began = time.perf_counter()
        with made.timed("steps"):
            verdict = self._carried_out(step, capability)
        turn.decided(0, verdict, time.perf_counter() - began)
        made.keep(
            step.id, _with_unread(self._executor.results.get(step.id), unread), self._executor.errors.get(step.id, "")
        )
        if self._executor.cut_short:
            made.ending, made.error = Ending.INTERRUPTED, "interrupted: what was done is kept"
        return made

    def _carried_out(self, step: Step, capability: Capability) -> Verdict:
        if self.unsandboxed_reason and (self._settings.sandbox.require or capability.project):
            return Denied(code=Code.NO_SANDBOX)
        prepared = self._executor.prepare(capability, step.inputs)
        seconds = self._settings.limits.step_seconds
        executed = self._executor.execute(step.id, capability, step.inputs, prepared=prepared, seconds=seconds)
        if executed.failure is not None:
            return Allowed(outcome=Outcome(status=StepStatus.FAILED), failure=executed.failure)
        return Allowed(outcome=sanitize(executed.raw, capability).outcome)

    def _hidden(self) -> set[str]:
        """Paths that code of the folder may not read when it is run: holders of secrets, and what was not looked at."""
        if self._settings.sandbox.show_secrets:
            return set()
        root, seen = self._environment.root, self._environment.signatures()
        secret = {record.path for record in self._scan.records() if record.kind == Kind.SECRET_CONTAINER}
        return secret | unobserved(root, seen.keys())

    @cached_property
    def _by_name(self) -> dict[str, Record]:
        return by_name(self._scan.records())
