"""Tests in JavaScript: by the runner that is installed in the folder, else by node itself."""

from __future__ import annotations

import os
import re
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
    first_line,
    obstacle,
    read_objects,
    relative,
    stack_places,
)
from plantwin.private.capabilities.run_tests.workspace import Workspace

_NODE_TEST = re.compile(r"""(?:from\s*|require\(\s*|import\(?\s*)["']node:test["']""")
_MISSING_MODULE = re.compile(r"(?:Cannot find (?:module|package)|Could not resolve) ['\"]([^'\"]+)['\"]")
_TEST_SCRIPT = re.compile(r'"test(?::\w+)?"\s*:\s*"([^"]*)"')
_TIMED_OUT = re.compile(
    r"Exceeded timeout of \d+ ?ms|Timeout of \d+ms exceeded|(?:Test|Hook) timed out in \d+ms|test timed out after"
)
"""What jest, mocha, vitest and node say of a test that did not end."""
_OUTCOMES = {"passed": PASSED, "failed": FAILED, "error": ERROR}
REPORTER = str(Path(__file__).with_name("reporter.cjs"))
ONE_THREAD = {"RAYON_NUM_THREADS": "1", "TOKIO_WORKER_THREADS": "1", "UV_THREADPOOL_SIZE": "2", "MALLOC_ARENA_MAX": "1"}
"""Each thread reserves addresses, of which a step has few."""
_RUNNERS = ("vitest", "jest", "mocha")
SHOWN = {"node": "node --test"}
"""How a report names a runner, where that is not by its program."""
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
    for_node = tuple(file for file in files if _NODE_TEST.search(_text(f"{workspace.root}/{file}")))
    if not installed and not for_node:
        wanted = next((name for name in (*_RUNNERS, *_OTHER_RUNNERS) if f'"{name}"' in manifest), "")
        return RunResult(wanted or "node", files, lacking=f"{wanted or 'a test runner'} in node_modules")
    # Beside tests of another runner that is not here, those of node run.
    runner, files = (installed[0], files) if installed else ("node", for_node)
    report = f"{workspace.scratch}/report"
    inner = [os.path.relpath(f"{workspace.root}/{file}", home) for file in files]
    command = [node, *_arguments(runner, home, workspace), *inner]
    environment = {**ONE_THREAD, "PLANTWIN_RUNNER": runner, "PLANTWIN_REPORT": report}
    done = workspace.run(command, home, environment | node_options(workspace, node))
    cases = read_cases(report, workspace.root)
    if not cases:
        return _no_result(SHOWN.get(runner, runner), files, done)
    note = "the time was up before all had run" if done.late else ""
    return RunResult(SHOWN.get(runner, runner), files, tuple(cases), late=done.late, note=note)


def _named(runner: str, texts: list[str]) -> bool:
    """Tell whether none of these texts names a runner, so that the others sort before it."""
    return not any(re.search(rf"\b{runner}\b", text) for text in texts)


def _arguments(runner: str, home: str, workspace: Workspace) -> list[str]:
    """Return what makes a runner tell `REPORTER` of every test."""
    program = f"{home}/node_modules/.bin/{runner}"
    match runner:
        case "vitest":
            return [program, "run", "--maxWorkers=1", f"--reporter={REPORTER}"]
        case "jest":
            cache = f"--cacheDirectory={workspace.scratch}/jest"
            return [program, "--ci", "--runInBand", "--forceExit", f"--reporters={REPORTER}", cache]
        case "mocha":
            return [program, "--exit", "--full-trace", "--reporter", REPORTER]
    # One file that hangs leaves time for the others.
    limit = f"--test-timeout={workspace.clock.left * 300:.0f}"
    return ["--test", limit, f"--test-reporter={REPORTER}", "--test-reporter-destination=stdout"]


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


def read_cases(report: str, root: str) -> list[CaseResult]:
    """Read what `REPORTER` wrote; what began and did not end was stopped."""
    running: dict[tuple[str, str], None] = {}
    cases = []
    for row in read_objects(report):
        name, file = str(row.get("name", ""))[:300], relative(str(row.get("file") or ""), root)
        if row.get("begin"):
            running[name, file] = None
            continue
        running.pop((name, file), None)
        outcome = _OUTCOMES.get(str(row.get("outcome")), SKIPPED)
        if not row.get("outcome"):
            continue  # a file as a whole: its tests speak for it
        text, milliseconds, line = str(row.get("text") or ""), row.get("ms"), row.get("line")
        bad = outcome in (FAILED, ERROR)
        cases.append(
            CaseResult(
                relative(name, root) if name.startswith(root) else name,
                file,
                line if isinstance(line, int) else 0,
                STOPPED if bad and _TIMED_OUT.search(text) else outcome,
                milliseconds / 1000 if isinstance(milliseconds, (int, float)) else 0.0,
                first_line(text),
                stack_places(text, root, root),
                obstacle(text) if bad else "",
            )
        )
    stopped = {case.file for case in cases if case.outcome == STOPPED} | {file for _, file in running}
    # A file fails as a whole when one of its tests is stopped.
    cases = [case for case in cases if not (case.failed and case.id == case.file and case.file in stopped)]
    alone = {file for name, file in running if relative(name, root) != file}
    cases += [
        CaseResult(relative(name, root), file, 0, STOPPED)
        for name, file in running
        if relative(name, root) != file or file not in alone  # rather the test than its file
    ]
    return cases


def _no_result(runner: str, files: tuple[str, ...], done: Done) -> RunResult:
    missing = _MISSING_MODULE.search(done.tail)
    if missing:
        return RunResult(runner, files, lacking=f"the module {missing[1][:80]}")
    note = "the time was up before a result" if done.late else f"{runner} gave no result: {_cause(done.tail)[:160]}"
    return RunResult(runner, files, late=done.late, note=note)


def _cause(tail: str) -> str:
    """Return the line of a runner's last words that names an error, or the first."""
    named = re.search(r"^.{0,80}\b\w*(?:Error|Exception)\b: .*", tail, re.MULTILINE)
    return named[0].strip() if named else first_line(tail)
