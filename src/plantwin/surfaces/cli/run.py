"""`plantwin run`: from a sentence to a local report."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.arguments import (
    accepted_note,
    add_changes,
    add_cluster,
    add_made_up,
    add_reports,
    annotate,
    exports_of,
    failing,
    finish,
    format_of,
)
from plantwin.surfaces.cli.output import INTERRUPTED, colourful, console, note, warn, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.sessions import SENDS, add_goal, add_limits, goal_of, not_here, run_members, workspace
from plantwin.surfaces.render.text import path_fields, plural, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from plantwin.cloud.planner import Planner
    from plantwin.private.report.model import Overview
    from plantwin.run import Run
    from plantwin.session_context import SessionContext
    from plantwin.surfaces.cli.saved import Saved
    from plantwin.surfaces.cli.watching import Listener
    from plantwin.surfaces.render.conclusion import Screen
    from plantwin.workspace import Workspace

EXAMPLE = 'plantwin run "Review the authentication module for security issues" --root ~/projects/shop'
MOST_LINES = 32
"""Lines of an answer, however high the screen is."""
AROUND = 5
"""Lines of an answer that are neither its sentences, nor findings, nor how much was examined."""
LEAST_ROOM = 8
"""Lines for findings and texts, however low the screen is."""
NO_TERMINAL = 80
"""Columns where the output is no terminal."""
__all__ = ["EXAMPLE", "SENDS", "arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_goal(parser, needed=False)
    add_limits(parser)
    add_cluster(parser)
    parser.add_argument("--plan", metavar="FILE", help="run a plan that `plantwin plan` saved, or steps in JSON")
    add_made_up(parser)
    add_changes(parser)
    parser.add_argument("--rehearse", action="store_true", help="try the plan on a folder made from the twin first")
    parser.add_argument("--yes", action="store_true", help="send without asking, and approve what needs a person")
    parser.add_argument("--queue", action="store_true", help="let another process decide: `plantwin approvals`")
    add_reports(parser)
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-v", "--verbose", action="store_true", help="show what is sent, planned, decided and spent")
    amount.add_argument("-q", "--quiet", action="store_true", help="say only what was not done, and the answer")


def run(options: argparse.Namespace) -> int:
    """The whole cycle, then the report."""
    with ExitStack() as held:
        return _run(options, held)


def _run(options: argparse.Namespace, held: ExitStack) -> int:
    from plantwin.private.report.model import Overview

    form = format_of(options)
    options.json = form == "json"
    saved = _saved(options)
    goal = goal_of(options)
    exports = exports_of(options)
    if options.dry_run:
        if options.rehearse:
            from plantwin.errors import InputError

            raise InputError("--dry-run stops before there is a plan: leave it out to rehearse one")
        from plantwin.surfaces.cli.preview import rehearsed, shown

        preview = rehearsed(options, goal, saved)
        if options.json:
            write_json("run", preview.run_members)
        return shown(options, preview)
    bar = Bar()
    with workspace(options, bar) as made:
        from plantwin.cloud.planner import sends
        from plantwin.surfaces.cli.asking import approver_for, chooser_for
        from plantwin.surfaces.cli.planners import planner_of

        folder = made.state.subfolder("planners")
        planner: Planner
        only = None
        if saved is not None:
            from plantwin.surfaces.cli.saved import SavedPlanner, wanted

            planner, only = SavedPlanner(saved, lambda: watcher.context), wanted(saved)
        else:
            planner = planner_of(options.planner, made.catalog, made.settings, folder, options.record)
        approver = approver_for(options, made.names)
        if approver is not None:
            made.approver = approver
        made.choose = chooser_for(options, bar)
        watcher = listener(options, bar, planner, made)
        if options.rehearse:
            from plantwin.surfaces.cli.rehearse import rehearse

            watcher.rehearse = partial(rehearse, goal, made, planner)
        if options.verbose:
            introduce(options, goal, made)
        done = carried_out(goal, made, planner, watcher, only=only)
        if done.ending == "interrupted":
            from plantwin.session import undisturbed

            held.enter_context(undisturbed())
        for id_, name in getattr(planner, "missing", {}).items():
            done.names[id_] = name, ""
            done.warnings.append(f"not in this folder: {name}")
        done.warnings += _silenced(done, watcher.context)
        accepted = finish(done, options, exports)
        telling = sends(planner)
        absent = [] if saved is not None else not_here(watcher.context, done.read_as or goal)
    code = code_of(done) or int(failing(Overview.of(done), options.fail_on))
    accepted_note(accepted, options)
    if options.json:
        sent = [envelope.data.decode("ascii") for envelope in done.outbound]
        written = {name: path_fields(path)["path"] for name, path in exports.items()}
        members = {**run_members(done, sent, dry_run=False), **written, "accepted": accepted, "exit": code}
        if options.rehearse:
            from plantwin.surfaces.cli.rehearse import compared

            members["rehearsal"] = compared(watcher.rehearsals, done)
        write_json("run", members)
    elif form == "github":
        annotate(done, Overview.of(done))
    else:
        conclude(done, exports, sends=telling, verbose=options.verbose, quiet=options.quiet, absent=absent)
        _rehearsed(watcher, done, full=options.verbose)
    if done.error:
        note(f"plantwin: {printable(done.error)}")
    return code


def _rehearsed(watcher: Listener, done: Run, *, full: bool) -> None:
    """How the steps went on the made-up folder, where there was one, and which went otherwise here."""
    if watcher.rehearsals:
        from plantwin.surfaces.cli.rehearse import lines
        from plantwin.surfaces.render import conclusion

        for line in conclusion.labelled("Rehearsed", lines(watcher.rehearsals, done, full=full), screen_size().width):
            write_line(line)


def _silenced(done: Run, context: SessionContext | None) -> list[str]:
    """How many comments switch checks off in the files that steps with such checks worked on."""
    from plantwin.private.report.baseline import OBEY, silenced
    from plantwin.private.report.model import taken
    from plantwin.types.plan import source_of

    inputs = {source_of(name) for step in taken(done) if step.step.capability in OBEY for name in step.step.inputs}
    if context is None or done.root is None or not inputs:
        return []
    records = [record for id_, record in context.selected.records.items() if id_ in inputs]
    records += [record for held in context.selected.sets if held.id in inputs for record in context.members(held.id)]
    said = silenced(done.root, (record.path for record in records))
    return [said] if said else []


def _saved(options: argparse.Namespace) -> Saved | None:
    """The plan to run, where one is given: its goal and its folder hold, unless another folder is given."""
    from plantwin.errors import InputError

    if not options.plan:
        if options.made_up:
            raise InputError("--made-up says what the paths of --plan FILE stand for")
        return None
    from plantwin.surfaces.cli.saved import read

    if options.planner or options.record:
        raise InputError("--plan is run as it is: no planner is asked, so leave --planner and --record out")
    saved = read(options.plan, options.made_up)
    # With a plan there is no goal to give: what stands in its place is the folder.
    options.root = options.goal or (saved.root if options.root == "." else None) or options.root
    options.goal = saved.goal or f"the plan {Path(options.plan).name}"
    return saved


def introduce(options: argparse.Namespace, goal: str, made: Workspace) -> None:
    """What is about to be worked on."""
    if not options.json:
        write_line(f"Goal      {printable(goal)}")
        write_line(f"Folder    {printable(str(made.environment.root))}")


def listener(
    options: argparse.Namespace, bar: Bar, planner: Planner, made: Workspace, *, only_plan: bool = False
) -> Listener:
    """Who watches: the person, or a program that reads the result."""
    from plantwin.surfaces.cli.asking import Terminal, consent_for, interactive
    from plantwin.surfaces.cli.watching import Listener, Viewer

    consent = consent_for(options, planner)
    if options.json:
        return Listener(bar, consent=consent)
    ask = interactive(options) and not getattr(options, "yes", False)
    viewer = Viewer(
        bar,
        planner,
        made.approver,
        show=options.show,
        ask=ask,
        only_plan=only_plan,
        verbose=getattr(options, "verbose", False),
        consent=consent,
    )
    if isinstance(made.approver, Terminal):
        made.approver.pause = viewer.pause
    return viewer


def carried_out(
    goal: str,
    made: Workspace,
    planner: Planner,
    watcher: Listener,
    *,
    only_plan: bool = False,
    only: Collection[tuple[str, str]] | None = None,
) -> Run:
    """One session, watched."""
    from plantwin.session import run as session

    try:
        return session(goal, made, planner, watcher, only_plan=only_plan, only=only)
    finally:
        watcher.close()
        # A planner that started something of its own ends it here.
        if close := getattr(planner, "close", None):
            close()


def screen_size() -> Screen:
    """How much fits on the screen; what goes to a file or a pipe is as wide as a usual terminal."""
    import shutil

    from plantwin.surfaces.render.conclusion import Screen

    terminal = sys.stdout.isatty()
    columns, lines = shutil.get_terminal_size((NO_TERMINAL, 24))
    return Screen(columns if terminal else NO_TERMINAL, lines if terminal else MOST_LINES, colourful())


def show_answer(done: Run, overview: Overview, *, quiet: bool = False, absent: Sequence[str] = ()) -> None:
    """What was not done, the answer, the worst findings or the texts that were asked for, and how much was examined.

    `absent`: lines about files that the goal names and that are not there.
    """
    from plantwin.lexicon import act
    from plantwin.private.capabilities import catalog
    from plantwin.private.report.answer import answer
    from plantwin.surfaces.render import conclusion

    size = screen_size()
    said = answer(done, overview)
    head = [line for text in absent for line in wrapped(printable(text), size.width)]
    if absent and not overview.steps and not act(done.read_as or done.goal):
        head.append("Nothing was examined. `plantwin objects` lists the files by name.")
    else:
        head += conclusion.first(done, overview, said, catalog(), size)
    tail = [
        *conclusion.labelled("Examined", overview.examined(done.names), size.width),
        *conclusion.labelled("Left out", conclusion.unplanned(done, overview), size.width),
    ]
    for line in head:
        write_line(line)
    if quiet:
        return
    room = max(LEAST_ROOM, min(MOST_LINES, size.height) - len(head) - len(tail) - AROUND)
    between = list(conclusion.body(done, overview, said, size, room))
    for part, before in ((between, head), (tail, head or between)):
        if part and before:
            write_line()
        for line in part:
            write_line(line)


def conclude(
    done: Run, exports: dict[str, str], *, sends: bool, verbose: bool, quiet: bool, absent: Sequence[str] = ()
) -> None:
    """What was found, how much was examined, what was told to whom, and where the report is."""
    from plantwin.private.report.model import Overview, unheard
    from plantwin.run import Ending
    from plantwin.surfaces.render import conclusion

    overview = Overview.of(done)
    if verbose:
        _learned(done)
        write_line()
    show_answer(done, overview, quiet=quiet, absent=absent)
    # What could not be parsed is told by the steps that it matters to.
    warn(
        done.warnings
        if verbose
        else [line for line in done.warnings if not line.startswith(("parse_error", "undecod"))]
    )
    if quiet:
        return
    if done.read_as:
        for line in conclusion.labelled("Read as", [printable(done.read_as)], screen_size().width):
            write_line(line)
    if done.ending is Ending.STOPPED:
        write_line("You stopped it: nothing further was sent.")
    for line in conclusion.labelled("Told", [conclusion.told(done, sends=sends)], screen_size().width):
        write_line(line)
    withheld = [said] if (said := unheard(done)) else []
    if done.excluded:
        some = ", ".join(map(printable, done.excluded[:3])) + (", …" if len(done.excluded) > 3 else "")
        withheld.append(f"{plural(len(done.excluded), 'object')} not told of, since the budget is used up: {some}")
    for line in conclusion.labelled("Withheld", withheld, screen_size().width):
        write_line(line)
    copies = [("Written", path) for paths in done.documents.values() for path in paths]
    for label, path in (
        *copies,
        ("Report", done.report),
        ("SARIF", exports.get("sarif")),
        ("HTML", exports.get("html")),
    ):
        if path is not None:
            write_line(f"{label:<10}{printable(str(path))}")
    sys.stdout.flush()


def _learned(done: Run) -> None:
    from plantwin.private.report.spending import learned_by
    from plantwin.surfaces.render import session as view

    if done.spending or done.set_spending:
        title, about = learned_by(done)
        screen = console()
        screen.print(view.heading(printable(title), about))
        screen.print(view.learned(done))


def code_of(done: Run) -> int:
    """0 done, 1 a step failed or was refused, 2 no capability for it, 3 the planner failed, 130 interrupted."""
    from plantwin.run import Ending

    if len({code_of(part) for part in done.parts}) > 1:  # one of several questions was not answered
        return max(1, *(code_of(part) for part in done.parts if code_of(part) != 2))
    codes = {Ending.GATE: 1, Ending.PLANNER: 3, Ending.INTERRUPTED: INTERRUPTED, Ending.STOPPED: 0}
    if done.ending in codes:
        return codes[done.ending]
    facts = [result.facts for result in done.results.values()]
    # No step was planned, or each says that what was asked is not there.
    nothing = facts and all(fact.get("on_point") is False and not fact.get("objects") for fact in facts)
    if nothing or not any(turn.plan.steps for turn in done.turns):
        return 2
    return 1 if done.undone else 0
