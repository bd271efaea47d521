"""Objects: search, filter, budget bars for each audience, and everything a provider has ever learned of one."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from plantwin.private.report.wording import unit
from plantwin.surfaces.cli.objects import members
from plantwin.surfaces.console.access import Refused
from plantwin.surfaces.console.folder import Observed
from plantwin.surfaces.console.page import Console, Paging, number_of
from plantwin.surfaces.console.table import FILTERS, search_of

MOST: Final = 50
"""Objects of a page."""
MOST_NEIGHBOURS: Final = 100
MOST_TOLD: Final = 500
"""Lines of a history."""


def _page(console: Console, request: Request) -> Response:
    query = dict(request.query_params)
    audiences = console.folder.audiences()
    start = number_of(query.get("from"))

    def found(observed: Observed) -> dict[str, Any]:
        total, records = observed.table.page(search_of(query), start, MOST)
        return {
            "records": records,
            "spending": observed.spending(records, audiences),
            "paging": Paging(start, MOST, total, query),
            "choices": [(field, observed.table.words(field)) for field in FILTERS],
            "summary": observed.summary,
            "at": observed.at,
        }

    return console.page(
        request, "objects.html", "objects", query=query, audiences=audiences, **console.folder.ask(found)
    )


def _one(console: Console, request: Request) -> Response:
    number = number_of(request.path_params["number"], -1)
    audiences = console.folder.audiences()
    cut = console.folder.cut()

    def found(observed: Observed) -> dict[str, Any]:
        record = observed.table.get(number)
        if record is None:
            raise Refused(404, "there is no such object: look at the folder again")
        history = observed.history(record, cut)
        rows = [(row, False) for row in history.own] + [(row, True) for row in history.in_sets]
        rows.sort(key=lambda pair: -pair[0].at)
        told = [
            {"at": row.at, "audience": row.audience, "what": unit(row.unit), "cost": row.cost, "as_member": as_member}
            for row, as_member in rows
            if not row.unit.startswith(("left=", "subset="))
        ]
        position = cut.set_of.get(number)
        return {
            "record": record,
            "members": members(record),
            "spending": observed.spending([record], audiences)[number],
            "neighbours": observed.table.neighbours(number, MOST_NEIGHBOURS),
            "told": told[:MOST_TOLD],
            "more": max(0, len(told) - MOST_TOLD),
            "set": cut.sets[position].view if position is not None else None,
            "position": position,
        }

    return console.page(request, "object.html", "objects", **console.folder.ask(found))


PAGES = {"/objects": _page, "/objects/{number}": _one}
