"""What capabilities find in trees of real files: counts by rule, and the grave ones to be read.

python -m benchmarks.capabilities.false_findings review_queries,secret_scan FOLDER …

Everything runs in this process, with the engines that are installed. A capability that reads files together, or
starts engines, gets those of one folder, the others one file at a time; all know the names of the whole tree.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Neighbour, Surroundings

LARGEST = 2_000_000
GRAVE = ("high", "critical")
TOGETHER = (
    "audit_infrastructure", "check_api_contract", "lint", "review_migrations", "validate_config", "validate_schema",
)  # fmt: skip


def files(root: Path) -> list[Input]:
    """Return the files of a tree that are examined."""
    return [
        Input(name=path.relative_to(root).as_posix(), file=str(path))
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts and path.stat().st_size <= LARGEST
    ]


def jobs(capability: str, inputs: list[Input]) -> Iterator[Job]:
    """Return the calls of a capability over a tree."""
    around = Surroundings(objects=tuple(Neighbour(given.name, "", "") for given in inputs))
    alike = groupby(inputs, lambda given: given.name.rpartition("/")[0] if capability in TOGETHER else given.name)
    for _, group in alike:
        yield Job(capability=capability, inputs=tuple(group), surroundings=around)


def examine(capability: str, inputs: list[Input]) -> list[Finding]:
    """Run a capability on a tree, and return what it found; what it raises is told and counts for nothing."""
    run = import_module(f"plantwin.private.capabilities.{capability}").run
    findings: list[Finding] = []
    for job in jobs(capability, inputs):
        try:
            findings += run(job).findings
        except Exception as error:
            print(f"  {job.inputs[0].name}: {capability} raised {error!r}")
    return findings


def main() -> None:
    """Print a table for each tree and capability."""
    capabilities, *roots = sys.argv[1:]
    for root in map(Path, roots):
        inputs = files(root)
        print(f"\n{root.name}: {len(inputs)} files")
        for capability in capabilities.split(","):
            started = time.perf_counter()
            findings = examine(capability, inputs)
            print(f" {capability}: {time.perf_counter() - started:.1f} s")
            counts = Counter((finding.severity, finding.rule) for finding in findings)
            for (severity, rule), times in counts.most_common():
                print(f"{times:7}  {severity:8}  {rule}")
            for finding in findings:
                if finding.severity in GRAVE:
                    said = f"{finding.rule} {finding.message[:140]} | {finding.evidence[:120]}"
                    print(f"  {finding.name}:{finding.line} {said}", flush=True)


if __name__ == "__main__":
    main()
