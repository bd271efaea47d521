"""`plantwin doctor`: what is installed, what is missing, and what that costs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.arguments import add_json
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.render.text import plural

if TYPE_CHECKING:
    from plantwin.surfaces.cli.checks import Check

EXAMPLE = "plantwin doctor"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_json(parser)
    parser.add_argument("--state", metavar="DIR", help="look at this state folder instead of the user's")


def condensed(results: list[Check]) -> list[Check]:
    """The grammars that work as one row; whatever does not keeps its own."""
    from plantwin.surfaces.cli.checks import Check, Status

    grammars = [each for each in results if each.name.startswith("tree-sitter-") and each.status is Status.FINE]
    if len(grammars) < 2:
        return results
    languages = ", ".join(each.name.removeprefix("tree-sitter-") for each in grammars)
    row = Check("library", f"{len(grammars)} grammars", Status.FINE, languages, required=True)
    first = results.index(grammars[0])
    left = set(grammars)
    return [
        row if position == first else each
        for position, each in enumerate(results)
        if each not in left or position == first
    ]


def run(options: argparse.Namespace) -> int:
    """Run every check; 1 when something required is broken."""
    from plantwin.surfaces.cli.checks import Status, checks

    results = list(checks(options.state))
    broken = [each for each in results if each.required and each.status is not Status.FINE]
    if options.json:
        rows = [
            {
                "part": each.part,
                "name": each.name,
                "status": each.status.value,
                "required": each.required,
                "detail": each.detail,
                "cost": each.cost or None,
            }
            for each in results
        ]
        write_json("doctor", {"healthy": not broken, "checks": rows})
        return int(bool(broken))
    from plantwin.surfaces.render.tables import listing

    cells = [(each.part, each.name, each.status.value, each.detail, each.cost) for each in condensed(results)]
    console().print(listing(("part", "name", "status", "detail", "what it costs"), cells))
    write_line()
    for each in results:
        if each.part == "sandbox" and each.status is not Status.FINE:
            write_line(f"No sandbox: {each.detail}.")
    if broken:
        write_line(
            f"{plural(len(broken), 'required part')} broken. Reinstall with: pip install --force-reinstall plantwin"
        )
    else:
        write_line("Everything required is in order.")
    return int(bool(broken))
