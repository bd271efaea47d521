"""Tests in JavaScript, Go and Rust, where their tools and all that they need are here already."""

# ruff: noqa: E501 (one result, one line)

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

from plantwin.private.capabilities.trial.case import FAILED, PASSED, SKIPPED, Case, Ran
from plantwin.private.capabilities.trial.junit import read as read_junit
from plantwin.private.capabilities.trial.program import Clock, run
from plantwin.private.capabilities.trial.python import relative

_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin"
_NATIVE = re.compile(r"""(?:from\s*|require\(\s*|import\(?\s*)["']node:test["']""")
_MODULE = re.compile(r"(?:Cannot find (?:module|package)|Could not resolve) ['\"]([^'\"]+)['\"]")
_RUNNING = re.compile(r"^\s{1,20}Running (?:unittests )?(\S{1,300}) \(", re.MULTILINE)
"""Before each test program, cargo names its source."""
_PANIC = re.compile(
    r"^thread '(?P<test>[^'\n]{1,300})'(?: \(\d{1,20}\))? panicked at "
    r"(?:'(?P<old>.{0,600}?)', )?[^\s:]{1,300}\.rs:(?P<line>\d{1,9}):\d{1,9}:?(?:\n(?P<new>[^\n]{0,300}))?",
    re.MULTILINE | re.DOTALL,
)
_RUST = re.compile(r"^test (\S+) \.\.\. (ok|FAILED|ignored)", re.MULTILINE)


def _environment(scratch: str) -> dict[str, str]:
    home = f"{scratch}/home"
    Path(home).mkdir(exist_ok=True)
    return {"PATH": _PATH, "HOME": home, "TMPDIR": scratch, "CI": "1", "NO_COLOR": "1", "LANG": "C.UTF-8"}


def javascript(copy: str, files: tuple[str, ...], scratch: str, clock: Clock) -> Ran:
    """By the runner that is installed in the folder, else by node itself for tests that are written for it."""
    node = shutil.which("node", path=_PATH)
    if node is None:
        return Ran("node", files, lacking="node")
    home = _package(copy, files[0], "package.json")
    inner = tuple(os.path.relpath(f"{copy}/{each}", home) for each in files)
    environment = _environment(scratch) | _modest(node, scratch, clock)
    for name in ("vitest", "jest", "mocha"):
        if Path(f"{home}/node_modules/.bin/{name}").exists():
            return _installed(name, node, home, copy, files, inner, scratch, clock, environment)
    texts = [Path(f"{copy}/{each}").read_text(errors="replace")[:200_000] for each in files]
    if not all(_NATIVE.search(text) for text in texts):
        wanted = _wanted(home)
        return Ran(
            wanted or "node", files, lacking=f"{wanted} in node_modules" if wanted else "a test runner in node_modules"
        )
    report = f"{scratch}/junit.xml"
    words = [node, "--test", "--test-reporter=junit", f"--test-reporter-destination={report}", *inner]
    done = run(words, home, clock, environment, f"{scratch}/log")
    return _from_junit("node --test", files, report, copy, home, done.late, done.tail)


def _modest(node: str, scratch: str, clock: Clock) -> dict[str, str]:
    """Without this, node reserves more addresses for each WebAssembly module than a step may have. Old ones lack it."""
    option = "--disable-wasm-trap-handler"
    done = run([node, option, "--version"], scratch, clock, _environment(scratch), f"{scratch}/version")
    return {"NODE_OPTIONS": option} if done.code == 0 else {}


def _package(copy: str, file: str, manifest: str) -> str:
    """The nearest folder above a file that is a package: it has this manifest."""
    at = Path(copy, file).parent
    while str(at) != copy and not (at / manifest).exists():
        at = at.parent
    return str(at)


def _wanted(home: str) -> str:
    try:
        text = Path(home, "package.json").read_text(errors="replace")[:500_000]
    except OSError:
        return ""
    return next((name for name in ("vitest", "jest", "mocha", "ava", "tap", "karma") if f'"{name}"' in text), "")


def _installed(
    name: str,
    node: str,
    home: str,
    copy: str,
    files: tuple[str, ...],
    inner: tuple[str, ...],
    scratch: str,
    clock: Clock,
    environment: dict[str, str],
) -> Ran:
    program = f"{home}/node_modules/.bin/{name}"
    report = f"{scratch}/junit.xml"
    if name == "vitest":
        words = [node, program, "run", "--reporter=junit", f"--outputFile={report}", *inner]
        done = run(words, home, clock, environment, f"{scratch}/log")
        return _from_junit(name, files, report, copy, home, done.late, done.tail)
    if name == "jest":
        words = [
            node,
            program,
            "--ci",
            "--runInBand",
            "--json",
            f"--outputFile={report}",
            f"--cacheDirectory={scratch}/jest",
            *inner,
        ]
    else:
        words = [node, program, "--full-trace", "--reporter", "json", "--reporter-option", f"output={report}", *inner]
    done = run(words, home, clock, environment, f"{scratch}/log")
    try:
        told = json.loads(Path(report).read_bytes()[: 32 << 20])
    except (OSError, ValueError, RecursionError):
        return _nothing(name, files, done.late, done.tail)
    cases = _jest(told, copy) if name == "jest" else _mocha(told, copy)
    return Ran(name, files, tuple(cases), late=done.late)


def _jest(told: object, copy: str) -> list[Case]:
    found = []
    for suite in told.get("testResults", []) if isinstance(told, dict) else []:
        file = relative(str(suite.get("name", "")), copy)
        results = suite.get("assertionResults", [])
        if not results and suite.get("status") == "failed":
            missing = _MODULE.search(str(suite.get("message", "")))
            found.append(
                Case(
                    file,
                    file,
                    0,
                    "error",
                    message=_first(str(suite.get("message", ""))),
                    missing=missing[1] if missing else "",
                )
            )
        for each in results:
            outcome = {"passed": PASSED, "failed": FAILED}.get(str(each.get("status")), SKIPPED)
            text = "\n".join(map(str, each.get("failureMessages", [])))
            found.append(
                Case(
                    str(each.get("fullName", ""))[:300],
                    file,
                    0,
                    outcome,
                    float(each.get("duration") or 0) / 1000,
                    _first(text),
                    _places(text, copy),
                )
            )
    return found


def _mocha(told: object, copy: str) -> list[Case]:
    if not isinstance(told, dict):
        return []
    found = []
    for key, outcome in (("passes", PASSED), ("failures", FAILED), ("pending", SKIPPED)):
        for each in told.get(key, []):
            error = each.get("err", {}) if isinstance(each.get("err"), dict) else {}
            text = str(error.get("stack") or error.get("message") or "")
            found.append(Case(str(each.get("fullTitle", ""))[:300], relative(str(each.get("file", "")), copy), 0, outcome,
                              float(each.get("duration") or 0) / 1000, _first(text), _places(text, copy)))  # fmt: skip
    return found


def _first(text: str) -> str:
    bare = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return next((line.strip() for line in bare.split("\n") if line.strip()), "")[:300]


def _places(text: str, copy: str) -> tuple[tuple[str, int], ...]:
    """Places of a stack, the outermost first."""
    found = re.findall(r"\(?(?:file://)?(/[^\s():]+):(\d+):\d+\)?", text)[:40]
    return tuple((relative(path, copy), int(line)) for path, line in reversed(found) if "node_modules" not in path)


def _from_junit(name: str, files: tuple[str, ...], report: str, copy: str, home: str, late: bool, tail: str) -> Ran:
    cases = read_junit(report, copy, home)
    if not cases:
        return _nothing(name, files, late, tail)
    return Ran(name, files, tuple(cases), late=late, note="the time was up before all had run" if late else "")


def _nothing(name: str, files: tuple[str, ...], late: bool, tail: str) -> Ran:
    missing = _MODULE.search(tail)
    if missing:
        return Ran(name, files, lacking=f"the module {missing[1][:80]}")
    return Ran(
        name,
        files,
        late=late,
        note="the time was up before a result" if late else f"{name} gave no result: {_first(tail)[:160]}",
    )


def golang(copy: str, files: tuple[str, ...], scratch: str, clock: Clock) -> Ran:
    """By `go test`, without fetching anything."""
    go = shutil.which("go", path=_PATH)
    if go is None:
        return Ran("go test", files, lacking="go")
    home = _package(copy, files[0], "go.mod")
    folders = sorted({"./" + os.path.relpath(f"{copy}/{os.path.dirname(each)}", home) for each in files})  # noqa: PTH120 (text throughout)
    environment = _environment(scratch) | {
        "GOPROXY": "off",
        "GOFLAGS": "-mod=mod",
        "GOCACHE": f"{scratch}/go",
        "GOPATH": f"{scratch}/gopath",
    }
    log = f"{scratch}/log"
    done = run([go, "test", "-json", "-count=1", *folders], home, clock, environment, log)
    found: dict[str, Case] = {}
    said: dict[str, str] = {}
    with Path(log).open(encoding="utf-8", errors="replace") as file:
        for line in file.read(32 << 20).split("\n"):
            try:
                each = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if not isinstance(each, dict) or not each.get("Test"):
                continue
            package = str(each.get("Package"))
            key = f"{package}.{each['Test']}"
            if each.get("Action") == "output":
                said[key] = (said.get(key, "") + str(each.get("Output", "")))[:4000]
            elif each.get("Action") in ("pass", "fail", "skip"):
                outcome = {"pass": PASSED, "fail": FAILED}.get(str(each["Action"]), SKIPPED)
                place = re.search(r"(\w{1,200}_test\.go):(\d{1,9}): (.*)", said.get(key, ""))
                path = _of_package(package, place[1] if place else "", files)
                found[key] = Case(key[:300], path, int(place[2]) if place else 0,
                                  outcome, float(each.get("Elapsed") or 0), place[3][:300] if place and outcome == FAILED else "")  # fmt: skip
    if not found:
        missing = re.search(r"(?:cannot find module|no required module) [^\n]{0,160}|module lookup disabled", done.tail)
        return Ran(
            "go test",
            files,
            lacking="modules that are not here" if missing else "",
            late=done.late,
            note="" if missing else f"go test gave no result: {_first(done.tail)}",
        )
    return Ran("go test", files, tuple(found.values()), late=done.late)


def _of_package(package: str, name: str, files: tuple[str, ...]) -> str:
    """The file of this name among those of a package's folder; any of that folder where no name is known."""
    near = sorted(files, key=lambda each: -len(_shared(package, os.path.dirname(each))))  # noqa: PTH120
    named = [each for each in near if os.path.basename(each) == name]  # noqa: PTH119
    return (named or near)[0]


def _shared(package: str, folder: str) -> list[str]:
    """The last parts that a package's name and a folder have in common."""
    found = []
    for one, other in zip(reversed(package.split("/")), reversed(folder.split("/")), strict=False):
        if one != other:
            break
        found.append(one)
    return found


def rust(copy: str, files: tuple[str, ...], scratch: str, clock: Clock) -> Ran:
    """By `cargo test`, without fetching anything."""
    cargo = shutil.which("cargo", path=_PATH)
    if cargo is None:
        return Ran("cargo test", files, lacking="cargo")
    environment = _environment(scratch) | {"CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": f"{scratch}/target"}
    log = f"{scratch}/log"
    home = _package(copy, files[0], "Cargo.toml")
    done = run(
        [cargo, "test", "--offline", "--no-fail-fast", "--", "--format", "pretty"], home, clock, environment, log
    )
    text = Path(log).read_text(errors="replace")[: 16 << 20]
    inside = os.path.relpath(home, copy)
    parts = _RUNNING.split(text)
    cases = [
        each
        for file, said in zip([files[0], *parts[1::2]], parts[::2], strict=True)
        for each in _rust_cases(file if file in files else os.path.normpath(f"{inside}/{file}"), said)
    ]
    if not cases:
        return Ran(
            "cargo test",
            files,
            lacking="crates that are not here" if "offline" in done.tail else "",
            late=done.late,
            note=_first(done.tail),
        )
    return Ran("cargo test", files, tuple(cases), late=done.late)


def _rust_cases(file: str, text: str) -> list[Case]:
    """The cases of one test program, with the place where each panicked."""
    panics = {each["test"]: each for each in _PANIC.finditer(text)}
    found = []
    for name, word in _RUST.findall(text):
        outcome = {"ok": PASSED, "FAILED": FAILED}.get(word, SKIPPED)
        panic = panics.get(name) if outcome == FAILED else None
        message = _first(panic["old"] or panic["new"] or "") if panic else ""
        found.append(Case(name[:300], file, int(panic["line"]) if panic else 0, outcome, message=message))
    return found
