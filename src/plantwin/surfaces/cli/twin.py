"""`plantwin twin`: exactly what a planner would be given at registration."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.arguments import add_json, add_root
from plantwin.surfaces.cli.output import FORMAT, console, note, write_bytes, write_line
from plantwin.surfaces.cli.sessions import observation
from plantwin.surfaces.render.text import plural, size

if TYPE_CHECKING:
    from plantwin.boundary.wire import Encoded
    from plantwin.types.envelope import Registration
    from plantwin.types.twin import Twin

EXAMPLE = "plantwin twin ~/projects/shop --json"
NOT_SENT = "NOT SENT: the fully disclosed twin, for your eyes. A planner is told far less, and only within its budget."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_root(parser)
    add_json(parser, "print the exact bytes and nothing else (also when piped)")
    parser.add_argument("--all", action="store_true", help="the fully disclosed twin instead, marked as not sent")


def run(options: argparse.Namespace) -> int:
    """Project the environment and show what would leave, or all that could be disclosed."""
    from plantwin import project

    with observation(options) as (_, scan):
        twin = project(scan)
    machine = options.json or not sys.stdout.isatty()
    if options.all:
        _show_all(twin, machine)
        return 0
    from plantwin.boundary.wire import encode
    from plantwin.private.opening import registration

    envelope = registration(twin)
    encoded = encode(envelope)
    if machine:
        write_bytes(encoded.data)
    else:
        _show(envelope, encoded)
    return 0


def _show(envelope: Registration, encoded: Encoded) -> None:
    from plantwin.surfaces.render.tables import listing

    write_line("What a planner would be told at registration, and nothing else:")
    write_line()
    screen = console()
    screen.print(listing(("object_id", "kind"), ((each.object_id, each.kind) for each in envelope.objects)))
    if envelope.groups:
        screen.print(listing(("not listed", "count"), ((group.kind, group.count) for group in envelope.groups)))
    write_line(f"{plural(len(envelope.objects), 'object')}, {size(len(encoded.data))}, sha256 {encoded.digest}")
    write_line("Ids are random and order is shuffled, so both differ each time. Nothing was sent.")


def _show_all(twin: Twin, machine: bool) -> None:
    note(NOT_SENT)
    if machine:
        import msgspec

        # The marking surrounds the twin, so that no program takes it for an envelope.
        head = f'{{"format": {FORMAT}, "command": "twin", "sent": false, "twin": '
        write_bytes(head.encode() + msgspec.json.encode(twin) + b"}\n")
        return
    from plantwin.surfaces.render.tables import listing

    write_line(NOT_SENT)
    write_line()
    fields = ("object_id", "kind", "semantic_class", "sensitivity", "contains", "confidence")
    rows = ([_cell(getattr(each, field)) for field in fields] for each in twin.objects)
    screen = console()
    screen.print(listing(fields, rows))
    edges = Counter((edge.edge, str(edge.reason)) for edge in twin.edges)
    if edges:
        tally = ((edge, reason, f"{number:,}") for (edge, reason), number in sorted(edges.items()))
        screen.print(listing(("edge", "reason", "number"), tally, right=("number",)))
    write_line(f"{plural(len(twin.objects), 'object')}, {plural(len(twin.edges), 'edge')}; every field: --all --json")


def _cell(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value) if isinstance(value, str) else "-"
