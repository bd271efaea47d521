"""`plantwin approvals`: steps of other processes that wait for a person's decision."""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json, add_state, state_of
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin.private.queue import ApprovalQueue, Pending

EXAMPLE = "plantwin approvals approve 3f9a01c4"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("list", "approve", "deny"),
        default="list",
        metavar="ACTION",
        help="list (the default), approve or deny",
    )
    parser.add_argument("id", nargs="?", metavar="ID", help="the question, as the list shows it")
    parser.add_argument("--root", metavar="R", help="list only the steps on this folder")
    add_state(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """List what waits, or answer one question."""
    if (options.id is None) != (options.action == "list"):
        raise InputError("approve and deny need the ID of one question; list needs none")
    queue = open_queue(options)
    try:
        if options.action == "list":
            _list(queue, options.json, options.root)
        else:
            _answer(queue, options.id, options.action == "approve", options.json)
    finally:
        queue.close()
    return 0


def open_queue(options: argparse.Namespace) -> ApprovalQueue:
    """The queue in a state folder."""
    from plantwin.private.queue import ApprovalQueue

    return ApprovalQueue(state_of(options).subfolder("approvals") / "queue.db")


def _list(queue: ApprovalQueue, as_json: bool, root: str | None) -> None:
    waiting = queue.pending()
    if root is not None:
        folder = os.path.realpath(root)
        waiting = tuple(question for question in waiting if question.description.get("folder") == folder)
    if as_json:
        write_json("approvals", {"pending": [members(pending) for pending in waiting]})
        return
    write_line(f"{plural(len(waiting), 'step waits', 'steps wait')} for a person.")
    for question in waiting:
        _show(question)
    if waiting:
        note("`plantwin approvals approve ID` or `deny ID` answers one.")


def _answer(queue: ApprovalQueue, id_: str, approved: bool, as_json: bool) -> None:
    answered = queue.answer(id_, approved)
    if as_json:
        write_json("approvals", {"answered": members(answered), "approved": approved})
        return
    write_line(f"{'Approved' if approved else 'Denied'}:")
    _show(answered)


def members(pending: Pending) -> dict[str, Any]:
    """One question as JSON members."""
    return {"id": pending.id, "asked": pending.asked, "expires": pending.expires, **pending.description}


CAUSES = {
    "policy": "the policy wants a person to decide",
    "risk": "it is of high risk",
    "planner": "the planner wants a person to decide",
    "capability": "it runs programs or writes files",
    "unsure": "what a file is is not certain",
}


def _show(pending: Pending) -> None:
    from plantwin.private.capabilities import catalog

    told = {name: printable(str(value)) for name, value in pending.description.items() if not isinstance(value, list)}
    objects = ", ".join(printable(str(name)) for name in pending.description.get("objects", ()))
    causes = "; ".join(CAUSES.get(cause, printable(str(cause))) for cause in pending.description.get("causes", ()))
    capability = catalog().get(told.get("capability", ""))
    rows = {
        "goal": told.get("goal", ""),
        "folder": told.get("folder", ""),
        "asked by": told.get("requester", ""),
        "will run": capability.doc if capability else "",
        "because": causes + (f" (policy {told['policy']})" if told.get("policy") else ""),
        "tells": f"the planner at most {told.get('price', '?')} points of each object",
        "open for": f"{max(0, int(pending.expires - time.time()))} s",
    }
    write_line(f"{pending.id}  {told.get('capability', '?')} on {objects or 'no object'}")
    for name, text in rows.items():
        if text:
            write_line(f"  {name:<10}{text}")
