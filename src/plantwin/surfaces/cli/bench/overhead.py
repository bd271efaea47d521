"""`plantwin bench overhead`: what a session costs, phase by phase."""

from __future__ import annotations

import argparse
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.bench.running import DEFAULT_OUT, DOMAINS
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.render.text import plural

if TYPE_CHECKING:
    from plantwin.run import Run

WIDTH = 100
"""Columns of the screen that a session is drawn for."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the action accepts."""
    parser.add_argument("--planner", default="offline", metavar="P", help="who plans (default: offline)")
    parser.add_argument(
        "--domain", action="append", default=[], choices=DOMAINS, metavar="D", help="only this domain (repeatable)"
    )
    parser.add_argument("--tasks", type=int, metavar="N", help="only the first N tasks of each domain")
    parser.add_argument(
        "--out", type=Path, default=Path(DEFAULT_OUT), metavar="DIR", help=f"results (default: {DEFAULT_OUT})"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Measure in this process alone, print, keep for `report`."""
    from plantwin.surfaces.cli.progress import Bar
    from plantwin_evals.configurations import Configuration
    from plantwin_evals.overhead import measure, write_samples
    from plantwin_evals.overhead_tables import latency_table, phase_table
    from plantwin_evals.subjects import subjects

    settings = Configuration("overhead", options.planner, "twin").settings()
    with subjects() as subject, Bar() as bar:
        samples = measure(
            subject(options.planner),
            options.domain or DOMAINS,
            settings,
            most=options.tasks,
            render=drawn,
            progress=lambda done, total: bar(done, total, "workspaces"),
        )
    write_samples(options.out, samples)
    tables = [phase_table(samples), latency_table(samples)]
    if options.json:
        members = {"tables": [each._asdict() for each in tables], "samples": [each._asdict() for each in samples]}
        write_json("bench", members)
        return 0
    for table in tables:
        for line in table.lines():
            write_line(line)
        write_line()
    load, cores = os.getloadavg()[0], len(os.sched_getaffinity(0))
    note(f"The load of the machine is {load:.1f} on {plural(cores, 'core')}: on a busy one all of this grows.")
    note(f"Kept in {options.out}; `plantwin bench report {options.out}` has these tables too.")
    return 0


def drawn(done: Run) -> str:
    """What a person is shown of a session at its end."""
    from rich.console import Console

    from plantwin.private.report.session import taken
    from plantwin.surfaces.render import session as view

    screen = Console(file=io.StringIO(), width=WIDTH)
    screen.print(view.findings(taken(done), done.names))
    screen.print(view.learned(done))
    return str(screen.file.getvalue())  # type: ignore[attr-defined]
