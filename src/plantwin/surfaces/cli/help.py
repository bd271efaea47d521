"""`plantwin help`: the overview, the help of one command, or both as manual pages."""

from __future__ import annotations

import argparse
from pathlib import Path

from plantwin.errors import InputError
from plantwin.surfaces.cli import COMMANDS, GROUPS, overview, parser_of
from plantwin.surfaces.cli.arguments import add_json, close_to
from plantwin.surfaces.cli.files import write_chunks
from plantwin.surfaces.cli.output import write_json, write_line
from plantwin.surfaces.render.text import path_fields, plural, printable

EXAMPLE = "plantwin help run"
PAGED = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("name", nargs="?", metavar="COMMAND", help="the command to explain")
    parser.add_argument(
        "--man", metavar="DIR", help="write manual pages into this folder, such as ~/.local/share/man/man1"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print help."""
    name = options.name
    if name is not None and name not in COMMANDS:
        raise InputError(f"no such command: {name}{close_to(name, COMMANDS)}")
    if options.man:
        return _pages(options, [name] if name else ["", *COMMANDS])
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


def _pages(options: argparse.Namespace, names: list[str]) -> int:
    """Write a manual page for each command; no name is the one of the program."""
    from plantwin import __version__
    from plantwin.surfaces.render.manual import manual

    folder = Path(options.man).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder '{options.man}': {error.strerror}") from None
    for name in names:
        parser = parser_of(name) if name else overview()
        purpose = COMMANDS[name] if name else "plan work over a private folder that the planner never sees"
        also = ["plantwin"] if name else [f"plantwin-{command}" for command in COMMANDS]
        page = manual(parser, purpose, __version__, also)
        write_chunks(str(folder / f"{parser.prog.replace(' ', '-')}.1"), [page.encode()], 0o644)
    if options.json:
        write_json("help", {**path_fields(str(folder), "man"), "pages": len(names)})
    else:
        write_line(f"{printable(str(folder))}: {plural(len(names), 'page')}. To read one: man -l FILE")
    return 0
