"""`plantwin advisories`: which published vulnerabilities are known, of what day, and bringing newer ones."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json, add_state, state_of
from plantwin.surfaces.cli.output import write_json, write_line
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin.private.capabilities.audit_dependencies.advisories import Advisories

EXAMPLE = "plantwin advisories update --from ~/Downloads/osv-npm-all.zip"
ACTIONS = ("status", "update")
OLD = 90
"""Days after which advisories are called old."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    status = actions.add_parser("status", help="list the registries with advisories, their number and date (default)")
    update = actions.add_parser("update", help="import a local export of OSV advisories")
    update.add_argument(
        "--from",
        dest="source",
        required=True,
        type=Path,
        metavar="PATH",
        help="a folder or zip archive of OSV JSON or YAML files, such as a clone of a public advisory database",
    )
    update.add_argument("--as-of", metavar="DATE", help="the day of the export (default: of its youngest advisory)")
    for action in (status, update):
        add_state(action)
        add_json(action)
    add_state(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Show or import."""
    from plantwin.private.capabilities.audit_dependencies import advisories
    from plantwin.private.state import ADVISORIES

    state = state_of(options)
    kept = state.folder / ADVISORIES
    if options.action == "update":
        found = _imported(options)
        before = _read(kept) if kept.is_file() else {}
        folder = state.subfolder(kept.parent.name)
        draft = folder / f".{kept.name}"
        draft.write_bytes(advisories.encode({**before, **found}))
        draft.chmod(0o644)
        draft.replace(kept)
        if not options.json:
            for name, extract in sorted(found.items()):
                count = sum(map(len, extract.packages.values()))
                write_line(f"imported {plural(count, 'advisory', 'advisories')} for {name}, up to {extract.as_of}")
    _read(kept) if kept.is_file() else None
    _show(advisories.known(str(kept)), options.json)
    return 0


def _imported(options: argparse.Namespace) -> Advisories:
    from plantwin.private.capabilities.audit_dependencies.osv import extracts

    if not options.source.exists():
        raise InputError(f"no such folder or archive: {options.source}")
    if options.as_of and not re.fullmatch(r"\d{4}-\d\d-\d\d", options.as_of):
        raise InputError("--as-of needs a date as 2026-01-31")
    return extracts(options.source, options.as_of or "")


def _read(path: Path) -> Advisories:
    from plantwin.private.capabilities.audit_dependencies import advisories

    try:
        return advisories.read(path)
    except (OSError, EOFError, ValueError):
        raise InputError(f"{path} is damaged: delete it, and import again") from None


def _show(known: Advisories, as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {
            "registry": name,
            "packages": len(extract.packages),
            "advisories": sum(map(len, extract.packages.values())),
            "as_of": extract.as_of,
            "source": extract.source,
        }
        for name, extract in sorted(known.items())
    ]
    if as_json:
        write_json("advisories", {"registries": rows})
        return
    today = datetime.now(UTC).date()
    for row in rows:
        age = (today - date.fromisoformat(row["as_of"])).days
        old = f"; {age} days old" if age > OLD else ""
        write_line(
            f"{row['registry']:<10} {row['advisories']:>6,} advisories on {row['packages']:,} packages, "
            f"up to {row['as_of']}{old} ({printable(row['source'])})"
        )
    write_line("Other registries have no data: their packages are not checked for known vulnerabilities.")
