"""`plantwin init`: a configuration file to start from."""

from __future__ import annotations

import argparse

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json, add_state, state_of
from plantwin.surfaces.cli.config import create, path_of
from plantwin.surfaces.cli.output import write_json, write_line
from plantwin.surfaces.render.text import path_fields, printable

EXAMPLE = "plantwin init"
NEXT = (
    ("plantwin doctor", "what is installed, and what a missing part costs"),
    ("plantwin scan .", "read this folder; nothing is sent"),
    ('plantwin run "Are there secrets in this project?"', "ask; the default planner works on this machine"),
    ("plantwin planners", "who else can plan, and what it takes"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    add_state(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Write the file, and say what to do next."""
    path, state = path_of(options), state_of(options).folder
    if path.exists() and not options.force:
        raise InputError(f"'{path}' is there already: `plantwin config edit` changes it, --force replaces it")
    create(path)
    if options.json:
        write_json("init", {**path_fields(str(path), "file"), **path_fields(str(state), "state")})
        return 0
    write_line(f"Wrote     {printable(str(path))}: every setting with its default")
    write_line(f"State     {printable(str(state))}: index, ledger and reports, for you alone")
    write_line()
    write_line("Next:")
    for command, purpose in NEXT:
        write_line(f"  {command}")
        write_line(f"      {purpose}")
    return 0
