"""`plantwin bench all`: the main table, every study and the re-identification game in one go, and their report."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.bench import reporting, running
from plantwin.surfaces.cli.output import note

if TYPE_CHECKING:
    from plantwin_evals.reid import Row


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the action accepts."""
    running.arguments(parser)
    parser.add_argument(
        "--tree", type=Path, action="append", default=[], metavar="DIR",
        help="a real folder for the game (repeatable; default: Python's standard library)",
    )  # fmt: skip
    parser.add_argument("--markdown", action="store_true", help="print tables for a document")


def run(options: argparse.Namespace) -> int:
    """Try everything, play, report."""
    from plantwin_evals.configurations import STUDIES, main
    from plantwin_evals.reid import write_rows

    began = time.monotonic()
    configurations = main(dict.fromkeys([options.planner, "heuristic"]), running.runnable())
    for study in STUDIES.values():
        configurations += study(options.planner)
    # The game is played beside the attempts: most of a core is free while a worker is waited for.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as beside:
        game = beside.submit(played, options.planner, options.tree)
        try:
            running.attempted(configurations, options, direct=True)
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            raise
        write_rows(options.out, game.result())
    note(f"{time.monotonic() - began:.0f} s.")
    options.folder = options.out
    return reporting.run(options)


def played(planner: str, roots: Sequence[Path]) -> list[Row]:
    """The game on the tasks' files and on real folders."""
    from plantwin_evals.reid import play_all, scale_all, trees
    from plantwin_evals.running import memory

    with tempfile.TemporaryDirectory(prefix="plantwin-bench-", dir=memory()) as place:
        observed = trees(roots, planner, Path(place))
        return [*play_all(observed), *scale_all(observed)]
