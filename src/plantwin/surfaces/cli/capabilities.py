"""`plantwin capabilities`: what can be asked for, and how much a call tells."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.surfaces.cli.arguments import add_state, settings_of, state_of
from plantwin.surfaces.cli.output import console, note, write_json, write_line
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin.config.settings import Settings
    from plantwin.types.capability import Capability, Catalog

EXAMPLE = "plantwin capabilities show security_audit"
PAGED = True
CATALOGS = ("orchestration", "coarse", "fine")
UNSAFE = "warning: the fine catalog is unsafe: its probes tell content. It is for experiments alone."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.set_defaults(action="list", root=os.environ.get("PLANTWIN_ROOT") or ".", name=None)
    _common(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    show = actions.add_parser("show", help="everything about one")
    show.add_argument("name", metavar="NAME", help="such as security_audit, or the name of one of your own")
    actions.add_parser("list", help="all of them (the default)")
    for choice in actions.choices.values():
        # Given before or after the action alike: where it is not given here, what was given before holds.
        _common(choice, absent=argparse.SUPPRESS)


def _common(parser: argparse.ArgumentParser, absent: Any = None) -> None:
    parser.add_argument(
        "--catalog", choices=CATALOGS, default=absent, help="instead of the one that your settings name"
    )
    parser.add_argument("--json", action="store_true", default=absent or False, help="print one JSON document")
    add_state(parser, absent)


def run(options: argparse.Namespace) -> int:
    """List or show them."""
    settings = settings_of(options)
    chosen = options.catalog or settings.session.catalog
    if chosen == "fine":
        note(UNSAFE)
    everything = _everything(options, settings, chosen)
    if options.action == "show":
        return _show(options, settings, everything)
    return _list(options, settings, everything, chosen)


def _everything(options: argparse.Namespace, settings: Settings, chosen: str) -> Catalog:
    """The built-in ones of a catalog and the person's own."""
    from plantwin.private.capabilities import catalog
    from plantwin.private.extensions import issued, registered
    from plantwin.types.capability import Catalog
    from plantwin.types.identity import Issuer

    folder = state_of(options).folder
    own = registered(settings.capabilities, Path(options.root).resolve(), folder) if settings.capabilities else ()
    return Catalog([*catalog(chosen).values(), *issued(own, Issuer())])


def called(capability: Capability) -> str:
    """Its word, or the person's name for their own."""
    return capability.own or capability.name.value


def members(capability: Capability, settings: Settings) -> dict[str, Any]:
    """One capability for JSON. Prices are those of the person's settings."""
    from plantwin.private.capabilities.engine.grain import domain, expected, most, needs
    from plantwin.types.capability import parts_of

    costs = _costs(settings)
    return {
        "name": called(capability),
        "own": bool(capability.own),
        "like": capability.name.value,
        "domain": domain(capability),
        "doc": capability.doc,
        "example": capability.example,
        "accepts": {
            "kinds": sorted(kind.value for kind in capability.kinds),
            "families": sorted(family.value for family in capability.families),
            "classes": sorted(leaf.value for leaf in capability.classes),
            "results": sorted(result.value for result in capability.takes),
            "least": capability.least,
            "most": capability.most,
        },
        "works_on": capability.works_on.value,
        "returns": capability.returns.value,
        "parts": sorted(part.value for part in parts_of(capability.returns)),
        "tags": sorted(tag.value for tag in capability.tags),
        "required_fields": list(capability.required_fields),
        "risk": capability.risk.value,
        "approval": capability.approval or capability.risk.value == "high",
        "seconds": capability.seconds,
        "looks_around": capability.surroundings,
        "starts_programs": capability.programs or capability.project,
        "sees_folder": capability.project,
        "price": most(capability, costs) / 1000,
        "needs": needs(capability, costs) / 1000,
        "grain": round(expected(capability, costs) / 1000, 3),
    }


def _costs(settings: Settings) -> dict[str, int]:
    from msgspec.structs import asdict

    return {name: round(cost * 1000) for name, cost in asdict(settings.budget.costs).items()}


def _list(options: argparse.Namespace, settings: Settings, everything: Catalog, chosen: str) -> int:
    from plantwin.private.capabilities.engine.grain import mean

    rows = [members(capability, settings) for capability in everything.values()]
    grain = mean(everything.values(), _costs(settings)) / 1000
    if options.json:
        write_json("capabilities", {"catalog": chosen, "grain": round(grain, 3), "capabilities": rows})
        return 0
    from plantwin.surfaces.render.tables import listing

    columns = ("capability", "domain", "accepts", "returns", "risk", "asks", "price", "expected")
    cells = (
        (
            row["name"] + (f" (like {row['like']})" if row["own"] else ""), row["domain"], _accepts(row),
            row["returns"], row["risk"], "yes" if row["approval"] else "", f"{row['price']:.1f}", f"{row['grain']:.2f}",
        )
        for row in rows
    )  # fmt: skip
    write_line(f"{plural(len(rows), 'capability', 'capabilities')}; `plantwin do NAME PATH` runs one.")
    write_line(
        "Price: the points that a call tells a planner of each file at most; expected: on average (docs/glossary.md)."
    )
    write_line()
    console().print(listing(columns, cells, right=("price", "expected"), styled=False))
    return 0


def _accepts(row: dict[str, Any]) -> str:
    takes = row["accepts"]
    number = str(takes["least"]) if takes["least"] == takes["most"] else f"{takes['least']}-{takes['most']}"
    kinds = "any kind" if len(takes["kinds"]) == 6 else ", ".join(takes["kinds"])
    narrowed = " of some classes" if takes["families"] or takes["classes"] else ""
    return f"{number} {kinds}{narrowed}{'; results' if takes['results'] else ''}"


def _show(options: argparse.Namespace, settings: Settings, everything: Catalog) -> int:
    from plantwin.errors import InputError
    from plantwin.surfaces.cli.arguments import word
    from plantwin.vocabulary import CapabilityName, WorksOn, member

    found = next((capability for capability in everything.values() if called(capability) == options.name), None)
    if found is None:
        word(options.name, CapabilityName)
        raise InputError(f"'{options.name}' is not in this catalog: `plantwin capabilities` lists what is")
    row = members(found, settings)
    if options.json:
        write_json("capabilities", {"capability": row})
        return 0
    takes = row["accepts"]
    lines = {
        "Does": row["doc"],
        "Domain": row["domain"],
        "Like": row["like"] if row["own"] else "",
        "Accepts": _accepts(row),
        "Families": ", ".join(takes["families"]),
        "Classes": ", ".join(takes["classes"]),
        "Results": ", ".join(takes["results"]),
        "On sets": member(WorksOn, row["works_on"]).definition,
        "Returns": row["returns"] + (f"; parts of it: {', '.join(row['parts'])}" if row["parts"] else ""),
        "Needs": f"{', '.join(row['required_fields']) or 'kind alone'} ({row['needs']:.1f} points)",
        "Risk": row["risk"] + ("; you are asked first" if row["approval"] else ""),
        "Runs": f"up to {row['seconds']:.0f} s"
        + ("; starts programs" if row["starts_programs"] else "")
        + ("; sees the whole folder" if row["sees_folder"] else "")
        + ("; knows names and relations of other objects" if row["looks_around"] else ""),
        "Tells": f"status, severity, count and up to four of: {', '.join(row['tags'])}" if row["tags"] else "status",
        "Price": f"at most {row['price']:.1f} points of each file, {row['grain']:.2f} on average",
        "Example": row["example"],
    }
    write_line(row["name"])
    for title, text in lines.items():
        if text:
            write_line(f"  {title:<9}{printable(text)}")
    return 0
