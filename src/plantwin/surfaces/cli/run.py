"""`plantwin run`: from a sentence to a local report."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.failure import INTERRUPTED
from plantwin.surfaces.cli.output import console, note, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.sessions import SENDS, add_goal, goal_of, run_members, workspace
from plantwin.surfaces.render.text import printable

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.run import Run
    from plantwin.surfaces.cli.watching import Listener
    from plantwin.workspace import Workspace

EXAMPLE = 'plantwin run "Review the authentication module for security issues" --root ~/projects/shop'
__all__ = ["EXAMPLE", "SENDS", "arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_goal(parser)
    parser.add_argument("--yes", action="store_true", help="send unasked, and approve what needs a person")
    parser.add_argument("--queue", action="store_true", help="let another process decide: `plantwin approvals`")


def run(options: argparse.Namespace) -> int:
    """The whole cycle, then the report."""
    goal = goal_of(options)
    bar = Bar()
    with workspace(options, bar, rehearse=options.dry_run) as made:
        from plantwin.surfaces.cli.asking import approver_for, chooser_for
        from plantwin.surfaces.cli.planners import planner_of

        folder = made.state.subfolder("planners")
        record = None if options.dry_run else options.record
        planner = planner_of(options.planner, made.catalog, made.settings, folder, record, options.dry_run)
        approver = approver_for(options, made.names)
        if approver is not None:
            made.approver = approver
        made.choose = chooser_for(options, bar)
        watcher = listener(options, bar, planner, made)
        introduce(options, goal, made)
        done = carried_out(goal, made, planner, watcher)
        if not options.dry_run:
            _reported(done, made)
        envelopes = [each.data.decode("ascii") for each in watcher.envelopes]
    if options.json:
        sent = envelopes if options.dry_run else [each.data.decode("ascii") for each in done.outbound]
        write_json("run", {**run_members(done, sent, dry_run=options.dry_run), "exit": code_of(done)})
    else:
        conclude(done, dry_run=options.dry_run)
    if done.error:
        note(f"plantwin: {printable(done.error)}")
    return code_of(done)


def introduce(options: argparse.Namespace, goal: str, made: Workspace) -> None:
    """What is about to be worked on."""
    if not options.json:
        write_line(f"Goal      {printable(goal)}")
        write_line(f"Folder    {printable(str(made.environment.root))}")


def listener(
    options: argparse.Namespace, bar: Bar, planner: Planner, made: Workspace, *, only_plan: bool = False
) -> Listener:
    """Who watches: the person, or a program that reads the result."""
    from plantwin.surfaces.cli.asking import Terminal, consent_for, granted, interactive
    from plantwin.surfaces.cli.watching import Listener, Viewer

    consent = granted if options.dry_run else consent_for(options, planner)
    if options.json:
        return Listener(bar, rehearse=options.dry_run, consent=consent)
    ask = interactive(options) and not getattr(options, "yes", False)
    viewer = Viewer(
        bar,
        planner,
        made.approver,
        rehearse=options.dry_run,
        show=options.show,
        ask=ask,
        only_plan=only_plan,
        consent=consent,
    )
    if isinstance(made.approver, Terminal):
        made.approver.pause = viewer.pause
    return viewer


def carried_out(goal: str, made: Workspace, planner: Planner, watcher: Listener, *, only_plan: bool = False) -> Run:
    """One session, watched."""
    from plantwin.session import run as session

    try:
        return session(goal, made, planner, watcher, only_plan=only_plan)
    finally:
        watcher.close()
        # A planner that started something of its own ends it here.
        if close := getattr(planner, "close", None):
            close()


def _reported(done: Run, made: Workspace) -> None:
    """Write the report; that it cannot be written does not undo what was done."""
    from plantwin.errors import StateError
    from plantwin.private.report.session import write

    try:
        write(done, made.state.subfolder("reports"))
    except StateError as error:
        done.warnings.append(str(error))


def conclude(done: Run, *, dry_run: bool) -> None:
    """What was found and what the planner learned."""
    from plantwin.private.report.session import learned_by, summary, taken
    from plantwin.run import Ending
    from plantwin.surfaces.render import session as view

    screen = console()
    steps = taken(done)
    if any(each.result is not None for each in steps):
        screen.print(view.heading("Found"))
        screen.print(view.findings(steps, done.names))
    if done.spending:
        title, about = learned_by(done, dry_run=dry_run)
        screen.print(view.heading(printable(title), about))
        screen.print(view.learned(done))
    write_line()
    if dry_run:
        write_line("Nothing was sent, charged or run.")
    else:
        if done.ending is Ending.STOPPED:
            write_line("You stopped it: nothing further was sent.")
        for line in list(summary(done, steps))[:-1]:
            write_line(line)
    for warning in done.warnings:
        note(f"warning: {printable(warning)}")
    if done.report is not None:
        write_line(f"Report    {printable(str(done.report))}")
    sys.stdout.flush()


def code_of(done: Run) -> int:
    """0 done, 1 a gate refused everything or failed closed, 3 the planner failed, 130 interrupted."""
    from plantwin.run import Ending

    codes = {Ending.GATE: 1, Ending.PLANNER: 3, Ending.INTERRUPTED: INTERRUPTED}
    return codes.get(done.ending, 1 if done.refused_all else 0)
