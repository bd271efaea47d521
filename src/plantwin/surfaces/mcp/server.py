"""The MCP server: tools by which an agent sees the twin, hands plans in and hears outcomes.

Everything that an agent hears is an envelope that the ledger holds, byte for byte, or one of a few fixed words. The
full result is for the person: `plantwin report`. What needs a person waits in `plantwin approvals`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any, Literal

import anyio
from mcp.server import MCPServer
from mcp.types import CallToolResult, ContentBlock, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from plantwin.cloud.skill import Skill
from plantwin.surfaces.mcp.sessions import Folder, Sessions
from plantwin.types.schema import wire_schema
from plantwin.vocabulary import Dimension, Kind

MAX_GOAL = 4000
"""Characters of a goal at most, as of one that a person types."""
SessionId = Annotated[str, Field(max_length=40, description="As begin_session returned it.")]
Steps = Annotated[
    list[dict[str, Any]],
    Field(
        max_length=64,
        description="Steps of a plan: id, capability, inputs (ids of sets and objects, steps, parts of results such as "
        "s1.affected), and `by` for a split. An empty list ends the session.",
    ),
]
INSTRUCTIONS = """\
You work on a private folder that you cannot read. begin_session says what you want to find out and returns the \
folder's twin: sets of files in closed words. submit_plan runs steps on the real files and returns bucketed outcomes; \
the person gets the full report. The prompt `plan_with_plantwin` teaches the words, the capabilities and how to spend \
little. \
Refusals are final. Never ask the person to paste files: they chose not to show them."""


class Reply(BaseModel):
    """What every tool returns."""

    state: Literal["plan_wanted", "over", "busy", "unknown_session"]
    """`plan_wanted`: hand a plan in. `over`: the session has ended. `busy`: end another session first."""
    session: str = ""
    messages: list[dict[str, Any]] = []
    """Envelopes, as the wire's schema describes them (resource plantwin://schema)."""


def server(folder: Folder, skill: Callable[[], Skill]) -> MCPServer[Any]:
    """Return a server for one folder and one audience."""
    sessions = Sessions(folder)

    @asynccontextmanager
    async def lifespan(_: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            # An agent that goes away midway ends its sessions: what was done is reported.
            await anyio.to_thread.run_sync(sessions.close)

    made: MCPServer[Any] = MCPServer("plantwin", instructions=INSTRUCTIONS, lifespan=lifespan, log_level="ERROR")
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)

    @made.tool(annotations=reading)
    async def begin_session(
        goal: Annotated[str, Field(min_length=1, max_length=MAX_GOAL, description="What you want to find out.")],
    ) -> Annotated[CallToolResult, Reply]:
        """Begin a session about a goal, and see the folder as sets of files in closed words."""
        session = await anyio.to_thread.run_sync(sessions.begin, goal)
        if session is None:
            return _reply("busy")
        return _told(session.id, await anyio.to_thread.run_sync(session.opening, abandon_on_cancel=True))

    @made.tool(annotations=reading)
    async def submit_plan(session: SessionId, steps: Steps) -> Annotated[CallToolResult, Reply]:
        """Check the steps, run those that are permitted on the real files, and hear what became of each."""
        return await _submit(session, {"steps": steps})

    @made.tool(annotations=reading)
    async def split_set(
        session: SessionId,
        set_id: Annotated[str, Field(max_length=40, description="The set to divide.")],
        by: Annotated[str, Field(max_length=40, description=f"Along what: {', '.join(Dimension)}.")],
    ) -> Annotated[CallToolResult, Reply]:
        """Divide a set into smaller ones along one dimension, at the price of what that tells."""
        step = {"id": "split", "capability": "split", "inputs": [set_id], "by": by}
        return await _submit(session, {"steps": [step]})

    @made.tool(annotations=reading)
    async def end_session(session: SessionId) -> Annotated[CallToolResult, Reply]:
        """End a session. The person gets a report of everything that was found."""
        found = sessions.get(session)
        if found is None:
            return _reply("unknown_session")
        await anyio.to_thread.run_sync(found.end)
        return _reply("over", session)

    @made.prompt(title="How to plan with PlanTwin")
    def plan_with_plantwin() -> str:
        """Teach the twin, the capabilities and the plan. It holds nothing of the folder."""
        return skill().text

    @made.resource("plantwin://schema", mime_type="application/schema+json", title="The wire's JSON Schema")
    def schema() -> str:
        """Everything that can ever be told, with its capacity in bits."""
        return json.dumps(wire_schema())

    async def _submit(session: str, plan: dict[str, Any]) -> CallToolResult:
        found = sessions.get(session)
        if found is None:
            return _reply("unknown_session")
        answer = json.dumps(plan).encode()
        return _told(session, await anyio.to_thread.run_sync(partial(found.submit, answer), abandon_on_cancel=True))

    return made


def _told(session: str, envelopes: tuple[bytes, ...] | None) -> CallToolResult:
    return _reply("over", session) if envelopes is None else _reply("plan_wanted", session, envelopes)


def _reply(
    state: Literal["plan_wanted", "over", "busy", "unknown_session"],
    session: str = "",
    envelopes: tuple[bytes, ...] = (),
) -> CallToolResult:
    """Every reply is made here: the envelopes as they were recorded, and fixed words."""
    reply = Reply(state=state, session=session, messages=[json.loads(data) for data in envelopes])
    texts = [data.decode("ascii") for data in envelopes] or [f'{{"state":"{state}"}}']
    content: list[ContentBlock] = [TextContent(type="text", text=text) for text in texts]
    return CallToolResult(content=content, structured_content=reply.model_dump(), is_error=state == "unknown_session")


def every_skill(catalog: Any) -> Skill:
    """Return the skill with every capability, whatever the folder holds."""
    return Skill(catalog, set(Kind))
