"""Servers on loopback: who may ask, and how they are run."""

from __future__ import annotations

import hmac
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from plantwin.errors import PlanTwinError
from plantwin.surfaces.cli.output import note, write_json

HOST = "127.0.0.1"
FRESH = 60.0
"""Seconds for which a text that takes long to make is served again."""
NEEDED = {"error": {"type": "authentication_error", "message": "the token of this server is needed as the key"}}


def with_token(app: ASGIApp, token: str) -> ASGIApp:
    """Let only requests through that carry the token: as `Authorization: Bearer`, or as `x-api-key`."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not hmac.compare_digest(_given(scope), token.encode()):
            await JSONResponse(NEEDED, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
            return
        await app(scope, receive, send)

    return guarded


def _given(scope: Scope) -> bytes:
    headers: Mapping[str, str] = HTTPConnection(scope).headers
    kind, _, given = headers.get("authorization", "").partition(" ")
    return (given if kind.lower() == "bearer" else headers.get("x-api-key", "")).encode("latin-1")


def serving_text(path: str, made: Callable[[], str], media: str) -> Starlette:
    """Return a server of one text, which is made anew when somebody asks and the last is older than a minute."""
    lock, kept, at = threading.Lock(), "", -FRESH

    def answer(_: Request) -> Response:
        nonlocal kept, at
        with lock:
            if time.monotonic() - at >= FRESH:
                try:
                    kept, at = made(), time.monotonic()
                except PlanTwinError as error:
                    return PlainTextResponse(f"{error}\n", 503)
        return Response(kept, media_type=media)

    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    return Starlette(routes=[Route(path, answer)], middleware=[hosts])


def serve(app: ASGIApp, port: int, path: str, variable: str, document: tuple[str, Mapping[str, object]] | None) -> None:
    """Serve on loopback until interrupted. The token is in an environment variable, or is made and told.

    `document`: the command's name and what its JSON document says, where one is wanted: first of all the address.
    """
    given = os.environ.get(variable, "")
    token = given or secrets.token_urlsafe(32)
    url = f"http://{HOST}:{port}{path}"
    if document is not None:
        command, members = document
        write_json(command, {"url": url, "token": None if given else token, "token_variable": variable, **members})
        sys.stdout.flush()
    else:
        note(f"Serving {url}")
        if not given:
            note(f"Authorization: Bearer {token}")
    run_server(with_token(app, token), HOST, port)


def run_server(
    app: ASGIApp, host: str, port: int, *, cert: str | None = None, key: str | None = None, grace: int | None = None,
    stopping: Callable[[], None] = lambda: None,
) -> None:  # fmt: skip
    """Serve until interrupted. `cert`, `key`: files for TLS. `stopping`: ends open streams; else `grace` seconds do."""

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            stopping()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app, host=host, port=port, log_level="error", ssl_certfile=cert, ssl_keyfile=key, ws="none",
        server_header=False, timeout_graceful_shutdown=grace,
    )  # fmt: skip
    Server(config).run()
