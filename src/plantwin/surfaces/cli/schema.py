"""`plantwin schema`: the wire's JSON Schema, and how many bits each part of it can carry."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from plantwin.surfaces.cli.arguments import add_json
from plantwin.surfaces.cli.output import console, write_json, write_line

EXAMPLE = "plantwin schema --json > wire.schema.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_json(parser, "print the JSON Schema, with x-capacity-bits on every field (also when piped)")
    parser.add_argument(
        "--statement", action="store_true", help="the JSON Schema of `plantwin audit statement` instead"
    )
    parser.add_argument("--capacity", action="store_true", help="only the capacity; with --json as a JSON document")


def run(options: argparse.Namespace) -> int:
    """Print the schema for programs, the capacity for people."""
    from plantwin.types.schema import capacity, wire_schema

    if options.statement:
        from plantwin.ledgers.statement import schema

        sys.stdout.write(json.dumps(schema(), indent=2) + "\n")
    elif options.capacity and options.json:
        write_json("schema", {"capacity": capacity()})
    elif options.json or not (options.capacity or sys.stdout.isatty()):
        sys.stdout.write(json.dumps(wire_schema(), indent=2) + "\n")
    else:
        _show(capacity())
    return 0


def _show(bits: dict[str, Any]) -> None:
    from plantwin.surfaces.render.tables import listing

    screen = console()
    for part in ("object", "edge", "set", "relation"):
        rows = [(field, f"{value:.2f}") for field, value in bits[part]["fields"].items()]
        rows.append((f"one {part}", f"{bits[part]['total']:.2f}"))
        screen.print(listing((part, "bits at most"), rows, right=("bits at most",), styled=False))
        write_line()
    totals = (
        ("one object as registered", bits["registered_object"]),
        ("one object, all fields and edges", bits["object_with_edges"]),
        ("one registration", bits["registration"]),
        ("one envelope, everything disclosed", bits["envelope"]),
    )
    rows = [(name, f"{value:,.2f}") for name, value in totals]
    screen.print(listing(("whole", "bits at most"), rows, right=("bits at most",), styled=False))
    limits = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in bits["limits"].items())
    write_line(f"Upper bounds, as if every value were possible and independent. Limits: {limits}.")
    write_line("The JSON Schema itself: plantwin schema --json")
