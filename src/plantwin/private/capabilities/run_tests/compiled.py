"""Tests in Go and Rust, where their tools and all that they need are here already: nothing is fetched."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath

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
    read_bytes,
    read_objects,
)
from plantwin.private.capabilities.run_tests.workspace import Workspace

_GO_PLACE = re.compile(r"(\w{1,200}_test\.go):(\d{1,9}): (.*)")
_GO_MISSING = re.compile(r"(?:cannot find module|no required module) [^\n]{0,160}|module lookup disabled")
_GO_TIMED_OUT = re.compile(r"panic: test timed out after")
_CARGO_RUNNING = re.compile(r"^\s{1,20}Running (?:unittests )?(\S{1,300}) \(", re.MULTILINE)
"""Before each test program, cargo names its source."""
_RUST_CASE = re.compile(r"^test (\S+) \.\.\. (ok|FAILED|ignored)", re.MULTILINE)
_RUST_PANIC = re.compile(
    r"^thread '(?P<test>[^'\n]{1,300})'(?: \(\d{1,20}\))? panicked at "
    r"(?:'(?P<old>.{0,600}?)', )?[^\s:]{1,300}\.rs:(?P<line>\d{1,9}):\d{1,9}:?(?:\n(?P<new>[^\n]{0,300}))?",
    re.MULTILINE | re.DOTALL,
)


def run_go_tests(workspace: Workspace, files: tuple[str, ...]) -> RunResult:
    """Run the packages of these files by `go test`."""
    go = workspace.find_program("go")
    if go is None:
        return RunResult("go test", files, lacking="go")
    home = workspace.package_of(files[0], "go.mod")
    folders = {os.path.relpath(f"{workspace.root}/{PurePath(file).parent}", home) for file in files}
    environment = {
        "GOPROXY": "off",
        "GOFLAGS": "-mod=vendor" if Path(home, "vendor/modules.txt").exists() else "-mod=mod",
        "GOCACHE": f"{workspace.scratch}/go",
        "GOPATH": f"{workspace.scratch}/gopath",
    }
    # A package with a test that hangs leaves time for the others; go then says which test was running.
    limit = f"-timeout={max(1.0, workspace.clock.left * 0.6):.0f}s"
    command = [go, "test", "-json", "-count=1", limit, *(f"./{folder}" for folder in sorted(folders))]
    done = workspace.run(command, home, environment)
    cases = tuple(_go_cases(workspace.log, files))
    lacking = note = ""
    if not cases:
        lacking = "modules that are not here" if _GO_MISSING.search(done.tail) else ""
        note = "" if lacking else f"go test gave no result: {first_line(done.tail)}"
    elif done.late:
        note = "the time was up before all had run"
    return RunResult("go test", files, cases, lacking=lacking, late=done.late, note=note)


def _go_cases(log: str, files: tuple[str, ...]) -> Iterator[CaseResult]:
    """Yield the tests that ended, those that were stopped, and packages that were not built."""
    output: dict[str, str] = {}
    running: dict[str, str] = {}
    failures: set[str] = set()
    for event in read_objects(log):
        action = event.get("Action")
        package, test = str(event.get("Package") or event.get("ImportPath") or ""), str(event.get("Test") or "")
        key = f"{package}.{test}" if test else package.partition(" ")[0]
        if action in ("output", "build-output"):
            output[key] = (output.get(key, "") + str(event.get("Output", "")))[:4000]
        elif action == "run":
            running[key] = package
        elif test and action in ("pass", "fail", "skip"):
            text = output.get(key, "")
            outcome = {"pass": PASSED, "fail": FAILED}.get(str(action), SKIPPED)
            # One that hung is still running; one whose subtests failed is told of by them.
            if outcome == FAILED and _GO_TIMED_OUT.search(text):
                continue
            running.pop(key, None)
            place = _GO_PLACE.search(text)
            failures.update({key} if outcome == FAILED else ())
            if not place and any(other.startswith(f"{key}/") for other in failures):
                continue
            file = _file_of_package(package, place[1] if place else "", files)
            message = place[3][:300] if place and outcome == FAILED else ""
            seconds = float(str(event.get("Elapsed") or 0))
            missing = obstacle(text) if outcome == FAILED else ""
            line = int(place[2]) if place else 0
            yield CaseResult(key[:300], file, line, outcome, seconds, message, missing=missing)
        elif action == "fail" and event.get("FailedBuild"):
            built = str(event["FailedBuild"]).partition(" ")[0]
            text = "".join(output.get(part, "") for part in {built, key})
            missing = "modules that are not here" if _GO_MISSING.search(text) else obstacle(text)
            broken = next((line for line in text.splitlines() if ".go:" in line), text)
            yield CaseResult(key, _file_of_package(package, "", files), 0, ERROR, 0, first_line(broken), (), missing)
    for key, package in running.items():
        if not any(other.startswith(f"{key}/") for other in running):  # rather the subtest than what holds it
            yield CaseResult(key[:300], _file_of_package(package, "", files), 0, STOPPED)


def _file_of_package(package: str, name: str, files: tuple[str, ...]) -> str:
    """Return the file of this name among those of a package's folder; any of that folder where no name is known."""

    def shared(file: str) -> int:
        parts = zip(reversed(package.split("/")), reversed(PurePath(file).parent.parts), strict=False)
        different = (count for count, (own, other) in enumerate(parts) if own != other)
        return next(different, len(PurePath(file).parent.parts))

    near = sorted(files, key=lambda file: -shared(file))
    return next((file for file in near if PurePath(file).name == name), near[0])


def run_rust_tests(workspace: Workspace, files: tuple[str, ...]) -> RunResult:
    """Run the crate of these files by `cargo test`."""
    cargo = workspace.find_program("cargo")
    if cargo is None:
        return RunResult("cargo test", files, lacking="cargo")
    home = workspace.package_of(files[0], "Cargo.toml")
    environment = {"CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": f"{workspace.scratch}/target"}
    command = [cargo, "test", "--offline", "--no-fail-fast", "--", "--format", "pretty"]
    done = workspace.run(command, home, environment)
    crate = os.path.relpath(home, workspace.root)
    parts = _CARGO_RUNNING.split(read_bytes(workspace.log).decode("utf-8", "replace"))
    cases: list[CaseResult] = []
    for file, output in zip([files[0], *parts[1::2]], parts[::2], strict=True):
        cases += _rust_cases(file if file in files else os.path.normpath(f"{crate}/{file}"), output)
    lacking = note = ""
    if not cases:
        lacking = "crates that are not here" if "offline" in done.tail else ""
        note = first_line(done.tail)
    return RunResult("cargo test", files, tuple(cases), lacking=lacking, late=done.late, note=note)


def _rust_cases(file: str, output: str) -> Iterator[CaseResult]:
    """Yield the cases of one test program, with the place where each panicked."""
    panics = {panic["test"]: panic for panic in _RUST_PANIC.finditer(output)}
    for name, word in _RUST_CASE.findall(output):
        outcome = {"ok": PASSED, "FAILED": FAILED}.get(word, SKIPPED)
        panic = panics.get(name) if outcome == FAILED else None
        message = first_line(panic["old"] or panic["new"] or "") if panic else ""
        yield CaseResult(name[:300], file, int(panic["line"]) if panic else 0, outcome, message=message)
