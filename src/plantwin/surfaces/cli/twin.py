"""`plantwin twin`: exactly what a planner would be given at registration."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.arguments import add_folder, add_json, settings_of
from plantwin.surfaces.cli.output import FORMAT, console, note, write_bytes, write_line
from plantwin.surfaces.cli.sessions import observation
from plantwin.surfaces.render.text import plural, size

if TYPE_CHECKING:
    from plantwin.boundary.wire import Encoded
    from plantwin.private.scan import Scan
    from plantwin.types.envelope import Registration
    from plantwin.types.sets import TwinSet
    from plantwin.types.twin import Twin

EXAMPLE = "plantwin twin ~/projects/shop --json"
GOAL = "Look around"
"""What sets are cut for where no goal is given."""
NOT_SENT = "NOT SENT: the fully disclosed twin, for your eyes. A planner is told far less, and only within its budget."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    add_json(parser, "print the exact bytes and nothing else (also when piped)")
    parser.add_argument("--all", action="store_true", help="the fully disclosed twin instead, marked as not sent")
    parser.add_argument("--sets", action="store_true", help="the folder as the sets that a request would tell of")


def run(options: argparse.Namespace) -> int:
    """Project the environment and show what would leave, or all that could be disclosed."""
    from plantwin import project

    if options.sets:
        return _sets(options)
    machine = options.json or not sys.stdout.isatty()
    settings = settings_of(options)
    with observation(options) as (_, scan):
        if options.all:
            _show_all(project(scan), machine)
            return 0
        envelope = _registration(scan, settings.privacy.k, settings.limits.max_sets)
    from plantwin.boundary.wire import encode

    encoded = encode(envelope)
    if machine:
        write_bytes(encoded.data)
    else:
        _show(envelope, encoded)
    return 0


def _registration(scan: Scan, k: int, most: int) -> Registration:
    """Build what a planner is told first: the folder as at most `most` sets, with the size, kind and class of each."""
    from plantwin.private.selection.cells import Accounting, cut
    from plantwin.private.selection.sets import SessionSets
    from plantwin.types.envelope import Registration
    from plantwin.types.identity import Issuer

    accounting = Accounting(lambda _: b"", lambda _: "")
    cells = cut(list(scan.records()), k)
    sets = SessionSets(cells, (), accounting, Issuer(), {}, {}).for_goal((), (), most)
    return Registration(sets=tuple(_first(held.set) for held in sets))


def _first(told: TwinSet) -> TwinSet:
    """Return what a registration tells of a set."""
    from msgspec.structs import replace

    from plantwin.types.sets import TwinSet

    first = TwinSet(set_id=told.set_id, size=told.size, kind=told.kind, semantic_class=told.semantic_class)
    return first if told.semantic_class else replace(first, family=told.family)


def _sets(options: argparse.Namespace) -> int:
    """The folder as sets, as it would cross for a goal that asks for nothing in particular."""
    import json

    from plantwin.surfaces.cli.preview import rehearsed, show_sets

    options.config = options.planner = None
    preview = rehearsed(options, GOAL)
    views, relations = preview.sets, preview.relations
    if options.json or not sys.stdout.isatty():
        told = {"sets": [view.told for view in views], "relations": list(relations)}
        write_bytes(json.dumps(told, separators=(",", ":")).encode("ascii") + b"\n")
        return 0
    write_line("The folder as sets, as a planner would be told of them; names stay here:")
    write_line()
    show_sets(console(), views, relations)
    files = plural(sum(view.files for view in views), "file")
    write_line(f"{plural(len(views), 'set')} over {files}. Nothing was sent.")
    return 0


def _show(envelope: Registration, encoded: Encoded) -> None:
    from plantwin.surfaces.render.tables import listing

    write_line("What a planner would be told at registration, and nothing else:")
    write_line()
    screen = console()
    if envelope.sets:
        fields = ("set_id", "size", "kind", "family", "semantic_class")
        screen.print(listing(fields, ([_cell(getattr(set_, field)) for field in fields] for set_ in envelope.sets)))
    if envelope.objects:
        screen.print(listing(("object_id", "kind"), ((obj.object_id, obj.kind) for obj in envelope.objects)))
    about = f"{plural(len(envelope.sets), 'set')}, {plural(len(envelope.objects), 'object')}"
    write_line(f"{about}, {size(len(encoded.data))}, sha256 {encoded.digest}")
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
    rows = ([_cell(getattr(obj, field)) for field in fields] for obj in twin.objects)
    screen = console()
    screen.print(listing(fields, rows))
    edges = Counter((edge.edge, str(edge.reason)) for edge in twin.edges)
    if edges:
        tally = ((edge, reason, f"{number:,}") for (edge, reason), number in sorted(edges.items()))
        screen.print(listing(("edge", "reason", "number"), tally, right=("number",)))
    write_line(f"{plural(len(twin.objects), 'object')}, {plural(len(twin.edges), 'edge')}; every field: --all --json")


def _cell(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value) if isinstance(value, str) else "-"
