"""`plantwin redact`: a text with typed placeholders instead of what is sensitive, and a private map to undo it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from plantwin.errors import InputError
from plantwin.surfaces.cli.files import STANDARD, new_private, read_chunks, reason, same, usual_mode, write_chunks
from plantwin.surfaces.cli.output import note
from plantwin.surfaces.cli.wanted import add_selection, chosen
from plantwin.surfaces.render.text import plural, printable

EXAMPLE = "plantwin redact support.log --out support.redacted.log --map support.map.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("file", nargs="?", default=STANDARD, metavar="FILE", help="the text; - is stdin (default)")
    parser.add_argument("--out", metavar="FILE", help="write the redacted text here instead of to stdout")
    parser.add_argument("--map", metavar="FILE", help="write a new file, for you alone, that `unredact` needs")
    add_selection(parser)


def run(options: argparse.Namespace) -> int:
    """Redact one text; with --map, keep what undoes it."""
    from plantwin.private.detect.redaction import Redaction, encode_map
    from plantwin.private.detect.stream import blocks
    from plantwin.private.inspection import File, detector_for, read_as

    if same(options.out, options.file):
        raise InputError("--out is the text itself: give another name")
    if options.map is not None and (same(options.map, options.out) or same(options.map, options.file)):
        raise InputError("--map is the text itself: give another name")
    redaction = Redaction(chosen(options, [detector_for()]))
    path = "" if options.file == STANDARD else read_as(File(options.file, "", options.file, 0))
    found = blocks(detector_for(), read_chunks(options.file), path)
    # Made first: no text is redacted for a map that cannot be kept.
    kept = new_private(options.map) if options.map is not None else -1
    try:
        write_chunks(options.out, redaction.run(found), usual_mode())
        if kept >= 0:
            with open(kept, "wb", closefd=False) as file:
                file.write(encode_map(redaction.map()))
                file.flush()
                os.fsync(kept)
    except BaseException as error:
        if kept >= 0:
            Path(options.map).unlink()
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise InputError(f"cannot write: {reason(error)}") from None
        raise
    finally:
        if kept >= 0:
            os.close(kept)
    note(f"{plural(redaction.replaced, 'place')} redacted, {plural(redaction.distinct, 'placeholder')}.")
    if kept >= 0:
        note(f"{printable(options.map)} holds the values: keep it to yourself.")
    return 0
