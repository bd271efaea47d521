"""`plantwin plan`: ask for a plan, check and price it, save it; nothing runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.cli.preview import rehearsed, shown
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.run import carried_out, code_of, introduce, listener
from plantwin.surfaces.cli.sessions import SENDS, add_goal, add_limits, goal_of, run_members, workspace
from plantwin.surfaces.render.text import path_fields, printable

if TYPE_CHECKING:
    from plantwin.run import Run

EXAMPLE = 'plantwin plan "Compare the production and the staging settings" ~/projects/shop --out plan.json'
REPORTED = ["verdicts", "outcomes", "results", "report", "full_report", "summary", "findings", "coverage", "not_done"]
"""Members of what was found: nothing ran."""
__all__ = ["EXAMPLE", "SENDS", "arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_goal(parser)
    add_limits(parser)
    parser.add_argument("--out", metavar="FILE", help="save the plan here, for `plantwin run --plan FILE`")


def run(options: argparse.Namespace) -> int:
    """Ask once; keep the answer."""
    from plantwin.surfaces.cli.saved import save

    goal = goal_of(options)
    if options.dry_run:
        preview = rehearsed(options, goal)
        if options.json:
            write_json("plan", _planned(preview.run_members, None))
        return shown(options, preview)
    bar = Bar()
    with workspace(options, bar) as made:
        from plantwin.surfaces.cli.asking import chooser_for
        from plantwin.surfaces.cli.planners import planner_of

        folder = made.state.subfolder("planners")
        planner = planner_of(options.planner, made.catalog, made.settings, folder, options.record)
        made.choose = chooser_for(options, bar)
        watcher = listener(options, bar, planner, made, only_plan=True)
        introduce(options, goal, made)
        done = carried_out(goal, made, planner, watcher, only_plan=True)
        place = Path(options.out) if options.out else made.state.subfolder("plans")
        path = save(done, watcher.context, place) if done.turns else None
        envelopes = [envelope.data.decode("ascii") for envelope in (done.outbound or watcher.envelopes)]
    code = _code(done)
    if options.json:
        write_json("plan", _planned({**run_members(done, envelopes, dry_run=False), "exit": code}, path))
    elif path is not None:
        write_line()
        write_line(f"Saved     {printable(str(path))}")
        write_line(f"Nothing ran. To run it: plantwin run --plan {printable(str(path))}")
    elif not done.error:
        write_line("The planner asks for nothing.")
    if done.error:
        note(f"plantwin: {printable(done.error)}")
    return code


def _planned(members: dict[str, Any], path: Path | None) -> dict[str, Any]:
    """A plan for JSON, and where it is saved."""
    kept = {name: value for name, value in members.items() if name not in REPORTED}
    return {**kept, **path_fields(str(path or ""), "saved")}


def _code(done: Run) -> int:
    """As for a run; 1 also when no step of the plan can be admitted."""
    steps = [step for turn in done.turns for step in turn.admission.steps]
    return code_of(done) or int(bool(steps) and all(step.refusal is not None for step in steps))
