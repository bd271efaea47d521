"""The evaluation from the command line: runs, studies, the game, overhead, prompts and plans as files, the report."""

from __future__ import annotations

import argparse
import io
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.render.text import plural

if TYPE_CHECKING:
    from plantwin.run import Run
    from plantwin_evals.attempts import Attempt
    from plantwin_evals.configurations import Configuration
    from plantwin_evals.tables import Table

MODES = ("twin", "goal-only", "redacted", "redacted-presidio", "raw", "local")
DEFAULT_OUT = "plantwin-bench"
WIDTH = 100
"""Columns of the screen that a session is drawn for."""
_FOLDER: dict[str, Any] = {"type": Path, "metavar": "DIR"}
_EXCHANGED = [mode for mode in MODES if mode != "local"]
OPTIONS: dict[str, dict[str, Any]] = {
    "planner": {"default": "offline", "metavar": "P", "help": "who plans (default: offline)"},
    "planners": {
        "action": "append", "default": [], "metavar": "P",
        "help": "who plans (repeatable; default: offline and heuristic); local is a small model of this machine",
    },
    "modes": {
        "action": "append", "default": [], "choices": MODES, "metavar": "M",
        "help": f"what a planner is shown (repeatable; default: all that can be run, but local): {', '.join(MODES)}",
    },
    "mode": {"choices": _EXCHANGED, "default": "twin", "metavar": "M", "help": f"one of {', '.join(_EXCHANGED)}"},
    "twin": {
        "choices": ("sets", "objects", "both"), "default": "sets",
        "help": "in the mode twin: the folder as sets, objects one by one as in the paper, or both (default: sets)",
    },
    "domain": {
        "action": "append", "default": [], "metavar": "D",
        "help": "only this domain, or folder of the suite (repeatable)",
    },
    "suite": {**_FOLDER, "help": "tasks of your own, in the format of the shipped ones (docs/evaluation.md)"},
    "folders": {**_FOLDER, "help": "where the folders of a suite over real folders are"},
    "half": {
        "choices": ("open", "kept", "both"), "default": "open",
        "help": "of such a suite: the goals that may be tuned on, or those that are only measured (default: open)",
    },
    "tasks": {"type": int, "metavar": "N", "help": "only N tasks of each domain, of both groups"},
    "out": {**_FOLDER, "default": Path(DEFAULT_OUT), "help": f"results (default: {DEFAULT_OUT})"},
    "paper": {"action": "store_true", "help": "the paper's nineteen configurations, not --planner and --mode"},
    "estimate": {"action": "store_true", "help": "only say how many requests and tokens, and what at your prices"},
    "effort": {"metavar": "E", "help": "the effort that models are asked for, where they take one"},
    "seconds": {"type": float, "default": 600.0, "metavar": "N", "help": "for a turn of a planner (default: 600)"},
    "reference": {
        "default": "", "metavar": "C",
        "help": "what others are tested against (default: twin + offline, else the paper's, its twin with Kimi K2.5)",
    },
    "jobs": {"type": int, "default": 0, "metavar": "N", "help": "processes (default: one per core)"},
    "tree": {
        **_FOLDER, "action": "append", "default": [],
        "help": "a real folder for the game (repeatable; default: Python's standard library)",
    },
    "trials": {"type": int, "default": 500, "metavar": "N", "help": "trials at k = 15 (default: 500)"},
    "keep": {**_FOLDER, "help": "add what was measured to this folder of results"},
    "markdown": {"action": "store_true", "help": "print tables for a document"},
    "prompts": {**_FOLDER, "help": "the prompts that they answer, where those were exported elsewhere"},
    "name": {"default": "files", "metavar": "NAME", "help": "what to call this planner in tables"},
    "json": {"action": "store_true", "help": "print one JSON document"},
}  # fmt: skip
"""Every option, by what it is called below."""
SPELLED = {"planners": "planner", "modes": "mode", "keep": "out"}
"""Where an option is spelled like another that means the same elsewhere."""
_SUITE = ("domain", "suite", "folders", "half")
_COMMON = (*_SUITE, "tasks", "effort", "seconds", "out", "jobs", "json")
_STUDY = ("planner", *_COMMON)
TAKES: dict[str, tuple[str, ...]] = {
    "run": ("planners", "modes", "twin", "paper", "estimate", "reference", *_COMMON),
    "all": (*_STUDY, "tree", "markdown"),
    "report": ("reference", "markdown", "json"),
    "reid": ("tree", "planner", "effort", "seconds", "trials", "keep", "json"),
    "theory": ("tree", "keep", "json"),
    "attacks": ("domain", "keep", "json"),
    "overhead": ("planner", "effort", "seconds", "domain", "tasks", "out", "json"),
    "export": ("mode", *_SUITE, "json"),
    "score": ("prompts", "name", "keep", "mode", *_SUITE, "json"),
}
"""The options of each action; a study takes `_STUDY`."""


def arguments(parser: argparse.ArgumentParser, action: str) -> None:
    """What an action accepts."""
    add = parser.add_argument
    for name in TAKES.get(action, _STUDY):
        add(f"--{SPELLED.get(name, name)}", **OPTIONS[name])
    if action == "report":
        add("folder", **_FOLDER, help="a folder of results")
    elif action == "export":
        add("--out", **_FOLDER, required=True, help="where prompts are written")
        add("--plans", **_FOLDER, help="plans of earlier turns: writes the next turn's prompts")
    elif action == "score":
        add("--plans", **_FOLDER, required=True, help="the plans: TASK.1.json and so on")


def run(options: argparse.Namespace) -> int:
    """Do one of them."""
    from plantwin.surfaces.cli.bench.exchange import export, score

    known: dict[str, Callable[[argparse.Namespace], None]] = {
        "run": _main, "all": _all, "report": _report, "reid": _game, "theory": _theory, "attacks": _attacks,
        "overhead": _overhead, "export": export, "score": score,
    }  # fmt: skip
    if getattr(options, "estimate", False):
        tell(options, [_estimate(options, _chosen(options))])
        return 0
    if options.action not in ("report", "export") and options.out is not None:
        from plantwin_evals.report import note_command

        note_command(options.out)
    known.get(options.action, _study)(options)
    return 0


def tell(options: argparse.Namespace, tables: Iterable[Table], **members: Any) -> None:
    """Print tables, or one JSON document with them and these members."""
    from plantwin_evals.report import as_markdown

    made = list(tables)
    if options.json:
        write_json("bench", {"tables": [table._asdict() for table in made], **members})
        return
    for table in made:
        if getattr(options, "markdown", False):
            write_line(f"### {table.title}\n\n{as_markdown(table)}")
        else:
            for line in table.lines():
                write_line(line)
        write_line()


def need(*folders: Path | None) -> None:
    for folder in folders:
        if folder is not None and not folder.is_dir():
            raise InputError(f"no such folder: '{folder}'")


def _chosen(options: argparse.Namespace) -> list[Configuration]:
    """Return what `run` tries: the paper's, or every planner in every mode whose redactor is installed."""
    from plantwin_evals.configurations import main, of_paper
    from plantwin_evals.redactors import absent

    modes = runnable(options.mode)
    if not modes:
        raise InputError(f"{options.mode[0]} is not run: {absent(options.mode[0])}")
    shown = {"sets": ["twin"], "objects": ["objects"], "both": ["objects", "twin"]}[options.twin]
    modes = [way for mode in modes for way in (shown if mode == "twin" else [mode])]
    return of_paper() if options.paper else main(options.planner or ["offline", "heuristic"], modes)


def _main(options: argparse.Namespace) -> None:
    """Try what was chosen. The paper's configurations are estimated before, and end in the whole report."""
    from plantwin_evals.tables import cost_table, folder_tables, group_table, main_table, redaction_table, twin_table

    chosen = _chosen(options)
    if options.paper:
        note(_estimate(options, chosen).note)
    attempts = attempted(chosen, options)
    if options.paper:
        options.folder = options.out
        _report(options)
    else:
        made = (main_table, twin_table, group_table, cost_table, redaction_table)
        _attempts(options, [*(make(attempts) for make in made), *folder_tables(attempts)], attempts)


def _estimate(options: argparse.Namespace, configurations: Sequence[Configuration]) -> Table:
    from plantwin.config.settings import load_settings
    from plantwin_evals.attempts import Journal
    from plantwin_evals.estimate import estimate_table

    prices, before = load_settings().planner.prices, Journal(options.out).read()
    return estimate_table(configurations, _domains(options), options.tasks, before, prices)


def _domains(options: argparse.Namespace) -> Sequence[str]:
    """Return those that were asked for, else all of the suite."""
    from plantwin_evals.suite import DOMAINS

    return options.domain or DOMAINS


def _study(options: argparse.Namespace) -> None:
    from plantwin_evals.configurations import study
    from plantwin_evals.study_tables import study_tables

    attempts = attempted(study(options.action, options.planner), options)
    _attempts(options, study_tables(options.action, attempts), attempts)


def runnable(modes: Sequence[str] = ()) -> list[str]:
    """Those of these modes that can be run here; by default of all but `local`, which needs a model."""
    from plantwin_evals.redactors import absent

    return [mode for mode in modes or _EXCHANGED if not absent(mode)]


def attempted(
    configurations: Sequence[Configuration], options: argparse.Namespace, direct: bool = False
) -> list[Attempt]:
    """The attempts of these configurations, with a progress bar."""
    from plantwin_evals.running import run as attempt_all

    with Bar() as bar:
        made = attempt_all(
            [one._replace(effort=options.effort, seconds=options.seconds) for one in configurations],
            _domains(options),
            options.out,
            jobs=options.jobs,
            most=options.tasks,
            direct=direct,
            progress=lambda done, total: bar(done, total, "tasks"),
        )
    if failed := [attempt for attempt in made if attempt.failed]:
        note(f"{plural(len(failed), 'attempt')} without an answer, in no average; the first: {failed[0].error}")
        note("The same command tries them again.")
    return made


def _attempts(options: argparse.Namespace, tables: Sequence[Table], attempts: Sequence[Attempt]) -> None:
    import msgspec

    tell(options, tables, attempts=msgspec.to_builtins(list(attempts)))
    if not options.json:
        note(f"Results are in {options.out}; `plantwin bench report {options.out}` writes a page with figures.")


def _all(options: argparse.Namespace) -> None:
    """Try everything, play, report."""
    from plantwin_evals.configurations import STUDIES, main, study
    from plantwin_evals.reid import played, read_rows

    began = time.monotonic()
    configurations = main(dict.fromkeys([options.planner, "heuristic"]), ["objects", *runnable()])
    for name in STUDIES:
        configurations += study(name, options.planner)
    # The game is played beside the attempts: most of a core is free while a worker is waited for.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as beside:
        asked = (options.planner, options.tree, options.effort, options.seconds)
        game = None if read_rows(options.out) else beside.submit(partial(played, folder=options.out), *asked)
        try:
            attempted(configurations, options, direct=True)
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            raise
        if game is not None:
            game.result()
    note(f"{time.monotonic() - began:.0f} s.")
    options.folder, options.reference = options.out, f"twin + {options.planner}"
    _report(options)


def _report(options: argparse.Namespace) -> None:
    """Print the tables of a folder of results, and write the page."""
    from plantwin_evals.attempts import Journal
    from plantwin_evals.overhead import read_samples
    from plantwin_evals.reid import read_rows
    from plantwin_evals.report import all_tables, kept_tables, write

    if not options.folder.is_dir():
        raise InputError(f"no such folder: '{options.folder}'; `plantwin bench run --out DIR` makes one")
    found = Journal(options.folder).read(), read_rows(options.folder), read_samples(options.folder)
    kept = kept_tables(options.folder)
    if not any(found) and not kept:
        raise InputError("the folder holds no results: `plantwin bench run --out DIR` makes them")
    page = write(options.folder, *found, options.reference)
    tell(options, [*all_tables(*found, options.reference), *kept], page=str(page))
    if not options.json:
        note(f"{page} has the figures; a CSV file of each table and report.json are beside it.")


def _game(options: argparse.Namespace) -> None:
    """Play the re-identification game, print, keep."""
    from plantwin_evals.reid import played
    from plantwin_evals.report import reid_table

    need(*options.tree)
    asked = (options.planner, options.tree, options.effort, options.seconds)
    with Bar() as bar:
        rows = played(*asked, options.trials, lambda done, total: bar(done, total, "folders"), options.out)
    members = [{**row._asdict(), "result": row.result._asdict()} for row in rows]
    tell(options, [reid_table(rows)], rows=members)
    if options.out is not None and not options.json:
        note(f"Kept in {options.out}; `plantwin bench report {options.out}` draws them.")


def _theory(options: argparse.Namespace) -> None:
    """Check the paper's definitions on the tasks' folders and on real ones."""
    from plantwin_evals.reid import library
    from plantwin_evals.suite import domains
    from plantwin_evals.task_folder import TaskFolder
    from plantwin_evals.theory import theory

    need(*options.tree)
    with tempfile.TemporaryDirectory() as name, Bar() as bar:
        roots = [TaskFolder(each, Path(name, each.domain)).root for each in domains()]
        roots += options.tree or [library(Path(name, "python-library"))]
        tables = theory(roots, Path(name, "state"), lambda done, total: bar(done, total, "folders"), options.out)
    _kept(options, tables)


def _attacks(options: argparse.Namespace) -> None:
    """Attack what sessions told, with every accountant and without a budget, as sets and as objects."""
    from plantwin_evals.attacks import ARMS, Heard, attack_tables, attacked, overheard
    from plantwin_evals.closed_world import closed_world, compared, public_trees
    from plantwin_evals.running import pooled

    with Bar() as bar:
        apart = list[tuple[Heard, Heard, Heard]], options.out
        heard = pooled(overheard, _domains(options), lambda done, total: bar(done, total, "folders"), *apart)
        alike = list[tuple[frozenset[str], frozenset[str]]], options.out
        trees = pooled(compared, public_trees(), lambda done, total: bar(done, total, "public trees"), *alike)
    rows = {arm.name: attacked([each[number] for each in heard]) for number, arm in enumerate(ARMS)}
    _kept(options, [*attack_tables(rows), closed_world(trees)])


def _kept(options: argparse.Namespace, tables: Sequence[Table]) -> None:
    """Print tables, and keep them for `report`."""
    if options.out is not None:
        from plantwin_evals.report import keep_tables

        keep_tables(options.out, options.action, tables)
    tell(options, tables)


def _overhead(options: argparse.Namespace) -> None:
    """Measure what a session costs by phase in this process alone, print, keep for `report`."""
    from plantwin_evals.configurations import Configuration
    from plantwin_evals.overhead import measure, write_samples
    from plantwin_evals.overhead_tables import latency_table, phase_table
    from plantwin_evals.planners import Asking, subjects

    settings = Configuration("overhead", options.planner, "twin", seconds=options.seconds).settings()
    with subjects(Asking(options.effort, options.seconds)) as subject, Bar() as bar:
        samples = measure(
            subject(options.planner),
            _domains(options),
            settings,
            most=options.tasks,
            render=drawn,
            progress=lambda done, total: bar(done, total, "workspaces"),
        )
    write_samples(options.out, samples)
    tell(options, [phase_table(samples), latency_table(samples)], samples=[sample._asdict() for sample in samples])
    if not options.json:
        cores = plural(len(os.sched_getaffinity(0)), "core")
        note(f"The load of the machine is {os.getloadavg()[0]:.1f} on {cores}: on a busy one all of this grows.")
        note(f"Kept in {options.out}; `plantwin bench report {options.out}` has these tables too.")


def drawn(done: Run) -> str:
    """What a person is shown of a session at its end."""
    from rich.console import Console

    from plantwin.private.report.model import taken
    from plantwin.surfaces.render import session as view

    screen = Console(file=io.StringIO(), width=WIDTH)
    screen.print(view.findings(taken(done), done.names))
    screen.print(view.learned(done))
    return str(screen.file.getvalue())  # type: ignore[attr-defined]
