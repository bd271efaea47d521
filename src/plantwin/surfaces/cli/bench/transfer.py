"""`plantwin bench transfer`: made-up folders beside the real ones, by their twins and by what steps come to."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from plantwin.surfaces.cli.bench.evaluation import OPTIONS, SPELLED, tell
from plantwin.surfaces.cli.progress import Bar

TAKES = ("domain", "suite", "folders", "half", "tasks", "keep", "json")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the action accepts."""
    for name in TAKES:
        parser.add_argument(f"--{SPELLED.get(name, name)}", **OPTIONS[name])


def run(options: argparse.Namespace) -> int:
    """Make each workspace up from its twin, compare twins and steps, print, keep."""
    from plantwin_evals.report import keep_tables
    from plantwin_evals.suite import DOMAINS
    from plantwin_evals.transfer_steps import measure, tables

    made = []
    with Bar() as bar:
        for done, name in enumerate(names := options.domain or DOMAINS):
            bar(done, len(names), "workspaces")
            with tempfile.TemporaryDirectory(prefix="plantwin-transfer-") as place:
                made.append(measure(name, Path(place), options.tasks))
    found = tables(made)
    if options.out is not None:
        keep_tables(options.out, options.action, found)
    tell(options, found, steps=[step._asdict() for measured in made for step in measured.steps])
    return 0
