"""Tests in Go and Rust, where their tools and all that they need are here already: nothing is fetched."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import PurePath

from plantwin.private.capabilities.run_tests.results import (
    FAILED,
    PASSED,
    SKIPPED,
    CaseResult,
    RunResult,
    first_line,
    read_bytes,
    read_objects,
)
from plantwin.private.capabilities.run_tests.workspace import Workspace

_GO_PLACE = re.compile(r"(\w{1,200}_test\.go):(\d{1,9}): (.*)")
_GO_MISSING = re.compile(r"(?:cannot find module|no required module) [^\n]{0,160}|module lookup disabled")
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
        "GOFLAGS": "-mod=mod",
        "GOCACHE": f"{workspace.scratch}/go",
        "GOPATH": f"{workspace.scratch}/gopath",
    }
    command = [go, "test", "-json", "-count=1", *(f"./{folder}" for folder in sorted(folders))]
    done = workspace.run(command, home, environment)
    cases = tuple(_go_cases(workspace.log, files))
    lacking = note = ""
    if not cases:
        lacking = "modules that are not here" if _GO_MISSING.search(done.tail) else ""
        note = "" if lacking else f"go test gave no result: {first_line(done.tail)}"
    return RunResult("go test", files, cases, lacking=lacking, late=done.late, note=note)


def _go_cases(log: str, files: tuple[str, ...]) -> Iterator[CaseResult]:
    output: dict[str, str] = {}
    for event in read_objects(log):
        if not event.get("Test"):
            continue
        package, action = str(event.get("Package")), event.get("Action")
        key = f"{package}.{event['Test']}"
        if action == "output":
            output[key] = (output.get(key, "") + str(event.get("Output", "")))[:4000]
        elif action in ("pass", "fail", "skip"):
            outcome = {"pass": PASSED, "fail": FAILED}.get(action, SKIPPED)
            place = _GO_PLACE.search(output.get(key, ""))
            file = _file_of_package(package, place[1] if place else "", files)
            message = place[3][:300] if place and outcome == FAILED else ""
            seconds = float(str(event.get("Elapsed") or 0))
            yield CaseResult(key[:300], file, int(place[2]) if place else 0, outcome, seconds, message)


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
