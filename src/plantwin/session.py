"""Algorithm 2: from a sentence to a local report. The planner advises; everything else happens here.

    X ──observe──▶ Z ──release──▶ planner ──▶ P ──gatekeeper──▶ outcomes ──release──▶ planner …
                                                    └──▶ full results, kept local

(1) observe the folder; (2) draft what would be told, and show it; (3) release it; (4) ask the planner; (5) check its
plan whole; (6) gate each step, and carry out what passes; (7) release the outcomes and ask again, until the planner is
done or has had its turns; (8) keep what was done.

Nothing is sent that the ledger has not recorded, and nothing runs that the gatekeeper has not let through.
"""

from __future__ import annotations

import os
import secrets
import signal
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.planner import ask, sends
from plantwin.errors import AnswerError, PlannerError, PlanTwinError
from plantwin.events import Silent, Stopped, Watcher, events
from plantwin.private.goal import questions
from plantwin.run import Ending, Run, Turn, joined
from plantwin.telemetry import traced
from plantwin.types.verdict import Admission, Denied
from plantwin.workspace import Workspace

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.cloud.planner import Planner
    from plantwin.events import Event
    from plantwin.session_context import SessionContext
    from plantwin.types.plan import Plan


def run(
    goal: str,
    workspace: Workspace,
    planner: Planner,
    watcher: Watcher | None = None,
    *,
    only_plan: bool = False,
    only: Collection[tuple[str, str]] | None = None,
) -> Run:
    """Observe, project, ask, check, carry out, tell, until the planner is done or has had its turns.

    Several questions in one goal are asked one by one where that tells nobody more. `only`: path and part of the
    objects to show, instead of those that the goal names.
    """
    whole = only_plan or only is not None or sends(planner)
    parts: list[Run] = []
    for part in (goal,) if whole else questions(goal):
        record = Run(secrets.token_hex(8), part, planner.name, planner.audience, planner.locality)
        parts.append(record)
        with record.timed("observe"):  # (1)
            context = workspace.open_session(part, planner, record, only)
        # From here on, however it ends, what was done is kept and can be reported.
        with _kept(record, context), traced(watcher or Silent(), record) as watching:
            Conversation(context, planner, watching, record).hold(only_plan=only_plan)
        if record.ending is not Ending.DONE:
            break
    return parts[0] if parts[0].goal == goal else joined(goal, parts)


@dataclass(frozen=True, repr=False)
class Conversation:
    """What a session says and does, turn by turn, between its planner, its gatekeeper and whoever watches."""

    context: SessionContext
    planner: Planner
    watcher: Watcher
    record: Run

    def hold(self, *, only_plan: bool) -> None:
        """Tell, ask, check and carry out, until the planner is done or has had its turns."""
        context, watcher, record = self.context, self.watcher, self.record
        watcher.began(context)
        # For a planner that could not answer, nothing is told and nothing charged.
        if not context.rehearsal and (ready := getattr(self.planner, "ready", None)):
            ready()
        # (2) A person is shown what would be sent before any of it is recorded, so that saying no costs nothing.
        with record.timed("release"):
            drafted = context.drafted(record.goal)
        watcher.sending(drafted)
        if context.rehearsal:
            raise Stopped
        with record.timed("release"):  # (3)
            outbound = context.opening(record.goal)
        for number in range(1, context.turns + 1):
            plan, admission = self._ask(outbound)
            if plan.done:
                return
            turn = record.begin(plan, admission)
            left_out = watcher.planned(plan, admission)
            if only_plan:
                return
            self._carry_out(turn, left_out)
            if number < context.turns:
                with record.timed("release"):  # (7)
                    outbound = [context.release.results(number, turn.verdicts)]
                watcher.sending(outbound)

    def _ask(self, outbound: Sequence[Released]) -> tuple[Plan, Admission]:
        """(4) and (5). An answer that is no plan, or that the planner can see to be wrong, may be corrected once."""
        gatekeeper, release = self.context.gatekeeper, self.context.release
        plan = None
        try:
            plan = decode_plan(self._answer(outbound), gatekeeper.steps)
            admission = gatekeeper.admit(plan)
            wrong = admission.repairable
            if wrong is None:
                return plan, admission
            repair = release.repair(*wrong)
        except AnswerError as error:
            repair = release.repair(error.code, error.step)
        self.watcher.sending([repair])
        try:
            corrected = decode_plan(self._answer([repair]), gatekeeper.steps)
        except AnswerError as error:
            if plan is None:
                raise PlannerError(f"the planner's answer is refused, twice: {error}") from None
            corrected = plan
        return corrected, gatekeeper.admit(corrected)

    def _answer(self, outbound: Sequence[Released]) -> bytes:
        """Count, send, await the answer, and record it."""
        release = self.context.release
        release.turn()
        self.record.outbound += outbound
        with self.record.timed("planner"):
            answer = ask(self.planner, outbound, self.context.seconds, release.payload)
        release.answered(answer)
        return answer

    def _carry_out(self, turn: Turn, left_out: frozenset[str]) -> None:
        """(6), in an order in which inputs come first; an early step can spend what a later one needs."""
        executor, plan, order = self.context.executor, turn.plan, turn.admission.order
        refused: set[str] = set()
        self.context.name_sets()
        executor.forget(step.id for step in plan.steps)
        likely = (priced for position in order if (priced := turn.admission.steps[position]).refusal is None)
        executor.expect(
            self.context.catalog[priced.step.capability] for priced in likely if priced.step.id not in left_out
        )
        for position in order:
            step = plan.steps[position]
            self.watcher.deciding(step)
            started = time.perf_counter()
            with self.record.timed("steps"):
                verdict = self.context.gatekeeper.gate(
                    plan, position, frozenset(refused), deselected=step.id in left_out
                )
            turn.decided(position, verdict, time.perf_counter() - started)
            self.record.keep(step.id, executor.results.get(step.id), executor.errors.get(step.id, ""))
            if isinstance(verdict, Denied) or verdict.failure is not None:
                refused.add(step.id)
            self.watcher.decided(step, verdict)
            if executor.interrupted:
                raise KeyboardInterrupt


@contextmanager
def _kept(record: Run, context: SessionContext) -> Iterator[None]:
    """(8) However a session ends: note why, end its workers, and keep what was done."""
    try:
        yield
        if context.executor.cut_short:
            record.ending, record.error = Ending.INTERRUPTED, "a step was interrupted: what was done is kept"
    except Stopped:
        record.ending = Ending.STOPPED
    except KeyboardInterrupt:
        record.ending, record.error = Ending.INTERRUPTED, "interrupted: what was done is kept"
    except PlannerError as error:
        record.ending, record.error = Ending.PLANNER, str(error)
    except PlanTwinError as error:
        record.ending, record.error = Ending.GATE, str(error)
    except OSError as error:
        record.ending, record.error = Ending.GATE, f"the system refused ({error.strerror}): what was done is kept"
    finally:
        with undisturbed():
            context.executor.close()
    with undisturbed():
        context.finish(record)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C is not heard meanwhile: who presses it twice to end a session wants to know what was done all the same."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Session:
    """The same in a few lines: a folder, a planner, and goals.

    with Session("~/projects/shop") as session:
        run = session.run("Review the authentication module for security issues")
    """

    def __init__(self, root: str | os.PathLike[str], planner: Planner | str | None = None, **options: Any) -> None:
        """`planner`: one, or a name such as `openai:MODEL`; by default the one of the person's configuration.

        `options`: those of `Workspace`, such as `settings`, `state`, `approver` and `ledger`.
        """
        self.workspace = Workspace(root, **options)
        self._planner = planner

    def run(self, goal: str, watcher: Watcher | None = None) -> Run:
        """One session about this goal, from beginning to end."""
        if self._planner is not None and not isinstance(self._planner, str):
            return run(goal, self.workspace, self._planner, watcher)
        planner = self._named(self._planner)
        try:
            return run(goal, self.workspace, planner, watcher)
        finally:
            # One that started something of its own ends it here.
            getattr(planner, "close", lambda: None)()

    def events(self, goal: str) -> Iterator[Event]:
        """The same, event by event as it happens; the last one holds the run. Who stops listening stops it."""
        return events(lambda watcher: self.run(goal, watcher))

    def report(self, made: Run, folder: str | os.PathLike[str] | None = None) -> Path:
        """Write the full report of a run, with real names, for its owner alone; by default where all reports are."""
        from plantwin.private.report.session import write

        return write(made, Path(folder) if folder is not None else self.workspace.state.subfolder("reports"))

    def _named(self, name: str | None) -> Planner:
        from plantwin.cloud.registry import Registry

        workspace = self.workspace
        registry = Registry(workspace.settings, workspace.catalog, workspace.state.subfolder("planners"))
        return registry.planner(name or workspace.settings.planner.default)

    def close(self) -> None:
        """Close what is open."""
        self.workspace.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
