"""The MCP server: tools by which an agent sees the twin, hands plans in and hears outcomes.

Everything that an agent hears is an envelope that the ledger holds, byte for byte, or one of a few fixed words. The
full result is for the person: `plantwin report`. What needs a person waits in `plantwin approvals`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any, get_args

import anyio
from mcp.server import MCPServer
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.types import CallToolResult, ContentBlock, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, WithJsonSchema

from plantwin import __version__
from plantwin.private.capabilities import catalog
from plantwin.surfaces.cli.output import note
from plantwin.surfaces.mcp.sessions import AgentSession, Folder, Sessions, State, Told
from plantwin.types.envelope import WIRE_VERSION, Envelope
from plantwin.types.plan import MAX_STEPS
from plantwin.types.schema import wire_schema
from plantwin.vocabulary import CapabilityName, Dimension, Risk

MAX_GOAL = 4000
"""Characters of a goal at most, as of one that a person types."""
SessionId = Annotated[str, Field(max_length=40, description="As begin_session returned it.")]
STEP = {
    "type": "object",
    "required": ["id", "capability", "inputs"],
    "properties": {
        "id": {"type": "string", "description": "s1, s2 and so on; new in every plan of a session."},
        "capability": {
            "type": "string",
            "description": "What to do; read_guide says what each takes and returns: "
            f"{', '.join(CapabilityName)}; or one that the request offers.",
        },
        "inputs": {
            "type": "array",
            "items": {"type": ["string", "object"]},
            "description": "Ids of sets and objects, members of a set "
            '({"set": "set_…", "where": {"semantic_class": "…"}}), earlier steps (s1), and parts of their results '
            "(s1.affected, s1.worst, s1.clean).",
        },
        "by": {"enum": [*Dimension], "description": "Of `split` alone: along what."},
    },
}
"""A step, so that an agent can write one before it has read the guide. What is wrong with one, the gatekeeper says."""
Steps = Annotated[
    list[Annotated[dict[str, Any], WithJsonSchema(STEP)]],
    Field(max_length=64, description="Steps of a plan, carried out in this order. An empty list ends the session."),
]
INSTRUCTIONS = """\
You work on a private folder that you cannot read. Call read_guide first: it teaches the words, the capabilities and \
how to spend little. begin_session says what you want to find out and returns the folder's twin: sets of files in \
closed words. submit_plan runs steps on the real files and returns bucketed outcomes. Names, places and values are for \
the person alone, who reads them in the report (`plantwin report`): when you have ended the session, say what the \
outcomes mean and point to it. Refusals are final. Never ask the person to paste files: they chose not to show them."""
GUIDE = """\
You hand plans in by tools: begin_session returns the first messages, submit_plan takes the steps of a plan and \
returns results or a repair, end_session ends. check_plan and see_budget answer with a budget message: turns (plans \
that are left), the price of each step (points, at most, of each of its inputs), and what is left to tell of each set.
State busy: another call or four sessions are under way, so wait. refused: this hour's calls are spent, or a gate is \
closed; the person knows why. escalated: a person did not agree in time. partial: some inputs were not examined, and \
nothing is said of those.

"""


ENVELOPE = {
    "type": "object",
    "required": ["message", "version"],
    "properties": {
        "message": {"enum": [each.__struct_config__.tag for each in get_args(Envelope)]},
        "version": {"const": WIRE_VERSION},
    },
}
"""An envelope, in short: a whole schema at every tool would fill an agent's context. The resource has it."""


class Reply(BaseModel):
    """What every tool returns."""

    state: State
    """`plan_wanted`: hand a plan in. `over`: the session has ended. `busy`: another call, or too many sessions, are
    under way. `refused`: not possible now; why is for the person to read."""
    session: str = ""
    messages: list[Annotated[dict[str, Any], WithJsonSchema(ENVELOPE)]] = []
    """Envelopes, as the wire's schema describes them (resource plantwin://schema)."""


class Guide(BaseModel):
    """How to plan. It is the same whatever the folder holds."""

    guide: str


class Consent(BaseModel):
    """What a client is asked where its answer counts as a person's."""

    approve: bool = Field(description="Whether a person agrees that these steps run.")


async def consent(steps: Steps, ctx: Context[Sessions, Any]) -> Elicit[Consent] | Consent:
    """Ask the client about steps that a person has to agree to, where the person's configuration lets it answer."""
    folder = ctx.request_context.lifespan_context.folder
    capabilities = ctx.client_capabilities
    able = capabilities is not None and capabilities.elicitation is not None
    asked = _asked(folder, steps) if folder.elicits and able else {}
    if not asked:
        return Consent(approve=False)
    return Elicit(f"A person has to agree to what acts on the folder: {', '.join(asked.values())}. Run it?", Consent)


def _asked(folder: Folder, steps: list[dict[str, Any]]) -> dict[str, str]:
    """Steps that need a person whatever their inputs, by id: their numbers and capabilities, public words alone."""
    known = catalog(folder.settings.session.catalog)
    acting = {name for name, one in known.items() if one.approval or one.risk is Risk.HIGH}
    return {
        str(step.get("id")): f"step {number} ({step['capability']})"
        for number, step in enumerate(steps[:MAX_STEPS], 1)
        if str(step.get("capability")) in acting
    }


def server(folder: Folder) -> MCPServer[Any]:
    """Return a server for one folder and one audience."""
    sessions = Sessions(folder)

    @asynccontextmanager
    async def lifespan(_: MCPServer[Any]) -> AsyncIterator[Sessions]:
        try:
            yield sessions
        finally:
            # An agent that goes away midway ends its sessions: what was done is reported.
            await anyio.to_thread.run_sync(sessions.close)

    made: MCPServer[Any] = MCPServer(
        "plantwin", version=__version__, instructions=INSTRUCTIONS, lifespan=lifespan, log_level="ERROR"
    )
    telling = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    acting = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

    @made.tool(annotations=telling)
    def read_guide() -> Annotated[CallToolResult, Guide]:
        """Learn how to plan here: the words of the twin, every capability and what it takes. Free; read it first."""
        text = GUIDE + folder.guide
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content={"guide": text})

    @made.tool(annotations=telling)
    async def begin_session(
        goal: Annotated[str, Field(min_length=1, max_length=MAX_GOAL, description="What you want to find out.")],
    ) -> Annotated[CallToolResult, Reply]:
        """Begin a session about a goal, and see the folder as sets of files in closed words."""
        session = await anyio.to_thread.run_sync(sessions.begin, goal)
        return _reply("busy") if session is None else await _with(session, session.opening)

    @made.tool(annotations=acting)
    async def submit_plan(
        session: SessionId, steps: Steps, agreed: Annotated[ElicitationResult[Consent], Resolve(consent)]
    ) -> Annotated[CallToolResult, Reply]:
        """Check the steps, run those that are permitted on the real files, and hear what became of each."""
        yes = isinstance(agreed, AcceptedElicitation) and agreed.data.approve
        ids = _asked(folder, steps) if yes else ()  # nobody was asked about the other steps
        return await _of(session, lambda found: partial(found.submit, _plan(steps), ids))

    @made.tool(annotations=telling)
    async def check_plan(session: SessionId, steps: Steps) -> Annotated[CallToolResult, Reply]:
        """Hear what is wrong with a plan, or the most that each of its steps can cost. Nothing is run or charged."""
        return await _of(session, lambda found: partial(found.check, _plan(steps)))

    @made.tool(annotations=telling)
    async def split_set(
        session: SessionId,
        set_id: Annotated[str, Field(max_length=40, description="The set to divide.")],
        by: Annotated[str, Field(max_length=40, description=f"Along what: {', '.join(Dimension)}.")],
    ) -> Annotated[CallToolResult, Reply]:
        """Divide a set into smaller ones along one dimension, at the price of what that tells."""
        step = {"id": "split", "capability": "split", "inputs": [set_id], "by": by}
        return await _of(session, lambda found: partial(found.submit, _plan([step])))

    @made.tool(annotations=telling)
    async def see_budget(session: SessionId) -> Annotated[CallToolResult, Reply]:
        """See how many plans are left, and how much may still be told of each set: one word each, charged each time."""
        return await _of(session, lambda found: found.budget)

    @made.tool(annotations=telling)
    async def read_outcomes(session: SessionId) -> Annotated[CallToolResult, Reply]:
        """Read everything again that this session has told so far. It costs nothing."""
        return await _of(session, lambda found: found.heard)

    @made.tool(annotations=telling)
    async def end_session(session: SessionId) -> Annotated[CallToolResult, Reply]:
        """End a session. The person gets a report of everything that was found, with names and places."""
        return await _of(session, lambda found: found.end)

    @made.prompt(title="How to plan with PlanTwin")
    def plan_with_plantwin() -> str:
        """Teach the twin, the capabilities and the plan. It holds nothing of the folder."""
        return GUIDE + folder.guide

    @made.resource("plantwin://schema", mime_type="application/schema+json", title="The wire's JSON Schema")
    def schema() -> str:
        """Everything that can ever be told, with its capacity in bits."""
        return json.dumps(wire_schema())

    async def _of(session: str, call: Callable[[AgentSession], Callable[[], Told]]) -> CallToolResult:
        found = sessions.get(session)
        return _reply("unknown_session") if found is None else await _with(found, call(found))

    return made


def _plan(steps: list[dict[str, Any]]) -> bytes:
    return json.dumps({"steps": steps}).encode()


async def _with(session: AgentSession, call: Callable[[], Told]) -> CallToolResult:
    try:
        told = await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
    except Exception as error:
        # What an error says is for nobody but the person, and may hold what it met: its name is enough for them too.
        note(f"plantwin: a call of the agent failed ({type(error).__name__})")
        told = Told("refused")
    return _reply(told.state, session.id, told.envelopes)


def _reply(state: State, session: str = "", envelopes: tuple[bytes, ...] = ()) -> CallToolResult:
    """Every reply is made here: the envelopes as they were recorded, and fixed words."""
    reply = Reply(state=state, session=session, messages=[json.loads(data) for data in envelopes])
    texts = Told(state, envelopes).text.splitlines()
    content: list[ContentBlock] = [TextContent(type="text", text=text) for text in texts]
    failed = state in ("unknown_session", "refused")
    return CallToolResult(content=content, structured_content=reply.model_dump(), is_error=failed)
