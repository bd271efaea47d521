"""`plantwin ledger`: a ledger that a team shares: set it up, join it, copy it, watch it."""

from __future__ import annotations

import argparse
import hashlib
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError, LedgerError
from plantwin.surfaces.cli.arguments import add_json, add_state, open_ledger_of, settings_of, state_of
from plantwin.surfaces.cli.files import new_private, reason
from plantwin.surfaces.cli.output import write_json, write_line
from plantwin.surfaces.render.text import plural

if TYPE_CHECKING:
    from plantwin.private.state import State

EXAMPLE = "plantwin ledger status"
PASSPHRASE = "PLANTWIN_TEAM_PASSPHRASE"  # noqa: S105 - the name of a variable
METRICS_TOKEN = "PLANTWIN_METRICS_TOKEN"  # noqa: S105 - the name of a variable


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    status = actions.add_parser("status", help="which ledger this is, how long, and what you may do with it")
    roles = actions.add_parser("roles", help="make the roles of a team in PostgreSQL; as the owner of the database")
    share = actions.add_parser("share", help="write the team's keys to a file that a passphrase opens")
    join = actions.add_parser("join", help="take over a team's keys from such a file")
    for action in (share, join):
        action.add_argument("file", metavar="FILE", help=f"its passphrase is asked for, or in ${PASSPHRASE}")
    copy = actions.add_parser("copy", help="copy the whole ledger into an empty PostgreSQL database")
    copy.add_argument(
        "--to", required=True, metavar="VARIABLE", help="the environment variable with its connection string"
    )
    copy.add_argument("--new-key", action="store_true", help="under a new key; a team's old ledger ends with it")
    metrics = actions.add_parser("metrics", help="figures for Prometheus: print them, or serve them on loopback")
    metrics.add_argument(
        "--port",
        type=int,
        help=f"serve them at /metrics of this port, to those who have the token in ${METRICS_TOKEN}",
    )
    for action in (status, roles, share, join, copy, metrics):
        add_state(action)
        add_json(action)


def run(options: argparse.Namespace) -> int:
    """Do one of these."""
    actions = {
        "status": _status, "roles": _roles, "share": _share, "join": _join, "copy": _copy, "metrics": _metrics,
    }  # fmt: skip
    return actions[options.action](options)


def _fingerprint(state: State) -> str:
    """What two members compare to see that they hold the same keys."""
    from plantwin.workspace import ledger_key

    return hashlib.sha256(b"plantwin team" + state.key + ledger_key(state)).hexdigest()[:16]


def _status(options: argparse.Namespace) -> int:
    from plantwin.ledgers.verification import verify
    from plantwin.workspace import may_approve

    with open_ledger_of(options) as ledger:
        found = verify(ledger)
        who: dict[str, str] = getattr(ledger, "who", dict)()
        approves = may_approve(ledger)
    kind, keys = settings_of(options).ledger.kind, _fingerprint(state_of(options))
    if options.json:
        members = {"kind": kind, "whole": not found.problem, "lines": found.lines, "head": found.head, "keys": keys}
        write_json("ledger", {**members, "problem": found.problem or None, **who, "may_approve": approves})
        return int(bool(found.problem))
    write_line(f"Kind      {kind}")
    write_line(f"Whole     {'NO: ' + found.problem if found.problem else 'yes, ' + plural(found.lines, 'line')}")
    write_line(f"Keys      {keys} (the same for every member)")
    if who:
        write_line(f"You       {who['user']} at {who['host']}, role {who['role']}")
        write_line(f"Approve   {'yes' if approves else 'no: your role is not a member of plantwin_approver'}")
    return int(bool(found.problem))


def _roles(options: argparse.Namespace) -> int:
    from plantwin.ledgers.postgres import APPROVER, READER, WRITER, PostgresLedger

    with open_ledger_of(options) as ledger:
        if not isinstance(ledger, PostgresLedger):
            raise LedgerError("roles are for a ledger in PostgreSQL: set ledger.kind to postgres")
        ledger.set_up_roles()
    if options.json:
        write_json("ledger", {"roles": [READER, WRITER, APPROVER]})
    else:
        write_line(f"{READER} may read, {WRITER} may record too, {APPROVER} may also approve steps.")
        write_line(f"Give them to people in PostgreSQL: GRANT {WRITER} TO ann;")
    return 0


def _passphrase(*, twice: bool) -> str:
    if given := os.environ.get(PASSPHRASE):
        return given
    if not sys.stdin.isatty():
        raise InputError(f"no passphrase: set {PASSPHRASE}, or use a terminal")
    import getpass

    found = getpass.getpass("Passphrase: ")
    if twice and getpass.getpass("Again: ") != found:
        raise InputError("the two passphrases differ")
    return found


def _share(options: argparse.Namespace) -> int:
    from plantwin.private.team_key import sealed
    from plantwin.workspace import ledger_key

    state = state_of(options)
    data = sealed(state, _passphrase(twice=True), ledger_key(state))
    with os.fdopen(new_private(options.file), "wb") as file:
        file.write(data)
    _say(options, state, "Send the file one way and the passphrase another; members run `plantwin ledger join FILE`.")
    return 0


def _join(options: argparse.Namespace) -> int:
    from plantwin.private.team_key import join, opened

    try:
        data = Path(options.file).read_bytes()[:1000]
    except OSError as error:
        raise InputError(f"cannot read '{options.file}': {reason(error)}") from None
    state = state_of(options)
    join(state, *opened(data, _passphrase(twice=False)))
    _say(options, state, "Joined. Delete the file; `plantwin ledger status` opens the ledger.")
    return 0


def _say(options: argparse.Namespace, state: State, text: str) -> None:
    if options.json:
        write_json("ledger", {"keys": _fingerprint(state)})
    else:
        write_line(f"Keys {_fingerprint(state)}: the same for every member. {text}")


def _copy(options: argparse.Namespace) -> int:
    """Copy while others may write, then the rest while nobody can; a team's old ledger ends with that."""
    from plantwin.ledgers.copying import copy
    from plantwin.ledgers.postgres import PostgresLedger
    from plantwin.private.team_key import use_ledger_key
    from plantwin.workspace import ledger_key, open_team_ledger

    settings, state = settings_of(options), state_of(options)
    with open_ledger_of(options) as source, open_ledger_of(options) as reading:
        key = secrets.token_bytes(32) if options.new_key else ledger_key(state)
        target = open_team_ledger(settings, state, options.to, key)
        try:
            if isinstance(source, PostgresLedger):
                begun = copy(reading, target, counts=False)
                done = [begun]
                source.retire(lambda: done.append(copy(reading, target, begun)))
            else:
                done = [copy(source, target)]
        finally:
            target.close()
    if options.new_key:
        use_ledger_key(state, key)
    if options.json:
        write_json("ledger", {"lines": done[-1], "keys": _fingerprint(state)})
    else:
        write_line(f"Copied {plural(done[-1], 'line')}, verified. Keys {_fingerprint(state)}.")
        write_line(f'Now set [ledger] kind = "postgres" and dsn_env = "{options.to}", for every member.')
        if options.new_key:
            write_line("The key is new: `plantwin ledger share` again, and every member joins again.")
    return 0


def _metrics(options: argparse.Namespace) -> int:
    from plantwin.ledgers.metrics import exposition

    def figures() -> str:
        with open_ledger_of(options) as ledger:
            return "".join(exposition(ledger))

    if options.port is None:
        write_line(figures().rstrip("\n"))
        return 0
    try:
        from plantwin.surfaces.http import serve, serving_text
    except ModuleNotFoundError as error:
        raise InputError("a server is not installed: pip install 'plantwin[gateway]'") from error
    app = serving_text("/metrics", figures, "text/plain; version=0.0.4")
    serve(app, options.port, "/metrics", METRICS_TOKEN, ("ledger", {}) if options.json else None)
    return 0
