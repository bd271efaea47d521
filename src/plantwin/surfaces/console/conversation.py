"""One goal on the page: what would be sent, the person's word on it, the plan, its steps as they run, the answer."""

from __future__ import annotations

import getpass
import json
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from plantwin.boundary.release import Released
from plantwin.cloud.planner import reach, sends
from plantwin.errors import PlanTwinError
from plantwin.events import Silent, Stopped
from plantwin.private.facts import Private
from plantwin.private.queue import QueueApprover
from plantwin.private.report.session import write
from plantwin.private.report.wording import called, input_words, reason, state, told
from plantwin.run import Run
from plantwin.session import run
from plantwin.session_context import SessionContext, names_of
from plantwin.surfaces.cli.asking import CAUSES, Spelled
from plantwin.surfaces.cli.preview import Preview, previewed
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.sessions import not_here
from plantwin.surfaces.console.folder import Folder
from plantwin.surfaces.render.session import price, total
from plantwin.text import printable
from plantwin.types.approval import Answer, Cause, Question
from plantwin.types.plan import Plan, Step, source_of
from plantwin.types.policy import Ruling
from plantwin.types.verdict import Admission, Priced, Verdict
from plantwin.vocabulary import Risk
from plantwin.workspace import Workspace

PATIENCE: Final = 1800.0
"""Seconds that a preview waits for a person."""
_id = re.compile(r"\b(?:artifact|set|component|custom)_[a-z2-7]{8}\b")


@dataclass(repr=False)
class StepView(Private):
    """A step as the page shows it, with real names."""

    id: str
    what: str
    on: list[str]
    files: list[str]
    price: str
    causes: list[str] = field(default_factory=list)
    """Why the person is asked; empty where they are not."""
    refusal: str = ""
    state: str = "waits"
    became: str = ""
    progress: tuple[int, int] = (0, 0)
    seconds: float = 0.0


@dataclass(repr=False)
class Turn(Private):
    """A plan and its steps."""

    number: int
    steps: list[StepView]
    total: str
    waits: bool = False
    """Whether the person has to decide about it."""


class PlanApprover(Private):
    """Answers for the steps that the person decided about with the whole plan; asks the queue about others."""

    manner = "console"

    def __init__(self, queue: QueueApprover, told: Callable[[Step], None]) -> None:
        """`told`: called with a step before the queue is asked about it."""
        self._queue, self._told = queue, told
        self.decided: dict[Step, bool] = {}

    def ask(self, question: Question) -> Answer | None:
        """Answer, or wait for a person in the console or at a terminal."""
        known = self.decided.pop(question.step, None)
        if known is not None:
            return Answer(question.digest, known)
        self._told(question.step)
        return self._queue.ask(question)


@dataclass(repr=False)
class Conversation(Silent, Private):
    """One goal, worked on in a thread of its own, and what its page shows."""

    folder: Folder
    goal: str
    planner: str
    mode: str | None
    look_first: bool
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    began_at: float = field(default_factory=time.time)
    state: str = "observing"
    """`observing`, `preview`, `changed`, `planning`, `plan`, `running`, `done`, `stopped` or `failed`."""
    revision: int = 0
    """Counts every change, for those who follow."""
    preview: Preview | None = None
    turns: list[Turn] = field(default_factory=list)
    sent: int = 0
    """Envelopes handed to the planner so far."""
    run: Run | None = None
    absent: list[str] = field(default_factory=list)
    error: str = ""
    notice: str = ""
    question: str = ""
    """The id of the step that waits for a person."""
    files: list[str] = field(default_factory=list)
    """The members of sets that this step is asked about."""
    context: SessionContext | None = None
    sends: bool = False
    reach: str = ""

    def __post_init__(self) -> None:
        self._change = threading.Condition()
        self._word: Any = None
        self._left = False
        self._asked: dict[str, Step] = {}
        self._started = 0.0
        self._approver: PlanApprover | None = None
        self._thread = threading.Thread(target=self._work, name=f"ask-{self.id}", daemon=True)

    def start(self) -> Conversation:
        """Begin."""
        self._thread.start()
        return self

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state in ("done", "stopped", "failed")

    def say(self, word: Any, of: Collection[str]) -> bool:
        """Hand in the person's word, where one of these states waits for it."""
        with self._change:
            if self.state not in of or self._word is not None:
                return False
            self._word = word
            self._change.notify_all()
            return True

    def stop(self) -> None:
        """End it after what is being done now; what was done is kept."""
        with self._change:
            self._left = True
            self._change.notify_all()

    def join(self, seconds: float) -> None:
        """Wait for its end."""
        self._thread.join(seconds)

    def _set(self, state: str) -> None:
        with self._change:
            self.state = state
            self.revision += 1
            self._change.notify_all()

    def _wait(self, state: str, seconds: float) -> Any:
        """Wait for the person; None where they left or took too long."""
        with self._change:
            self._word = None
        self._set(state)
        with self._change:
            self._change.wait_for(lambda: self._left or self._word is not None, seconds)
            word, self._word = self._word, None
        return None if self._left else word

    # the thread of the session

    def _work(self) -> None:
        try:
            if not self._agreed():
                self._set("stopped")
                return
            workspace = self.folder.workspace(goal_mode=self.mode)
            try:
                self._run(workspace)
            finally:
                workspace.close()
        except PlanTwinError as error:
            # Our own errors hold codes and no content.
            self.error = str(error)
            self._set("failed")
        except Exception as error:
            self.error = f"an unexpected error ended it ({type(error).__name__})"
            self._set("failed")
            raise
        finally:
            self.context = None
            self.folder.look()

    def _agreed(self) -> bool:
        """Show what would be sent where that is wanted or anything is sent; whether the person agrees."""
        workspace = self.folder.workspace(goal_mode=self.mode, rehearse=True)
        try:
            planner = self.folder.registry(workspace, keyless=True).planner(self.planner)
            self.sends, self.reach = sends(planner), reach(planner)
            trusted = getattr(planner, "trusted", False)
            if not self.look_first and (not self.sends or trusted):
                return True
            self.preview = previewed(self.goal, workspace, planner, Bar())
        finally:
            workspace.close()
        return self._wait("preview", PATIENCE) is True

    def _run(self, workspace: Workspace) -> None:
        self._set("observing")
        about = {
            "goal": self.goal,
            "folder": str(workspace.environment.root),
            "requester": f"console, process {os.getpid()} of {getpass.getuser()}",
        }
        with self.folder.queue() as queue:
            asking = QueueApprover(queue, Spelled(workspace.names), told=self._waits, about=about)
            self._approver = workspace.approver = PlanApprover(asking, lambda step: self._name_files(step, workspace))
            planner = self.folder.registry(workspace).planner(self.planner)
            try:
                done = run(self.goal, workspace, planner, self)
            finally:
                getattr(planner, "close", lambda: None)()
        self.absent = not_here(self.context, done.read_as or self.goal)
        write(done, workspace.state.subfolder("reports"))
        self.run = done
        self._set("stopped" if done.ending == "stopped" else "failed" if done.error else "done")

    def began(self, context: SessionContext) -> None:
        """Keep what it works with."""
        self.context = context
        context.executor.progress = self._advanced
        if why := context.executor.unsandboxed_reason:
            self.notice = f"No sandbox: {why}."
        self._set("planning")

    def sending(self, envelopes: Sequence[Released]) -> None:
        """Send what the person has seen; what differs from that is shown first."""
        self._need_here()
        if self.preview is not None and not self.sent:
            draft = [envelope.data for envelope in envelopes]
            if shape(draft) != shape([envelope.data for envelope in self.preview.envelopes]):
                self.preview = self.preview._replace(envelopes=tuple(envelopes))
                self.notice = "What would be sent has changed since you looked: these are the envelopes now."
                if self._wait("changed", PATIENCE) is not True:
                    raise Stopped
        self.sent += len(envelopes)
        self._set("planning")

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        """Show the plan; where a step needs a person, ask once for all of it."""
        self._need_here()
        context = self._of()
        context.name_sets()
        views = [self._viewed(context, priced) for priced in admission.steps]
        waits = any(view.causes for view in views)
        self.turns.append(Turn(len(self.turns) + 1, views, total(admission), waits))
        self._asked = {step.id: step for step, view in zip(plan.steps, views, strict=True) if view.causes}
        if not waits:
            self._set("running")
            return frozenset()
        word = self._wait("plan", self.folder.settings.approval.lifetime)
        self.turns[-1].waits = False
        self._need_here()
        if self._approver is not None:
            self._approver.decided = {} if word == "singly" else dict.fromkeys(self._asked.values(), False)
        if isinstance(word, frozenset) and self._approver is not None:
            self._approver.decided |= {step: True for id_, step in self._asked.items() if id_ in word}
        self._set("running")
        chosen = word if isinstance(word, frozenset) else None
        return frozenset(one.id for one in plan.steps if chosen is not None and one.id not in chosen)

    def deciding(self, step: Step) -> None:
        """A step begins."""
        self._need_here()
        self._started = time.perf_counter()
        self._view(step.id).state = "running"
        self._set("running")

    def decided(self, step: Step, verdict: Verdict) -> None:
        """A step is over."""
        self.question = ""
        view = self._view(step.id)
        view.state, view.seconds = state(verdict), time.perf_counter() - self._started
        view.became = printable(reason(verdict, self._of().names)) or f"told to the planner: {told(verdict.outcome)}"
        self._set("running")

    def _name_files(self, step: Step, workspace: Workspace) -> None:
        """Find out which members of its sets a person is asked about."""
        context = self._of()
        capability = context.catalog[step.capability]
        always = capability.approval or capability.risk is Risk.HIGH
        sets = [id_ for name in step.inputs if (id_ := source_of(name)) in context.release.sets]
        self.files = [
            printable(name)
            for record in (record for id_ in sets for record in context.members(id_))
            if always or context.authority.rule(capability, workspace.subject(record)).ruling is Ruling.ASK
            for name in names_of([record])
        ]

    def _waits(self, question: str) -> None:
        self.question = question
        self._set("running")

    def _advanced(self, id_: str, done: int, total: int) -> None:
        self._view(id_).progress = done, total
        self.revision += 1

    def _view(self, id_: str) -> StepView:
        return next(view for view in self.turns[-1].steps if view.id == id_)

    def _viewed(self, context: SessionContext, priced: Priced) -> StepView:
        step, names = priced.step, context.names
        asks = priced.refusal is None and context.asks(step, priced.objects)
        sets = [id_ for name in step.inputs if (id_ := source_of(name)) in context.release.sets]
        return StepView(
            step.id,
            called(step.capability, names),
            [printable(input_words(name, names)) for name in step.inputs],
            [printable(name) for id_ in sets for name in names_of(context.members(id_)[:200])],
            price(priced, names, context.standing()),
            _causes(context, priced) if asks else [],
            *((printable(reason(priced.refusal, names)), "refused") if priced.refusal is not None else ()),
        )

    def _need_here(self) -> None:
        if self._left:
            raise Stopped

    def _of(self) -> SessionContext:
        if self.context is None:
            raise Stopped
        return self.context


def _causes(context: SessionContext, priced: Priced) -> list[str]:
    """Why a person is asked about a step, with the rules of the policy that ask."""
    capability, step = context.catalog[priced.step.capability], priced.step
    rulings = context.rulings(step.capability, priced.objects).values()
    rules = sorted({ruling.policy for ruling in rulings if ruling.ruling is Ruling.ASK})
    unsure = any(context.release.shown[id_].subject.unsure for id_ in priced.objects if id_ in context.release.shown)
    holds = {
        Cause.CAPABILITY: capability.approval,
        Cause.RISK: capability.risk is Risk.HIGH,
        Cause.PLANNER: step.policy.human_approval,
        Cause.UNSURE: unsure,
    }
    said = [CAUSES[cause] for cause, so in holds.items() if so]
    return said + ([f"{CAUSES[Cause.POLICY]} ({', '.join(rules)})"] if rules else [])


def shape(envelopes: Sequence[bytes]) -> str:
    """What envelopes say, whatever the ids of their session and the order that follows from these."""
    return json.dumps([_ordered(json.loads(_id.sub("*", data.decode("ascii")))) for data in envelopes])


def _ordered(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: tree[name] if name == "text" else _ordered(tree[name]) for name in sorted(tree)}
    return sorted(map(_ordered, tree), key=json.dumps) if isinstance(tree, list) else tree
