"""`plantwin graph`: the twin as a picture."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_folder, add_json, name, number
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.cli.sessions import observation
from plantwin.surfaces.render.text import path_fields, plural, printable

if TYPE_CHECKING:
    from plantwin import Projection
    from plantwin.surfaces.render.svg import Graph, Link, Node

EXAMPLE = "plantwin graph ~/projects/shop --out shop.html"
USUAL, MOST = 120, 600
READABLE = 60
"""Objects up to which a picture is readable without zooming."""
DO_NOT_SHARE = "Local names: do not share"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    add_json(parser, "print what was drawn as one JSON document")
    parser.add_argument("--out", required=True, metavar="FILE", help="the file: .svg, .png, or .html to zoom in")
    parser.add_argument(
        "--names", action="store_true", help="real names instead of opaque ids (then keep it to yourself)"
    )
    parser.add_argument(
        "--max",
        type=number,
        default=USUAL,
        metavar="N",
        help=f"objects to draw, the most linked first (default {USUAL}, at most {MOST})",
    )


def run(options: argparse.Namespace) -> int:
    """Project the environment, draw the twin and write the picture."""
    if options.max > MOST:
        raise InputError(f"--max: at most {MOST} objects stay readable")
    from plantwin import projection
    from plantwin.surfaces.render.svg import Caption, chosen, draw

    with observation(options) as (_, scan):
        projected = projection(scan)
    nodes, links = elements(projected, options.names)
    graph = chosen(nodes, links, options.max)
    told = [plural(len(graph.nodes), "object"), plural(len(graph.links), "relation")]
    if graph.hidden:
        told[0] = f"{len(graph.nodes):,} of {plural(len(nodes), 'object')}, the most linked"
    caption = Caption(
        title="The twin, fully disclosed",
        note=f"{', '.join(told)}. Made locally and not sent: a planner is told far less.",
        warning=DO_NOT_SHARE if options.names else "",
    )
    # With names in it, the picture is for its owner alone.
    _save(options.out, _picture(options.out, draw(graph, caption)), 0o600 if options.names else 0o666)
    _report(options, graph, len(nodes))
    return 0


def _picture(out: str, svg: str) -> bytes:
    """The picture in the format that the name of its file says."""
    ending = Path(out).suffix.lower().removeprefix(".")
    if ending in ("html", "htm"):
        from plantwin.surfaces.render.svg import page

        return page(svg, "The twin, fully disclosed").encode("utf-8", "backslashreplace")
    if ending == "png":
        try:
            from resvg_py import svg_to_bytes
        except ImportError:
            raise InputError("PNG needs resvg-py (pip install 'plantwin[png]'): or write .svg or .html") from None
        return bytes(svg_to_bytes(svg_string=svg, zoom=2))
    if ending != "svg":
        raise InputError(f"cannot write '{out}': a picture's name ends in .svg, .png or .html")
    return svg.encode("utf-8", "backslashreplace")


def elements(projected: Projection, names: bool) -> tuple[list[Node], list[Link]]:
    """Nodes and links of the twin; labelled by opaque ids, or by names that only this machine knows."""
    from msgspec import UNSET

    from plantwin.surfaces.render.svg import Link, Node

    twin = projected.twin
    place = {obj.object_id: index for index, obj in enumerate(twin.objects)}
    tools = Counter(edge.source for edge in twin.edges if edge.target is UNSET)
    nodes = []
    for obj in twin.objects:
        record = projected.objects[obj.object_id] if names else None
        component = _named(record.component) if record else _opaque(obj.component)
        nodes.append(
            Node(
                kind=obj.kind,
                semantic_class=str(obj.semantic_class),
                sensitivity=str(obj.sensitivity),
                label=name(record).rpartition("/")[2] if record else _opaque(obj.object_id),
                component=component,
                tools=tools[obj.object_id],
            )
        )
    links = [
        Link(place[edge.source], place[edge.target], edge.edge) for edge in twin.edges if isinstance(edge.target, str)
    ]
    return nodes, links


def _named(component: str) -> str:
    return "(top folder)" if component == "." else component


def _opaque(identity: object) -> str:
    """The random part of an id; the prefix says nothing."""
    return identity.rpartition("_")[2] if isinstance(identity, str) else ""


def _save(out: str, picture: bytes, mode: int) -> None:
    """Write the picture; a new file gets this mode."""
    try:
        with open(out, "wb", opener=lambda path, flags: os.open(path, flags, mode)) as file:
            file.write(picture)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a path"
        raise InputError(f"cannot write '{out}': {reason}") from None


def _report(options: argparse.Namespace, graph: Graph, total: int) -> None:
    if options.json:
        drawn = {"objects": len(graph.nodes), "relations": len(graph.links), "of": total, "names": options.names}
        write_json("graph", {**path_fields(options.root, "root"), **path_fields(options.out, "out"), "drawn": drawn})
        return
    of = f" of {total:,}, the most linked" if graph.hidden else ""
    write_line(
        f"{printable(options.out)}: {plural(len(graph.nodes), 'object')}{of}, {plural(len(graph.links), 'relation')}"
    )
    if len(graph.nodes) > READABLE and not options.out.endswith((".html", ".htm")):
        note(f"Over {READABLE} objects are hard to read in one picture: --out FILE.html makes a page to zoom in.")
    if options.names:
        write_line("It shows local names: do not share it.")
