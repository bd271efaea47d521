"""Results that a runner wrote as JUnit XML. Entities are refused; nothing is expanded."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from xml.parsers import expat

from plantwin.private.capabilities.trial.case import ERROR, FAILED, PASSED, SKIPPED, Case
from plantwin.private.capabilities.trial.python import relative

LIMIT = 32 << 20
MOST = 100_000


_PLACE = re.compile(r"(?:(?:file://)?(/[^\s():'\"]+)|❯ ([^\s():'\"/][^\s():'\"]*)):(\d{1,9}):\d+")
"""A place in a stack: by its whole path, or as vitest writes it, from the package on."""


class _Reader:
    """Collects test cases while the parser walks."""

    def __init__(self, copy: str, home: str) -> None:
        self.cases: list[Case] = []
        self._copy, self._home = copy, home
        self._at: dict[str, str] | None = None
        self._outcome, self._said = PASSED, ""
        self._inside = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if name == "testcase":
            self._at, self._outcome, self._said = attributes, PASSED, ""
        elif self._at is not None and name in ("failure", "error", "skipped"):
            self._outcome = {"failure": FAILED, "error": ERROR}.get(name, SKIPPED)
            self._said = attributes.get("message", "") + "\n"
            self._inside = True

    def text(self, data: str) -> None:
        """Text between elements."""
        if self._inside and len(self._said) < 8000:
            self._said += data

    def end(self, name: str) -> None:
        """An element ends."""
        if name in ("failure", "error", "skipped"):
            self._inside = False
        elif name == "testcase" and self._at is not None and len(self.cases) < MOST:
            held, self._at = self._at, None
            file = held.get("file", "") or (held.get("classname", "") if "/" in held.get("classname", "") else "")
            places = _PLACE.findall(self._said)[:40]
            inside = [
                (relative(path or f"{self._home}/{near}", self._copy), int(line))
                for path, near, line in reversed(places)
                if "node_modules" not in f"{path}{near}"
            ]
            ours = tuple(each for each in inside if not each[0].startswith("/"))
            path = relative(file if file.startswith("/") or not file else f"{self._home}/{file}", self._copy)
            try:
                seconds = float(held.get("time", "0") or 0)
            except ValueError:
                seconds = 0.0
            first = next((line.strip() for line in self._said.split("\n") if line.strip()), "")
            self.cases.append(
                Case(
                    held.get("name", "")[:300],
                    path or (ours[0][0] if ours else ""),
                    0,
                    self._outcome,
                    seconds,
                    first[:300],
                    ours,
                )
            )


def read(report: str, copy: str, home: str) -> list[Case]:
    """The test cases of a report; as far as it goes where it is broken off."""
    try:
        with Path(report).open("rb") as file:
            data = file.read(LIMIT)
    except OSError:
        return []
    reader = _Reader(copy, home)
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise ValueError("entities")

    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    with contextlib.suppress(expat.ExpatError, ValueError):
        parser.Parse(data, True)
    return reader.cases
