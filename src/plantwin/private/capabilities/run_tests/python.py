"""Tests in Python: by pytest, else by unittest; with the folder's own environment, else with ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

from plantwin.private.capabilities.run_tests import pytest_plugin, unittest_runner
from plantwin.private.capabilities.run_tests.process import Done
from plantwin.private.capabilities.run_tests.results import (
    ERROR,
    FAILED,
    PASSED,
    SKIPPED,
    CaseResult,
    RunResult,
    read_text_lines,
    relative,
)
from plantwin.private.capabilities.run_tests.workspace import Workspace

ENVIRONMENTS = (".venv", "venv", "env", ".env")
_MISSING = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_PLUGIN = "plantwin_trial"
_USAGE_ERROR, _NO_TESTS = 4, 5
"""Exit codes of pytest."""


def run_tests(workspace: Workspace, files: tuple[str, ...]) -> RunResult:
    """Run these files in a copy of the folder."""
    root, scratch = workspace.root, workspace.scratch
    python = _own_interpreter(workspace)
    helpers = f"{scratch}/helpers"
    Path(helpers).mkdir(exist_ok=True)
    shutil.copy(pytest_plugin.__file__, f"{helpers}/{_PLUGIN}.py")
    shutil.copy(unittest_runner.__file__, f"{helpers}/{_PLUGIN}_unittest.py")
    results = f"{scratch}/results.jsonl"
    environment = {
        "TRIAL_RESULTS": results,
        "PYTHONPATH": _python_path(root, helpers, ours=not python),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
    }
    python = python or sys.executable
    if workspace.run([python, "-c", "import pytest"], root, environment).code != 0:
        done = workspace.run([python, f"{helpers}/{_PLUGIN}_unittest.py", *files], root, environment)
        return _test_run("unittest", files, results, root, done)
    command = [python, "-m", "pytest", "-q", "-p", _PLUGIN, "-p", "no:cacheprovider", "--tb=short", "--rootdir", root]
    done = workspace.run([*command, *files], root, environment)
    if done.code == _USAGE_ERROR and not done.late and not Path(results).exists():
        # Options of the folder's own settings may ask for plugins that are not here.
        done = workspace.run([*command, "-o", "addopts=", *files], root, environment)
    return _test_run("pytest", files, results, root, done)


def _own_interpreter(workspace: Workspace) -> str:
    """Return the folder's own interpreter, where it has one that starts."""
    for name in ENVIRONMENTS:
        python = f"{workspace.root}/{name}/bin/python"
        if os.access(python, os.X_OK) and workspace.run([python, "-c", "pass"], workspace.root).code == 0:
            return python
    return ""


def _python_path(root: str, helpers: str, *, ours: bool) -> str:
    paths = [helpers, root, *([f"{root}/src"] if Path(f"{root}/src").is_dir() else [])]
    if ours:
        # Our own packages come last: pytest is among them, perhaps.
        paths += [path for path in sys.path if path.endswith(("/site-packages", "/dist-packages"))]
    return os.pathsep.join(paths)


def _test_run(runner: str, files: tuple[str, ...], results: str, root: str, done: Done) -> RunResult:
    cases, collected = read_results(results, root)
    note = ""
    if done.late:
        note = f"the time was up after {len(cases)} of {collected or 'an unknown number of'} tests"
    elif not cases:
        missing = _MISSING.search(done.tail)
        if missing:
            return RunResult(runner, files, lacking=f"the package {missing[1].partition('.')[0]}")
        if done.code not in (0, _NO_TESTS):
            last = next((line.strip() for line in reversed(done.tail.split("\n")) if line.strip()), "")
            note = f"{runner} ended with code {done.code}: {last[:200]}"
        elif runner == "unittest":
            note = "no test of unittest was found; tests of other styles need pytest"
    return RunResult(runner, files, tuple(cases), late=done.late, note=note)


def read_results(results: str, root: str) -> tuple[list[CaseResult], int]:
    """Read the lines that the plugin wrote, and how many tests there were. The worst phase of a test counts."""
    found: dict[str, CaseResult] = {}
    collected = 0
    for line in read_text_lines(results):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(row, dict):
            continue
        if "collected" in row:
            collected = row["collected"] if isinstance(row["collected"], int) else 0
            continue
        case = _case(row, root)
        if case is not None and (case.id not in found or case.failed):
            found[case.id] = case
    return list(found.values()), collected


def _case(row: dict[str, object], root: str) -> CaseResult | None:
    text, outcome = str(row.get("text", "")), str(row.get("outcome", ""))
    if outcome not in (PASSED, FAILED, SKIPPED):
        return None
    missing = _MISSING.search(text) if outcome == FAILED else None
    frames = row.get("frames")
    places = []
    for frame in frames if isinstance(frames, list) else []:
        if isinstance(frame, list) and len(frame) == 2 and isinstance(frame[1], int):
            places.append((relative(str(frame[0]), root), frame[1]))
    seconds, line = row.get("seconds"), row.get("line")
    return CaseResult(
        id=str(row.get("id", ""))[:300],
        file=relative(str(row.get("file", "")), root),
        line=line if isinstance(line, int) else 0,
        outcome=ERROR if outcome == FAILED and row.get("when") != "call" else outcome,
        seconds=float(seconds) if isinstance(seconds, (int, float)) else 0.0,
        message=_message(text),
        frames=tuple(places),
        missing=missing[1].partition(".")[0] if missing else "",
    )


def _message(text: str) -> str:
    """Return the line that says most: of a traceback the last error, else the first line."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    errors = [line.removeprefix("E").strip() for line in lines if re.match(r"E\s+\w*(?:Error|Exception)\b", line)]
    return (errors[-1] if errors else lines[0] if lines else "")[:300]
