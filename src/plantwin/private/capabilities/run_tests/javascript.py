"""Tests in JavaScript: by the runner that is installed in the folder, else by node itself."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from plantwin.private.capabilities.run_tests.process import Done
from plantwin.private.capabilities.run_tests.results import (
    ERROR,
    FAILED,
    PASSED,
    SKIPPED,
    CaseResult,
    RunResult,
    first_line,
    read_bytes,
    read_junit,
    relative,
    stack_places,
)
from plantwin.private.capabilities.run_tests.workspace import Workspace

_NODE_TEST = re.compile(r"""(?:from\s*|require\(\s*|import\(?\s*)["']node:test["']""")
_MISSING_MODULE = re.compile(r"(?:Cannot find (?:module|package)|Could not resolve) ['\"]([^'\"]+)['\"]")
_TEST_SCRIPT = re.compile(r'"test(?::\w+)?"\s*:\s*"([^"]*)"')
_RUNNERS = ("vitest", "jest", "mocha")
_OTHER_RUNNERS = ("ava", "tap", "karma")


def run_tests(workspace: Workspace, files: tuple[str, ...]) -> RunResult:
    """Run these files in a copy of the folder."""
    node = workspace.find_program("node")
    if node is None:
        return RunResult("node", files, lacking="node")
    home = workspace.package_of(files[0], "package.json")
    manifest = _text(f"{home}/package.json")
    installed = [name for name in _RUNNERS if Path(f"{home}/node_modules/.bin/{name}").exists()]
    # Other packages bring runners of their own: the one that the manifest names comes first.
    installed.sort(key=lambda name: (_named(name, _TEST_SCRIPT.findall(manifest)), _named(name, [manifest])))
    if not installed and not all(_NODE_TEST.search(_text(f"{workspace.root}/{file}")) for file in files):
        wanted = next((name for name in (*_RUNNERS, *_OTHER_RUNNERS) if f'"{name}"' in manifest), "")
        return RunResult(wanted or "node", files, lacking=f"{wanted or 'a test runner'} in node_modules")
    runner = installed[0] if installed else "node --test"
    report = f"{workspace.scratch}/report"
    inner = [os.path.relpath(f"{workspace.root}/{file}", home) for file in files]
    command = [node, *_arguments(runner, home, report, workspace.scratch), *inner]
    done = workspace.run(command, home, node_options(workspace, node))
    if runner == "jest":
        cases = list(_jest(_load(report), workspace.root))
    elif runner == "mocha":
        cases = list(_mocha(_load(report), workspace.root))
    else:
        cases = read_junit(report, workspace.root, home)
    if not cases:
        return _no_result(runner, files, done)
    note = "the time was up before all had run" if done.late else ""
    return RunResult(runner, files, tuple(cases), late=done.late, note=note)


def _named(runner: str, texts: list[str]) -> bool:
    """Tell whether none of these texts names a runner, so that the others sort before it."""
    return not any(re.search(rf"\b{runner}\b", text) for text in texts)


def _arguments(runner: str, home: str, report: str, scratch: str) -> list[str]:
    """Return what makes a runner write a report."""
    program = f"{home}/node_modules/.bin/{runner}"
    match runner:
        case "vitest":
            return [program, "run", "--reporter=junit", f"--outputFile={report}"]
        case "jest":
            cache = f"--cacheDirectory={scratch}/jest"
            return [program, "--ci", "--runInBand", "--json", f"--outputFile={report}", cache]
        case "mocha":
            return [program, "--full-trace", "--reporter", "json", "--reporter-option", f"output={report}"]
    return ["--test", "--test-reporter=junit", f"--test-reporter-destination={report}"]


def node_options(workspace: Workspace, node: str) -> dict[str, str]:
    """Keep node from reserving more addresses for WebAssembly than a step may have; old versions lack the option."""
    option = "--disable-wasm-trap-handler"
    done = workspace.run([node, option, "--version"], workspace.scratch)
    return {"NODE_OPTIONS": option} if done.code == 0 else {}


def _text(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")[:500_000]
    except OSError:
        return ""


def _load(report: str) -> dict[str, object]:
    try:
        loaded = json.loads(read_bytes(report))
    except (ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _rows(value: object) -> list[dict[str, object]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _jest(report: dict[str, object], root: str) -> Iterator[CaseResult]:
    for suite in _rows(report.get("testResults")):
        file = relative(str(suite.get("name", "")), root)
        results = _rows(suite.get("assertionResults"))
        if not results and suite.get("status") == "failed":
            text = str(suite.get("message", ""))
            missing = _MISSING_MODULE.search(text)
            yield CaseResult(file, file, 0, ERROR, message=first_line(text), missing=missing[1] if missing else "")
        for row in results:
            outcome = {"passed": PASSED, "failed": FAILED}.get(str(row.get("status")), SKIPPED)
            messages = row.get("failureMessages")
            text = "\n".join(map(str, messages)) if isinstance(messages, list) else ""
            yield _case(str(row.get("fullName", "")), file, outcome, row, text, root)


def _mocha(report: dict[str, object], root: str) -> Iterator[CaseResult]:
    for key, outcome in (("passes", PASSED), ("failures", FAILED), ("pending", SKIPPED)):
        for row in _rows(report.get(key)):
            error = row.get("err")
            text = str(error.get("stack") or error.get("message") or "") if isinstance(error, dict) else ""
            file = relative(str(row.get("file", "")), root)
            yield _case(str(row.get("fullTitle", "")), file, outcome, row, text, root)


def _case(name: str, file: str, outcome: str, row: dict[str, object], text: str, root: str) -> CaseResult:
    duration = row.get("duration")
    seconds = duration / 1000 if isinstance(duration, (int, float)) else 0.0
    return CaseResult(name[:300], file, 0, outcome, seconds, first_line(text), stack_places(text, root, root))


def _no_result(runner: str, files: tuple[str, ...], done: Done) -> RunResult:
    missing = _MISSING_MODULE.search(done.tail)
    if missing:
        return RunResult(runner, files, lacking=f"the module {missing[1][:80]}")
    note = "the time was up before a result" if done.late else f"{runner} gave no result: {first_line(done.tail)[:160]}"
    return RunResult(runner, files, late=done.late, note=note)
