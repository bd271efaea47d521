"""`plantwin bench report`: tables of results in the terminal, a page with figures beside them."""

from __future__ import annotations

import argparse
from pathlib import Path

from plantwin.errors import InputError
from plantwin.surfaces.cli.output import note, write_json, write_line


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the action accepts."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of results")
    parser.add_argument("--markdown", action="store_true", help="print tables for a document")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print, and write the page."""
    from plantwin_evals.attempts import Journal
    from plantwin_evals.overhead import read_samples
    from plantwin_evals.reid import read_rows
    from plantwin_evals.report import all_tables, as_markdown, write

    if not options.folder.is_dir():
        raise InputError(f"no such folder: '{options.folder}'; `plantwin bench run --out DIR` makes one")
    attempts, rows = Journal(options.folder).read(), read_rows(options.folder)
    samples = read_samples(options.folder)
    if not attempts and not rows and not samples:
        raise InputError("the folder holds no results: `plantwin bench run --out DIR` makes them")
    tables = all_tables(attempts, rows, samples)
    page = write(options.folder, attempts, rows, samples)
    if options.json:
        write_json("bench", {"tables": [each._asdict() for each in tables], "page": str(page)})
        return 0
    for table in tables:
        if options.markdown:
            write_line(f"### {table.title}\n\n{as_markdown(table)}\n")
        else:
            for line in table.lines():
                write_line(line)
            write_line()
    note(f"{page} has the figures; a CSV file of each table and report.json are beside it.")
    return 0
