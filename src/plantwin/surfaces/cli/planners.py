"""Which planner a name stands for, and `plantwin planners`: which there are, whom they tell, and their use so far."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.surfaces.cli.arguments import add_json, add_state, settings_of, state_of
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.render.text import printable, well_formed

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.cloud.registry import Row
    from plantwin.config.settings import Settings
    from plantwin.types.capability import Catalog

EXAMPLE = "plantwin planners"
SENDS = (
    "Nothing is sent of any folder. Servers on this machine are asked whether they answer, with --check remote ones\n"
    "too: a request that lists their models, with your key."
)


def planner_of(
    name: str | None,
    catalog: Catalog,
    settings: Settings | None = None,
    folder: Path | None = None,
    record: str | None = None,
    keyless: bool = False,
) -> Planner:
    """The planner that an option names, or the person's default.

    `folder`: where use is counted. `record`: keep the conversation here. `keyless`: nothing will be sent.
    """
    from plantwin.cloud.registry import Registry
    from plantwin.config.settings import load_settings

    settings = settings or load_settings()
    planner = Registry(settings, catalog, folder, keyless).planner(name or settings.planner.default)
    if record is not None:
        from plantwin.cloud.recorded import Recording

        planner = Recording(planner, Path(record).expanduser())
    return planner


USE = 4
"""Columns before those of what was used."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_json(parser)
    parser.add_argument("--check", action="store_true", help="ask remote servers too whether they answer")
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """List every planner."""
    from plantwin.cloud.registry import Registry, roster
    from plantwin.private.capabilities import catalog

    settings = settings_of(options)
    folder = state_of(options).subfolder("planners")
    registry = Registry(settings, catalog(settings.session.catalog), folder)
    rows = list(roster(registry, check=options.check))
    if options.json:
        listed = [_members(row) for row in rows]
        write_json("planners", {"default": well_formed(settings.planner.default), "planners": listed})
        return 0
    from plantwin.surfaces.render.tables import listing

    names = ("planner", "audience", "where", "state", "requests", "tokens in", "tokens out", "cost")
    cells = [_cells(row) for row in rows]
    # What was used is a column only where something was.
    shown = [place for place in range(len(names)) if place < USE or any(row[place] for row in cells)]
    console().print(listing([names[place] for place in shown], [[row[place] for place in shown] for row in cells]))
    write_line()
    write_line("What is sent to a port here may go on from there: where that leads PlanTwin cannot know.")
    write_line(f"Asked where none is named: {printable(settings.planner.default)}")
    if not options.check:
        write_line("Remote servers were not asked whether they answer: `plantwin planners --check` does that.")
    return 0


def _members(row: Row) -> dict[str, Any]:
    return {
        "name": well_formed(row.name),
        "audience": row.audience or None,
        "locality": row.locality or None,
        "sends": row.sends,
        "reachable": row.reachable,
        "problem": row.problem or None,
        **row.use._asdict(),
    }


def _cells(row: Row) -> tuple[str, ...]:
    state = (
        row.problem
        or {True: "answers", False: "", None: "not asked" if row.locality == "remote" else ""}[row.reachable]
    )
    use = row.use
    counts = tuple(f"{count:,}" if count else "" for count in (use.requests, use.input_tokens, use.output_tokens))
    cost = f"{use.cost:.4f}" if use.cost else ""
    where = "a port here" if row.locality == "local" and row.sends else row.locality
    return (row.name, row.audience, where, state, *counts, cost)
