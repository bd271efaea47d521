"""What a capability finds in trees of real files, file by file: counts by rule, and the grave ones to be read.

python -m benchmarks.capabilities.false_findings review_queries FOLDER …
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

from plantwin.private.capabilities.engine.job import Finding, Input, Job

LARGEST = 2_000_000
GRAVE = ("high", "critical")


def examine(capability: str, root: Path) -> tuple[int, list[Finding]]:
    """Run a capability on every file of a tree; how many it could read, and what it found."""
    run = import_module(f"plantwin.private.capabilities.{capability}").run
    examined = 0
    findings: list[Finding] = []
    for path in sorted(root.rglob("*")):
        if not path.is_file() or path.is_symlink() or ".git" in path.parts or path.stat().st_size > LARGEST:
            continue
        given = Input(name=str(path.relative_to(root)), file=str(path))
        result = run(Job(capability=capability, inputs=(given,)))
        if result.outcome.get("status") != "failed":
            examined += 1
            findings += result.findings
    return examined, findings


def main() -> None:
    """Print a table for each tree."""
    capability, *roots = sys.argv[1:]
    for root in map(Path, roots):
        started = time.perf_counter()
        examined, findings = examine(capability, root)
        counts = Counter((finding.severity, finding.rule) for finding in findings)
        print(f"\n{root.name}: {examined} files, {time.perf_counter() - started:.1f} s")
        for (severity, rule), times in counts.most_common():
            print(f"{times:7}  {severity:8}  {rule}")
        for finding in findings:
            if finding.severity in GRAVE:
                print(f"  {finding.name}:{finding.line} {finding.rule} {finding.message[:140]}")


if __name__ == "__main__":
    main()
