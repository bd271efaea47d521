"""Tests in Python: by pytest, else by unittest; with the folder's own environment, else with ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

from plantwin.private.capabilities.trial import plain, plugin
from plantwin.private.capabilities.trial.case import ERROR, Case, Ran
from plantwin.private.capabilities.trial.program import Clock, Done, run

ENVIRONMENTS = (".venv", "venv", "env", ".env")
_MISSING = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_PLUGIN = "plantwin_trial"
_USAGE = 4
_NOTHING = 5


def tests(copy: str, files: tuple[str, ...], scratch: str, clock: Clock) -> Ran:
    """Run these files in a copy of the folder."""
    python, own = interpreter(copy, scratch, clock)
    helpers = f"{scratch}/helpers"
    Path(helpers).mkdir(exist_ok=True)
    shutil.copy(plugin.__file__, f"{helpers}/{_PLUGIN}.py")
    shutil.copy(plain.__file__, f"{helpers}/{_PLUGIN}_plain.py")
    results = f"{scratch}/results.jsonl"
    environment = _environment(copy, scratch, helpers, own) | {"TRIAL_RESULTS": results}
    if run([python, "-c", "import pytest"], copy, clock, environment, f"{scratch}/log").code != 0:
        done = run([python, f"{helpers}/{_PLUGIN}_plain.py", *files], copy, clock, environment, f"{scratch}/log")
        return _ran("unittest", files, results, copy, done)
    words = [python, "-m", "pytest", "-q", "-p", _PLUGIN, "-p", "no:cacheprovider", "--tb=short", "--rootdir", copy]
    done = run([*words, *files], copy, clock, environment, f"{scratch}/log")
    if done.code == _USAGE and not done.late and not Path(results).exists():
        # Options of the folder's own settings may ask for plugins that are not here.
        done = run([*words, "-o", "addopts=", *files], copy, clock, environment, f"{scratch}/log")
    return _ran("pytest", files, results, copy, done)


def interpreter(copy: str, scratch: str, clock: Clock) -> tuple[str, bool]:
    """The folder's own interpreter, where it has one that starts; else ours. Whether it is ours."""
    for name in ENVIRONMENTS:
        place = f"{copy}/{name}/bin/python"
        if os.access(place, os.X_OK) and run([place, "-c", "pass"], copy, clock, {}, f"{scratch}/log").code == 0:
            return place, False
    return sys.executable, True


def _environment(copy: str, scratch: str, helpers: str, own: bool) -> dict[str, str]:
    home = f"{scratch}/home"
    Path(home).mkdir(exist_ok=True)
    paths = [helpers, copy, *([f"{copy}/src"] if Path(f"{copy}/src").is_dir() else [])]
    if own:
        # Our own packages come last: pytest is among them, perhaps.
        paths += [each for each in sys.path if each.endswith(("/site-packages", "/dist-packages"))]
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "CI": "1",
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "NO_COLOR": "1",
    }


def _ran(runner: str, files: tuple[str, ...], results: str, copy: str, done: Done) -> Ran:
    cases, collected = read(results, copy)
    note = ""
    if not cases and not done.late:
        missing = _MISSING.search(done.tail)
        if missing:
            return Ran(runner, files, lacking=f"the package {missing[1].partition('.')[0]}")
        if done.code not in (0, _NOTHING):
            last = next((line.strip() for line in reversed(done.tail.split("\n")) if line.strip()), "")
            note = f"{runner} ended with code {done.code}: {last[:200]}"
            return Ran(runner, files, lacking="", note=note)
        if runner == "unittest":
            note = "no test of unittest was found; tests of other styles need pytest"
    if done.late:
        note = f"the time was up after {len(cases)} of {collected or 'an unknown number of'} tests"
    return Ran(runner, files, tuple(cases), late=done.late, note=note)


def read(results: str, copy: str) -> tuple[list[Case], int]:
    """The lines that the plugin wrote, and how many tests there were. The worst phase of a test counts."""
    found: dict[str, Case] = {}
    collected = 0
    try:
        with Path(results).open(encoding="utf-8", errors="replace") as file:
            lines = file.read(32 << 20).split("\n")
    except OSError:
        return [], 0
    for line in lines[:100_000]:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(said, dict):
            continue
        if "collected" in said:
            collected = said["collected"] if isinstance(said["collected"], int) else 0
            continue
        case = _case(said, copy)
        if case is not None and (case.id not in found or case.outcome in ("failed", ERROR)):
            found[case.id] = case
    return list(found.values()), collected


def _case(said: dict[str, object], copy: str) -> Case | None:
    text, outcome = str(said.get("text", "")), str(said.get("outcome", ""))
    if outcome not in ("passed", "failed", "skipped"):
        return None
    broken = outcome == "failed" and said.get("when") != "call"
    missing = _MISSING.search(text) if outcome == "failed" else None
    frames = said.get("frames")
    places = []
    for each in frames if isinstance(frames, list) else []:
        if isinstance(each, list) and len(each) == 2 and isinstance(each[1], int):
            places.append((relative(str(each[0]), copy), each[1]))
    seconds, line = said.get("seconds"), said.get("line")
    return Case(
        id=str(said.get("id", ""))[:300],
        file=relative(str(said.get("file", "")), copy),
        line=line if isinstance(line, int) else 0,
        outcome=ERROR if broken else outcome,
        seconds=float(seconds) if isinstance(seconds, (int, float)) else 0.0,
        message=_message(text),
        frames=tuple(places),
        missing=missing[1].partition(".")[0] if missing else "",
    )


def _message(text: str) -> str:
    """The line that says most: of a traceback the last error, else the first line."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    errors = [line.removeprefix("E").strip() for line in lines if re.match(r"E\s+\w*(?:Error|Exception)\b", line)]
    return (errors[-1] if errors else lines[0] if lines else "")[:300]


def relative(path: str, copy: str) -> str:
    """A path below the copy as one of the folder; any other as it is."""
    path = path.removeprefix(f"{copy}/")
    return os.path.normpath(path)[:400] if path else ""
