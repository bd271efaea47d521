"""The console's server: routes, what every request passes through, and how pages are made."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import anyio
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from plantwin import __version__
from plantwin.errors import InputError, PlanTwinError
from plantwin.private.report.spending import share
from plantwin.private.report.wording import amount, unit, words
from plantwin.surfaces.console import approvals, ask, graph, health, left, objects, policy, runs, sets
from plantwin.surfaces.console.access import Access, Guard, Refused, form_of, need_csrf, need_own_origin, one
from plantwin.surfaces.console.conversations import Conversations
from plantwin.surfaces.console.folder import Folder
from plantwin.surfaces.console.page import Console, Form, Page, moved
from plantwin.text import plural, printable, size

HERE: Final = Path(__file__).parent
NEW_LINK_SECONDS: Final = 10.0
"""Between two links that somebody without a session has printed on the terminal."""
BEAT: Final = 0.25
"""Seconds between two looks at what a page follows."""
NAVIGATION: Final = (
    ("ask", "Ask"), ("left", "What left"), ("objects", "Objects"), ("sets", "Sets"), ("graph", "Graph"),
    ("runs", "Runs"), ("approvals", "Approvals"), ("policy", "Policy"), ("health", "Health"),
)  # fmt: skip
PAGES = (ask, left, objects, sets, graph, runs, approvals, policy, health)


def application(folder: Folder, access: Access, hosts: frozenset[str], tell: Callable[[], None]) -> Starlette:
    """Return the server. `hosts`: what browsers may call it. `tell`: prints a new login link on the terminal."""
    console = Console(folder, access, Conversations(), _templates(access.place))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        folder.look()
        try:
            yield
        finally:
            console.ends = True
            await anyio.to_thread.run_sync(console.close)

    inside = [
        *(Route(path, _shown(console, page)) for module in PAGES for path, page in module.PAGES.items()),
        *(
            Route(path, _acted(console, act), methods=["POST"])
            for module in PAGES
            for path, act in getattr(module, "ACTIONS", {}).items()
        ),
        Route("/follow/{what}", _followed(console)),
        Route("/look", _acted(console, _look), methods=["POST"]),
        Route("/logout", _acted(console, _logout), methods=["POST"]),
        Route("/", lambda _: RedirectResponse(f"{access.place}/ask", 303)),
    ]
    routes = [
        Route("/", lambda _: RedirectResponse("/login", 303)),
        Route("/login", _login_page(console)),
        Route("/login", _login(console), methods=["POST"]),
        Route("/login/link", _new_link(console, tell), methods=["POST"]),
        Mount("/static", StaticFiles(directory=HERE / "static")),
        Mount(access.place, routes=inside),
    ]
    made = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=hosts)],
        lifespan=lifespan,
        exception_handlers={
            Refused: lambda _, error: PlainTextResponse(f"{error}\n", getattr(error, "status", 400)),
            404: lambda _, __: PlainTextResponse("There is no such page.\n", 404),
            Exception: lambda _, __: PlainTextResponse("The console failed; the terminal says how.\n", 500),
        },
    )
    # A server ends its lifespan after its streams, and these only when they are told.
    made.state.stop = lambda: setattr(console, "ends", True)
    return made


def _templates(place: str) -> Environment:
    """Templates that escape everything, and fail where something is not given."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"place": place, "navigation": NAVIGATION, "version": __version__, "plural": plural}
    made.filters |= {
        "amount": amount,
        "words": words,
        "unit": unit,
        "share": lambda spending: min(100, round(100 * share(spending))),
        "size": size,
        # What moves a cursor or turns text around is shown as an escape; what is HTML is escaped besides.
        "shown": lambda text: printable(str(text)).replace("\\\\", "\\"),
        "when": lambda at: time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at)),
    }
    return made


def _shown(console: Console, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """A page, for those who have a session."""

    async def answer(request: Request) -> Response:
        session = console.access.session(request)
        if session is None:
            return RedirectResponse("/login", 303)
        return await anyio.to_thread.run_sync(lambda: _safely(console, request, lambda: page(console, request)))

    return answer


def _acted(console: Console, act: Callable[[Console, Request, Form], Response]) -> Callable[..., Awaitable[Response]]:
    """Something that changes something: only from a form on a page of the same session."""

    async def answer(request: Request) -> Response:
        session = console.access.session(request)
        if session is None:
            raise Refused(403, "log in first")
        need_own_origin(request)
        form = await form_of(request)
        need_csrf(form, session)
        return await anyio.to_thread.run_sync(lambda: _safely(console, request, lambda: act(console, request, form)))

    return answer


def _safely(console: Console, request: Request, work: Callable[[], Response]) -> Response:
    """Our own errors as a page: they hold codes and no content."""
    try:
        return work()
    except PlanTwinError as error:
        status = 400 if isinstance(error, InputError) else 500
        return console.page(request, "problem.html", "", status=status, problem=str(error))


def _followed(console: Console) -> Callable[[Request], Awaitable[Response]]:
    """Server-sent events: a number that changes when what a page shows has changed."""

    async def answer(request: Request) -> Response:
        if console.access.session(request) is None:
            raise Refused(403, "log in first")
        what = request.path_params["what"]
        followed = {"approvals": approvals.follower(console), "health": lambda: health.revision(console)}
        revision = followed.get(what) or ask.follower(console, what)
        if revision is None:
            raise Refused(404, "there is nothing to follow")
        return StreamingResponse(_events(console, request, revision), media_type="text/event-stream")

    return answer


async def _events(console: Console, request: Request, revision: Callable[[], object]) -> AsyncIterator[bytes]:
    last: object = None
    quiet = 0.0
    while not console.ends and not await request.is_disconnected():
        now = await anyio.to_thread.run_sync(revision)
        if now != last or quiet > 15:
            last, quiet = now, 0.0
            yield f"data: {now}\n\n".encode()
        await anyio.sleep(BEAT)
        quiet += BEAT


def _look(console: Console, request: Request, form: Form) -> Response:
    console.folder.look_now()
    # Only to our own pages, whatever the form says.
    back = one(form, "back")
    return moved(console, back if back in dict(NAVIGATION) else "objects")


def _logout(console: Console, request: Request, form: Form) -> Response:
    console.access.logout(request)
    return RedirectResponse("/login", 303)


def _login_page(console: Console) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        if console.access.session(request) is not None:
            return RedirectResponse(f"{console.access.place}/ask", 303)
        return HTMLResponse(console.templates.get_template("login.html").render(wrong=False))

    return answer


def _login(console: Console) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        need_own_origin(request)
        token = console.access.login(one(await form_of(request), "code").strip())
        if token is None:
            return HTMLResponse(console.templates.get_template("login.html").render(wrong=True), 403)
        entered = RedirectResponse(f"{console.access.place}/ask", 303)
        console.access.set_cookie(entered, token)
        return entered

    return answer


def _new_link(console: Console, tell: Callable[[], None]) -> Callable[[Request], Awaitable[Response]]:
    told: list[float] = []

    async def answer(request: Request) -> Response:
        need_own_origin(request)
        await form_of(request)
        now = time.monotonic()
        if not told or now - told[-1] > NEW_LINK_SECONDS:
            told[:] = [now]
            tell()
        return RedirectResponse("/login", 303)

    return answer
