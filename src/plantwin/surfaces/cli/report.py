"""`plantwin report`: the newest report of a folder, or a list of all."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json, add_root, add_state, state_of
from plantwin.surfaces.cli.output import write_json, write_line
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed

if TYPE_CHECKING:
    from plantwin.private.report.baseline import Kept

EXAMPLE = "plantwin report ~/projects/shop"
PAGED = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_root(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--list", action="store_true", help="list all reports of all folders, newest first")
    which.add_argument("--open", action="store_true", help="open it with the program of this desktop")
    add_state(parser)
    add_json(parser, "print its findings as JSON; with --list the list")


def run(options: argparse.Namespace) -> int:
    """Show one, open it, or list them."""
    from plantwin.private.report.baseline import reports

    if options.list:
        return _list(list(reports(state_of(options))), options)
    root = Path(options.root).expanduser().resolve()
    found = next((report for report in reports(state_of(options)) if report.root in (root, root.parent)), None)
    if found is None:
        raise InputError(
            "no report of this folder: `plantwin run` and `plantwin do` write one, `report --list` has all"
        )
    if options.open:
        return _open(found.path)
    if options.json:
        write_json(
            "report", {**path_fields(str(found.path), "file"), **{k: v for k, v in found.told.items() if k != "format"}}
        )
        return 0
    for line in found.path.read_text("utf-8", "replace").split("\n"):
        write_line(printable(line).replace("\\\\", "\\"))
    return 0


def _list(found: list[Kept], options: argparse.Namespace) -> int:
    if options.json:
        write_json("report", {"reports": list(map(_members, found))})
        return 0
    write_line(f"{plural(len(found), 'report')}, newest first.")
    for kept in found:
        told = _members(kept)
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.path.stat().st_mtime))
        write_line(f"{day}  {told['findings']:,} found: {printable(told['goal'])}")
        write_line(f"  of {printable(str(kept.root))}", exact=True)
        write_line(f"  {printable(str(kept.path))}", exact=True)
    return 0


def _members(kept: Kept) -> dict[str, Any]:
    summary = kept.told.get("summary")
    findings = summary.get("findings", 0) if isinstance(summary, dict) else 0
    return {
        **path_fields(str(kept.path), "file"),
        **path_fields(str(kept.root), "root"),
        "goal": well_formed(str(kept.told.get("goal", ""))),
        "findings": findings,
    }


def _open(path: Path) -> int:
    import shutil
    import subprocess

    program = next((found for name in ("xdg-open", "open") if (found := shutil.which(name))), None)
    if program is None:
        raise InputError(f"no program here opens files (xdg-open, open): the report is '{path}'")
    subprocess.Popen(
        [program, str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    write_line(printable(str(path)))
    return 0
