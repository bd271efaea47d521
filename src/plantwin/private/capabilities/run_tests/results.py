"""Tests and how they went, and reports of runners as JUnit XML."""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from plantwin.private.facts import private

PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"
MOST_BYTES = 32 << 20
"""Bytes of a runner's report."""
MOST_CASES = 100_000
MOST_FRAMES = 40
_STACK_PLACE = re.compile(r"(?:(?:file://)?(/[^\s():'\"]+)|❯ ([^\s():'\"/][^\s():'\"]*)):(\d{1,9}):\d+")
"""A place in a stack: by its whole path, or as vitest writes it, from the package on."""
_TABLE = tomllib.loads(Path(__file__).with_name("obstacles.toml").read_text("utf-8"))
_OBSTACLES = tuple((re.compile(row["pattern"]), row["needs"]) for row in _TABLE["obstacle"])
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
Place = tuple[str, int]
"""A path of the folder and a line."""


@private
class CaseResult(NamedTuple):
    """One test."""

    id: str
    file: str
    line: int
    outcome: str
    seconds: float = 0.0
    message: str = ""
    """Why it failed or was skipped, in one line."""
    frames: tuple[Place, ...] = ()
    """Places of the failure, the outermost first."""
    missing: str = ""
    """What it needs and does not find here: then it has not failed, it has not run."""

    @property
    def failed(self) -> bool:
        """Whether it failed or broke."""
        return self.outcome in (FAILED, ERROR)


@private
class RunResult(NamedTuple):
    """What one runner did with its part of the tests."""

    runner: str
    files: tuple[str, ...]
    cases: tuple[CaseResult, ...] = ()
    lacking: str = ""
    """What would have been needed in order to run at all."""
    late: bool = False
    """Whether the time was up before all had run."""
    note: str = ""
    covered: tuple[tuple[str, int, int], ...] = ()
    """Files with the number of lines that ran, and of those that could."""

    @property
    def counts(self) -> Counter[str]:
        """How many tests went how; what could not run here has not failed."""
        return Counter(case.outcome for case in self.cases if not case.missing)


def obstacle(text: str) -> str:
    """Return what a test that says this needs and does not find here; empty where it simply failed."""
    for pattern, needs in _OBSTACLES:
        match = pattern.search(text)
        if match is not None:
            return str(needs).format(**match.groupdict())
    return ""


def relative(path: str, root: str) -> str:
    """Return a path below the copy as one of the folder; any other as it is."""
    path = path.removeprefix(f"{root}/")
    return os.path.normpath(path)[:400] if path else ""


def first_line(text: str) -> str:
    """Return the first line that says something."""
    lines = _COLOR.sub("", text).split("\n")
    return next((line.strip() for line in lines if line.strip()), "")[:300]


def stack_places(text: str, root: str, home: str) -> tuple[Place, ...]:
    """Return the places of a stack of JavaScript, the outermost first, without installed packages."""
    found = _STACK_PLACE.findall(text)[:MOST_FRAMES]
    return tuple(
        (relative(path or f"{home}/{near}", root), int(line))
        for path, near, line in reversed(found)
        if "node_modules" not in f"{path}{near}"
    )


def read_bytes(path: str) -> bytes:
    """Return what a runner wrote, bounded; nothing where it wrote nothing."""
    try:
        with Path(path).open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def read_text_lines(path: str) -> Iterable[str]:
    """Return the lines that a runner wrote, bounded."""
    return read_bytes(path).decode("utf-8", "replace").split("\n")[:MOST_CASES]


class _JunitReader:
    """Collect test cases while the parser walks."""

    def __init__(self, root: str, home: str) -> None:
        self.cases: list[CaseResult] = []
        self._root, self._home = root, home
        self._attributes: dict[str, str] | None = None
        self._outcome, self._text = PASSED, ""
        self._inside = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "testcase":
            self._attributes, self._outcome, self._text = attributes, PASSED, ""
        elif self._attributes is not None and name in ("failure", "error", "skipped"):
            self._outcome = {"failure": FAILED, "error": ERROR}.get(name, SKIPPED)
            self._text = attributes.get("message", "") + "\n"
            self._inside = True

    def text(self, data: str) -> None:
        if self._inside and len(self._text) < 8000:
            self._text += data

    def end(self, name: str) -> None:
        if name in ("failure", "error", "skipped"):
            self._inside = False
        elif name == "testcase" and self._attributes is not None and len(self.cases) < MOST_CASES:
            self.cases.append(self._case(self._attributes))
            self._attributes = None

    def _case(self, attributes: dict[str, str]) -> CaseResult:
        class_name = attributes.get("classname", "")
        file = attributes.get("file", "") or (class_name if "/" in class_name else "")
        path = relative(file if file.startswith("/") or not file else f"{self._home}/{file}", self._root)
        places = stack_places(self._text, self._root, self._home)
        frames = tuple(place for place in places if not place[0].startswith("/"))
        seconds = 0.0
        with contextlib.suppress(ValueError):
            seconds = float(attributes.get("time") or 0)
        name, file = attributes.get("name", "")[:300], path or (frames[0][0] if frames else "")
        missing = obstacle(self._text) if self._outcome in (FAILED, ERROR) else ""
        return CaseResult(name, file, 0, self._outcome, seconds, first_line(self._text), frames, missing)


def read_junit(report: str, root: str, home: str) -> list[CaseResult]:
    """Read the test cases of a JUnit report as far as it goes. Entities are refused; nothing is expanded."""
    reader = _JunitReader(root, home)
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise ValueError("entities")

    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    with contextlib.suppress(expat.ExpatError, ValueError):
        parser.Parse(read_bytes(report), True)
    return reader.cases
