"""`plantwin preview`: exactly what would be sent for a goal, beside what it was made from. Nothing is sent."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.surfaces.cli.arguments import add_folder, add_json
from plantwin.surfaces.cli.output import console, warn, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.sessions import add_limits, add_mode, goal_of, object_members, run_members, workspace
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed

if TYPE_CHECKING:
    from rich.console import Console

    from plantwin.boundary.release import Released
    from plantwin.cloud.planner import Planner
    from plantwin.private.goal import Piece
    from plantwin.run import Run, Spending
    from plantwin.session_context import SessionContext
    from plantwin.surfaces.cli.saved import Saved
    from plantwin.workspace import Workspace

EXAMPLE = 'plantwin preview "Compare the two deployment settings" ~/projects/shop'


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("goal", metavar="GOAL", help="what is wanted, in your words")
    add_folder(parser)
    parser.add_argument("--planner", metavar="NAME", help="as if this one were asked (default: offline)")
    add_mode(parser)
    add_limits(parser)
    add_json(parser)


FEW = 3
"""Members of a set that are named."""
NAME = 34
"""Characters of a path in a table."""
MOST_RELATIONS = 12
"""Relations between sets that are shown one by one."""


class SetView(NamedTuple):
    """A set as it would be told, with what a person wants to know of it."""

    id: str
    description: str
    files: int
    names: tuple[str, ...]
    """A few of its members."""
    told: dict[str, Any]
    """What crosses of it."""
    spending: Spending | None
    """What it costs each member, as one of many."""

    def __repr__(self) -> str:
        return "<SetView private>"


class Preview(NamedTuple):
    """What would be sent, and what it was made from."""

    run: Run
    mode: str
    envelopes: Sequence[Released]
    tokens: Sequence[str]
    pieces: Sequence[Piece]
    sets: Sequence[SetView]
    relations: Sequence[dict[str, Any]]
    objects: Collection[str]
    """Ids of objects that would be told of by themselves."""
    where: str
    """What is known of where the planner sends."""
    sends: bool

    @property
    def run_members(self) -> dict[str, Any]:
        """The preview for JSON as a session that stopped before anything was sent."""
        envelopes = [envelope.data.decode("ascii") for envelope in self.envelopes]
        return {**run_members(self.run, envelopes, dry_run=True), "exit": 0}

    def __repr__(self) -> str:
        return "<Preview private>"


def run(options: argparse.Namespace) -> int:
    """Show the first envelopes of a session, with what they were made from."""
    preview = rehearsed(options, goal_of(options))
    if options.json:
        write_json("preview", _members(preview))
    return shown(options, preview)


def shown(options: argparse.Namespace, preview: Preview) -> int:
    """Show a preview to a person."""
    if not options.json:
        _show(preview)
    warn(preview.run.warnings)
    return 0


def rehearsed(options: argparse.Namespace, goal: str, saved: Saved | None = None) -> Preview:
    """Make the first envelopes of a session for the goal, or for a saved plan, in a rehearsal."""
    bar = Bar()
    with workspace(options, bar, rehearse=True) as made:
        from plantwin.surfaces.cli.asking import chooser_for
        from plantwin.surfaces.cli.planners import planner_of
        from plantwin.surfaces.cli.saved import SavedPlanner, wanted

        made.choose = chooser_for(options, bar)
        if saved is not None:
            return previewed(goal, made, SavedPlanner(saved, lambda: None), bar, wanted(saved))
        planner = planner_of(options.planner, made.catalog, made.settings, keyless=True)
        return previewed(goal, made, planner, bar)


def previewed(
    goal: str, made: Workspace, planner: Planner, bar: Bar, only: Collection[tuple[str, str]] | None = None
) -> Preview:
    """Make the first envelopes of a session in a workspace that rehearses.

    `only`: path and part of the objects to show, instead of those that the goal names.
    """
    from plantwin.cloud.planner import reach, sends
    from plantwin.run import Ending, Run

    record = Run("rehearsal", goal, planner.name, planner.audience, planner.locality, ending=Ending.STOPPED)
    context = made.open_session(goal, planner, record, only)
    bar.stop()
    try:
        envelopes = context.opening(goal)
        context.finish(record)
    finally:
        context.executor.close()
    # From the very bytes: an object that could not be shown is a blank in them.
    request = json.loads(envelopes[1].data)
    crosses = tuple(request["goal"].get("text", ()))
    pieces = [_crossing(piece, context.release.shown) for piece in context.selected.pieces]
    sets = set_views(context, [json.loads(envelope.data) for envelope in envelopes], record.set_spending)
    relations = request.get("relations", [])
    objects = {obj["object_id"] for obj in request.get("objects", ())}
    whom = reach(planner), sends(planner)
    return Preview(record, made.goal_mode, envelopes, crosses, pieces, sets, relations, objects, *whom)


def set_views(
    context: SessionContext, messages: Iterable[dict[str, Any]], spending: Iterable[Spending]
) -> list[SetView]:
    """The sets that these messages tell of, the largest first."""
    from plantwin.surfaces.cli.arguments import name

    spent = {spent_on.object_id: spent_on for spent_on in spending}
    told: dict[str, dict[str, Any]] = {}
    for message in messages:
        for set_ in message.get("sets", ()):
            told[set_["set_id"]] = told.get(set_["set_id"], {}) | set_
    views = [
        SetView(
            held.id,
            context.set_names.get(held.id, held.id),
            held.count,
            tuple(name(record) for record in islice(context.members(held.id), FEW)),
            told[held.id],
            spent.get(held.id),
        )
        for held in context.selected.sets
        if held.id in told
    ]
    return sorted(views, key=lambda view: -view.files)


def _crossing(piece: Piece, shown: Collection[str]) -> Piece:
    """A stretch of the goal as it crosses: without the ids of objects that are not shown."""
    from plantwin.private.goal import Why
    from plantwin.types.twin import object_id_like

    if all(token in shown for token in piece.tokens if object_id_like(token)):
        return piece
    left = tuple(token if not object_id_like(token) or token in shown else "<path>" for token in piece.tokens)
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
            {
                "text": well_formed((run.read_as or run.goal)[piece.start : piece.end]),
                "becomes": list(piece.tokens),
                "why": piece.why.value,
            }
            for piece in preview.pieces
        ],
        "outbound": [envelope.data.decode("ascii") for envelope in preview.envelopes],
        "objects": [
            {
                **object_members(spent.object_id, run.names),
                "price": price_of(spent) / 1000,
                "before": spent.before / 1000,
                "threshold": spent.threshold / 1000,
                "told": list(spent.told),
                "withheld": list(spent.withheld),
            }
            for spent in run.spending
        ],
        "sets": [set_members(set_) for set_ in preview.sets],
        "relations": list(preview.relations),
        "price": sum(map(price_of, run.spending)) / 1000,
        "excluded": [path_fields(path) for path in run.excluded],
        "sent": False,
    }


def set_members(view: SetView) -> dict[str, Any]:
    """A set for JSON: what it is here, and what crosses of it."""
    return {
        "set_id": view.id,
        "is": well_formed(view.description),
        "files": view.files,
        "some": [path_fields(text) for text in view.names],
        "told": view.told,
        "price": price_of(view.spending) / 1000 if view.spending else 0.0,
        "before": view.spending.before / 1000 if view.spending else 0.0,
        "threshold": view.spending.threshold / 1000 if view.spending else 0.0,
        "withheld": list(view.spending.withheld) if view.spending else [],
    }


def show_sets(screen: Console, views: Sequence[SetView], relations: Sequence[dict[str, Any]]) -> None:
    """Sets with what they are, how many files they have and a few names; then how they are related."""
    from rich.padding import Padding
    from rich.text import Text

    from plantwin.private.report.wording import amount, words
    from plantwin.surfaces.render import session as view

    rows = view.table("set", "what it is", "files", "such as", "costs each", right=("files", "costs each"))
    for shown_set in views:
        cost = amount(price_of(shown_set.spending)) if shown_set.spending else "-"
        more = (
            [f"and {shown_set.files - len(shown_set.names):,} more"] if shown_set.files > len(shown_set.names) else []
        )
        some = Text("\n".join([*(_end(printable(name)) for name in shown_set.names), *more]))
        rows.add_row(shown_set.id, Text(printable(shown_set.description)), f"{shown_set.files:,}", some, cost)
    screen.print(Padding(rows, (0, 0, 0, 2)))
    called = {shown_set.id: shown_set.description for shown_set in views}
    rows = view.table("between", "how many", "relation", "and")
    for relation in relations[:MOST_RELATIONS]:
        source, target = (Text(printable(called.get(relation[end], relation[end]))) for end in ("source", "target"))
        why = words(relation.get("reason") or relation["edge"])
        rows.add_row(source, words(relation.get("share", "some")), why, target)
    if relations:
        screen.print(Padding(rows, (1, 0, 0, 2)))
    if len(relations) > MOST_RELATIONS:
        write_line(f"  and {plural(len(relations) - MOST_RELATIONS, 'relation')} more, in the bytes")


def _end(path: str) -> str:
    """As much of the end of a path as stands on one line."""
    return path if len(path) <= NAME else f"…{path[1 - NAME :]}"


def price_of(spending: Spending) -> int:
    """What a rehearsal would add to what was spent."""
    return spending.spent - spending.before


def _show(preview: Preview) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from plantwin.private.report.wording import amount, named
    from plantwin.surfaces.render import session as view

    run, screen = preview.run, console()
    write_line(f"As {printable(run.planner)} ({preview.where}), audience {run.audience}; goal mode {preview.mode}.")
    if preview.mode == "intent":
        screen.print(view.heading("Your words", "the planner sees none of them: only intents of a fixed list and ids"))
    else:
        crosses = "and the sentence as it stands" if preview.mode == "verbatim" else "the rest stays here"
        screen.print(view.heading("Your words", f"the planner sees words of the public lexicon, {crosses}"))
        rows = view.table("in your goal", "it sees", "because it is")
        for piece in preview.pieces:
            typed = Text(printable((run.read_as or run.goal)[piece.start : piece.end]))
            became = " ".join(
                f"{token} = {named(token, run.names)}" if token in run.names else token for token in piece.tokens
            )
            rows.add_row(typed, Text(printable(became) or "-"), Text(piece.why.value))
        screen.print(Padding(rows, (0, 0, 0, 2)))
    if preview.sets:
        files = plural(sum(set_.files for set_ in preview.sets), "file")
        heading = f"{plural(len(preview.sets), 'set')} over {files} would be told of"
        screen.print(view.heading("Sets", heading))
        show_sets(screen, preview.sets, preview.relations)
    shown = [one for one in run.spending if one.object_id in preview.objects]
    if shown:
        screen.print(view.heading("Objects", f"{plural(len(shown), 'object')} would be told of one by one"))
    rows = view.table("id", "file", "costs", "spent so far", "of", right=("costs", "spent so far", "of"))
    for one in shown:
        figures = (amount(price_of(one)), amount(one.before), amount(one.threshold))
        rows.add_row(one.object_id, Text(printable(named(one.object_id, run.names))), *figures)
    if shown:
        screen.print(Padding(rows, (0, 0, 0, 2)))
    for path in run.excluded:
        write_line(f"  not shown, its budget is used up: {printable(path)}")
    if run.denied:
        some = ", ".join(map(printable, run.denied[:FEW])) + (", …" if len(run.denied) > FEW else "")
        write_line(f"  {plural(len(run.denied), 'object is', 'objects are')} kept from this planner by policy: {some}")
    screen.print(
        view.heading(
            "Would be sent" if preview.sends else "The planner would see",
            f"{plural(len(preview.envelopes), 'envelope')}, byte for byte",
        )
    )
    for sent in preview.envelopes:
        write_line(sent.data.decode("ascii"))
    write_line()
    dearest = amount(max(map(price_of, (*run.set_spending, *run.spending)), default=0))
    write_line(f"It would cost at most {dearest} points on one file. Nothing was sent or charged.")
