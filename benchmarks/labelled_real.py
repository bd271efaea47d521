"""Compare the classifier with labels of real files: `labelled_real.jsonl` and `labelled_packages.csv`.

    python -m benchmarks.labelled_real FOLDER [--set repositories|packages] [--half tuned|apart|both] [--wrong]

FOLDER holds a checkout of each repository at the commit of its rows, as `owner+name`, or each source package
unpacked without the archive's top folder, as `name-version` (`pip download --no-deps --no-binary :all: NAME==VERSION`,
`npm pack NAME@VERSION`). Nothing is fetched, and no content of a file is stored here: a row is a public tree, a path, a
kind, and the classes that are right (the first fits best; strictly, it alone counts). All were written from path and
text alone, with the definitions and without sight of the classifier. Rules are made with the rows of `tuned`. How often
the figures of `apart` were seen is in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from plantwin import Environment
from plantwin.vocabulary import SemanticClass, member

HERE = Path(__file__).parent
FIELDS = ("kind", "family", "semantic_class", "strict")


def rows(of: str) -> list[dict[str, Any]]:
    """Return the labels of repositories, or of packages."""
    if of == "repositories":
        return [json.loads(line) for line in (HERE / "labelled_real.jsonl").read_text("utf-8").splitlines()]
    with (HERE / "labelled_packages.csv").open(encoding="utf-8", newline="") as file:
        return [
            {**row, "repository": row["package"], "classes": row["classes"].split()} for row in csv.DictReader(file)
        ]


def right(row: dict[str, Any], record: Any) -> dict[str, bool]:
    """Return which fields agree; what the labels call no object (`none`) agrees when it is none, and only then."""
    if record is None or row["kind"] == "none":
        return dict.fromkeys(FIELDS, record is None and row["kind"] == "none")
    families = {member(SemanticClass, name).family for name in row["classes"]}
    return {
        "kind": record.kind == row["kind"],
        "family": record.family in families,
        "semantic_class": record.semantic_class in row["classes"],
        "strict": record.semantic_class == row["classes"][0],
    }


def main() -> None:
    """Print the shares, and on request what is wrong in the half that may be looked at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=("repositories", "packages"), default="repositories")
    parser.add_argument("--half", choices=("tuned", "apart", "both"), default="both")
    parser.add_argument("--wrong", action="store_true", help="list the wrong ones of the tuned half")
    options = parser.parse_args()
    wanted = [row for row in rows(options.set) if options.half in ("both", row["half"])]
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
        if options.wrong and row["half"] == "tuned" and not agreed["semantic_class"]:
            said = f"{record.kind} {record.semantic_class} {record.confidence}" if record is not None else "no object"
            print(f"{row['repository']} {row['path']}: {row['kind']} {'|'.join(row['classes'])} <- {said}")
    for (half, field), values in sorted(shares.items()):
        print(f"{half} {field}: {sum(values) / len(values):.3f} of {len(values)}")


if __name__ == "__main__":
    main()
