"""Main commands in a real terminal: 60, 80 and 120 columns, with colour and without; Ctrl-C at every stage."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import converse
from rich.cells import cell_len

from scripts import plan, script, step

COMMANDS = (
    ("scan", "."),
    ("run", "Are there secrets in this project?"),
    ("run", "What is this project about?"),
    ("do", "lint", "src"),
    ("objects", "."),
    ("budget", "."),
    ("twin", "."),
    ("planners",),
    ("capabilities",),
    ("audit", "show", "--last", "5"),
    ("report", "--list"),
    ("review", "--json"),
)
DRIVER = """
import json, sys
from plantwin.surfaces.cli import main
for command in json.loads(sys.argv[1]):
    code = main(command)
    print(f"=== {code} {' '.join(command)}", flush=True)
"""
_escape = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def shown(folder: Path, *arguments: str, answers: tuple[str | None, ...] = (), prompt: str = "> ", **more: str) -> str:
    """What a child shows on a pseudo-terminal; at each prompt the next answer is typed, or Ctrl-C where it is None."""
    controller, device = pty.openpty()
    settings = {**os.environ, "TERM": "xterm-256color", "PAGER": "cat", **more}
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, stdin=device, stdout=device, stderr=device, env=settings, cwd=folder) as child:
        try:
            text = converse(child, controller, list(answers), prompt)
        finally:
            os.close(device)
            os.close(controller)
        return f"{text}\nexit {child.wait(30)}"


@pytest.mark.parametrize("colour", [True, False], ids=["colour", "plain"])
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_every_line_fits_the_terminal(tree: Path, columns: int, colour: bool) -> None:
    import json

    more = {} if colour else {"NO_COLOR": "1"}
    text = shown(tree, "-c", DRIVER, json.dumps(COMMANDS), COLUMNS=str(columns), **more)
    assert [line.split()[1] for line in text.splitlines() if line.startswith("=== ")] == ["0"] * len(COMMANDS), text
    assert ("\x1b[" in re.sub(r"\x1b\[(?:2K|\?25[lh]|\d*A|0m)", "", text)) is colour
    for line in _escape.sub("", text).replace("\r", "\n").splitlines():
        longest = max(map(cell_len, line.split()), default=0)
        # A path, a digest or JSON cannot be broken; whatever can is.
        assert cell_len(line) <= columns or longest > columns // 2 or line.startswith(("===", "warning:")), line


def waiting(folder: Path) -> Path:
    """A program that never answers."""
    path = folder / "sleeper"
    path.write_text("#!/bin/sh\nexec sleep 60\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("stage", ["scan", "question", "planner", "approval"])
def test_control_c_ends_every_stage_at_once(tree: Path, tmp_path: Path, stage: str) -> None:
    remote = script(tmp_path, plan(step("s1", "run_tests", "@kind=code_file")), audience="acme", locality="remote")
    goal = ("-m", "plantwin", "run", "Look at src/store.py", "--root", str(tree))
    began = time.monotonic()
    if stage == "scan":
        for number in range(4000):
            (tree / f"src/part{number}.py").write_text(f"def part{number}():\n    return {number}\n" * 20)
        with subprocess.Popen([sys.executable, *goal], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:
            tasks = Path(f"/proc/{child.pid}/task")
            # Once it has processes of its own, it reads the folder.
            while not any((task / "children").read_text() for task in tasks.iterdir()) and child.poll() is None:
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
            text = f"{child.communicate(timeout=30)[0].decode()}\nexit {child.returncode}"
    elif stage == "question":
        text = shown(tree, *goal, "--planner", remote, answers=(None,), prompt="Send this?")
    elif stage == "approval":
        text = shown(tree, *goal, "--planner", remote, answers=("y", None), prompt="y: ")
    else:
        text = shown(
            tree, *goal, "--planner", f"command:{waiting(tmp_path)}", "--send", answers=(None,), prompt="the planner"
        )
    assert text.endswith("exit 130"), text
    assert "Traceback" not in text and "internal error" not in text
    assert time.monotonic() - began < 30
