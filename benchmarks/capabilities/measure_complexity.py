"""Cyclomatic complexity of Python's functions: our numbers and lizard's beside radon's."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from benchmarks.capabilities.section import HEADS, PACKAGES, Section, files, judged, measured, peer, sampled

MOST = 120
HIGH = 10
"""More branches than this are a finding in most linters."""
Measures = dict[tuple[str, int], int]


def sections(data: Path | None) -> list[Section]:
    """Return what is measured: nothing without radon, whose numbers are the labels."""
    found = [path for path in files(PACKAGES, (".py",)) if path.stat().st_size < 100_000]
    paths = sampled(found, MOST)
    reference = peer(["radon", "cc", "-j", "--no-assert", *map(str, paths)])
    if reference is None:
        return []
    done = measured("measure_complexity", Path("/"), paths)
    ours = {
        (f"/{file['name']}", int(function["line"])): int(function["cyclomatic"])
        for result in done.results
        for file in result.facts["files"]  # type: ignore[attr-defined]
        for function in file["measures"]
    }
    theirs: Measures = {}
    for name, blocks in json.loads(reference.text).items():
        for block in blocks if isinstance(blocks, list) else ():
            if block["type"] != "class":
                theirs[name, int(block["lineno"])] = int(block["complexity"])
    lizard = peer(["lizard", "--csv", *map(str, paths)])
    others: Measures = {}
    for row in csv.reader(io.StringIO(lizard.text if lizard else "")):
        others[row[6], int(row[9])] = int(row[1])
    shared = sorted(theirs.keys() & ours.keys() & (others.keys() or ours.keys()))
    labels = [theirs[key] > HIGH for key in shared]
    rows = []
    for name, numbers, seconds in (("ours", ours, done.seconds), ("lizard", others, lizard.seconds if lizard else 0)):
        flags = [numbers[key] > HIGH for key in shared] if numbers else None
        equal = f"{sum(numbers.get(key) == theirs[key] for key in shared) / len(shared):.3f}" if numbers else "—"
        rows.append([*judged(name, labels, flags, seconds), equal])
    text = (
        f"{len(shared)} functions of {len(paths)} files of installed packages that all three name at one line; "
        f"labelled: more than {HIGH} by radon without assertions ({reference.seconds:.1f} s). Ours measures "
        "cognitive complexity, nesting, parameters and maintainability in the same time."
    )
    return [Section("measure_complexity: real functions", text, (*HEADS, "same number"), rows)]
