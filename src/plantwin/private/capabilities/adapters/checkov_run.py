"""Runs inside checkov's own process: the runners of three frameworks over the files of one folder, printed as JSON.

Its runners are called directly: the command line first asks its maker's server for guidelines.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def main() -> None:
    """Audit the folder that the first argument names."""
    out = os.dup(1)
    os.dup2(2, 1)
    logging.disable(logging.CRITICAL)
    os.environ |= {"PARALLELIZATION_TYPE": "none", "CHECKOV_RUN_IN_DOCKER": "False", "LOG_LEVEL": "CRITICAL"}
    folder = Path(sys.argv[1])
    from plantwin.private.capabilities.adapters.programs import FRAMEWORKS

    rows: list[list[object]] = []
    unparsed: list[str] = []
    covers: set[str] = set()
    for framework in FRAMEWORKS.values():
        files = [str(file) for file in sorted((folder / framework).rglob("*")) if file.is_file()]
        if files:
            covers |= _covered(framework)
            for report in _reports(framework, files):
                rows += [_row(check, folder) for check in report.failed_checks]
                unparsed += [_inside(file, folder) for file in report.parsing_errors]
    import msgspec

    with os.fdopen(out, "wb") as answer:
        answer.write(msgspec.json.encode({"rows": rows, "unparsed": unparsed, "covers": sorted(covers)}))
    os._exit(0)  # whatever it left running


def _covered(framework: str) -> set[str]:
    """Return the types of resources that its checks name."""
    if framework == "kubernetes":
        return set()
    checks = import_module(f"checkov.{framework}.checks.resource")
    registry = import_module(f"{checks.__name__}.registry")
    held = registry.resource_registry if framework == "terraform" else registry.cfn_registry
    return {str(kind) for kind in held.checks}


def _reports(framework: str, files: list[str]) -> list[Any]:
    runner = import_module(f"checkov.{framework}.runner").Runner()
    chosen = import_module("checkov.runner_filter").RunnerFilter(framework=[framework], download_external_modules=False)
    # File by file: by folder, every use of a module repeats the module's findings, at minutes for a large one.
    report = runner.run(root_folder=None, files=files, runner_filter=chosen)
    return list(report) if isinstance(report, list) else [report]


def _row(check: Any, folder: Path) -> list[object]:
    first, last = check.file_line_range
    return [_inside(check.file_abs_path, folder), first, last, check.check_id, check.check_name, check.resource]


def _inside(file: str, folder: Path) -> str:
    return str(file).removeprefix(f"{folder}/")
