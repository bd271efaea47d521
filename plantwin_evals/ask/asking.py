"""One question as a person would ask it: at the command line, without a terminal and without approvals."""

from __future__ import annotations

import io
import json
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from plantwin.surfaces.cli import main
from plantwin_evals.ask.questions import Question


class Step(NamedTuple):
    """What became of one step of the plan."""

    capability: str
    done: bool
    examined: int


class Answer(NamedTuple):
    """What was printed, and what was done for it."""

    text: str
    steps: tuple[Step, ...]
    code: int
    seconds: float

    @property
    def lines(self) -> int:
        """Lines that were printed."""
        return len(self.text.splitlines())


def ask(question: Question, root: Path, state: Path, options: tuple[str, ...] = ()) -> Answer:
    """Run the command, and read from its report what was done."""
    before = _reports(state)
    printed, stdin = io.StringIO(), sys.stdin
    where = ["--root", str(root)] if not question.after else [str(root)]
    entries = [*question.after, question.ask]
    command = ["chat", *where] if question.after else ["run", question.ask, *where]
    sys.stdin = io.StringIO("".join(f"{entry}\n" for entry in entries))
    began = time.perf_counter()
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            code = main([*command, "--state", str(state), *options])
    finally:
        sys.stdin = stdin
    seconds = time.perf_counter() - began
    text = printed.getvalue()
    new = sorted(_reports(state) - before, key=lambda path: path.stat().st_mtime_ns)
    if question.after:
        text = text.rpartition(f"\n> {question.ask}\n")[2]
        new = new[len(question.after) :]
    return Answer(text, _steps(new[-1]) if new else (), code, seconds)


def _reports(state: Path) -> set[Path]:
    return set((state / "reports").glob("*.json"))


def _steps(report: Path) -> tuple[Step, ...]:
    rows: list[dict[str, Any]] = json.loads(report.read_bytes())["steps"]
    return tuple(Step(row["capability"], row["became"] == "done", row["examined"]) for row in rows)
