"""A tool of an MCP server as a capability, inside the worker: the server is started for one call, without a network.

The protocol over a pipe is one JSON message to a line. This client speaks the part that a call needs, synchronously:
an event loop would need system calls that a worker does not have.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from typing import IO, Any

from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.extensions.commands import _named
from plantwin.private.extensions.declaration import Extension
from plantwin.private.extensions.running import concluded

VERSION = "2025-06-18"
MOST_MESSAGES = 1_000
LONGEST = 4 << 20
"""Bytes of one message."""
TEXT = 256 << 10
"""Bytes of an object that are given as text."""


class Refused(Exception):  # noqa: N818 - an answer, not a fault of ours
    """The server does not speak the protocol, or answered with an error."""


class Server:
    """A server that is asked one thing after another."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise Refused("no pipes")
        self._to: IO[bytes] = process.stdin
        self._from: IO[bytes] = process.stdout
        self._number = 0

    def ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """The result of a request. What else the server says meanwhile is passed over; what it asks is refused."""
        self._number += 1
        self._say({"id": self._number, "method": method, "params": parameters})
        for _ in range(MOST_MESSAGES):
            message = self._heard()
            if message.get("id") == self._number and "method" not in message:
                result = message.get("result")
                if not isinstance(result, dict):
                    raise Refused("an error")
                return result
            if "method" in message and "id" in message:
                error = {"code": -32601, "message": "not offered"}
                self._say({"id": message["id"], "error": error})
        raise Refused("no answer")

    def tell(self, method: str) -> None:
        """A notification."""
        self._say({"method": method})

    def _say(self, message: dict[str, Any]) -> None:
        self._to.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._to.flush()

    def _heard(self) -> dict[str, Any]:
        line = self._from.readline(LONGEST)
        if not line.endswith(b"\n"):
            raise Refused("it ended, or said too much")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return {}
        return message if isinstance(message, dict) else {}


def use(extension: Extension, job: Job) -> Result:
    """Start the server, call the tool, end the server."""
    try:
        process = subprocess.Popen(
            extension.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, close_fds=True
        )
    except FileNotFoundError:
        return concluded([], {"status": "failed", "tags": ["tool_missing"]}, text="The server is not there.")
    try:
        server = Server(process)
        client = {"name": "plantwin", "version": "1"}
        server.ask("initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client})
        server.tell("notifications/initialized")
        answer = server.ask("tools/call", {"name": extension.tool, "arguments": _arguments(extension, job.inputs)})
    except (Refused, OSError):
        return concluded([], {"status": "failed"}, title=extension.tool, text="The server did not answer the call.")
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()
    return _result(extension, answer)


def _arguments(extension: Extension, inputs: tuple[Input, ...]) -> dict[str, Any]:
    """Paths, texts and fixed words. A tool for several objects gets a list."""
    given: dict[str, Any] = {}
    places = [_named(each, number) for number, each in enumerate(inputs)]
    for name, value in extension.arguments.items():
        if value == "{inputs}":
            given[name] = places
        elif value == "{input}":
            given[name] = places[0]
        elif value == "{text}":
            given[name] = inputs[0].text(TEXT)
        else:
            given[name] = value
    return given


def _result(extension: Extension, answer: dict[str, Any]) -> Result:
    """What the tool said goes to the person; of the outcome it says only whether it worked, in words of ours."""
    content = answer.get("content")
    parts = content if isinstance(content, list) else []
    texts = [str(each.get("text", "")) for each in parts if isinstance(each, dict) and each.get("type") == "text"]
    structured = answer.get("structuredContent")
    structured = structured if isinstance(structured, dict) else {}
    stated = structured.get("outcome")
    told = (
        {key: stated[key] for key in ("severity", "count", "tags") if key in stated} if isinstance(stated, dict) else {}
    )
    outcome: dict[str, object] = {"status": "failed" if answer.get("isError") is True else "done", **told}
    facts: dict[str, object] = {"tool": extension.tool, "structured": structured}
    return Result(outcome=outcome, title=extension.tool, facts=facts, text="\n\n".join(texts))
