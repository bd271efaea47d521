"""Compare the classifier with labels of real files: `labelled_real.jsonl`.

    python -m benchmarks.labelled_real FOLDER [--half tuned|apart|both] [--wrong]

FOLDER holds a checkout of each repository at the commit of its rows, as `owner+name`. Nothing is fetched, and no
content of a file is stored here: a row is a public repository, a commit, a path, a kind, and the classes that are right
(the first fits best; any counts). The labels were written from path and head alone, before the classifier was asked.
Rules are made with the rows of `tuned`. The figures of `apart` were seen four times; one rule came from a row of it.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from plantwin import Environment
from plantwin.vocabulary import SemanticClass, member

ROWS = Path(__file__).with_name("labelled_real.jsonl")
FIELDS = ("kind", "family", "semantic_class")


def rows() -> list[dict[str, Any]]:
    """Return the labels."""
    return [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]


def right(row: dict[str, Any], record: Any) -> dict[str, bool]:
    """Return which fields agree; a file that is no object agrees in none."""
    if record is None:
        return dict.fromkeys(FIELDS, False)
    families = {member(SemanticClass, name).family for name in row["classes"]}
    return {
        "kind": record.kind == row["kind"],
        "family": record.family in families,
        "semantic_class": record.semantic_class in row["classes"],
    }


def main() -> None:
    """Print the shares, and on request what is wrong in the half that may be looked at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("tuned", "apart", "both"), default="both")
    parser.add_argument("--wrong", action="store_true", help="list the wrong ones of the tuned half")
    options = parser.parse_args()
    wanted = [row for row in rows() if options.half in ("both", row["half"])]
    found: dict[tuple[str, str], Any] = {}
    missing = []
    for repository in sorted({row["repository"] for row in wanted}):
        root = options.folder / repository.replace("/", "+", 1)
        if not root.is_dir():
            missing.append(repository)
            continue
        scanned = Environment(root, keep=False, ignore=False).scan(jobs=1)
        found |= {(repository, record.path): record for record in scanned.records()}
    if missing:
        print(f"No checkout of: {', '.join(missing)}")
    shares: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in wanted:
        if row["repository"] in missing:
            continue
        record = found.get((row["repository"], row["path"]))
        agreed = right(row, record)
        for field, value in agreed.items():
            shares[row["half"], field].append(value)
        if options.wrong and row["half"] == "tuned" and not all(agreed.values()):
            said = f"{record.kind} {record.semantic_class} {record.confidence}" if record is not None else "no object"
            print(f"{row['repository']} {row['path']}: {row['kind']} {'|'.join(row['classes'])} <- {said}")
    for (half, field), values in sorted(shares.items()):
        print(f"{half} {field}: {sum(values) / len(values):.3f} of {len(values)}")


if __name__ == "__main__":
    main()
