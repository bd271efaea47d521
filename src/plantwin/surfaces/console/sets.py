"""Sets: the folder as a planner is told of it, with what each audience has heard of each set."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from plantwin.run import Spending
from plantwin.surfaces.console.access import Refused
from plantwin.surfaces.console.folder import CutSet, Observed
from plantwin.surfaces.console.left import told_values
from plantwin.surfaces.console.page import Console, Paging, number_of

MOST: Final = 50
"""Members of a set on a page."""


def _heard(observed: Observed, one: CutSet, audiences: list[str]) -> dict[str, Spending]:
    """What each audience has heard of the set's members as some of many, by those of whom most was told."""
    found = {}
    for name in audiences:
        settings = observed.workspace.settings
        known = observed.workspace.ledger.known(settings.audience(name), list(one.cells))
        most = max(known.values(), key=lambda cell: cell.spent)
        if most.spent:
            limit = settings.heard_by(name).sharing().limit
            found[name] = Spending(
                one.view.description, "", one.view.id, most.spent, most.spent, limit, tuple(sorted(most.units)), ()
            )
    return found


def _page(console: Console, request: Request) -> Response:
    audiences = console.folder.audiences()
    cut = console.folder.cut()
    query = request.query_params.get("q", "").lower()
    rows = console.folder.ask(
        lambda observed: [
            {
                "position": position,
                "view": one.view,
                "values": told_values(one.view.told),
                "heard": _heard(observed, one, audiences),
            }
            for position, one in enumerate(cut.sets)
            if query in one.view.description.lower() or any(query in name.lower() for name in one.view.names)
        ]
    )
    return console.page(request, "sets.html", "sets", rows=rows, audiences=audiences, query=query)


def _one(console: Console, request: Request) -> Response:
    position = number_of(request.path_params["position"], -1)
    cut = console.folder.cut()
    if not 0 <= position < len(cut.sets):
        raise Refused(404, "there is no such set: look at the folder again")
    audiences = console.folder.audiences()
    start = number_of(request.query_params.get("from"))
    one = cut.sets[position]

    def found(observed: Observed) -> dict[str, Any]:
        records = observed.table.some(one.members[start : start + MOST])
        return {
            "records": records,
            "heard": _heard(observed, one, audiences),
            "spending": observed.spending(records, audiences),
        }

    paging = Paging(start, MOST, len(one.members), {})
    return console.page(
        request, "set.html", "sets", view=one.view, values=told_values(one.view.told), paging=paging,
        audiences=audiences, **console.folder.ask(found),
    )  # fmt: skip


PAGES = {"/sets": _page, "/sets/{position}": _one}
