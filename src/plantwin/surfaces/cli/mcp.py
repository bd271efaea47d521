"""`plantwin mcp`: an MCP server, through which an agent works on a folder that it cannot read."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_folder, add_json, settings_of, state_of
from plantwin.surfaces.cli.output import write_json, write_line
from plantwin.surfaces.render.text import printable


class Client(NamedTuple):
    """A program that agents run in."""

    title: str
    path: str
    """Its configuration file, below the folder that the agent is started in, or the home folder (~)."""
    key: str
    """What servers stand under; empty where the file is TOML."""
    confine: tuple[str, ...]
    """What takes the agent's own access to files away."""
    reference: str
    """Where the client documents its configuration."""


EMPTY = (
    "Start the agent in an empty folder, as a user or in a container that cannot read {root}: no setting of a client "
    "is as strong as a file that cannot be read."
)
CLIENTS = {
    name: Client(row["title"], row["path"], row["key"], (*row["confine"], EMPTY), row["reference"])
    for name, row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}


def entry(command: str, arguments: list[str]) -> dict[str, object]:
    """Return what every JSON configuration says of a server that it starts."""
    return {"type": "stdio", "command": command, "args": arguments}


def added(client: Client, before: str, server: dict[str, object]) -> str:
    """Return the configuration with this server in it; everything else stays. Raises ValueError if it is broken."""
    if not client.key:
        name = "[mcp_servers.plantwin]"
        if name in before:
            raise ValueError("it has a server `plantwin` already")
        lines = [name, f"command = {json.dumps(server['command'])}", f"args = {json.dumps(server['args'])}"]
        return f"{before.rstrip()}\n\n".lstrip() + "\n".join(lines) + "\n"
    tree = json.loads(before or "{}")
    servers = tree.setdefault(client.key, {}) if isinstance(tree, dict) else None
    if not isinstance(servers, dict):
        raise ValueError("it is no JSON object of servers")
    servers["plantwin"] = server
    return json.dumps(tree, indent=2) + "\n"


EXAMPLE = (
    "plantwin mcp ~/projects/shop --audience anthropic\n  plantwin mcp install --client claude-code ~/projects/shop"
)
SENDS = (
    "Nothing is sent but recorded envelopes, within each object's budget (`plantwin audit show`). They go to\n"
    "the program that started this server, and on to whoever runs its model: name that provider with --audience."
)
TOKEN = "PLANTWIN_MCP_TOKEN"  # noqa: S105 - the name of a variable
MISSING = "the package `mcp` is not installed: pip install 'plantwin[mcp]'"


class _Word(argparse.Action):
    """What to do, or at once the folder to serve."""

    def __call__(self, parser: object, namespace: argparse.Namespace, values: Any, option: object = None) -> None:
        known = values in ("serve", "install")
        namespace.action = values if known else "serve"
        if not known:
            namespace.root = values


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument(
        "action",
        nargs="?",
        action=_Word,
        default="serve",
        metavar="serve|install",
        help="serve (the default), or install into a client",
    )
    add_folder(parser)
    parser.add_argument(
        "--audience", metavar="NAME", default="agent", help="the provider of the agent's model (default: agent)"
    )
    parser.add_argument(
        "--http",
        action="store_true",
        help=f"streamable HTTP on loopback; the bearer token is in ${TOKEN}, or is made and printed",
    )
    parser.add_argument("--port", type=int, default=8601, help="the port of --http (default: 8601)")
    parser.add_argument(
        "--names",
        action="store_true",
        help="let words of the agent's goals name files: it can then try whether a name exists",
    )
    parser.add_argument(
        "--client", choices=("claude-code", "cursor", "codex", "vscode"), help="install: for which client"
    )
    parser.add_argument(
        "--write", action="store_true", help="install: change the client's file in this folder, instead of printing it"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Serve, or say how a client is set up."""
    if options.action == "install":
        return _install(options)
    try:
        from plantwin.surfaces.http import HOST, serve
        from plantwin.surfaces.mcp.server import server
        from plantwin.surfaces.mcp.sessions import Folder
    except ModuleNotFoundError as error:
        raise InputError(MISSING) from error
    settings = settings_of(options)
    root = Path(options.root).expanduser()
    if not root.exists():
        raise InputError("there is no such folder: name one that exists")
    folder = Folder.of(root, options.audience, settings=settings, state=state_of(options).folder, names=options.names)
    made = server(folder)
    if not options.http:
        made.run("stdio")
        return 0
    document = ("mcp", {"audience": folder.audience, "names": folder.names}) if options.json else None
    serve(made.streamable_http_app(host=HOST), options.port, "/mcp", TOKEN, document)
    return 0


def _install(options: argparse.Namespace) -> int:
    if options.client is None:
        raise InputError(f"--client is needed: one of {', '.join(CLIENTS)}")
    client = CLIENTS[options.client]
    root = str(Path(options.root).expanduser().resolve())
    more = ["--names"] if options.names else []
    command = shutil.which("plantwin") or str(Path(sys.argv[0]).resolve())
    server = entry(command, ["mcp", "--root", root, "--audience", options.audience, *more])
    path = Path(client.path).expanduser()
    try:
        before = path.read_text() if options.write and path.exists() else ""
        text = added(client, before, server)
    except (OSError, ValueError) as error:
        raise InputError(f"{client.path} cannot be changed ({error}): correct it, or leave --write out") from None
    confine = [line.replace("{root}", root) for line in client.confine]
    if options.write:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if options.json:
        write_json(
            "mcp",
            {
                "client": options.client,
                "path": client.path,
                "written": options.write,
                "text": text,
                "confine": confine,
                "reference": client.reference,
            },
        )
        return 0
    write_line(f"{client.path} of {client.title}{' was written' if options.write else ''}:")
    write_line(text.rstrip())
    write_line("The promise holds only if the agent cannot read the folder by itself:")
    for line in confine:
        write_line(f"- {printable(line)}")
    write_line(f"What the client documents: {client.reference}")
    return 0
