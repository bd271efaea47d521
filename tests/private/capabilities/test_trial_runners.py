"""What runners print, as they printed it: places and messages of failures in Go, Rust, mocha and vitest."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from plantwin.private.capabilities.run_tests import compiled, javascript, workspace
from plantwin.private.capabilities.run_tests.javascript import node_options
from plantwin.private.capabilities.run_tests.javascript import run_tests as run_javascript_tests
from plantwin.private.capabilities.run_tests.process import Clock, Done
from plantwin.private.capabilities.run_tests.results import ERROR, FAILED, PASSED, SKIPPED, STOPPED
from plantwin.private.capabilities.run_tests.workspace import Workspace
from tables import cases, value_of

OLD = value_of(__file__, "old")
NEW = OLD.partition("thread")[0] + (
    "thread 'wrong' (10765) panicked at tests/sums.rs:5:14:\nassertion `left == right` failed\n  left: 3\n right: 4\n"
)


def _prints(monkeypatch: pytest.MonkeyPatch, text: str) -> list[tuple[list[str], str]]:
    """Let every program print this; its words and the folder that it was started in."""
    started: list[tuple[list[str], str]] = []

    def run(words: list[str], folder: str, clock: Clock, environment: dict[str, str], log: str) -> Done:
        started.append((list(words), folder))
        Path(log).write_text(text)
        return Done(1, False, text[-8000:])

    monkeypatch.setattr(workspace, "run", run)
    monkeypatch.setattr(workspace.shutil, "which", lambda name, path: f"/usr/bin/{name}")
    return started


@pytest.mark.parametrize("text", [OLD, NEW], ids=["1.65", "1.95"])
def test_cargo(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = _prints(monkeypatch, text)
    (tmp_path / "inner" / "tests").mkdir(parents=True)
    (tmp_path / "inner" / "Cargo.toml").write_text("[package]\n")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    ran = compiled.run_rust_tests(Workspace(str(tmp_path), str(scratch), Clock(60)), ("inner/tests/sums.rs",))
    assert [(each.id, each.file, each.line, each.outcome) for each in ran.cases] == [
        ("tests::inside", "inner/src/lib.rs", 0, PASSED),
        ("adds", "inner/tests/sums.rs", 0, PASSED),
        ("later", "inner/tests/sums.rs", 0, SKIPPED),
        ("wrong", "inner/tests/sums.rs", 5, FAILED),
    ]
    assert ran.cases[-1].message.startswith("assertion")
    assert started[0][1] == str(tmp_path / "inner")
    assert "--offline" in started[0][0]


def test_go_in_a_module_below_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"Action": "output", "Package": "example.org/m/b", "Test": "TestB", "Output": "    b_test.go:7: got 3\n"},
        {"Action": "fail", "Package": "example.org/m/b", "Test": "TestB", "Elapsed": 0.1},
        {"Action": "pass", "Package": "example.org/m/a", "Test": "TestA", "Elapsed": 0},
        {"Action": "skip", "Package": "example.org/m/a", "Test": "TestLater", "Elapsed": 0},
        {"Action": "pass", "Package": "example.org/m/a"},
    ]
    started = _prints(monkeypatch, "\n".join(["not json", "[1]", *map(json.dumps, rows)]))
    (tmp_path / "m" / "a").mkdir(parents=True)
    (tmp_path / "m" / "go.mod").write_text("module example.org/m\n")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    ran = compiled.run_go_tests(Workspace(str(tmp_path), str(scratch), Clock(60)), ("m/a/a_test.go", "m/b/b_test.go"))
    assert {(each.id.rpartition(".")[2], each.file, each.line, each.outcome) for each in ran.cases} == {
        ("TestA", "m/a/a_test.go", 0, PASSED),
        ("TestLater", "m/a/a_test.go", 0, SKIPPED),
        ("TestB", "m/b/b_test.go", 7, FAILED),
    }
    assert started == [
        (["/usr/bin/go", "test", "-json", "-count=1", "-timeout=31s", "./a", "./b"], str(tmp_path / "m"))
    ]


def test_a_test_that_hangs_and_a_package_that_is_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lacks = "b_test.go:6:2: cannot find module providing package example.org/x: module lookup disabled by GOPROXY=off"
    rows = [
        {"ImportPath": "example.org/x", "Action": "build-output", "Output": lacks},
        {"Action": "fail", "Package": "m/b", "FailedBuild": "example.org/x"},
        {"ImportPath": "m/c [m/c.test]", "Action": "build-output", "Output": "c/c_test.go:3:1: undefined: Sum"},
        {"Action": "fail", "Package": "m/c", "FailedBuild": "m/c [m/c.test]"},
        {"Action": "run", "Package": "m/a", "Test": "TestHangs"},
        {"Action": "run", "Package": "m/a", "Test": "TestHangs/waits"},
        {"Action": "output", "Package": "m/a", "Test": "TestHangs/waits", "Output": "panic: test timed out after 20s"},
        {"Action": "fail", "Package": "m/a", "Test": "TestHangs/waits", "Elapsed": 20.0},
        {"Action": "output", "Package": "m/a", "Test": "TestWeb", "Output": "a_test.go:9: dial tcp: no such host"},
        {"Action": "fail", "Package": "m/a", "Test": "TestWeb", "Elapsed": 0.1},
    ]
    _prints(monkeypatch, "\n".join(map(json.dumps, rows)))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    files = ("a/a_test.go", "b/b_test.go", "c/c_test.go")
    ran = compiled.run_go_tests(Workspace(str(tmp_path), str(scratch), Clock(60)), files)
    assert [(case.id, case.file, case.outcome, case.missing) for case in ran.cases] == [
        ("m/b", "b/b_test.go", ERROR, "modules that are not here"),
        ("m/c", "c/c_test.go", ERROR, ""),
        ("m/a.TestWeb", "a/a_test.go", FAILED, "a network"),
        ("m/a.TestHangs/waits", "a/a_test.go", STOPPED, ""),
    ]
    assert ran.cases[1].message == "c/c_test.go:3:1: undefined: Sum"


def test_what_the_reporter_of_javascript_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = f"{tmp_path}/test/a.test.js"
    frames = f"AssertionError: 3 == 4\n    at {tmp_path}/test/a.test.js:5:46\n    at {tmp_path}/node_modules/x.js:1:1"
    rows = [
        {"begin": True, "name": file, "file": file},
        {"begin": True, "name": "adds", "file": file},
        {"name": "adds", "file": file, "outcome": "passed", "ms": 3, "text": ""},
        {"name": "is wrong", "file": file, "outcome": "failed", "text": frames, "line": 4},
        {"name": "asks", "file": file, "outcome": "failed", "text": "TypeError: fetch failed"},
        {"name": "waits", "file": file, "outcome": "failed", "text": "Test timed out in 5000ms.", "ms": 5000},
        {"name": "later", "file": file, "outcome": "todo"},
        {"begin": True, "name": "spins", "file": file},
    ]
    _prints(monkeypatch, "")
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "a.test.js").write_text("const { test } = require('node:test');")
    (tmp_path / "test" / "types.test.ts").write_text("expectTypeOf(1);")
    (tmp_path / "report").write_text("\n".join(map(json.dumps, rows)))
    workspace_ = Workspace(str(tmp_path), str(tmp_path), Clock(60))
    ran = run_javascript_tests(workspace_, ("test/a.test.js", "test/types.test.ts"))
    assert ran.files == ("test/a.test.js",)
    assert [(case.id, case.outcome, case.missing, case.line) for case in ran.cases] == [
        ("adds", PASSED, "", 0),
        ("is wrong", FAILED, "", 4),
        ("asks", FAILED, "a network", 0),
        ("waits", STOPPED, "", 0),
        ("later", SKIPPED, "", 0),
        ("spins", STOPPED, "", 0),
    ]
    assert ran.cases[1].frames == (("test/a.test.js", 5),)
    (tmp_path / "report").write_text(json.dumps(rows[0]))
    (case,) = run_javascript_tests(workspace_, ("test/a.test.js",)).cases
    assert (case.id, case.outcome) == ("test/a.test.js", STOPPED)


def test_a_file_of_which_a_test_was_stopped_has_not_failed(tmp_path: Path) -> None:
    path = f"{tmp_path}/a.test.js"
    rows = [
        {"begin": True, "name": "hangs", "file": path},
        {"name": path, "file": path, "outcome": "failed", "text": "test failed"},
    ]
    report = tmp_path / "report"
    report.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [(case.id, case.outcome) for case in javascript.read_cases(str(report), str(tmp_path))] == [
        ("hangs", "stopped")
    ]


@pytest.mark.skipif(shutil.which("node") is None, reason="the reporter is a program of node")
def test_vitest_2_tells_of_its_tests_by_other_hooks(tmp_path: Path) -> None:
    report, path = tmp_path / "report", f"{tmp_path}/a.test.ts"
    tests = [{"id": name, "name": name, "type": "test"} for name in ("adds", "breaks", "spins")]
    tasks = [{"id": "s", "name": "sums", "type": "suite", "tasks": tests}]
    packs = [
        ["adds", {"state": "pass", "duration": 3}],
        ["breaks", {"state": "fail", "errors": [{"message": "no"}]}],
        ["spins", {"state": "run"}],
    ]
    program = (
        f"const r = new (require({javascript.REPORTER!r}))();"
        f"r.onCollected({json.dumps([{'id': 'f', 'filepath': path, 'tasks': tasks}])});"
        f"r.onTaskUpdate({json.dumps(packs)});"
    )
    environment = {**os.environ, "PLANTWIN_RUNNER": "vitest", "PLANTWIN_REPORT": str(report)}
    subprocess.run(["node", "-e", program], env=environment, check=True)
    assert [(case.id, case.outcome) for case in javascript.read_cases(str(report), str(tmp_path))] == [
        ("sums adds", PASSED),
        ("sums breaks", FAILED),
        ("sums spins", STOPPED),
    ]


def test_an_old_node_is_not_given_an_option_that_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for code, expected in ((0, {"NODE_OPTIONS": "--disable-wasm-trap-handler"}), (9, {})):
        monkeypatch.setattr(workspace, "run", lambda *_, code=code: Done(code, False, ""))
        assert node_options(Workspace(str(tmp_path), str(tmp_path), Clock(60)), "/usr/bin/node") == expected


@cases("manifest", "runner")
def test_the_runner_that_the_manifest_names_comes_before_others_that_are_installed(
    manifest: str, runner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = _prints(monkeypatch, "")
    programs = tmp_path / "node_modules" / ".bin"
    programs.mkdir(parents=True)
    for name in ("jest", "mocha", "vitest"):
        (programs / name).touch()
    (tmp_path / "package.json").write_text(manifest)
    run_javascript_tests(Workspace(str(tmp_path), str(tmp_path), Clock(60)), ("a.test.js",))
    assert str(programs / runner) in started[-1][0]
