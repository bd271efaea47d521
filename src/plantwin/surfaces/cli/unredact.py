"""`plantwin unredact`: placeholders back to values, exact to the byte."""

from __future__ import annotations

import argparse

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json
from plantwin.surfaces.cli.files import STANDARD, read_chunks, same, write_chunks
from plantwin.surfaces.cli.output import note, write_json
from plantwin.surfaces.render.text import plural

EXAMPLE = "plantwin unredact answer.md --map support.map.json --out answer.full.md"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("file", nargs="?", default=STANDARD, metavar="FILE", help="the text; - is stdin (default)")
    parser.add_argument("--map", required=True, metavar="FILE", help="the map that `redact --map` wrote")
    parser.add_argument("--out", metavar="FILE", help="write here, readable by you alone, instead of to stdout")
    add_json(parser, "with --out: print as one JSON document how many places were restored")


def run(options: argparse.Namespace) -> int:
    """Put the values back."""
    from plantwin.private.detect.redaction import Restoration, decode_map

    if same(options.out, options.file) or same(options.out, options.map):
        raise InputError("--out is a file that is read: give another name")
    if options.json and not options.out:
        raise InputError("--json tells about a file that was written: give --out too")
    restoration = Restoration(decode_map(b"".join(read_chunks(options.map))))
    write_chunks(options.out, restoration.run(read_chunks(options.file)), 0o600)
    if options.json:
        write_json("unredact", {"restored": restoration.restored, "unknown": restoration.unknown})
        return 0
    note(f"{plural(restoration.restored, 'place')} restored.")
    if restoration.unknown:
        note(f"{plural(restoration.unknown, 'placeholder')} unknown to the map and left as they are.")
    return 0
