"""`plantwin gateway`: answers chat requests of unmodified programs from a folder, and passes no text of theirs on."""

from __future__ import annotations

import argparse
from pathlib import Path

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_folder, add_json, settings_of, state_of
from plantwin.surfaces.cli.output import note
from plantwin.surfaces.render.text import printable, well_formed

EXAMPLE = (
    "plantwin gateway ~/projects/shop --upstream openai:MODEL\n"
    "  OPENAI_BASE_URL=http://127.0.0.1:8602/v1 OPENAI_API_KEY=<the token> some-assistant"
)
SENDS = (
    "Nothing is sent to the upstream planner but what `plantwin run` would send for the last message: recorded\n"
    "envelopes, within each object's budget (`plantwin audit show`). Starting the gateway is your consent.\n"
    "The key that a client needs is in $PLANTWIN_GATEWAY_TOKEN, or is made and printed."
)
TOKEN = "PLANTWIN_GATEWAY_TOKEN"  # noqa: S105 - the name of a variable
MISSING = "a server is not installed: pip install 'plantwin[gateway]'"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    parser.add_argument("--upstream", metavar="NAME", help="who plans; `plantwin planners` lists all")
    parser.add_argument("--port", type=int, default=8602, help="the port on loopback (default: 8602)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Serve until interrupted."""
    try:
        from plantwin.surfaces.gateway import Folder, application
        from plantwin.surfaces.http import serve
    except ModuleNotFoundError as error:
        raise InputError(MISSING) from error
    from plantwin.cloud.planner import sends
    from plantwin.private.capabilities import catalog
    from plantwin.surfaces.cli.planners import planner_of

    settings = settings_of(options)
    root = Path(options.root).expanduser()
    if not root.exists():
        raise InputError("there is no such folder: name one that exists")
    # A name that stands for no planner is an error now, not in an answer.
    planner = planner_of(options.upstream, catalog(settings.session.catalog), settings)
    telling = sends(planner)
    told = f"{planner.audience} is told what `plantwin audit show` lists" if telling else "nothing leaves this machine"
    note(printable(f"{planner.name} plans: {told}."))
    about = {"planner": well_formed(planner.name), "audience": planner.audience, "sends": telling}
    folder = Folder(root, settings, state_of(options).folder, options.upstream or settings.planner.default)
    serve(application(folder), options.port, "/v1", TOKEN, ("gateway", about) if options.json else None)
    return 0
