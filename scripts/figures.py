"""Put the figures of a folder of results into documents. Usage: scripts/figures.py RESULTS DOCUMENT...

A document says where each belongs; what stands between the two comments is replaced:

    <!-- result: TABLE --> … <!-- end -->                    a whole table
    <!-- result: TABLE: COLUMN, COLUMN --> … <!-- end -->    these columns of it, beside the first
    <!-- result: TABLE | ROW | COLUMN -->0.73<!-- end -->    one figure, in a sentence

`unseen/TABLE` is of the folder RESULTS-unseen. What a folder does not hold stays as it is, and is named.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from plantwin_evals.report import as_markdown
from plantwin_evals.tables import Table, shown

MARK = re.compile(r"(<!-- result: (.*?) -->)(.*?)(<!-- end -->)", re.DOTALL)


def tables(folder: Path) -> dict[str, Table]:
    """Return the tables of a folder of results by name; none where it has no report."""
    page = folder / "report.json"
    return {each["name"]: Table(**each) for each in json.loads(page.read_text())} if page.is_file() else {}


def filled(text: str, found: dict[str, Table]) -> tuple[str, list[str]]:
    """Return a document with every figure that was found, and which were not."""
    missing = []

    def fill(match: re.Match[str]) -> str:
        begin, wanted, _, end = match.groups()
        try:
            return f"{begin}{figure(wanted, found)}{end}"
        except (KeyError, ValueError, StopIteration):
            missing.append(wanted)
            return match.group()

    return MARK.sub(fill, text), missing


def figure(wanted: str, found: dict[str, Table]) -> str:
    """Return a table with the commit that it is of, or one figure."""
    name, *cell = (part.strip() for part in wanted.split("|"))
    if cell:
        table, (row, column) = found[name], cell
        value: Any = next(line for line in table.rows if line[0] == row)[table.columns.index(column)]
        return f"{value:.2f}" if isinstance(value, float) else shown(value)
    name, _, listed = name.partition(": ")
    table = found[name]
    if listed:
        columns = (table.columns[0], *listed.split(", "))
        places = [table.columns.index(column) for column in columns]
        table = table._replace(columns=columns, rows=[tuple(row[place] for place in places) for row in table.rows])
    return f"\n\n{as_markdown(table._replace(note=''))}\n\nMeasured at `{_commit(found, name)}`.\n\n"


def _commit(found: dict[str, Table], name: str) -> str:
    runs = found["unseen/runs" if name.startswith("unseen/") else "runs"]
    return ", ".join(dict.fromkeys(str(row[2])[:7] for row in runs.rows))


def main(results: str, *documents: str) -> int:
    """Fill every document. Returns 1 where a figure was not found."""
    found = tables(Path(results))
    found |= {f"unseen/{name}": table for name, table in tables(Path(f"{results}-unseen")).items()}
    lacking = 0
    for path in map(Path, documents):
        text, missing = filled(path.read_text(encoding="utf-8"), found)
        path.write_text(text, encoding="utf-8")
        lacking += len(missing)
        for wanted in missing:
            sys.stderr.write(f"{path}: no result: {wanted}\n")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
