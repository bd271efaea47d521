"""One question to a model on this machine: plain HTTP over loopback, bounded in time and size, to nowhere else."""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import threading
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from plantwin.errors import InputError, PlannerError

MOST = 1 << 20
"""Bytes of an answer at most."""
CHUNK = 1 << 16
FORMS = ("json_schema", "json_object", "none")
"""How servers are told the form of an answer, the strictest first. Some know only a later one."""


class Endpoint:
    """An OpenAI-compatible server on a loopback address."""

    def __init__(self, url: str, *, key: str = "", seconds: float = 120.0) -> None:
        """`url`: such as `http://127.0.0.1:11434`, with or without a path. Raises `InputError` for any other host."""
        parts = urlsplit(url)
        if parts.scheme != "http" or parts.query or parts.fragment or parts.username or parts.password:
            raise InputError("model.endpoint: http://127.0.0.1:PORT is needed")
        self.host = _loopback(parts.hostname or "")
        try:
            self.port = parts.port or 80
        except ValueError:
            raise InputError("model.endpoint: a port from 1 to 65535 is needed") from None
        path = parts.path.rstrip("/")
        self._path = path if path.endswith("/v1") else f"{path}/v1"
        self._key = key
        self._seconds = seconds
        self._form = 0

    def __repr__(self) -> str:
        return "<Endpoint>"

    @property
    def origin(self) -> str:
        """Where it listens."""
        return f"http://{self.host}:{self.port}"

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
        deadline = time.monotonic() + self._seconds
        # Never through a proxy, and redirects are not followed: what is sent goes to this port alone.
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self._seconds)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        watch = threading.Timer(self._seconds, lambda: None)
        try:
            connection.connect()
            # A server that sends headers without end never lets a read time out: then the line is cut.
            watch = threading.Timer(self._seconds, _cut, (connection.sock,))
            watch.daemon = True
            watch.start()
            connection.request("POST", path, body, headers)
            with connection.getresponse() as response:
                return response.status, self._read(response, deadline)
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, TimeoutError) or time.monotonic() >= deadline:
                raise PlannerError("the local model took too long to answer") from None
            raise PlannerError(
                "the local model's server cannot be reached: start it, or leave model.endpoint"
            ) from None
        finally:
            watch.cancel()
            connection.close()

    @staticmethod
    def _read(response: http.client.HTTPResponse, deadline: float) -> bytes:
        parts: list[bytes] = []
        size = 0
        while part := response.read1(CHUNK):
            parts.append(part)
            size += len(part)
            if size > MOST:
                raise PlannerError("the local model's answer is too large")
            if time.monotonic() > deadline:
                raise PlannerError("the local model took too long to answer")
        return b"".join(parts)


def _cut(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


def _loopback(host: str) -> str:
    if host == "localhost":
        return "127.0.0.1"  # whatever a name server may say
    try:
        if ipaddress.ip_address(host).is_loopback:
            return host
    except ValueError:
        pass
    raise InputError("model.endpoint: only an address of this machine is a local model: 127.0.0.1, ::1 or localhost")


def _remedy(status: int) -> str:
    if status in (401, 403):
        return "it wants a key, which goes into PLANTWIN_LOCAL_KEY"
    return "check model.endpoint and model.name" if status in (404, 405) else "see its own log"
