"""Prompts and plans as files, from the command line: for models that cannot be called from here."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.cli.bench.evaluation import need, tell
from plantwin.surfaces.cli.output import note, write_json
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.render.text import plural

if TYPE_CHECKING:
    from plantwin_evals.attempts import Attempt
    from plantwin_evals.exchange import Desk


def export(options: argparse.Namespace) -> None:
    """Write the prompts of the first turn that has no plan yet."""
    _tried(options, _desk(options, options.out), export=True)
    written = sorted(path.name for path in options.out.glob("*.txt"))
    if options.json:
        write_json("bench", {"prompts": written})
        return
    note(f"{plural(len(written), 'prompt')} in {options.out}: answer TASK.1.txt with a file TASK.1.json of plans.")
    note(f"Then: plantwin bench score --plans DIR --mode {options.mode}")


def score(options: argparse.Namespace) -> None:
    """Score the plans as if their planner had been called."""
    import msgspec

    from plantwin_evals.attempts import Journal
    from plantwin_evals.tables import cost_table, folder_tables, group_table, main_table

    need(options.plans, options.prompts)
    attempts = _tried(options, _desk(options, options.prompts), export=False)
    if not attempts:
        raise InputError("no plan answers a task: they are named as the prompts are, such as devops-1.1.json")
    if options.out is not None:
        Journal(options.out).append(attempts)
    tables = [*(make(attempts) for make in (main_table, group_table, cost_table)), *folder_tables(attempts)]
    tell(options, tables, attempts=msgspec.to_builtins(attempts))


def _desk(options: argparse.Namespace, prompts: Path | None) -> Desk:
    from plantwin.private.state import State
    from plantwin_evals.exchange import Desk

    return Desk(prompts, options.plans, State().subfolder("exchange"), options.mode)


def _tried(options: argparse.Namespace, desk: Desk, *, export: bool) -> list[Attempt]:
    """Every task of the domains; when scoring, those that have a plan."""
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
            folder = TaskFolder(domain, Path(place) / domain.domain)
            for task in tasks:
                if not export:
                    desk.names(task.id)  # a plan whose ids are unknown cannot be read: said before anything is tried
                planner = subject(task, desk, export=export)
                done = attempt(task, folder, planner, options.mode, settings, configuration=f"{options.mode} + {name}")
                done.planner = name
                made.append(done)
            bar(number + 1, len(chosen), "domains")
    return made
