"""`plantwin audit`: the hash-chained trail of everything that was sent and decided."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from plantwin.errors import LedgerError
from plantwin.ledgers.records import read_lines
from plantwin.surfaces.cli import statement
from plantwin.surfaces.cli.arguments import add_json, add_state, number, open_ledger_of
from plantwin.surfaces.cli.files import write_chunks
from plantwin.surfaces.cli.output import console, note, write_json, write_json_list, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin.boundary.ledger.base import BaseLedger
    from plantwin.ledgers.records import Line
    from plantwin.ledgers.verification import Verification

EXAMPLE = "plantwin audit verify"
KINDS = ("session", "envelope", "answer", "plan", "verdict", "approval", "charge", "inherit", "reset", "warning")
BATCH = 1000
"""Lines between two looks at the clock."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="list the trail")
    show.add_argument("--last", type=number, metavar="N", help="the last N lines (default: 40; with --json all)")
    show.add_argument("--kind", choices=KINDS, metavar="K", help=f"of one kind: {', '.join(KINDS)}")
    verify = actions.add_parser("verify", help="find any change, deletion, insertion or truncation; exit code 1 if so")
    verify.add_argument("--expect", default="", metavar="HEAD", help="a head noted elsewhere: it must be in the trail")
    export = actions.add_parser("export", help="write every byte ever sent, one JSON object per line")
    export.add_argument("file", metavar="FILE", help="the file to write, or - for stdout")
    export.add_argument("--unverified", action="store_true", help="even where the trail does not verify")
    accept = actions.add_parser(
        "accept-rollback",
        help="go on with a ledger that was removed or is an old copy: what it forgot may be told again",
    )
    accept.add_argument("--yes", action="store_true", help="do not ask")
    for action in (show, verify, export, accept, *statement.arguments(actions)):
        add_state(action)
        add_json(action)


def run(options: argparse.Namespace) -> int:
    """Do one of these."""
    if options.action == "accept-rollback":
        return _accept(options)
    if options.action in statement.ACTIONS:
        return statement.ACTIONS[options.action](options)
    actions = {"show": _show, "verify": _verify, "export": _export}
    with open_ledger_of(options) as ledger:
        return actions[options.action](options, ledger)


def _accept(options: argparse.Namespace) -> int:
    """Only where the ledger is refused for standing before its anchor or witnesses; the trail says that it was done."""
    from plantwin.types.ledger import Entry, canonical_json

    try:
        with open_ledger_of(options):
            write_line("The ledger is as it was left: there is nothing to accept.")
            return 0
    except LedgerError as error:
        if "accept-rollback" not in str(error):
            raise
    if not options.yes and not _confirmed():
        raise LedgerError("not accepted: nothing was changed (say --yes where there is no terminal)")
    with open_ledger_of(options, accept=True) as ledger:
        found = deque(read_lines(ledger), 1)
        body = {"warning": "rollback_accepted", "line": found[0].number if found else 0, "asked": not options.yes}
        (line,) = ledger.note("person", "rollback", (Entry("warning", canonical_json(body)),))
    write_line(f"Accepted: the ledger goes on from line {body['line']:,}; line {line.number:,} of the trail says so.")
    return 0


def _confirmed() -> bool:
    """Ask on the terminal; without one, no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    note("The ledger was removed or is an old copy. What was told since is forgotten, and may be told again.")
    note("Better: restore the newest copy of the ledger and its anchor. Type `accept` to go on all the same:")
    return sys.stdin.readline().strip() == "accept"


def _show(options: argparse.Namespace, ledger: BaseLedger) -> int:
    lines = (line for line in read_lines(ledger) if options.kind in (None, line.kind))
    if options.json:
        chosen = deque(lines, options.last) if options.last else lines
        write_json_list("audit", {}, "lines", map(_members, chosen))
        return 0
    from plantwin.surfaces.render.tables import listing

    kept = deque(lines, options.last or 40)
    rows = ((str(line.number), _time(line.at), line.kind, _told(line)) for line in kept)
    console().print(listing(("line", "when", "kind", "what"), rows, right=("line",), styled=False))
    note(f"{plural(len(kept), 'line')} shown. Objects appear by id or key: the trail holds no name and no content.")
    return 0


def _members(line: Line) -> dict[str, Any]:
    return {"number": line.number, "at": line.at, "kind": line.kind, "body": _body(line), "mac": line.mac.hex()}


def _body(line: Line) -> Any:
    """The body as it is, or as text where it was damaged."""
    try:
        return json.loads(line.body)
    except (ValueError, RecursionError):
        return line.body.decode("utf-8", "replace")


def _told(line: Line) -> str:
    """One line of the trail in short."""
    body = _body(line)
    if line.kind in ("charge", "inherit") and isinstance(body, list):
        return _charged(body)
    if not isinstance(body, dict):
        return _short(body)
    match line.kind:
        case "envelope":
            text = str(body.get("data", ""))
            return f"{len(text):,} bytes to {body.get('audience')}, sha256 {str(body.get('sha256'))[:16]}…"
        case "payload":
            digest = str(body.get("sha256"))[:16]
            return f"{body.get('bytes')} bytes around them to {body.get('origin')}, sha256 {digest}…"
        case "answer":
            return f"{body.get('bytes')} bytes from the planner"
        case "verdict":
            why = f" by check ({body['check']}) {body['code']}" if "code" in body else ""
            return f"{body.get('step')} {body.get('capability')}: {body.get('verdict')}{why}"
        case "approval":
            return f"{body.get('step')}: {body.get('decision')}, asked because of {', '.join(body.get('causes', ()))}"
        case "session":
            who = f"{body.get('planner')} ({body.get('locality')}) for {body.get('audience')}"
            return f"{body.get('session')}: {who}; approvals by {body.get('approver')}"
        case "reset":
            return f"{body.get('audience')}: counted from zero again"
        case _:
            return _short(json.dumps(body))


def _charged(rows: list[Any]) -> str:
    """What was told, or taken over, in one line."""
    sound = [row for row in rows if isinstance(row, list) and len(row) >= 3]
    audiences = ", ".join(sorted({str(row[1]) for row in sound}))
    objects = plural(len({str(row[0]) for row in sound}), "object")
    units = ", ".join(dict.fromkeys(str(row[2]) for row in sound))
    return _short(f"{audiences}: {plural(len(sound), 'unit')} of {objects}: {units}")


def _short(value: object, most: int = 100) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def _time(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def _verified(ledger: BaseLedger, expect: str = "") -> Verification:
    """Look at every line, with a bar where that takes long."""
    from plantwin.ledgers.verification import verify

    with Bar() as bar:
        return verify(ledger, lambda done: bar(done, None, "verify"), expect)


def _verify(options: argparse.Namespace, ledger: BaseLedger) -> int:
    found = _verified(ledger, options.expect)
    if options.json:
        members = {"whole": not found.problem, "lines": found.lines, "head": found.head}
        write_json("audit", {**members, "problem": found.problem or None, "at": found.at or None})
    elif found.problem:
        where = f"line {found.at:,}: " if found.at else ""
        write_line(f"NOT WHOLE: {where}{printable(found.problem)}")
        write_line("Someone or something changed the ledger: keep it as it is, and restore it from a backup.")
    else:
        write_line(f"Whole: {plural(found.lines, 'line')}, each chained to the one before, up to")
        write_line(f"  {found.head}")
        write_line(
            "Note this head elsewhere; `plantwin audit verify --expect HEAD` proves later that nothing was cut off."
        )
    return int(bool(found.problem))


def _export(options: argparse.Namespace, ledger: BaseLedger) -> int:
    found = _verified(ledger)
    if found.problem and not options.unverified:
        where = f"line {found.at}: " if found.at else ""
        raise LedgerError(f"the trail does not verify ({where}{found.problem}): nothing was exported")
    counted = [0]
    write_chunks(options.file, _sent(ledger, found.lines, bool(found.problem), counted), 0o600)
    told = f"{plural(counted[0], 'envelope')} of {plural(found.lines, 'line')}, head {found.head or 'none'}"
    if options.json and options.file != "-":
        write_json(
            "audit", {"envelopes": counted[0], "lines": found.lines, "head": found.head, "whole": not found.problem}
        )
    else:
        note(f"{'NOT VERIFIED: ' if found.problem else ''}{told}.")
    return 0


def _sent(ledger: BaseLedger, last: int, damaged: bool, counted: list[int]) -> Iterator[bytes]:
    """Every envelope up to what was verified, the exact bytes as text (they are ASCII)."""
    for line in read_lines(ledger):
        if line.number > last and not damaged:
            return
        if line.kind != "envelope":
            continue
        body = _body(line)
        if not isinstance(body, dict):
            body = {"damaged": body}
        counted[0] += 1
        members = {
            "line": line.number,
            "at": line.at,
            **{name: body.get(name) for name in ("session", "audience", "sha256", "data")},
        }
        yield (json.dumps(members) + "\n").encode("ascii")
