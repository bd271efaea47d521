"""One question to a model on this machine: plain HTTP over loopback, bounded in time and size, to nowhere else."""

from __future__ import annotations

import json
import time
from typing import Any

from plantwin.cloud.endpoint import endpoint_of
from plantwin.cloud.transport import Line, Transport
from plantwin.errors import InputError, PlannerError

FORMS = ("json_schema", "json_object", "none")
"""How servers are told the form of an answer, the strictest first. Some know only a later one."""


class Endpoint:
    """An OpenAI-compatible server on a loopback address."""

    def __init__(self, url: str, *, key: str = "", seconds: float = 120.0) -> None:
        """`url`: such as `http://127.0.0.1:11434`, with or without a path. Raises `InputError` for any other host."""
        try:
            endpoint = endpoint_of(url)
        except InputError:
            endpoint = None
        if endpoint is None or not endpoint.local or endpoint.scheme != "http" or endpoint.query:
            raise InputError(
                "model.endpoint: http://127.0.0.1:PORT is needed, since only a server of this machine is a local model"
            )
        self.origin = endpoint.origin
        self._transport = Transport(endpoint, Line(connect_seconds=seconds, read_seconds=seconds))
        self._path = "" if endpoint.path.endswith("/v1") else "/v1"
        self._key = key
        self._seconds = seconds
        self._form = 0

    def __repr__(self) -> str:
        return "<Endpoint>"

    def body(self, question: dict[str, Any], schema: dict[str, Any]) -> bytes:
        """What would be sent: the question, with the form of the answer as this server knows it."""
        form: dict[str, Any] = {}
        if FORMS[self._form] == "json_schema":
            form = {"type": "json_schema", "json_schema": {"name": "plan", "strict": True, "schema": schema}}
        elif FORMS[self._form] == "json_object":
            form = {"type": "json_object", "schema": schema}
        return json.dumps({**question, **({"response_format": form} if form else {})}).encode()

    def degrade(self) -> bool:
        """Take the next form; whether there is one."""
        if self._form + 1 == len(FORMS):
            return False
        self._form += 1
        return True

    def ask(self, body: bytes) -> str | None:
        """The answer's text; nothing where the server does not take a question of this form."""
        status, answer = self._post(f"{self._path}/chat/completions", body)
        if status in (400, 422, 500, 501) and FORMS[self._form] != "none":
            return None
        if status != 200:
            raise PlannerError(f"the local model's server answered with status {status}: {_remedy(status)}")
        try:
            text = json.loads(answer)["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise PlannerError("the local model's server did not answer as one of its kind does") from None
        if not isinstance(text, str):
            raise PlannerError("the local model's server answered without a text")
        return text

    def _post(self, path: str, body: bytes) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        until = time.monotonic() + self._seconds
        with self._transport.request("POST", path, headers, body, until) as reply:
            return reply.status, b"".join(reply.chunks())


def _remedy(status: int) -> str:
    if status in (401, 403):
        return "it wants a key, which goes into PLANTWIN_LOCAL_KEY"
    return "check model.endpoint and model.name" if status in (404, 405) else "see its own log"
