"""`plantwin baseline`: accept the findings there are, so that only new ones are told."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json, add_root, add_state, state_of
from plantwin.surfaces.cli.files import STANDARD, write_chunks
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.render.text import path_fields, plural, printable

EXAMPLE = "plantwin baseline write --out .plantwin-baseline.json"
FILE = ".plantwin-baseline.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    write = actions.add_parser("write", help="accept what the newest report of the folder found, or a file says")
    add_root(write)
    write.add_argument("--out", default=FILE, metavar="FILE", help=f"the baseline file (default: {FILE})")
    write.add_argument(
        "--from",
        dest="source",
        action="append",
        metavar="FILE",
        help="a JSON report of `run` or `do`, or lines of `detect --json`; - is stdin (repeatable)",
    )
    write.add_argument("--add", action="store_true", help="keep what the file accepts already")
    show = actions.add_parser("show", help="list what a baseline accepts")
    show.add_argument("file", nargs="?", default=FILE, metavar="FILE", help=f"the baseline file (default: {FILE})")
    for action in (write, show):
        add_state(action)
        add_json(action)


def run(options: argparse.Namespace) -> int:
    """Write or show one."""
    from plantwin.private.report.baseline import document, read, rows, text_of

    if options.action == "show":
        read(options.file)
        return _told("accepts", options.file, json.loads(text_of(options.file))["accepted"], options, listed=True)
    sources = options.source or [_newest(options)]
    found = [row for source in sources for row in rows(sys.stdin.read() if source == STANDARD else text_of(source))]
    if options.add and Path(options.out).exists():
        read(options.out)
        found += json.loads(text_of(options.out))["accepted"]
    write_chunks(options.out, [document(found)], 0o644)
    return _told("now accepts", options.out, found, options, listed=False)


def _newest(options: argparse.Namespace) -> str:
    """The newest report of the folder."""
    from plantwin.private.report.baseline import reports

    root = Path(options.root).expanduser().resolve()
    found = next((report.data for report in reports(state_of(options)) if report.root == root), None)
    if found is None:
        raise InputError("no report of this folder: first `plantwin do secret_scan`, say, or give --from")
    return str(found)


def _told(what: str, path: str, accepted: list[dict[str, Any]], options: argparse.Namespace, *, listed: bool) -> int:
    if options.json:
        write_json("baseline", {**path_fields(path, "file"), "accepted": accepted})
        return 0
    write_line(f"{printable(path)} {what} {plural(len(accepted), 'finding')}.")
    for row in accepted if listed else ():
        write_line(printable(f"  {row['path']}:{row['line']}  {row['rule']}"))
    if not listed:
        write_line(f"Give it to run, do and detect as --baseline {printable(path)}.")
        if not options.source:
            note("These are of the newest report. All that `detect` finds:")
            note("  plantwin detect --json | plantwin baseline write --from -")
    return 0
