"""`plantwin redact`: a text with typed placeholders instead of what is sensitive, and a private map to undo it."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json
from plantwin.surfaces.cli.detect import add_selection, chosen
from plantwin.surfaces.cli.files import STANDARD, new_private, read_chunks, reason, same, usual_mode, write_chunks
from plantwin.surfaces.cli.output import note, write_json
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin.private.detect.second_look import Left

EXAMPLE = "plantwin redact support.log --out support.redacted.log --map support.map.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("file", nargs="?", default=STANDARD, metavar="FILE", help="the text; - is stdin (default)")
    parser.add_argument("--out", metavar="FILE", help="write the redacted text here instead of to stdout")
    parser.add_argument("--map", metavar="FILE", help="write a new file, for you alone, that `unredact` needs")
    add_selection(parser)
    add_json(parser, "with --out: print as one JSON document how many places were redacted")


def run(options: argparse.Namespace) -> int:
    """Redact one file; with --map, keep what undoes it."""
    from plantwin.private.capabilities.redact_document import kind_of, refusal

    if same(options.out, options.file):
        raise InputError("--out is the text itself: give another name")
    if options.map is not None and (same(options.map, options.out) or same(options.map, options.file)):
        raise InputError("--map is the text itself: give another name")
    if options.json and not options.out:
        raise InputError("--json tells about a file that was written: give --out too")
    if options.file != STANDARD and Path(options.file).is_dir():
        raise InputError(f"'{options.file}' is a folder: redact its files one by one")
    chunks = read_chunks(options.file)
    head = next(chunks, b"")
    if kind := kind_of(head) or refusal(head):
        return _binary(options, kind, head + b"".join(chunks))
    return _text(options, chain((head,), chunks))


def _text(options: argparse.Namespace, chunks: Iterable[bytes]) -> int:
    from plantwin.private.capabilities.redact_document import said
    from plantwin.private.detect.redaction import Redaction, encode_map
    from plantwin.private.detect.second_look import left, settled
    from plantwin.private.detect.spread import Spread
    from plantwin.private.detect.structured import redaction_blocks
    from plantwin.private.inspection import File, detector_for, read_as

    selection = chosen(options, [detector_for()])
    redaction = Redaction(selection)
    path = "" if options.file == STANDARD else read_as(File(options.file, "", options.file, 0))
    found = redaction_blocks(detector_for(), chunks, path)
    # Made first: no text is redacted for a map that cannot be kept.
    kept = new_private(options.map) if options.map is not None else -1
    try:
        with tempfile.TemporaryFile() as first, tempfile.TemporaryFile() as second:
            # What is found at the end may stand unseen at the beginning.
            first.writelines(redaction.run(found))
            spread = Spread(redaction)
            if redaction.map().encoding != "utf-8":
                second.writelines(_pieces(first))
            else:
                again = spread.run(_pieces(first))
                second.writelines(settled(detector_for(), again, path, redaction, selection.keeps))
            write_chunks(options.out, _pieces(second), usual_mode())
            encoding = redaction.map().encoding
            # Placeholders are recognised in one encoding.
            narrow = (
                _pieces(second)
                if encoding == "utf-8"
                else [b"".join(_pieces(second)).decode(encoding, "replace").encode()]
            )
            seen = left(detector_for(), narrow, path, spread.ordinary, selection.keeps)
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
    if options.json:
        _told(redaction.replaced, redaction.distinct, seen)
        return 0
    note(f"{plural(redaction.replaced, 'place')} redacted, {plural(redaction.distinct, 'placeholder')}.")
    for line in said(seen, "the copy"):
        note(line)
    if kept >= 0:
        note(f"{printable(options.map)} holds the values: keep it to yourself.")
    return 0


def _told(places: int, placeholders: int | None, seen: Left) -> None:
    left = {"likely": seen.sure, "uncertain": {what: len(lines) for what, lines in seen.unsure.items()}}
    write_json("redact", {"redacted": places, "placeholders": placeholders, "left": left})


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    """A temporary file's bytes, from its beginning."""
    file.seek(0)
    while piece := file.read(1 << 20):
        yield piece


def _binary(options: argparse.Namespace, kind: str, data: bytes) -> int:
    """Copy a database or a workbook; whatever else is no text is refused."""
    from plantwin.private.capabilities.redact_document import Copier, refusal, said
    from plantwin.private.inspection import detector_for

    if why := refusal(data):
        raise InputError(f"cannot redact '{printable(options.file)}': {why}")
    if options.out is None or options.map is not None or options.type or options.group:
        raise InputError(
            f"a {kind} file is redacted into a new file, for good: give --out FILE, without --map, --type or --group",
            f"For example: plantwin redact {options.file} --out redacted{Path(options.file).suffix}",
        )
    copy = Copier(detector_for()).binary(kind, data, options.file)
    write_chunks(options.out, [copy.data], usual_mode())
    if options.json:
        _told(copy.counts.total(), None, copy.left)
        return 0
    note(f"{plural(copy.counts.total(), 'place')} redacted.")
    for line in said(copy.left, "the copy"):
        note(line)
    return 0
