"""Algorithm 2: from a sentence to a local report. The planner advises; everything else happens here.

    X ──observe──▶ Z ──release──▶ planner ──▶ P ──gatekeeper──▶ outcomes ──release──▶ planner …
                                                    └──▶ full results, kept local

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
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from plantwin import events
from plantwin.cloud.answer import decode_plan
from plantwin.cloud.planner import ask, sends
from plantwin.errors import AnswerError, PlannerError, PlanTwinError
from plantwin.private.goal import questions
from plantwin.run import Ending, Run, Turn, joined
from plantwin.types.verdict import Admission, Denied, Verdict

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.cloud.planner import Planner
    from plantwin.events import Event
    from plantwin.session_context import SessionContext
    from plantwin.types.plan import Plan, Step
from plantwin.workspace import Workspace


class Stopped(Exception):  # noqa: N818 - not an error: a person wants no more
    """Raised by a watcher to end the session. What was done is kept."""


class Watcher(Protocol):
    """What a surface sees of a session, and what it may decide: to leave steps out, or to stop."""

    def began(self, context: SessionContext) -> None:
        """The folder is observed; nothing has been told yet."""
        ...

    def sending(self, envelopes: Sequence[Released]) -> None:
        """About to be sent; raise `Stopped` to end it here. The opening is shown before anything of it is recorded."""
        ...

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        """A plan came back, checked and priced: ids of steps that are not to run."""
        ...

    def deciding(self, step: Step) -> None:
        """A step is about to be decided."""
        ...

    def decided(self, step: Step, verdict: Verdict) -> None:
        """What became of it."""
        ...


class Silent:
    """Watches and says nothing."""

    def began(self, context: SessionContext) -> None:
        """Say nothing."""

    def sending(self, envelopes: Sequence[Released]) -> None:
        """Let it go."""

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        """Leave nothing out."""
        return frozenset()

    def deciding(self, step: Step) -> None:
        """Say nothing."""

    def decided(self, step: Step, verdict: Verdict) -> None:
        """Say nothing."""


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
        parts.append(_run(part, workspace, planner, watcher or Silent(), only_plan, only))
        if parts[-1].ending is not Ending.DONE:
            break
    return parts[0] if parts[0].goal == goal else joined(goal, parts)


def _run(
    goal: str,
    workspace: Workspace,
    planner: Planner,
    watcher: Watcher,
    only_plan: bool,
    only: Collection[tuple[str, str]] | None,
) -> Run:
    """One question, from beginning to end."""
    made = Run(secrets.token_hex(8), goal, planner.name, planner.audience, planner.locality)
    with made.timed("observe"):
        context = workspace.open_session(goal, planner, made, only)
    # From here on, however it ends, what was done is kept and can be reported.
    try:
        watcher.began(context)
        _converse(context, planner, watcher, made, only_plan)
        if context.executor.cut_short:
            made.ending, made.error = Ending.INTERRUPTED, "a step was interrupted: what was done is kept"
    except Stopped:
        made.ending = Ending.STOPPED
    except KeyboardInterrupt:
        made.ending, made.error = Ending.INTERRUPTED, "interrupted: what was done is kept"
    except PlannerError as error:
        made.ending, made.error = Ending.PLANNER, str(error)
    except PlanTwinError as error:
        made.ending, made.error = Ending.GATE, str(error)
    except OSError as error:
        made.ending, made.error = Ending.GATE, f"the system refused ({error.strerror}): what was done is kept"
    finally:
        with undisturbed():
            context.executor.close()
    with undisturbed():
        context.finish(made)
    return made


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


def _converse(context: SessionContext, planner: Planner, watcher: Watcher, made: Run, only_plan: bool) -> None:
    # For a planner that could not answer, nothing is told and nothing charged.
    if not context.rehearsal and (ready := getattr(planner, "ready", None)):
        ready()
    # A person is shown what would be sent before any of it is recorded, so that saying no costs nothing.
    with made.timed("release"):
        drafted = context.drafted(made.goal)
    watcher.sending(drafted)
    if context.rehearsal:
        raise Stopped
    with made.timed("release"):
        outbound = context.opening(made.goal)
    for number in range(1, context.turns + 1):
        plan, admission = _asked(outbound, context, planner, watcher, made)
        if plan.done:
            return
        turn = made.begin(plan, admission)
        left_out = watcher.planned(plan, admission)
        if only_plan:
            return
        _carry_out(turn, context, watcher, left_out, made)
        if number < context.turns:
            with made.timed("release"):
                outbound = [context.release.results(number, turn.verdicts)]
            watcher.sending(outbound)


def _asked(
    outbound: Sequence[Released], context: SessionContext, planner: Planner, watcher: Watcher, made: Run
) -> tuple[Plan, Admission]:
    """One turn with the planner. An answer that is no plan, or that it can see to be wrong, may be corrected once."""
    gatekeeper = context.gatekeeper
    plan = None
    try:
        plan = decode_plan(_answered(outbound, context, planner, made), gatekeeper.steps)
        admission = gatekeeper.admit(plan)
        wrong = admission.repairable
        if wrong is None:
            return plan, admission
        repair = context.release.repair(*wrong)
    except AnswerError as error:
        repair = context.release.repair(error.code, error.step)
    watcher.sending([repair])
    try:
        corrected = decode_plan(_answered([repair], context, planner, made), gatekeeper.steps)
    except AnswerError as error:
        if plan is None:
            raise PlannerError(f"the planner's answer is refused, twice: {error}") from None
        corrected = plan
    return corrected, gatekeeper.admit(corrected)


def _answered(outbound: Sequence[Released], context: SessionContext, planner: Planner, made: Run) -> bytes:
    """Counted, sent, answered, recorded."""
    context.release.turn()
    made.outbound += outbound
    with made.timed("planner"):
        answer = ask(planner, outbound, context.seconds, context.release.payload)
    context.release.answered(answer)
    return answer


def _carry_out(turn: Turn, context: SessionContext, watcher: Watcher, left_out: frozenset[str], made: Run) -> None:
    """Gate each step in an order in which inputs come first; an early one can spend what a later one needs."""
    refused: set[str] = set()
    context.executor.forget(step.id for step in turn.plan.steps)
    likely = [turn.admission.steps[position] for position in turn.admission.order]
    context.executor.expect(
        context.catalog[each.step.capability]
        for each in likely
        if each.refusal is None and each.step.id not in left_out
    )
    for position in turn.admission.order:
        step = turn.plan.steps[position]
        watcher.deciding(step)
        started = time.perf_counter()
        with made.timed("steps"):
            verdict = context.gatekeeper.gate(turn.plan, position, frozenset(refused), deselected=step.id in left_out)
        turn.decided(position, verdict, time.perf_counter() - started)
        made.keep(step.id, context.executor.results.get(step.id), context.executor.errors.get(step.id, ""))
        if isinstance(verdict, Denied) or verdict.failure is not None:
            refused.add(step.id)
        watcher.decided(step, verdict)
        if context.executor.interrupted:
            raise KeyboardInterrupt


class Session:
    """The same in a few lines: a folder, a planner, and goals.

    with Session("~/projects/shop") as session:
        run = session.run("Review the authentication module for security issues")
    """

    def __init__(self, root: str | os.PathLike[str], planner: Planner | str | None = None, **options: Any) -> None:
        """`planner`: one, or a name such as `openai:MODEL`; by default the one of the person's configuration.

        `options`: those of `Workspace`, such as `settings`, `state`, `approver` and `ledger`.
        """
        from plantwin.workspace import Workspace

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
        return events.events(lambda watcher: self.run(goal, watcher), Stopped)

    def report(self, made: Run, folder: str | os.PathLike[str] | None = None) -> Path:
        """Write the full report of a run, with real names, for its owner alone; by default where all reports are."""
        from plantwin.private.report.session import write

        return write(made, Path(folder) if folder is not None else self.workspace.state.subfolder("reports"))

    def _named(self, name: str | None) -> Planner:
        from plantwin.cloud.registry import Registry

        shop = self.workspace
        registry = Registry(shop.settings, shop.catalog, shop.state.subfolder("planners"))
        return registry.planner(name or shop.settings.planner.default)

    def close(self) -> None:
        """Close what is open."""
        self.workspace.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
