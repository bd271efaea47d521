"""Approvals: steps and plans that wait for a person, of this console and of other processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from plantwin.private.capabilities import catalog
from plantwin.private.queue import Pending
from plantwin.surfaces.cli.approvals import CAUSES
from plantwin.surfaces.console.access import Refused, one
from plantwin.surfaces.console.page import Console, Form, moved


def _page(console: Console, request: Request) -> Response:
    return console.page(request, "approvals.html", "approvals", **_values(console))


def _part(console: Console, request: Request) -> Response:
    return console.page(request, "approvals_part.html", "approvals", **_values(console))


def questions(console: Console) -> list[dict[str, Any]]:
    """Steps that wait, the oldest first."""
    with console.folder.queue() as queue:
        return [_question(pending) for pending in queue.pending()]


def _values(console: Console) -> dict[str, Any]:
    plans = [asked for asked in console.conversations.all() if asked.state == "plan"]
    return {"questions": questions(console), "plans": plans, "back": ""}


def _question(pending: Pending) -> dict[str, Any]:
    """A question in a person's terms: the exact step, its files, its price and the rule that asks."""
    told = pending.description
    capability = catalog().get(str(told.get("capability", "")))
    return {
        "id": pending.id,
        "step": str(told.get("step", "")),
        "capability": str(told.get("capability", "")),
        "doc": capability.doc if capability else "",
        "objects": [str(name) for name in told.get("objects", ())],
        "causes": [CAUSES.get(cause, str(cause)) for cause in told.get("causes", ())],
        "policy": str(told.get("policy", "")),
        "price": told.get("price", "?"),
        "goal": str(told.get("goal", "")),
        "folder": str(told.get("folder", "")),
        "requester": str(told.get("requester", "")),
        "left": max(0, int(pending.expires - time.time())),
    }


def _answer(console: Console, request: Request, form: Form) -> Response:
    """Decide about one step, once."""
    word = one(form, "word")
    if word not in ("approve", "deny"):
        raise Refused(400, "approve or deny it")
    with console.folder.queue() as queue:
        queue.answer(request.path_params["id"], word == "approve")
    asked = console.conversations.get(one(form, "back"))
    return moved(console, "approvals" if asked is None else f"ask/{asked.id}")


def follower(console: Console) -> Callable[[], object]:
    """What changes when something new waits, or something no longer does."""

    def revision() -> object:
        with console.folder.queue() as queue:
            waiting = [pending.id for pending in queue.pending()]
        return "-".join([*waiting, *(asked.id for asked in console.conversations.all() if asked.state == "plan")])

    return revision


PAGES = {"/approvals": _page, "/approvals/part": _part}
ACTIONS = {"/approvals/{id}": _answer}
