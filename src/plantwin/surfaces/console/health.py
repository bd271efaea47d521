"""Health: whether the ledger is whole, the sandbox works and engines are installed, and how much there is."""

from __future__ import annotations

import threading
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from plantwin.errors import PlanTwinError
from plantwin.ledgers.records import count_lines
from plantwin.ledgers.verification import verify
from plantwin.surfaces.cli.doctor import Status, checks, condensed
from plantwin.surfaces.console.folder import Observed
from plantwin.surfaces.console.page import Console, Form, moved


def _page(console: Console, request: Request) -> Response:
    if "verified" not in console.kept:
        _begin(console)
    found = condensed(list(checks(str(console.folder.state.folder), console.folder.config)))
    with console.folder.ledger() as ledger:
        lines = count_lines(ledger)
    return console.page(
        request, "health.html", "health",
        checks=found, broken=[one for one in found if one.required and one.status is not Status.FINE],
        lines=lines, verified=console.kept["verified"], waits=console.waiting(), **console.folder.ask(_counts),
    )  # fmt: skip


def _part(console: Console, request: Request) -> Response:
    return console.page(request, "health_part.html", "health", verified=console.kept.get("verified"))


def _counts(observed: Observed) -> dict[str, Any]:
    return {"summary": observed.summary, "at": observed.at}


def _begin(console: Console) -> None:
    """Look at every line of the ledger, in a thread of its own: that takes a while."""
    state: dict[str, Any] = {"running": True, "done": 0, "found": None, "problem": "", "at": time.time()}
    console.kept["verified"] = state

    def work() -> None:
        try:
            with console.folder.ledger() as ledger:
                state["found"] = verify(ledger, lambda done: state.update(done=done))
                state["problem"] = state["found"].problem
        except PlanTwinError as error:
            state["problem"] = str(error)
        state.update(running=False, at=time.time())

    threading.Thread(target=work, name="verify", daemon=True).start()


def _verify(console: Console, request: Request, form: Form) -> Response:
    """Verify the ledger again."""
    if not console.kept.get("verified", {}).get("running"):
        _begin(console)
    return moved(console, "health")


def revision(console: Console) -> object:
    """What changes while the ledger is verified."""
    state = console.kept.get("verified", {})
    return f"{state.get('done')}-{state.get('running')}-{state.get('at')}"


PAGES = {"/health": _page, "/health/part": _part}
ACTIONS = {"/health/verify": _verify}
