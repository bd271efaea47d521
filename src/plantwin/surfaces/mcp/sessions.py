"""Sessions of agents: each runs in a thread of its own and is reported to the person when it ends."""

from __future__ import annotations

import getpass
import os
import secrets
import shlex
import threading
import time
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from msgspec.structs import replace

from plantwin.boundary.release import Released
from plantwin.cloud.agent import AgentPlanner
from plantwin.cloud.answer import decode_plan
from plantwin.cloud.planner import outbound
from plantwin.cloud.skill import Skill
from plantwin.config.settings import Settings, load_settings
from plantwin.errors import AnswerError, PlanTwinError
from plantwin.events import Silent
from plantwin.private.capabilities import catalog
from plantwin.private.queue import ApprovalQueue, QueueApprover
from plantwin.private.report.session import write
from plantwin.session import run
from plantwin.session_context import SessionContext
from plantwin.surfaces.cli.asking import Spelled
from plantwin.surfaces.cli.output import note
from plantwin.surfaces.render.text import printable
from plantwin.types.approval import Answer, Cause, Question
from plantwin.types.envelope import MAX_TURNS
from plantwin.vocabulary import CapabilityName, Kind
from plantwin.workspace import Workspace

MOST_SESSIONS = 4
"""Sessions of one server at a time: an agent that floods waits for itself."""
GRACE = 5.0
"""Seconds that a session has to report when the server stops."""
IDLE_SECONDS = 1800.0
"""How long an agent may think about a turn."""
ABANDONED = 300.0
"""Seconds without a call after which a session makes room for a new one: a client that went away ends none."""
NOTHING_MORE = b'{"steps":[]}'
"""The plan by which a planner ends a session."""
WORDLESS = """\
Words of your goal choose the kind of work alone: they are held against no name and no content, so nothing can be \
looked up by a word. Choose by sets, narrow them with `where`, and go on with parts of results.

"""
SEARCHES = frozenset({CapabilityName.FIND_CODE, CapabilityName.QUERY_DATA})
"""What looks for words of the request, and fails where there are none."""

State = Literal["plan_wanted", "over", "busy", "refused", "unknown_session"]


class Folder(NamedTuple):
    """What every session of a server works on, and for whom."""

    root: str | os.PathLike[str]
    settings: Settings
    state: str | os.PathLike[str] | None
    audience: str
    """The provider of the agent's model, who learns what it hears."""
    names: bool = False
    """Whether words of the agent's goal may name files: then it can try whether a name exists."""
    patience: float = 45.0
    """Seconds that a step waits for a person: clients give a call up after a minute."""

    @classmethod
    def of(
        cls,
        root: str | os.PathLike[str],
        audience: str,
        *,
        settings: Settings | None = None,
        state: str | os.PathLike[str] | None = None,
        names: bool = False,
    ) -> Folder:
        """Return the folder as the person's configuration, or the given one, has it."""
        chosen = settings or load_settings()
        return cls(root, chosen, state, chosen.audience(audience).name, names)

    def __repr__(self) -> str:
        return "<Folder private>"

    @property
    def elicits(self) -> bool:
        """Whether what the client answers counts as a person's word, as the person's configuration says."""
        return self.audience in self.settings.approval.clients

    @property
    def guide(self) -> str:
        """The text that teaches a model the twin, the capabilities and the plan. It holds nothing of the folder."""
        known = catalog(self.settings.session.catalog)
        able = {word: one for word, one in known.items() if self.names or one.name not in SEARCHES}
        return ("" if self.names else WORDLESS) + Skill(able, set(Kind)).text

    def workspace(self, goal: str, agreed: Collection[str] = ()) -> Workspace:
        """Open the folder for one session. Questions to a person wait in the queue of `plantwin approvals`.

        `agreed`: ids of steps that the client's person has agreed to, where their answer counts.
        """
        limits = replace(self.settings.limits, max_turns=MAX_TURNS, planner_seconds=IDLE_SECONDS)
        approval = replace(self.settings.approval, lifetime=min(self.settings.approval.lifetime, self.patience))
        made = Workspace(
            self.root,
            settings=replace(self.settings, limits=limits, approval=approval),
            state=self.state,
            # The agent knows its own words: none need cross.
            goal_mode="intent",
            planner_goal=not self.names,
        )
        about = {
            "goal": goal,
            "folder": str(made.environment.root),
            "requester": f"agent {self.audience}, process {os.getpid()} of {getpass.getuser()}",
        }
        approvals = ApprovalQueue(made.state.subfolder("approvals") / "queue.db")
        made.approver = Waiting(QueueApprover(approvals, Spelled(made.names), about=about), agreed)
        return made


class Told(NamedTuple):
    """What an agent hears: one of a few fixed words, and envelopes that the ledger holds."""

    state: State
    envelopes: tuple[bytes, ...] = ()

    @property
    def text(self) -> str:
        """The same as text for a model: envelopes line by line, or the word."""
        return "\n".join(data.decode("ascii") for data in self.envelopes) or f'{{"state":"{self.state}"}}'


class Waiting:
    """Asks a person about steps that act. What the policy would ask about members of a set is left out unasked.

    An agent asks about whole sets again and again: to wait each time for the few files that a policy keeps would make
    it wait for nothing. What was left out is in the report.
    """

    def __init__(self, queue: QueueApprover, agreed: Collection[str] = ()) -> None:
        self._queue, self._agreed = queue, agreed

    def ask(self, question: Question) -> Answer | None:
        """Wait for a person, unless nothing but the policy asks, or they have agreed at the client.

        At the client nobody hears that it is not sure which object is meant.
        """
        if set(question.causes) == {Cause.POLICY}:
            return None
        if question.step.id in self._agreed and Cause.UNSURE not in question.causes:
            return Answer(question.digest, True)
        return self._queue.ask(question)


class _Began(Silent):
    context: SessionContext | None = None

    def began(self, context: SessionContext) -> None:
        """Keep it: plans are checked and budgets told between two turns."""
        self.context = context


class AgentSession:
    """One goal of an agent, from its opening to its report."""

    def __init__(self, folder: Folder, goal: str) -> None:
        self.id = f"session_{secrets.token_hex(8)}"
        self._folder, self._goal = folder, goal
        self._planner = AgentPlanner(folder.audience)
        self._watcher = _Began()
        self._lock = threading.Lock()
        self._over = False
        self._heard: list[bytes] = []
        self._besides: list[Released] = []
        self._agreed: set[str] = set()
        self._turns = MAX_TURNS
        self.used = time.monotonic()
        """When the agent last called."""
        self._thread = threading.Thread(target=self._work, name=self.id, daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<AgentSession {self.id}>"

    def _work(self) -> None:
        """Run the session; however it ends, the agent is told no more than that it did."""
        try:
            workspace = self._folder.workspace(self._goal, self._agreed)
            try:
                done = run(self._goal, workspace, self._planner, self._watcher)
                done.outbound += self._besides
                write(done, workspace.state.subfolder("reports"))
                shown = shlex.join(["plantwin", "report", str(workspace.environment.root)])
                note(f"A session of the agent has ended: `{printable(shown)}` shows what was found.")
            finally:
                workspace.close()
        except PlanTwinError as error:
            # For the person alone: errors hold codes and no content, and the agent does not read this stream.
            note(f"plantwin: {printable(str(error))}")
        finally:
            self._planner.close()

    def opening(self) -> Told:
        """Return the first envelopes; none where nothing may be told."""
        return self._alone(self._next)

    def submit(self, answer: bytes, agreed: Collection[str] = ()) -> Told:
        """Hand a plan in and return what became of it. `agreed`: steps that the client's person agrees to."""

        def work() -> Told:
            self._agreed.clear()
            self._agreed.update(agreed)
            self._planner.answer(answer)
            return self._next()

        return self._alone(work)

    def check(self, answer: bytes) -> Told:
        """Say of a plan what its planner can see to be wrong with it, or what its steps can cost. It is not run."""

        def checked(context: SessionContext) -> Released:
            gatekeeper, release = context.gatekeeper, context.release
            try:
                plan = decode_plan(answer, gatekeeper.steps)
            except AnswerError as error:
                return release.repair(error.code, error.step)
            wrong = gatekeeper.admit(plan).repairable
            return release.repair(*wrong) if wrong else release.prices(self._turns, gatekeeper.prices(plan))

        return self._alone(lambda: self._beside(checked))

    def budget(self) -> Told:
        """Say how much is left to tell of each set, which is charged."""
        return self._alone(lambda: self._beside(lambda context: context.release.budget(self._turns)))

    def heard(self) -> Told:
        """Everything that was told so far, once more: a client may have lost an answer."""
        state: State = "over" if self._over else "busy" if self._lock.locked() else "plan_wanted"
        return Told(state, tuple(self._heard))

    def _alone(self, work: Callable[[], Told]) -> Told:
        """One call at a time: others are told to wait, and cannot pile up."""
        if not self._lock.acquire(blocking=False):
            return Told("busy")
        try:
            self.used = time.monotonic()
            return Told("over") if self._over else work()
        except PlanTwinError as error:
            note(f"plantwin: {printable(str(error))}")
            return Told("refused")
        finally:
            self.used = time.monotonic()
            self._lock.release()

    def _beside(self, make: Callable[[SessionContext], Released]) -> Told:
        """Tell an envelope between two turns: the session waits for the agent's plan meanwhile. It counts as a turn."""
        context = self._watcher.context
        if context is None:
            return Told("refused")
        context.release.turn()
        envelope = make(context)
        self._besides.append(envelope)
        return self._tell((outbound(envelope),))

    def _next(self) -> Told:
        told = self._planner.told()
        if told is None:
            self._over = True
            return Told("over")
        self._turns -= any(b'"message":"results"' in data for data in told)
        return self._tell(told)

    def _tell(self, envelopes: tuple[bytes, ...]) -> Told:
        self._heard += envelopes
        return Told("plan_wanted", envelopes)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self._over

    @property
    def abandoned(self) -> bool:
        """Whether nobody has called for long, and nothing is being carried out."""
        return not self._lock.locked() and time.monotonic() - self.used > ABANDONED

    def end(self) -> Told:
        """End it as the agent wants, once the plan that is being carried out is; what was done is reported."""
        return self._end(NOTHING_MORE, None)

    def leave(self, seconds: float) -> Told:
        """End a session whose agent went away; what was done is reported. Wait at most so long."""
        return self._end(None, seconds)

    def _end(self, answer: bytes | None, seconds: float | None) -> Told:
        alone = self._lock.acquire(timeout=-1 if seconds is None else seconds)
        self._planner.answer(answer)
        self._thread.join(seconds)
        self._over = True
        if alone:
            self._lock.release()
        return Told("over")


class Sessions:
    """The sessions of one server, by id."""

    def __init__(self, folder: Folder, begin: Callable[[Folder, str], AgentSession] = AgentSession) -> None:
        self.folder, self._begin = folder, begin
        self._open: dict[str, AgentSession] = {}
        self._lock = threading.Lock()

    def begin(self, goal: str) -> AgentSession | None:
        """Begin a session; None where too many are open."""
        left = None
        with self._lock:
            self._open = {id_: session for id_, session in self._open.items() if not session.over}
            if len(self._open) >= MOST_SESSIONS:
                left = min(self._open.values(), key=lambda session: session.used)
                if not left.abandoned:
                    return None
                del self._open[left.id]
            session = self._begin(self.folder, goal)
            self._open[session.id] = session
        if left is not None:
            left.leave(GRACE)
        return session

    def get(self, id_: str) -> AgentSession | None:
        """Return an open session."""
        with self._lock:
            return self._open.get(id_)

    def close(self) -> None:
        """End every session, so that each is reported; one that is still at work is left behind."""
        with self._lock:
            sessions, self._open = list(self._open.values()), {}
        for session in sessions:
            session.leave(GRACE)
