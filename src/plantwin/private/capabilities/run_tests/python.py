"""Tests in Python: by pytest, else by unittest; with the folder's own environment, else with ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from plantwin.private.capabilities.run_tests.process import Done
from plantwin.private.capabilities.run_tests.results import (
    ERROR,
    FAILED,
    PASSED,
    SKIPPED,
    STOPPED,
    CaseResult,
    RunResult,
    obstacle,
    read_bytes,
    read_objects,
    relative,
)
from plantwin.private.capabilities.run_tests.workspace import Workspace
from plantwin.private.execution.sandbox import ENVIRONMENTS

_SETTINGS = ("pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini", "setup.py", "manage.py")
"""What the top of a Python project has."""
_PLUGIN = "plantwin_trial"
_USAGE_ERROR, _NO_TESTS = 4, 5
"""Exit codes of pytest."""
LONGEST_TEST = 60.0
"""Seconds after which a test is taken to hang, and the next one begins: at most a quarter of the time there is."""


def run_tests(workspace: Workspace, files: tuple[str, ...]) -> RunResult:
    """Run these files in a copy of the folder, those of each project from where its settings are."""
    homes: dict[str, list[str]] = {}
    for file in files:
        homes.setdefault(_home(workspace, file), []).append(file)
    runs = [_run(workspace, home, tuple(mine), number) for number, (home, mine) in enumerate(sorted(homes.items()))]
    notes = dict.fromkeys(run.note for run in runs if run.note)
    return RunResult(
        " and ".join(dict.fromkeys(run.runner for run in runs)),
        files,
        tuple(case for run in runs for case in run.cases),
        lacking=", ".join(dict.fromkeys(run.lacking for run in runs if run.lacking)),
        late=any(run.late for run in runs),
        note="; ".join(notes),
        covered=tuple(row for run in runs for row in run.covered),
    )


def _home(workspace: Workspace, file: str) -> str:
    """Return the folder whose settings hold for a test file."""
    found = [workspace.package_of(file, name) for name in _SETTINGS]
    return max(found, key=len)


def _run(workspace: Workspace, home: str, files: tuple[str, ...], number: int) -> RunResult:
    root, scratch = workspace.root, workspace.scratch
    python = _own_interpreter(workspace, home)
    helpers = f"{scratch}/helpers"
    Path(helpers).mkdir(exist_ok=True)
    shutil.copy(Path(__file__).with_name("pytest_plugin.py"), f"{helpers}/{_PLUGIN}.py")
    shutil.copy(Path(__file__).with_name("unittest_runner.py"), f"{helpers}/{_PLUGIN}_unittest.py")
    results, measured = f"{scratch}/results{number}.jsonl", f"{scratch}/coverage{number}"
    environment = {
        "TRIAL_RESULTS": results,
        "PYTHONPATH": _python_path(root, home, helpers, ours=not python),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "COVERAGE_FILE": measured,
        # A run that ends by itself keeps its coverage; one that does not is ended when the time is up.
        "TRIAL_UNTIL": str(time.time() + 0.9 * workspace.clock.left),
        "TRIAL_LONGEST": str(min(LONGEST_TEST, workspace.clock.left / 4)),
    }
    python = python or sys.executable
    named = tuple(os.path.relpath(f"{root}/{file}", home) for file in files)
    if workspace.run([python, "-c", "import pytest"], home, environment).code != 0:
        done = workspace.run([python, f"{helpers}/{_PLUGIN}_unittest.py", *named], home, environment)
        return _test_run("unittest", files, results, home, root, done)
    # Measured unless the folder's own settings do that already: two tracers do not bear each other.
    counted = not _measures(home) and _has_coverage(workspace, python, home, helpers, environment)
    start = [python, "-m", "coverage", "run", "--branch", f"--source={home}", "-m"] if counted else [python, "-m"]
    # One module that cannot be imported does not keep the others from running.
    options = ["-q", "-p", _PLUGIN, "-p", "no:cacheprovider", "--tb=short", "--continue-on-collection-errors"]
    command = [*start, "pytest", *options, "--rootdir", home]
    done = workspace.run([*command, *named], home, environment)
    if done.code == _USAGE_ERROR and not done.late and not Path(results).exists():
        # Options of the folder's own settings may ask for plugins that are not here.
        done = workspace.run([*command, "-o", "addopts=", *named], home, environment)
    found = _test_run("pytest", files, results, home, root, done)
    return found._replace(covered=_covered(workspace, python, home, measured, environment)) if counted else found


def _measures(home: str) -> bool:
    """Tell whether the settings of a folder ask for coverage themselves."""
    return any(b"--cov" in read_bytes(f"{home}/{name}") for name in _SETTINGS)


def _has_coverage(workspace: Workspace, python: str, home: str, helpers: str, environment: dict[str, str]) -> bool:
    """Tell whether coverage can be measured: by the environment's own package, else by a copy of ours."""
    if workspace.run([python, "-c", "import coverage"], home, environment).code == 0:
        return True
    ours = find_spec("coverage")
    if ours is None or not ours.submodule_search_locations:
        return False
    # Its tracer in C is for our Python; for another, it has one in Python.
    shutil.copytree(ours.submodule_search_locations[0], f"{helpers}/coverage", dirs_exist_ok=True)
    if workspace.run([python, "-m", "coverage", "--version"], home, environment).code == 0:
        return True
    shutil.rmtree(f"{helpers}/coverage")
    return False


def _covered(
    workspace: Workspace, python: str, home: str, measured: str, environment: dict[str, str]
) -> tuple[tuple[str, int, int], ...]:
    """Return which files ran how far, as coverage measured it."""
    report = f"{measured}.json"
    workspace.run([python, "-m", "coverage", "json", "-q", "--ignore-errors", "-o", report], home, environment)
    try:
        found = json.loads(read_bytes(report))["files"]
        rows = [
            (relative(os.path.join(home, name), workspace.root), body["summary"])  # noqa: PTH118 (text throughout)
            for name, body in found.items()
        ]
        return tuple((name, int(summary["covered_lines"]), int(summary["num_statements"])) for name, summary in rows)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return ()


def _own_interpreter(workspace: Workspace, home: str) -> str:
    """Return the folder's own interpreter, where it has one that starts: the nearest to the tests."""
    folder = Path(home)
    places = [folder, *(above for above in folder.parents if above.is_relative_to(workspace.root))]
    for place in places:
        for name in ENVIRONMENTS:
            python = f"{place}/{name}/bin/python"
            if os.access(python, os.X_OK) and workspace.run([python, "-c", "pass"], workspace.root).code == 0:
                return python
    return ""


def _python_path(root: str, home: str, helpers: str, *, ours: bool) -> str:
    inner = [path for base in (home, root) for path in (base, f"{base}/src") if Path(path).is_dir()]
    paths = list(dict.fromkeys([helpers, *inner]))
    if ours:
        # Our own packages come last: pytest is among them, perhaps.
        paths += [path for path in sys.path if path.endswith(("/site-packages", "/dist-packages"))]
    return os.pathsep.join(paths)


def _test_run(runner: str, files: tuple[str, ...], results: str, home: str, root: str, done: Done) -> RunResult:
    cases, collected = read_results(results, root, home)
    note = ""
    ended = sum(case.outcome != STOPPED for case in cases)
    late = done.late or ended < min(len(cases), collected) or 0 < len(cases) < collected
    if late:
        reason = "the time was up: " if done.late or "the time is up" in done.tail else ""
        note = f"{reason}{ended} of {collected or 'an unknown number of'} tests ended"
    elif not cases:
        if needs := obstacle(done.tail):
            return RunResult(runner, files, lacking=needs)
        if done.code not in (0, _NO_TESTS):
            last = next((line.strip() for line in reversed(done.tail.split("\n")) if line.strip()), "")
            note = f"{runner} ended with code {done.code}: {last[:200]}"
        elif runner == "unittest":
            note = "no test of unittest was found; tests of other styles need pytest"
    return RunResult(runner, files, tuple(cases), late=late, note=note)


def read_results(results: str, root: str, home: str = "") -> tuple[list[CaseResult], int]:
    """Read the lines that the plugin wrote, and how many tests there were. The worst phase of a test counts.

    A test that began and of which nothing more is said is the one that was running when all was stopped.

    `home`: where the tests were started, below `root`; paths are relative to it.
    """
    found: dict[str, CaseResult] = {}
    collected = 0
    for row in read_objects(results):
        if "collected" in row:
            collected = row["collected"] if isinstance(row["collected"], int) else 0
            continue
        case = _case(row, root, home or root)
        if case is not None and (
            case.id not in found or STOPPED in (found[case.id].outcome, case.outcome) or case.failed
        ):
            found[case.id] = case
    return list(found.values()), collected


def _case(row: dict[str, object], root: str, home: str) -> CaseResult | None:
    text, outcome = str(row.get("text", "")), str(row.get("outcome", ""))
    if "began" in row:
        row, outcome = {**row, "id": row["began"]}, STOPPED
    if outcome not in (PASSED, FAILED, SKIPPED, STOPPED):
        return None
    frames = row.get("frames")
    places = []
    for frame in frames if isinstance(frames, list) else []:
        if isinstance(frame, list) and len(frame) == 2 and isinstance(frame[1], int):
            places.append((_path(str(frame[0]), root, home), frame[1]))
    seconds, line = row.get("seconds"), row.get("line")
    return CaseResult(
        id=str(row.get("id", ""))[:300],
        file=_path(str(row.get("file", "")), root, home),
        line=line if isinstance(line, int) else 0,
        outcome=ERROR if outcome == FAILED and row.get("when") != "call" else outcome,
        seconds=float(seconds) if isinstance(seconds, (int, float)) else 0.0,
        message=_message(text),
        frames=tuple(places),
        missing=obstacle(text) if outcome == FAILED else "",
    )


def _path(path: str, root: str, home: str) -> str:
    """Return a path that is relative to where the tests were started as one of the folder."""
    return relative(path if path.startswith("/") or not path else f"{home}/{path}", root)


def _message(text: str) -> str:
    """Return the line that says most: of a traceback the last error, else the first line."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    errors = [line.removeprefix("E").strip() for line in lines if re.match(r"E\s+\w*(?:Error|Exception)\b", line)]
    return (errors[-1] if errors else lines[0] if lines else "")[:300]
