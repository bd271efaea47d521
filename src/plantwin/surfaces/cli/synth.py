"""`plantwin synth`: a folder of made-up files from a twin, to try plans on, to show and to send."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_folder, add_json, number
from plantwin.surfaces.cli.files import reason
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.sessions import observation
from plantwin.surfaces.render.text import plural

if TYPE_CHECKING:
    from plantwin.private.facts import Record
    from plantwin.synth import File

EXAMPLE = "plantwin synth ~/projects/shop --out shop-made-up --share"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    add_json(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to make; it must not be there")
    parser.add_argument("--from", dest="source", metavar="FILE", help="a saved twin instead of ROOT's; - for stdin")
    parser.add_argument("--seed", type=number, default=1, metavar="N", help="another N, other names (default: 1)")
    parser.add_argument("--share", action="store_true", help="check that nothing of ROOT is in it, else make nothing")
    parser.add_argument("--map", metavar="FILE", help="keep here, for you alone, which file stands for which of ROOT's")
    parser.add_argument("--force", action="store_true", help="replace a folder DIR that is there")


def run(options: argparse.Namespace) -> int:
    """Make the folder from the bytes of the twin."""
    from plantwin.synth import synth
    from plantwin.synth.folder import write_folder

    target = Path(options.out)
    taken = None
    objects: dict[str, Record] = {}
    if options.map is not None:
        if options.source is not None:
            raise InputError("--map needs the folder itself: a saved twin does not say what it was made from")
        _apart(target, Path(options.map), "--map")
    if options.source is None or options.share:
        import msgspec

        from plantwin.private.project import projection

        _apart(Path(options.root), target)
        with observation(options) as (_, scan):
            if options.source is None:
                twin, objects = projection(scan)
            data = msgspec.json.encode(twin) if options.source is None else _saved(options.source)
            if options.share:
                from plantwin.private.resemblance import taken_from

                taken = taken_from(Path(options.root), scan)
    else:
        data = _saved(options.source)
    files = synth(data, options.seed)
    if taken is not None:
        files = taken.checked(files)
    try:
        with Bar() as bar:
            written = write_folder(_shown(files, bar), target, force=options.force)
    except OSError as error:
        raise InputError(f"cannot write '{options.out}': {reason(error)}") from None
    if options.map is not None:
        from plantwin.surfaces.cli.saved import write_map

        write_map(options.map, {made: objects[id_] for id_, made in written.items()})
    if options.json:
        write_json("synth", {"out": options.out, "seed": options.seed, "files": len(written), "paths": written,
                             "shareable": True if options.share else None})  # fmt: skip
        return 0
    write_line(f"{plural(len(written), 'file')} made from the twin alone, in {options.out}.")
    if options.share:
        write_line("Compared with the folder: no name, word, secret or number of it is in what was made.")
    elif options.source is None:
        note("--share checks that nothing of the folder is in it before you send it to anybody.")
    return 0


def _shown(files: Iterable[File], bar: Bar) -> Iterator[File]:
    """The same files, while the person sees how many there are."""
    for done, file in enumerate(files):
        bar(done, None, "files")
        yield file


def _apart(root: Path, target: Path, option: str = "--out") -> None:
    """Refuse a place inside the folder: the made-up files would be taken for its own."""
    inside, outer = Path(target).absolute().resolve(), root.resolve()
    if inside == outer or inside in outer.parents or outer in inside.parents:
        raise InputError(f"{option} must lie outside of the folder")


def _saved(name: str) -> bytes:
    """The bytes of a saved twin, no more than are read at most."""
    from plantwin.synth.told import MAX_BYTES

    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{name}': {reason(error)}") from None
