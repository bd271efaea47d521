"""Sessions of agents: each runs in a thread of its own and is reported to the person when it ends."""

from __future__ import annotations

import getpass
import os
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from plantwin.cloud.agent import AgentPlanner
from plantwin.config.settings import Settings
from plantwin.errors import PlanTwinError
from plantwin.private.queue import ApprovalQueue, QueueApprover
from plantwin.private.report.session import write
from plantwin.session import run
from plantwin.surfaces.cli.asking import Spelled
from plantwin.surfaces.cli.output import note
from plantwin.surfaces.render.text import printable
from plantwin.types.approval import Answer, Cause, Question
from plantwin.types.envelope import MAX_TURNS
from plantwin.workspace import Workspace

MOST_SESSIONS = 4
"""Sessions of one server at a time: an agent that floods waits for itself."""
GRACE = 5.0
"""Seconds that a session has to report when the server stops."""
IDLE_SECONDS = 1800.0
"""How long an agent may think about a turn."""


class Folder(NamedTuple):
    """What every session of a server works on, and for whom."""

    root: Path
    settings: Settings
    state: Path | None
    audience: str
    names: bool = False
    """Whether words of the agent's goal may name files: then it can try whether a name exists."""
    patience: float = 45.0
    """Seconds that a step waits for a person: clients give a call up after a minute."""

    def __repr__(self) -> str:
        return "<Folder private>"

    def workspace(self, goal: str) -> Workspace:
        """Open the folder for one session. Questions to a person wait in the queue of `plantwin approvals`."""
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
        made.approver = Waiting(QueueApprover(approvals, Spelled(made.names), about=about))
        return made


class Waiting:
    """Asks a person about steps that act. What the policy would ask about members of a set is left out unasked.

    An agent asks about whole sets again and again: to wait each time for the few files that a policy keeps would make
    it wait for nothing. What was left out is in the report.
    """

    def __init__(self, queue: QueueApprover) -> None:
        self._queue = queue

    def ask(self, question: Question) -> Answer | None:
        """Wait for a person, unless nothing but the policy asks."""
        return None if set(question.causes) == {Cause.POLICY} else self._queue.ask(question)


class AgentSession:
    """One goal of an agent, from its opening to its report."""

    def __init__(self, folder: Folder, goal: str) -> None:
        self.id = f"session_{secrets.token_hex(8)}"
        self._folder, self._goal = folder, goal
        self._planner = AgentPlanner(folder.audience)
        self._lock = threading.Lock()
        self._over = False
        self._thread = threading.Thread(target=self._work, name=self.id, daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<AgentSession {self.id}>"

    def _work(self) -> None:
        """Run the session; however it ends, the agent is told no more than that it did."""
        try:
            workspace = self._folder.workspace(self._goal)
            try:
                done = run(self._goal, workspace, self._planner)
                write(done, workspace.state.subfolder("reports"))
                note("A session of the agent has ended: `plantwin report` shows what was found.")
            finally:
                workspace.close()
        except PlanTwinError as error:
            # For the person alone: errors hold codes and no content, and the agent does not read this stream.
            note(f"plantwin: {printable(str(error))}")
        finally:
            self._planner.close()

    def opening(self) -> tuple[bytes, ...] | None:
        """Return the first envelopes; None where nothing may be told."""
        return self._next()

    def submit(self, answer: bytes) -> tuple[bytes, ...] | None:
        """Hand a plan in and return what became of it; None when the session is over."""
        with self._lock:
            if self._over:
                return None
            self._planner.answer(answer)
            return self._next()

    def _next(self) -> tuple[bytes, ...] | None:
        told = self._planner.told()
        self._over = told is None
        return told

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self._over

    def end(self, seconds: float | None = None) -> None:
        """End it once the plan that is being carried out is; what was done is reported. Wait at most so long."""
        self._planner.answer(None)
        self._thread.join(seconds)
        self._over = True


class Sessions:
    """The sessions of one server, by id."""

    def __init__(self, folder: Folder, begin: Callable[[Folder, str], AgentSession] = AgentSession) -> None:
        self._folder, self._begin = folder, begin
        self._open: dict[str, AgentSession] = {}
        self._lock = threading.Lock()

    def begin(self, goal: str) -> AgentSession | None:
        """Begin a session; None where too many are open."""
        with self._lock:
            self._open = {id_: session for id_, session in self._open.items() if not session.over}
            if len(self._open) >= MOST_SESSIONS:
                return None
            session = self._begin(self._folder, goal)
            self._open[session.id] = session
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
            session.end(GRACE)
