"""`plantwin bench export` and `score`: prompts out as files, plans back as files."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.cli.bench.running import DOMAINS, MODES
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.render.text import plural

if TYPE_CHECKING:
    from plantwin_evals.attempts import Attempt
    from plantwin_evals.exchange import Desk


def export_arguments(parser: argparse.ArgumentParser) -> None:
    """What `export` accepts."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where prompts are written")
    parser.add_argument(
        "--plans", type=Path, metavar="DIR", help="plans of earlier turns: writes the next turn's prompts"
    )
    _common(parser)


def score_arguments(parser: argparse.ArgumentParser) -> None:
    """What `score` accepts."""
    parser.add_argument("--plans", type=Path, required=True, metavar="DIR", help="the plans: TASK.1.json and so on")
    parser.add_argument(
        "--prompts", type=Path, metavar="DIR", help="the prompts that they answer, where those were exported elsewhere"
    )
    parser.add_argument("--name", default="files", metavar="NAME", help="what to call this planner in tables")
    parser.add_argument("--out", type=Path, metavar="DIR", help="add the attempts to this folder of results")
    _common(parser)


def _common(parser: argparse.ArgumentParser) -> None:
    modes = [mode for mode in MODES if mode != "local"]
    parser.add_argument("--mode", choices=modes, default="twin", metavar="M", help=f"one of {', '.join(modes)}")
    parser.add_argument("--domain", action="append", default=[], choices=DOMAINS, metavar="D", help="only this domain")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run_export(options: argparse.Namespace) -> int:
    """Write the prompts of the first turn that has no plan yet."""
    _tried(options, _desk(options, options.out), export=True)
    written = sorted(path.name for path in options.out.glob("*.txt"))
    if options.json:
        write_json("bench", {"prompts": written})
    else:
        note(f"{plural(len(written), 'prompt')} in {options.out}: answer TASK.1.txt with a file TASK.1.json of plans.")
        note(f"Then: plantwin bench score --plans DIR --mode {options.mode}")
    return 0


def run_score(options: argparse.Namespace) -> int:
    """Score the plans as if their planner had been called."""
    import msgspec

    from plantwin_evals.attempts import Journal
    from plantwin_evals.tables import cost_table, group_table, main_table

    if not options.plans.is_dir():
        raise InputError(f"no such folder: '{options.plans}'")
    if options.prompts is not None and not options.prompts.is_dir():
        raise InputError(f"no such folder: '{options.prompts}'")
    attempts = _tried(options, _desk(options, options.prompts), export=False)
    if not attempts:
        raise InputError("no plan answers a task: they are named as the prompts are, such as devops-1.1.json")
    if options.out is not None:
        Journal(options.out).append(attempts)
    if options.json:
        write_json("bench", {"attempts": msgspec.to_builtins(attempts)})
        return 0
    for table in (main_table(attempts), group_table(attempts), cost_table(attempts)):
        for line in table.lines():
            write_line(line)
        write_line()
    return 0


def _desk(options: argparse.Namespace, prompts: Path | None) -> Desk:
    from plantwin.private.state import State
    from plantwin_evals.exchange import Desk

    return Desk(prompts, options.plans, State().subfolder("exchange"), options.mode)


def _tried(options: argparse.Namespace, desk: Desk, *, export: bool) -> list[Attempt]:
    """Every task of the domains; when scoring, those that have a plan."""
    from plantwin.surfaces.cli.progress import Bar
    from plantwin_evals.configurations import Configuration
    from plantwin_evals.exchange import subject
    from plantwin_evals.modes import attempt
    from plantwin_evals.suite import domains
    from plantwin_evals.task_folder import TaskFolder

    name = getattr(options, "name", "files")
    settings = Configuration(name, name, options.mode).settings()
    chosen = domains(tuple(options.domain))
    made: list[Attempt] = []
    with tempfile.TemporaryDirectory(prefix="plantwin-bench-") as place, Bar() as bar:
        for number, domain in enumerate(chosen):
            tasks = [task for task in domain.tasks if export or desk.plan(task.id, 1) is not None]
            if not tasks:
                continue
            task_folder = TaskFolder(domain, Path(place) / domain.domain)
            for task in tasks:
                if not export:
                    desk.names(task.id)  # a plan whose ids are unknown cannot be read: said before anything is tried
                planner = subject(task, desk, export=export)
                done = attempt(
                    task, task_folder, planner, options.mode, settings, configuration=f"{options.mode} + {name}"
                )
                done.planner = name
                made.append(done)
            bar(number + 1, len(chosen), "domains")
    return made
