"""`plantwin version`."""

from __future__ import annotations

import argparse

from plantwin.surfaces.cli.arguments import add_json
from plantwin.surfaces.cli.output import write_json, write_line

EXAMPLE = "plantwin version"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the version."""
    from plantwin import __version__

    if options.json:
        write_json("version", {"version": __version__})
    else:
        write_line(f"plantwin {__version__}")
    return 0
