"""`plantwin scan`: read the environment, update the index, print a summary."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from plantwin.surfaces.cli.arguments import add_json, add_root
from plantwin.surfaces.cli.output import console, note, write_json, write_line
from plantwin.surfaces.cli.sessions import observation
from plantwin.surfaces.render.text import path_fields, plural, printable, size, well_formed

if TYPE_CHECKING:
    from plantwin.private.records import Summary

EXAMPLE = "plantwin scan ~/projects/shop"
MOST_WARNINGS = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_root(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Scan and print the summary."""
    with observation(options) as (_, scan):
        summary = scan.summary
    if options.json:
        write_json("scan", {**path_fields(options.root, "root"), "summary": members(summary)})
    else:
        _show(options.root, summary)
    return 0


def members(summary: Summary) -> dict[str, Any]:
    """The summary as JSON members."""
    fields = {name: getattr(summary, name) for name in summary.__struct_fields__}
    fields["seconds"] = round(summary.seconds, 4)
    fields["phases"] = {phase: round(seconds, 4) for phase, seconds in summary.phases.items()}
    fields["warnings"] = [well_formed(warning) for warning in summary.warnings]
    return fields


def _show(root: str, summary: Summary) -> None:
    from plantwin.surfaces.render.tables import tallies

    write_line(
        f"{printable(root)}: {plural(summary.files, 'file')}, {plural(summary.objects, 'object')}"
        f" in {plural(summary.components, 'component')}"
    )
    write_line(
        f"read {summary.read:,} ({size(summary.bytes_read)}), from the index {summary.reused:,}, removed"
        f" {summary.removed:,}; not objects: {summary.opaque:,} opaque, {summary.skipped:,} never opened,"
        f" {summary.ignored:,} ignored"
    )
    write_line(f"{summary.seconds:.2f} s")
    write_line()
    screen = console()
    short = {
        "kind": summary.kinds,
        "sensitivity": summary.sensitivities,
        "confidence": summary.confidences,
        "edges": summary.edges,
    }
    screen.print(tallies(short, {"family": summary.families}))
    for warning in summary.warnings[:MOST_WARNINGS]:
        note(f"warning: {printable(warning)}")
    if len(summary.warnings) > MOST_WARNINGS:
        note(f"and {plural(len(summary.warnings) - MOST_WARNINGS, 'more warning')}; --json lists them all")
    if unsure := summary.confidences.get("low", 0):
        write_line(f"{plural(unsure, 'object')} of low confidence: plantwin review")
    write_line("Nothing was sent. What would be: plantwin twin")
