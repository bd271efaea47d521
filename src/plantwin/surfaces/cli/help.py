"""`plantwin help`: the overview, or the help of one command."""

from __future__ import annotations

import argparse

from plantwin.errors import InputError
from plantwin.surfaces.cli import COMMANDS, GROUPS, overview, parser_of
from plantwin.surfaces.cli.arguments import add_json, close_to
from plantwin.surfaces.cli.output import write_json, write_line

EXAMPLE = "plantwin help run"
PAGED = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("name", nargs="?", metavar="COMMAND", help="the command to explain")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print help."""
    name = options.name
    if name is not None and name not in COMMANDS:
        raise InputError(f"no such command: {name}{close_to(name, COMMANDS)}")
    if options.json:
        groups = {title: group for title, group in GROUPS.items() if name is None or name in group}
        rows = [
            {"command": command, "purpose": purpose, "group": title}
            for title, group in groups.items()
            for command, purpose in group.items()
            if name in (None, command)
        ]
        write_json("help", {"commands": rows})
        return 0
    write_line((parser_of(name) if name else overview()).format_help().rstrip("\n"))
    return 0
