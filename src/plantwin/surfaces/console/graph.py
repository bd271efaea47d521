"""Graph: the twin, first as components, then the objects of those that are opened."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from plantwin.surfaces.console.folder import Observed
from plantwin.surfaces.console.page import Console
from plantwin.text import printable

MOST_COMPONENTS: Final = 400
"""Components that are drawn, the largest first."""
MOST_LINKS: Final = 1500
MOST_INSIDE: Final = 1000
"""Objects of a component that are drawn, the most related first."""


def _page(console: Console, request: Request) -> Response:
    def found(observed: Observed) -> dict[str, Any]:
        components = observed.table.components()
        return {"components": components[:MOST_COMPONENTS], "total": len(components), "summary": observed.summary}

    return console.page(request, "graph.html", "graph", **console.folder.ask(found))


def _data(console: Console, request: Request) -> Response:
    """The components and how they are related, or the objects of one component."""
    component = request.query_params.get("component")
    if component is not None:
        return JSONResponse(console.folder.ask(lambda observed: _inside(observed, component)))

    def found(observed: Observed) -> dict[str, Any]:
        components = observed.table.components()[:MOST_COMPONENTS]
        place = {one["name"]: number for number, one in enumerate(components)}
        links = [
            (place[source], place[target], edge, number)
            for source, target, edge, number in observed.table.links()
            if source in place and target in place
        ]
        shown = [{**one, "label": _label(one["name"]), "count": one["kinds"].total()} for one in components]
        return {"components": shown, "links": links[:MOST_LINKS]}

    return JSONResponse(console.folder.ask(found))


def _inside(observed: Observed, component: str) -> dict[str, Any]:
    rows = observed.table.inside(component, MOST_INSIDE)
    place = {row[0]: position for position, row in enumerate(rows)}
    links = [
        (place[source], place[target], edge)
        for source, target, edge in observed.table.between(component)
        if source in place and target in place
    ]
    return {"objects": rows, "links": links}


def _label(component: str) -> str:
    return printable(component) if component not in ("", ".") else "top folder" if component else "no component"


PAGES = {"/graph": _page, "/graph/data": _data}
