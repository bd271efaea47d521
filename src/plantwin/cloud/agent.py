"""An agent as the planner: it calls, where other planners are asked.

A session asks its planner and waits for the answer. An agent behind a protocol works the other way round: it calls for
the twin and hands plans in. This planner turns one into the other: a turn of the session waits until the agent has
answered, and the agent waits until the session has something to tell. It hands out recorded envelopes alone.
"""

from __future__ import annotations

import queue
from collections.abc import Sequence

from plantwin.boundary.release import Released
from plantwin.cloud.planner import outbound
from plantwin.errors import PlannerError


class AgentPlanner:
    """One session's end of the line to an agent."""

    locality = "remote"
    sends = True

    def __init__(self, audience: str) -> None:
        self.name = f"mcp:{audience}"
        self.audience = audience
        self._told: queue.SimpleQueue[tuple[bytes, ...] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def __repr__(self) -> str:
        return f"<AgentPlanner {self.audience}>"

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Hand the envelopes of this turn to the agent and wait for its answer. Called by the session."""
        self._told.put(tuple(outbound(envelope) for envelope in envelopes))
        answer = self._answers.get()
        if answer is None:
            raise PlannerError("the agent went away without ending the session")
        return answer

    def close(self) -> None:
        """Tell the agent that nothing more will come. Called when the session is over."""
        self._told.put(None)

    def told(self) -> tuple[bytes, ...] | None:
        """Wait for what the session tells next; None when it is over. Called for the agent."""
        return self._told.get()

    def answer(self, data: bytes | None) -> None:
        """Hand in an answer, or None where the agent has gone. Called for the agent."""
        self._answers.put(data)
