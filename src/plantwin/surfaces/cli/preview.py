"""`plantwin preview`: exactly what would be sent for a goal, beside what it was made from. Nothing is sent."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.surfaces.cli.arguments import add_json, add_root
from plantwin.surfaces.cli.output import console, note, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.sessions import add_mode, goal_of, object_members, workspace
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.private.goal import Piece
    from plantwin.run import Run, Spending

EXAMPLE = 'plantwin preview "Compare the two deployment settings" ~/projects/shop'


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("goal", metavar="GOAL", help="what is wanted, in your words")
    add_root(parser)
    parser.add_argument("--config", metavar="FILE", help="take the settings from this file instead of the user's")
    parser.add_argument("--planner", metavar="NAME", help="as if this one were asked (default: offline)")
    add_mode(parser)
    add_json(parser)


class Preview(NamedTuple):
    """What would be sent, and what it was made from."""

    run: Run
    mode: str
    envelopes: Sequence[Released]
    tokens: Sequence[str]
    pieces: Sequence[Piece]
    where: str
    """What is known of where the planner sends."""

    def __repr__(self) -> str:
        return "<Preview private>"


def run(options: argparse.Namespace) -> int:
    """Make the first envelopes of a session in a rehearsal, and show them."""
    goal = goal_of(options)
    bar = Bar()
    with workspace(options, bar, rehearse=True) as made:
        from plantwin.cloud.planner import reach
        from plantwin.run import Run
        from plantwin.surfaces.cli.asking import chooser_for
        from plantwin.surfaces.cli.planners import planner_of

        planner = planner_of(options.planner, made.catalog, made.settings, keyless=True)
        made.choose = chooser_for(options, bar)
        record = Run("rehearsal", goal, planner.name, planner.audience, planner.locality)
        context = made.open_session(goal, planner, record)
        bar.stop()
        try:
            envelopes = context.opening(goal)
            context.finish(record)
        finally:
            context.executor.close()
        # From the very bytes: an object that could not be shown is a blank in them.
        crosses = tuple(json.loads(envelopes[1].data)["goal"].get("text", ()))
        pieces = [_shown(each, context.release.shown) for each in context.selected.pieces]
        preview = Preview(record, made.goal_mode, envelopes, crosses, pieces, reach(planner))
    if options.json:
        write_json("preview", _members(preview))
    else:
        _show(preview)
    for warning in record.warnings:
        note(f"warning: {printable(warning)}")
    return 0


def _shown(piece: Piece, shown: Collection[str]) -> Piece:
    """A stretch of the goal as it crosses: without the ids of objects that are not shown."""
    from plantwin.private.goal import Why
    from plantwin.types.twin import object_id_like

    if all(each in shown for each in piece.tokens if object_id_like(each)):
        return piece
    left = tuple(each if not object_id_like(each) or each in shown else "<path>" for each in piece.tokens)
    return piece._replace(tokens=tuple(dict.fromkeys(left)), why=Why.HIDDEN)


def _members(preview: Preview) -> dict[str, Any]:
    run = preview.run
    return {
        "goal": well_formed(run.goal),
        **path_fields(str(run.root or ""), "root"),
        "planner": {"name": well_formed(run.planner), "audience": run.audience, "locality": run.locality},
        "goal_mode": preview.mode,
        "tokens": list(preview.tokens),
        "words": [
            {"text": well_formed(run.goal[each.start : each.end]), "becomes": list(each.tokens), "why": each.why.value}
            for each in preview.pieces
        ],
        "outbound": [each.data.decode("ascii") for each in preview.envelopes],
        "objects": [
            {
                **object_members(each.object_id, run.names),
                "price": _price(each) / 1000,
                "before": each.before / 1000,
                "threshold": each.threshold / 1000,
                "told": list(each.told),
                "withheld": list(each.withheld),
            }
            for each in run.spending
        ],
        "price": sum(map(_price, run.spending)) / 1000,
        "groups_price": _price(run.folder) / 1000 if run.folder else 0.0,
        "excluded": [path_fields(path) for path in run.excluded],
        "sent": False,
    }


def _price(each: Spending) -> int:
    return each.spent - each.before


def _show(preview: Preview) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from plantwin.private.report.wording import amount, named
    from plantwin.surfaces.render import session as view

    run, screen = preview.run, console()
    write_line(f"As {printable(run.planner)} ({preview.where}), audience {run.audience}; goal mode {preview.mode}.")
    if preview.mode == "intent":
        screen.print(view.heading("Your words", "none of them crosses: only closed intents and ids do"))
    else:
        crosses = "so does the sentence as it stands" if preview.mode == "verbatim" else "the rest stays here"
        screen.print(view.heading("Your words", f"those of the lexicon cross; {crosses}"))
        rows = view.table("in your goal", "crosses as", "because it is")
        for each in preview.pieces:
            typed = Text(printable(run.goal[each.start : each.end]))
            became = " ".join(
                f"{token} = {named(token, run.names)}" if token in run.names else token for token in each.tokens
            )
            rows.add_row(typed, Text(printable(became) or "-"), Text(each.why.value))
        screen.print(Padding(rows, (0, 0, 0, 2)))
    screen.print(view.heading("Objects", f"{plural(len(run.spending), 'object')} would be shown"))
    rows = view.table("id", "stands for", "costs", "spent so far", "of", right=("costs", "spent so far", "of"))
    for one in run.spending:
        figures = (amount(_price(one)), amount(one.before), amount(one.threshold))
        rows.add_row(one.object_id, Text(printable(named(one.object_id, run.names))), *figures)
    screen.print(Padding(rows, (0, 0, 0, 2)))
    for path in run.excluded:
        write_line(f"  not shown, its budget is used up: {printable(path)}")
    screen.print(view.heading("Would be sent", f"{plural(len(preview.envelopes), 'envelope')}, byte for byte"))
    for sent in preview.envelopes:
        write_line(sent.data.decode("ascii"))
    write_line()
    total = amount(sum(map(_price, run.spending)))
    further = f", and {amount(_price(run.folder))} for groups" if run.folder and _price(run.folder) else ""
    write_line(f"It would cost {total} over all objects{further}. Nothing was sent or charged.")
