"""`plantwin bench reid`: the re-identification game."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from plantwin.errors import InputError
from plantwin.surfaces.cli.output import note, write_json, write_line


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the action accepts."""
    parser.add_argument(
        "--tree", type=Path, action="append", default=[], metavar="DIR",
        help="a real folder (repeatable; default: Python's standard library)",
    )  # fmt: skip
    parser.add_argument("--planner", default="offline", metavar="P", help="whose sessions tell (default: offline)")
    parser.add_argument("--trials", type=int, default=500, metavar="N", help="trials at k = 15 (default: 500)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the figures for `report` here")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Play, print, keep."""
    from plantwin.surfaces.cli.progress import Bar
    from plantwin_evals.reid import play_all, scale_all, trees, write_rows
    from plantwin_evals.report import reid_table

    for each in options.tree:
        if not each.is_dir():
            raise InputError(f"no such folder: '{each}'")
    with tempfile.TemporaryDirectory() as place, Bar() as bar:
        observed = trees(options.tree, options.planner, Path(place), lambda done, total: bar(done, total, "folders"))
        rows = play_all(observed, trials=options.trials)
        scaled = scale_all(observed, trials=max(1, options.trials * 3 // 5))
    if options.out is not None:
        write_rows(options.out, [*rows, *scaled])
    if options.json:
        write_json("bench", {"rows": [{**row._asdict(), "result": row.result._asdict()} for row in [*rows, *scaled]]})
        return 0
    for line in reid_table(rows).lines():
        write_line(line)
    if options.out is not None:
        note(f"Kept in {options.out}; `plantwin bench report {options.out}` draws them.")
    return 0
