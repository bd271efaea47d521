"""A session as it is watched: on a terminal step by step, or silently where a program reads the result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from plantwin.cloud.planner import reach, sends
from plantwin.events import Silent, Stopped
from plantwin.private.report.wording import called
from plantwin.surfaces.cli.asking import Consent, Terminal, granted
from plantwin.surfaces.cli.output import console, warn_unsandboxed, write_line
from plantwin.surfaces.cli.progress import Bar, Spinner, StepProgress
from plantwin.surfaces.render.text import plural, printable, size

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.cloud.planner import Planner
    from plantwin.session_context import SessionContext
    from plantwin.surfaces.cli.rehearse import Rehearsal
    from plantwin.types.approval import Approver
    from plantwin.types.plan import Plan, Step
    from plantwin.types.verdict import Admission, Verdict

Rehearse = Callable[["Plan", "SessionContext"], "Rehearsal"]
WHOLE = "y: all · n: none of those · numbers: leave these steps out · s: one by one > "

REGISTERED = ("kind=", "set.size=", "set.kind=", "set.semantic_class=", "set.family=", "set.named=")
"""How units begin that a registration tells."""
SKIP = "Ctrl-C skips the one that runs, twice ends the session"


class Listener(Silent):
    """Keeps what would be sent, and stops where the person does not agree."""

    def __init__(self, bar: Bar, *, consent: Consent = granted) -> None:
        """`consent`: whether what is sent first may be."""
        self._bar = bar
        self._consent = consent
        self.context: SessionContext | None = None
        """What the session works with, once it has begun."""
        self.envelopes: list[Released] = []
        self.rehearse: Rehearse | None = None
        """Tries the first plan of a session on a made-up folder, where the person wants that."""
        self.rehearsals: list[Rehearsal] = []
        self._rehearsed: SessionContext | None = None

    def close(self) -> None:
        """Take everything that moves off the screen."""
        self._bar.stop()

    def began(self, context: SessionContext) -> None:
        """Observing is over. What is missing for safety is said before anything runs."""
        self._bar.stop()
        self.context = context
        warn_unsandboxed(context.executor.unsandboxed_reason)

    def sending(self, envelopes: Sequence[Released]) -> None:
        """Keep it. The first time, ask whether the planner may have it."""
        first = not self.envelopes
        self.envelopes += envelopes
        if first and not self._consent(envelopes):
            raise Stopped

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        """Rehearse the first plan, where that is wanted; leave nothing out."""
        if self.rehearse is not None and self.context is not None and self.context is not self._rehearsed:
            self._rehearsed = self.context
            spinner = Spinner("the rehearsal").start()
            try:
                self.rehearsals.append(self.rehearse(plan, self.context))
            finally:
                spinner.stop()
        return frozenset()


class Viewer(Listener):
    """Shows a session to the person at the terminal, and asks. What is asked about is always shown first."""

    def __init__(
        self,
        bar: Bar,
        planner: Planner,
        approver: Approver | None,
        *,
        show: bool = False,
        ask: bool = False,
        only_plan: bool = False,
        verbose: bool = True,
        consent: Consent = granted,
    ) -> None:
        """`show`: the exact bytes too. `ask`: whether someone is there to be asked. `only_plan`: no step runs.

        `verbose`: everything as it happens; otherwise only what is needed for a decision.
        """
        super().__init__(bar, consent=consent)
        self._planner = planner
        self._approver = approver
        self._show = show
        self._ask = ask
        self._only_plan = only_plan
        self._verbose = verbose or only_plan
        self._spinner: Spinner | None = None
        self._progress = StepProgress(self._called, lines=verbose)
        self._started = 0.0
        self._plans = 0
        self._sizes = (2, 12)
        self._running: dict[str, Step] = {}
        self._screen = console()

    def began(self, context: SessionContext) -> None:
        """Say what is about to happen."""
        super().began(context)
        context.executor.progress = self._advanced
        if self._verbose:
            self._introduce(context)

    def _introduce(self, context: SessionContext) -> None:
        chosen = context.selected
        write_line(
            f"Planner   {printable(self._planner.name)} ({reach(self._planner)}), audience {self._planner.audience}"
        )
        files = plural(sum(one.count for one in chosen.sets), "file")
        sets = f"{plural(len(chosen.sets), 'set')} over {files}" if chosen.sets else "no set"
        alone = f"; {plural(len(chosen.held), 'object')} one by one" if chosen.held else ""
        write_line(f"{'To tell' if sends(self._planner) else 'It sees':<10}{sets}{alone}")
        if context.denied:
            some = ", ".join(map(printable, context.denied[:3])) + (", …" if len(context.denied) > 3 else "")
            write_line(
                f"Policy    {plural(len(context.denied), 'object is', 'objects are')} kept from this planner: {some}"
            )

    def sending(self, envelopes: Sequence[Released]) -> None:
        """Show what is sent; the first time, ask whether the planner may have it."""
        self._wait(None)
        first = not self.envelopes
        asked = first and self._consent is not granted
        if asked and not self._verbose:
            self._introduce(self._of())
        if self._verbose or asked:
            self._envelopes(envelopes, first=first)
        for envelope in envelopes if self._show else ():
            write_line(f"  {envelope.data.decode('ascii')}")
        super().sending(envelopes)
        self._wait("the planner")

    def _envelopes(self, envelopes: Sequence[Released], *, first: bool) -> None:
        from plantwin.surfaces.render import session as view

        total = size(sum(map(len, envelopes)))
        if not sends(self._planner):
            verb = "The planner sees" if first else "Results for the planner on this machine"
        else:
            verb = "Sent back" if not first else "To be sent"
        self._screen.print(view.heading(verb, f"{plural(len(envelopes), 'envelope')}, {total}"))
        self._screen.print(view.envelopes(envelopes, self._prices(envelopes)))

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        """Show the plan with its price; where a person is needed, ask once for all of it."""
        self._wait(None)
        self._plans += 1
        context = self._of()
        self._running = {step.id: step for step in plan.steps}
        asking = [
            step.step for step in admission.steps if step.refusal is None and context.asks(step.step, step.objects)
        ]
        self._sizes = (max(len(step.id) for step in plan.steps), max(len(step.capability) for step in plan.steps))
        if self._verbose or (asking and self._ask):
            from plantwin.surfaces.render import session as view

            title = "Plan" if self._plans == 1 else f"Plan {self._plans}"
            self._screen.print(view.heading(title, view.total(admission)))
            asked = [step.id for step in asking]
            self._screen.print(view.plan(admission, self._of().names, context.standing(), asked))
        if self._only_plan:
            return frozenset()
        super().planned(plan, admission)
        left_out = self._decided(plan, asking)
        if self._verbose:
            from plantwin.surfaces.render import session as view

            self._screen.print(view.heading("Steps", SKIP if self._ask else ""))
        return left_out

    def deciding(self, step: Step) -> None:
        """A step begins."""
        self._started = time.perf_counter()
        self._wait(self._called(step.id))

    def decided(self, step: Step, verdict: Verdict) -> None:
        """A step is over."""
        self._wait(None)
        if not self._verbose:
            return
        from plantwin.surfaces.render import session as view

        taken = time.perf_counter() - self._started
        self._screen.print(view.verdict(step, verdict, taken, self._of().names, self._sizes))

    def _called(self, id_: str) -> str:
        """What a step is called while it runs."""
        step = self._running.get(id_)
        return f"{id_} {called(step.capability, self._of().names)}" if step else id_

    def _advanced(self, id_: str, done: int, total: int) -> None:
        """A step over a set has come so far."""
        if self._spinner is not None:
            self._spinner.stop()
            self._spinner = None
        self._progress(id_, done, total)

    def pause(self) -> None:
        """Nothing moves while a person is asked."""
        self._wait(None)

    def _decided(self, plan: Plan, asking: list[Step]) -> frozenset[str]:
        """Steps to leave out, as the person says once for the whole plan."""
        approver = self._approver
        if not self._ask or not isinstance(approver, Terminal) or not asking:
            return frozenset()
        approver.decide((), True)
        write_line()
        write_line(f"  {plural(len(asking), 'step needs', 'steps need')} your approval.")
        while True:
            try:
                answer = input(f"  {WHOLE}").strip().lower()
            except EOFError:
                write_line()
                answer = "n"
            if answer in ("s", "y", "yes", "n", "no"):
                if answer != "s":
                    approver.decide(asking, answer in ("y", "yes"))
                return frozenset()
            numbers = _numbers(answer, len(plan.steps))
            if numbers:
                left = frozenset(plan.steps[number - 1].id for number in numbers)
                approver.decide([step for step in asking if step.id not in left], True)
                return left
            write_line(f"  Numbers are those in the list, from 1 to {len(plan.steps)}.")

    def _prices(self, envelopes: Sequence[Released]) -> list[int | None]:
        """What each cost: a registration tells kinds and what sets are, a request the rest; results are paid for."""
        if len(envelopes) < 2:
            return [None] * len(envelopes)
        costs = self._of().costs()
        kinds = sum(cost for unit, cost in costs if unit.startswith(REGISTERED))
        return [kinds, sum(cost for _, cost in costs) - kinds]

    def _of(self) -> SessionContext:
        if self.context is None:
            raise Stopped
        return self.context

    def _wait(self, what: str | None) -> None:
        """Say on stderr what is waited for, or stop saying it."""
        self._progress.stop()
        if self._spinner is not None:
            self._spinner.stop()
        self._spinner = Spinner(what).start() if what else None

    def close(self) -> None:
        """Take everything that moves off the screen."""
        self._wait(None)
        super().close()


def _numbers(answer: str, most: int) -> list[int]:
    """Numbers of steps, or nothing where one of them is none."""
    found = answer.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and 0 < int(word[:9]) <= most for word in found):
        return []
    return [int(word) for word in found]
