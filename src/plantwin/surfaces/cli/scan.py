"""`plantwin scan`: read the environment, update the index, print a summary."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from plantwin.surfaces.cli.arguments import add_cluster, add_folder, add_json, name
from plantwin.surfaces.cli.output import console, warn, write_json, write_line
from plantwin.surfaces.cli.sessions import observation
from plantwin.surfaces.render.text import path_fields, plural, printable, size, well_formed

if TYPE_CHECKING:
    from plantwin import Scan
    from plantwin.private.facts import Summary

EXAMPLE = "plantwin scan ~/projects/shop"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    add_cluster(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Scan and print the summary."""
    with observation(options) as (_, scan):
        summary = scan.summary
        warnings = [] if options.json else named(scan)  # which loads every record
    if options.json:
        write_json("scan", {**path_fields(options.root, "root"), "summary": members(summary)})
    else:
        _show(options.root, summary, warnings)
    return 0


def members(summary: Summary) -> dict[str, Any]:
    """The summary as JSON members."""
    fields = {field: getattr(summary, field) for field in summary.__struct_fields__}
    fields["seconds"] = round(summary.seconds, 4)
    fields["phases"] = {phase: round(seconds, 4) for phase, seconds in summary.phases.items()}
    fields["warnings"] = [well_formed(warning) for warning in summary.warnings]
    return fields


def named(scan: Scan) -> list[str]:
    """The warnings of a scan, with the names of the files where it only counts them."""
    warnings = list(scan.summary.warnings)
    counted = {text.partition(": ")[0] for text in warnings if text.endswith(" objects")}
    if not counted:
        return warnings
    files = [f"{code}: {name(record)}" for record in scan.records() for code in record.warnings]
    return [text for text in warnings if text.partition(": ")[0] not in counted] + files


def _show(root: str, summary: Summary, warnings: list[str]) -> None:
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
    warn(warnings, "; --json lists them all")
    if unsure := summary.confidences.get("low", 0):
        write_line(f"{plural(unsure, 'object')} of low confidence: plantwin review")
    write_line("Nothing was sent. What would be: plantwin twin")
