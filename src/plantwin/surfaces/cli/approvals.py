"""`plantwin approvals`: steps of other processes that wait for a person's decision."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json
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
    parser.add_argument("--state", metavar="DIR", help="keep state in this folder instead of the user's state folder")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """List what waits, or answer one question."""
    if (options.id is None) != (options.action == "list"):
        raise InputError("approve and deny need the ID of one question; list needs none")
    queue = open_queue(Path(options.state) if options.state else None)
    try:
        if options.action == "list":
            _list(queue, options.json)
        else:
            _answer(queue, options.id, options.action == "approve", options.json)
    finally:
        queue.close()
    return 0


def open_queue(state: Path | None) -> ApprovalQueue:
    """The queue in a state folder."""
    from plantwin.private.queue import ApprovalQueue
    from plantwin.private.state import State

    return ApprovalQueue(State(state).subfolder("approvals") / "queue.db")


def _list(queue: ApprovalQueue, as_json: bool) -> None:
    waiting = queue.pending()
    if as_json:
        write_json("approvals", {"pending": [members(each) for each in waiting]})
        return
    for each in waiting:
        _show(each)
    note(f"{plural(len(waiting), 'question')} waiting. Local view: never sent.")


def _answer(queue: ApprovalQueue, id_: str, approved: bool, as_json: bool) -> None:
    answered = queue.answer(id_, approved)
    if as_json:
        write_json("approvals", {"answered": members(answered), "approved": approved})
        return
    write_line(f"{'Approved' if approved else 'Denied'}:")
    _show(answered)


def members(each: Pending) -> dict[str, Any]:
    """One question as JSON members."""
    return {"id": each.id, "asked": each.asked, "expires": each.expires, **each.description}


def _show(each: Pending) -> None:
    told = {name: printable(str(value)) for name, value in each.description.items() if not isinstance(value, list)}
    objects = ", ".join(printable(str(name)) for name in each.description.get("objects", ()))
    causes = ", ".join(printable(str(cause)) for cause in each.description.get("causes", ()))
    policy = f" {told['policy']}" if told.get("policy") else ""
    left = max(0, int(each.expires - time.time()))
    write_line(f"{each.id}  {told.get('capability', '?')} on {objects or 'no object'}")
    write_line(
        f"          step {told.get('step', '?')}, costs at most {told.get('price', '?')} for each object;"
        f" asked because of: {causes}{policy}; open for {left} s"
    )
