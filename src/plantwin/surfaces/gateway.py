"""The gateway: programs that know only a base URL of OpenAI or Anthropic work on a folder that no provider sees.

The last message of the user is the goal; system prompts, earlier turns, tools and pasted files stay here. A goal is
carried out as by `plantwin run`, with the upstream model as the planner, and the answer is made on this machine.
"""

from __future__ import annotations

import getpass
import json
import os
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import anyio
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from plantwin.cloud.planner import sends
from plantwin.config.settings import Settings
from plantwin.errors import PlanTwinError
from plantwin.events import Silent
from plantwin.private.capabilities import catalog
from plantwin.private.queue import ApprovalQueue, QueueApprover
from plantwin.private.report.answer import answer
from plantwin.private.report.markdown import quoted, undrawn
from plantwin.private.report.model import Overview
from plantwin.private.report.session import write
from plantwin.run import Ending, Run
from plantwin.session import run
from plantwin.session_context import SessionContext
from plantwin.surfaces.cli.asking import Spelled
from plantwin.surfaces.cli.planners import planner_of
from plantwin.surfaces.cli.sessions import MAX_GOAL, not_here
from plantwin.surfaces.render import conclusion
from plantwin.surfaces.render.text import printable
from plantwin.workspace import Workspace

MODEL = "plantwin"
MOST_BYTES = 16 << 20
"""Bytes of a request: what is pasted into one is not read, but it has to be received."""
MOST_AT_ONCE = 4
"""Goals that are worked on at a time."""
ALIVE = 10.0
"""Seconds after which a client that waits hears that it is still worked on."""
WIDE = conclusion.Screen(100, 60)
ROOM = 24
"""Lines of findings in an answer; the report has all."""
TEXT_LINES = 80
"""Lines of each text in an answer."""
REFUSED: dict[str, tuple[Any, ...]] = {
    "n": (None, 1),
    "response_format": (None, {"type": "text"}),
    "modalities": (None, ["text"]),
    "audio": (None,),
}
"""What a request may ask for that cannot be given, with the values that ask for nothing."""
USAGE = {"input_tokens": 0, "output_tokens": 0}
KNOWN = "this gateway answers /v1/chat/completions, /v1/messages and /v1/models"


class Folder(NamedTuple):
    """What is worked on, and who plans."""

    root: Path
    settings: Settings
    state: Path | None
    upstream: str
    patience: float = 45.0
    """Seconds that a step waits for a person in `plantwin approvals`."""

    def __repr__(self) -> str:
        return "<Folder private>"

    def workspace(self, goal: str) -> Workspace:
        """Open the folder for one goal."""
        approval = replace(self.settings.approval, lifetime=min(self.settings.approval.lifetime, self.patience))
        made = Workspace(self.root, settings=replace(self.settings, approval=approval), state=self.state)
        about = {
            "goal": goal,
            "folder": str(made.environment.root),
            "requester": f"gateway, process {os.getpid()} of {getpass.getuser()}",
        }
        queue = ApprovalQueue(made.state.subfolder("approvals") / "queue.db")
        made.approver = QueueApprover(queue, Spelled(made.names), about=about)
        return made


class Refused(Exception):  # noqa: N818 - an answer to the client
    """A request that is not carried out, and why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Wanted(NamedTuple):
    """What a request asks for."""

    goal: str
    model: str
    stream: bool
    usage: bool = False
    """Whether a stream has to end with the tokens that were used, as clients of OpenAI may ask."""


def wanted(body: bytes) -> Wanted:
    """Read a request of either protocol: they agree in what counts here."""
    try:
        tree = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the request is no JSON") from None
    messages = tree.get("messages") if isinstance(tree, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    if not isinstance(last, dict) or last.get("role") != "user":
        raise Refused(400, "the last of `messages` has to be the user's: it is taken as the goal")
    for name, fine in REFUSED.items():
        if tree.get(name) not in fine:
            raise Refused(400, f"`{name}` is not supported here: the answer is one text")
    goal = _text(last.get("content")).strip()
    if not 0 < len(goal) <= MAX_GOAL:
        raise Refused(400, f"the last message has {len(goal):,} characters; a goal has 1 to {MAX_GOAL:,}")
    options = tree.get("stream_options")
    usage = isinstance(options, dict) and options.get("include_usage") is True
    return Wanted(goal, str(tree.get("model", MODEL))[:200], tree.get("stream") is True, usage)


def _text(content: Any) -> str:
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(parts, list):
        raise Refused(400, "the last message has no text")
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    if len(texts) < len(parts) or not all(isinstance(text, str) for text in texts):
        raise Refused(400, "the last message holds more than text (an image, a file, a tool's result): say it in words")
    return "\n".join(map(str, texts))


class _Context(Silent):
    context: SessionContext | None = None

    def began(self, context: SessionContext) -> None:
        """Keep it, to say which files of the goal are not there."""
        self.context = context


def answered(folder: Folder, goal: str) -> str:
    """Carry a goal out and return the answer, with real names: it is made here and stays with the client."""
    try:
        workspace = folder.workspace(goal)
        try:
            planner = planner_of(
                folder.upstream, workspace.catalog, workspace.settings, workspace.state.subfolder("planners")
            )
            watcher = _Context()
            try:
                done = run(goal, workspace, planner, watcher)
            finally:
                getattr(planner, "close", lambda: None)()
            write(done, workspace.state.subfolder("reports"))
            absent = not_here(watcher.context, done.read_as or goal)
        finally:
            workspace.close()
    except PlanTwinError as error:
        # Our own errors hold codes and no content.
        raise Refused(500, str(error)) from None
    if done.ending in (Ending.PLANNER, Ending.GATE) and not done.turns:
        raise Refused(502 if done.ending is Ending.PLANNER else 403, done.error)
    return "\n\n".join(filter(None, _parts(done, absent, telling=sends(planner))))


def _parts(done: Run, absent: Sequence[str], *, telling: bool) -> Iterator[str]:
    """The answer, the worst findings, the texts that were asked for, and what was examined and told."""
    overview = Overview.of(done)
    said = answer(done, overview)
    sentences = conclusion.first(done, overview, said, catalog(), WIDE._replace(width=100_000))
    yield _markdown([printable(line) for line in (*absent, *sentences)])
    table = "\n".join(conclusion.body(done, overview, said._replace(texts=()), WIDE, ROOM)).strip("\n")
    yield f"```text\n{table.replace('```', '')}\n```" if table else ""
    for _, text in said.texts:
        yield "\n".join(quoted(undrawn(text), TEXT_LINES))
    end = [f"Examined: {line}" for line in overview.examined(done.names)]
    end.append(f"Told: {conclusion.told(done, sends=telling)}")
    end += [f"Warning: {printable(line)}" for line in done.warnings] + ([done.error] if done.error else [])
    yield _markdown([*end, f"Report: {printable(str(done.report))}"])


def _markdown(lines: Sequence[str]) -> str:
    return "  \n".join(quoted("\n".join(lines)))


class OpenAI:
    """Chat completions."""

    NO_TOKENS: ClassVar = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}

    @staticmethod
    def error(status: int, message: str) -> dict[str, Any]:
        """Return the body of a refusal."""
        kind = "invalid_request_error" if status < 500 else "server_error"
        return {"error": {"message": message, "type": kind, "param": None, "code": None}}

    @staticmethod
    def whole(text: str, model: str) -> dict[str, Any]:
        """Return the whole answer."""
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return {**OpenAI._head("chat.completion", model), "choices": [choice], "usage": OpenAI.NO_TOKENS}

    @staticmethod
    def opened(model: str) -> Iterator[bytes]:
        """Say at once that an answer will come."""
        yield OpenAI._chunk(model, {"role": "assistant", "content": ""})

    @staticmethod
    def alive() -> bytes:
        """Say that it is still worked on."""
        return b": working\n\n"

    @staticmethod
    def streamed(text: str, model: str, *, usage: bool) -> Iterator[bytes]:
        """Return the answer in pieces."""
        for line in text.splitlines(keepends=True):
            yield OpenAI._chunk(model, {"content": line})
        yield OpenAI._chunk(model, {}, "stop")
        if usage:
            last = {**OpenAI._head("chat.completion.chunk", model), "choices": [], "usage": OpenAI.NO_TOKENS}
            yield b"data: " + json.dumps(last).encode() + b"\n\n"
        yield b"data: [DONE]\n\n"

    @staticmethod
    def failed(status: int, message: str) -> bytes:
        """Tell a client that waits that nothing comes."""
        return b"data: " + json.dumps(OpenAI.error(status, message)).encode() + b"\n\n"

    @staticmethod
    def _head(kind: str, model: str) -> dict[str, Any]:
        return {"id": f"chatcmpl-{secrets.token_hex(8)}", "object": kind, "created": int(time.time()), "model": model}

    @staticmethod
    def _chunk(model: str, delta: dict[str, str], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        tree = {**OpenAI._head("chat.completion.chunk", model), "choices": [choice]}
        return b"data: " + json.dumps(tree).encode() + b"\n\n"


class Anthropic:
    """Messages."""

    @staticmethod
    def error(status: int, message: str) -> dict[str, Any]:
        """Return the body of a refusal."""
        kind = {403: "permission_error", 429: "rate_limit_error"}.get(status)
        kind = kind or ("invalid_request_error" if status < 500 else "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}}

    @staticmethod
    def whole(text: str, model: str) -> dict[str, Any]:
        """Return the whole answer."""
        return {
            "id": f"msg_{secrets.token_hex(8)}", "type": "message", "role": "assistant", "model": model,
            "content": [{"type": "text", "text": text}] if text else [],
            "stop_reason": "end_turn" if text else None, "stop_sequence": None, "usage": USAGE,
        }  # fmt: skip

    @staticmethod
    def opened(model: str) -> Iterator[bytes]:
        """Say at once that an answer will come."""
        yield Anthropic._event("message_start", message=Anthropic.whole("", model))
        yield Anthropic._event("content_block_start", index=0, content_block={"type": "text", "text": ""})

    @staticmethod
    def alive() -> bytes:
        """Say that it is still worked on."""
        return Anthropic._event("ping")

    @staticmethod
    def streamed(text: str, model: str, *, usage: bool) -> Iterator[bytes]:
        """Return the answer in pieces."""
        for line in text.splitlines(keepends=True):
            yield Anthropic._event("content_block_delta", index=0, delta={"type": "text_delta", "text": line})
        yield Anthropic._event("content_block_stop", index=0)
        delta = {"stop_reason": "end_turn", "stop_sequence": None}
        yield Anthropic._event("message_delta", delta=delta, usage=USAGE)
        yield Anthropic._event("message_stop")

    @staticmethod
    def failed(status: int, message: str) -> bytes:
        """Tell a client that waits that nothing comes."""
        error = Anthropic.error(status, message)
        return Anthropic._event("error", error=error["error"])

    @staticmethod
    def _event(name: str, **members: Any) -> bytes:
        return f"event: {name}\ndata: {json.dumps({'type': name, **members})}\n\n".encode()


Protocol = type[OpenAI] | type[Anthropic]


def application(folder: Folder) -> Starlette:
    """Return the server for one folder."""
    limiter = anyio.CapacityLimiter(MOST_AT_ONCE)

    async def work(goal: str) -> str:
        return await anyio.to_thread.run_sync(answered, folder, goal, abandon_on_cancel=True, limiter=limiter)

    def endpoint(protocol: Protocol) -> Any:
        async def answer_one(request: Request) -> Response:
            try:
                asked = wanted(await _received(request))
                if limiter.available_tokens < 1:
                    raise Refused(429, f"{MOST_AT_ONCE} goals are being worked on: try again")
                if asked.stream:
                    return StreamingResponse(_stream(protocol, asked, work), media_type="text/event-stream")
                return JSONResponse(protocol.whole(await work(asked.goal), asked.model))
            except Refused as refusal:
                return JSONResponse(protocol.error(refusal.status, str(refusal)), refusal.status)

        return answer_one

    async def models(_: Request) -> Response:
        row = {"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL, "type": "model", "display_name": MODEL}
        return JSONResponse({"object": "list", "data": [row], "has_more": False})

    async def unknown(request: Request) -> Response:
        protocol = Anthropic if request.headers.get("anthropic-version") else OpenAI
        return JSONResponse(protocol.error(404, KNOWN), 404)

    routes = [
        Route("/v1/chat/completions", endpoint(OpenAI), methods=["POST"]),
        Route("/v1/messages", endpoint(Anthropic), methods=["POST"]),
        Route("/v1/models", models),
        Route("/{path:path}", unknown, methods=["GET", "POST", "PUT", "DELETE"]),
    ]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    return Starlette(routes=routes, middleware=[hosts])


async def _received(request: Request) -> bytes:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise Refused(413, f"a request has at most {MOST_BYTES >> 20} MB")
    return body


async def _stream(protocol: Protocol, asked: Wanted, work: Any) -> AsyncIterator[bytes]:
    """Open the answer at once, say now and then that it is worked on, then send it."""
    for piece in protocol.opened(asked.model):
        yield piece
    done: list[str | Refused] = []

    async def waited() -> None:
        try:
            done.append(await work(asked.goal))
        except Refused as refusal:
            done.append(refusal)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(waited)
        waits = 0.0
        while not done:
            await anyio.sleep(0.02)
            waits += 0.02
            if waits >= ALIVE:
                waits = 0.0
                yield protocol.alive()
    if isinstance(done[0], Refused):
        yield protocol.failed(done[0].status, str(done[0]))
        return
    for piece in protocol.streamed(done[0], asked.model, usage=asked.usage):
        yield piece
