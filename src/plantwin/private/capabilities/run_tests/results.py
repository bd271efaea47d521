"""Tests and how they went."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats.lexicon import beside

PASSED, FAILED, ERROR, SKIPPED, STOPPED = "passed", "failed", "error", "skipped", "stopped"
MOST_BYTES = 32 << 20
"""Bytes of a runner's report."""
MOST_CASES = 100_000
MOST_FRAMES = 40
_STACK_PLACE = re.compile(r"(?:(?:file://)?(/[^\s():'\"]+)|❯ ([^\s():'\"/][^\s():'\"]*)):(\d{1,9}):\d+")
"""A place in a stack: by its whole path, or as vitest writes it, from the package on."""
_TABLE = beside(__file__, "obstacles.toml")
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
    seconds: float = 0.0
    """By the clock, with all that the runner does before and after."""
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


def read_objects(path: str) -> Iterator[dict[str, object]]:
    """Yield the objects of JSON that a runner wrote, one on a line, bounded."""
    for line in read_bytes(path).decode("utf-8", "replace").split("\n")[:MOST_CASES]:
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row
