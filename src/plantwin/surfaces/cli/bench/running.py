"""`plantwin bench run` and the studies: attempts into a folder of results."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.render.text import plural

if TYPE_CHECKING:
    from plantwin_evals.attempts import Attempt
    from plantwin_evals.configurations import Configuration

MODES = ("twin", "goal-only", "redacted", "redacted-presidio", "raw", "local")
DOMAINS = (
    "coding",
    "documents",
    "debugging",
    "devops",
    "pipelines",
    "incident",
    "mlops",
    "frontend",
    "databases",
    "api",
)
DEFAULT_OUT = "plantwin-bench"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What a study accepts."""
    parser.add_argument("--planner", default="offline", metavar="P", help="who plans (default: offline)")
    _common(parser)


def run_arguments(parser: argparse.ArgumentParser) -> None:
    """What `run` accepts."""
    parser.add_argument(
        "--planner",
        action="append",
        default=[],
        metavar="P",
        help="who plans (repeatable; default: offline and heuristic); local is a small model of this machine",
    )
    parser.add_argument(
        "--mode",
        action="append",
        default=[],
        choices=MODES,
        metavar="M",
        help=f"what a planner is shown (repeatable; default: all that can be run, but local): {', '.join(MODES)}",
    )
    _common(parser)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--domain", action="append", default=[], choices=DOMAINS, metavar="D", help="only this domain (repeatable)"
    )
    parser.add_argument(
        "--suite",
        type=Path,
        metavar="DIR",
        help="tasks of your own, in the format of the shipped ones (docs/evaluation.md)",
    )
    parser.add_argument("--tasks", type=int, metavar="N", help="only the first N tasks of each domain")
    parser.add_argument(
        "--out", type=Path, default=Path(DEFAULT_OUT), metavar="DIR", help=f"results (default: {DEFAULT_OUT})"
    )
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="processes (default: one per core)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run_run(options: argparse.Namespace) -> int:
    """Every planner in every mode. A mode whose redactor is not installed is listed as not run."""
    from plantwin_evals.comparison import redaction_table
    from plantwin_evals.configurations import main
    from plantwin_evals.redactors import absent
    from plantwin_evals.tables import cost_table, group_table, main_table

    planners = options.planner or ["offline", "heuristic"]
    modes = runnable(options.mode)
    if not modes:
        raise InputError(f"{options.mode[0]} is not run: {absent(options.mode[0])}")
    attempts = attempted(main(planners, modes), options)
    made = [main_table(attempts), group_table(attempts), cost_table(attempts), redaction_table(attempts)]
    _tell(made, attempts, options)
    return 0


def runnable(modes: Sequence[str] = ()) -> list[str]:
    """Those of these modes that can be run here; by default of all but `local`, which needs a model."""
    from plantwin_evals.redactors import absent

    return [each for each in modes or [each for each in MODES if each != "local"] if not absent(each)]


def run(options: argparse.Namespace) -> int:
    """One study."""
    from plantwin_evals.configurations import STUDIES
    from plantwin_evals.report import NOTES, TITLES
    from plantwin_evals.tables import study_table

    study = options.action
    attempts = attempted(STUDIES[study](options.planner), options)
    _tell([study_table(study, TITLES[study], attempts, NOTES.get(study, ""))], attempts, options)
    return 0


def attempted(
    configurations: Sequence[Configuration], options: argparse.Namespace, direct: bool = False
) -> list[Attempt]:
    """The attempts of these configurations, with a progress bar."""
    from plantwin.surfaces.cli.progress import Bar
    from plantwin_evals.running import run as attempt_all

    with Bar() as bar:
        return attempt_all(
            configurations,
            options.domain or DOMAINS,
            options.out,
            jobs=options.jobs,
            most=options.tasks,
            direct=direct,
            progress=lambda done, total: bar(done, total, "tasks"),
        )


def _tell(made: Sequence[object], attempts: Sequence[Attempt], options: argparse.Namespace) -> None:
    import msgspec

    from plantwin_evals.tables import Table

    tables = [each for each in made if isinstance(each, Table)]
    if options.json:
        members = {"tables": [each._asdict() for each in tables], "attempts": msgspec.to_builtins(list(attempts))}
        write_json("bench", members)
        return
    for table in tables:
        for line in table.lines():
            write_line(line)
        write_line()
    failed = [each for each in attempts if each.error]
    if failed:
        note(f"{plural(len(failed), 'attempt')} ended early; the first: {failed[0].error}")
    note(f"Results are in {options.out}; `plantwin bench report {options.out}` writes a page with figures.")
