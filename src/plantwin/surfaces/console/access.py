"""Who may use the console: one-time login links, sessions, and what every request must prove.

The port is open to every user of the machine, and to every page that a browser on it shows. So nothing is shown or
done without a session; a session begins with a code from the terminal, used once. Cookies know no ports: a server of
another user on this host would be sent them too. So all pages lie below a path that only this process and its sessions
know, and the cookie is bound to it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LINK_SECONDS: Final = 300.0
"""How long a login link can be used."""
SESSION_SECONDS: Final = 12 * 3600.0
MOST_LINKS: Final = 3
MOST_SESSIONS: Final = 32
MOST_BYTES: Final = 256 << 10
"""Bytes of a form: a policy is the longest."""
MOST_FIELDS: Final = 500
HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With `no-referrer` browsers would send forms of our own pages with `Origin: null`, which proves nothing.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""On every answer, whatever it is."""


class Refused(Exception):  # noqa: N818 - an answer to a browser
    """A request that is not carried out, and why, in words that hold nothing of it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class Session(NamedTuple):
    """One browser that showed a code."""

    ends: float
    csrf: str
    """What every form of it has to carry."""


class Access:
    """The login codes and the sessions of one server process."""

    def __init__(self, *, secure: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        """`secure`: whether the server speaks TLS, so that the cookie is never sent without."""
        self.place = f"/{secrets.token_urlsafe(12)}"
        """Below which all pages lie."""
        self.cookie = "plantwin_console"
        self._secure, self._clock = secure, clock
        self._lock = threading.Lock()
        self._links: dict[bytes, float] = {}
        self._sessions: dict[bytes, Session] = {}

    def code(self) -> str:
        """Make a code that opens one session, once and soon. The oldest of several gives way."""
        made = secrets.token_urlsafe(24)
        with self._lock:
            now = self._clock()
            alive = {digest: ends for digest, ends in self._links.items() if ends > now}
            self._links = dict(list(alive.items())[1 - MOST_LINKS :] if len(alive) >= MOST_LINKS else alive)
            self._links[_digest(made)] = now + LINK_SECONDS
        return made

    def login(self, code: str) -> str | None:
        """Return the cookie of a new session for a code that was not used before; None where there is none."""
        with self._lock:
            now = self._clock()
            ends = self._links.pop(_digest(code), 0.0)
            if ends <= now:
                return None
            token = secrets.token_urlsafe(32)
            alive = {digest: session for digest, session in self._sessions.items() if session.ends > now}
            self._sessions = dict(list(alive.items())[1 - MOST_SESSIONS :])
            self._sessions[_digest(token)] = Session(now + SESSION_SECONDS, secrets.token_urlsafe(24))
        return token

    def session(self, request: Request) -> Session | None:
        """Return the session that a request belongs to."""
        given = request.cookies.get(self.cookie, "")
        with self._lock:
            found = self._sessions.get(_digest(given)) if given else None
        return found if found is not None and found.ends > self._clock() else None

    def logout(self, request: Request) -> None:
        """End the session of a request."""
        with self._lock:
            self._sessions.pop(_digest(request.cookies.get(self.cookie, "")), None)

    def set_cookie(self, answer: Response, token: str) -> None:
        """Give a browser its session: not readable by scripts, not sent from other sites or to other paths."""
        answer.set_cookie(
            self.cookie, token, path=self.place, httponly=True, samesite="strict", secure=self._secure
        )  # fmt: skip


def _digest(token: str) -> bytes:
    """Codes and cookies are looked up by digest, so that how long that takes tells nothing of them."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def need_own_origin(request: Request) -> None:
    """Refuse what a page of another origin sends: browsers say of every POST where it comes from."""
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if request.headers.get("origin") != own or request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Refused(403, "this request does not come from a page of the console")


def need_csrf(form: Mapping[str, list[str]], session: Session) -> None:
    """Refuse a form that no page of this session holds."""
    if not hmac.compare_digest(one(form, "csrf").encode("utf-8", "replace"), session.csrf.encode()):
        raise Refused(403, "this form is not of your session: load the page again")


async def form_of(request: Request) -> dict[str, list[str]]:
    """Read a form of bounded size."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/x-www-form-urlencoded":
        raise Refused(415, "only forms are taken")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise Refused(413, f"a form has at most {MOST_BYTES >> 10} KiB")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError:
        raise Refused(400, "this is no form") from None
    form: dict[str, list[str]] = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value)
    return form


def one(form: Mapping[str, list[str]], name: str) -> str:
    """Return the value of a field that a form has once."""
    values = form.get(name, [])
    return values[0] if len(values) == 1 else ""


class Guard:
    """Check the Host of every request, and put the security headers on every answer."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        """`hosts`: names and addresses, with their ports, that browsers may call this server by."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        given = [value for name, value in scope["headers"] if name == b"host"]
        # A name that another site resolves to this machine (DNS rebinding) is not ours.
        if len(given) != 1 or given[0].decode("latin-1").lower() not in self._hosts:
            refusal = PlainTextResponse("This server is not called by that name.\n", 421)
            await refusal(scope, receive, guarded)
            return
        await self._app(scope, receive, guarded)
