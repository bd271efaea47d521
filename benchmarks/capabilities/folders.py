"""What concerns a whole folder: dead code, duplicates and sizes, in a copy of an installed package."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

from benchmarks.capabilities.section import ABSENT, HEADS, PACKAGES, Section, done, files, judged, peer

PACKAGE = "sqlglot"
MOST = 30
"""Things planted of each sort."""


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made, "project", PACKAGE)
        shutil.copytree(PACKAGES / PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        size = _sizes(folder.parent)
        dead = _dead(folder)
        return [size, dead, _copies(folder)]


def _dead(folder: Path) -> Section:
    """Plant functions that nobody calls, and others that another module calls."""
    paths = [path for path in files(folder, (".py",)) if path.name != "__init__.py"][:MOST]
    for number, path in enumerate(paths):
        module = ".".join(path.relative_to(folder.parent).with_suffix("").parts)
        idle, called = (f"\n\ndef planted_{sort}_{number}():\n    return {number}\n" for sort in ("idle", "called"))
        path.write_text(path.read_text("utf-8") + idle + called, "utf-8")
        caller = paths[(number + 1) % len(paths)]
        call = f"\n\nfrom {module} import planted_called_{number}\nplanted_called_{number}()\n"
        caller.write_text(caller.read_text("utf-8") + call, "utf-8")
    names = [f"planted_{sort}_{number}" for sort in ("idle", "called") for number in range(len(paths))]
    labels = ["idle" in name for name in names]
    told, seconds = done("find_dead_code", folder.parent)
    ours = set(re.findall(r"planted_\w+", " ".join(finding["message"] for finding in told["findings"])))
    rows = [judged("ours", labels, [name in ours for name in names], seconds)]
    other = peer(["vulture", "--min-confidence", "60", str(folder)])
    theirs = set(re.findall(r"unused function '(planted_\w+)'", other.text)) if other else set()
    flags = [name in theirs for name in names] if other else None
    rows.append(judged("vulture", labels, flags, other.seconds if other else 0))
    text = f"Two functions planted in each of {len(paths)} modules of an installed package; another module calls one."
    return Section("find_dead_code: planted functions", text, HEADS, rows)


def _copies(folder: Path) -> Section:
    """Plant copies of modules, whole or with every tenth line changed, beside modules that are alone."""
    paths = [path for path in files(folder, (".py",)) if path.stat().st_size > 3_000][:MOST]
    place = folder.parent / "copied"
    place.mkdir()
    for number, path in enumerate(paths):
        lines = path.read_text("utf-8").split("\n")
        if number % 2:
            lines = [f"{line}  # changed {at}" if at % 10 == 0 else line for at, line in enumerate(lines)]
        (place / f"copy_{number}.py").write_text("\n".join(lines), "utf-8")
    alone = [path for path in files(folder, (".py",)) if path not in paths][:MOST]
    names = [f"copied/copy_{number}.py" for number in range(len(paths))]
    names += [str(path.relative_to(folder.parent)) for path in alone]
    labels = [name.startswith("copied/") for name in names]
    told, seconds = done("find_duplicates", folder.parent)
    # A repeated block of fewer lines than the peer counts is a finding of low severity.
    grave = [finding for finding in told["findings"] if finding["severity"] != "low" or not finding["line"]]
    ours = "".join(f"{finding['name']} {finding['message']}\n" for finding in grave)
    rows = [judged("ours", labels, [re.search(rf"\b{re.escape(name)}\b", ours) is not None for name in names], seconds)]
    with tempfile.TemporaryDirectory() as out:
        words = [
            "jscpd",
            "--silent",
            "--reporters",
            "json",
            "--min-lines",
            "30",
            "--max-lines",
            "20000",
            "--max-size",
            "1mb",
            "--output",
            out,
            str(folder.parent),
        ]
        other = peer(words)
        report = Path(out, "jscpd-report.json")
        theirs: set[str] = set()
        if other and report.is_file():
            for pair in json.loads(report.read_text("utf-8"))["duplicates"]:
                theirs |= {str(pair[side]["name"]) for side in ("firstFile", "secondFile")}
        flags = [any(each.endswith(name) for each in theirs) for name in names] if other else None
    rows.append(judged("jscpd", labels, flags, other.seconds if other else 0))
    text = f"Copies of {len(paths)} modules, half with every tenth line changed, beside {len(alone)} without a copy."
    return Section("find_duplicates: planted copies", text, HEADS, rows)


def _sizes(folder: Path) -> Section:
    """Count files and lines."""
    told, seconds = done("measure_size", folder)
    text = str(told["result"])
    paths = files(folder, (".py",))
    truth = sum(path.read_bytes().count(b"\n") for path in paths)
    ours = f"{truth:,}" in text
    rows: list[list[object]] = [["ours", "yes" if ours else "no", f"{seconds:.1f} s"]]
    other = peer(["pygount", "--format", "json", "--suffix", "py", str(folder)])
    if other is None:
        rows.append(["pygount", ABSENT, "—"])
    else:
        summary = json.loads(other.text)["summary"]
        total = sum(
            summary[key]
            for key in ("totalCodeCount", "totalDocumentationCount", "totalEmptyCount", "totalStringCount")
            if key in summary
        )
        rows.append(["pygount", "yes" if total == truth else f"no: {total:,}", f"{other.seconds:.1f} s"])
    words = f"{len(paths)} Python files of an installed package; `wc -l` counts {truth:,} lines."
    return Section("measure_size: lines of Python", words, ("counted by", "the same number", "time"), rows)
