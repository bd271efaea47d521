"""Main commands in a real terminal: 60, 80 and 120 columns, with colour and without; Ctrl-C at every stage."""

from __future__ import annotations

import argparse
import io
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

from plantwin.config.settings import Settings
from plantwin.surfaces.cli import progress
from plantwin.surfaces.cli.arguments import duration
from plantwin.surfaces.cli.progress import Bar, StepProgress
from plantwin.surfaces.cli.sessions import adjusted
from scripts import plan, script, step
from tables import rows_of, value_of

COMMANDS = tuple(rows_of(__file__, "commands"))
DRIVER = value_of(__file__, "driver")
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


@pytest.mark.parametrize("stage", ["scan", "question", "planner", "approval", "review"])
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
    elif stage == "review":
        text = shown(tree, "-m", "plantwin", "review", str(tree), answers=(None,))
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


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_what_is_no_request_gets_a_short_answer_in_a_chat(tree: Path, columns: int) -> None:
    entries, said = zip(*rows_of(__file__, "entries"), strict=True)
    text = _escape.sub(
        "", shown(tree, "-m", "plantwin", "chat", ".", answers=entries, prompt="plantwin> ", COLUMNS=str(columns))
    )
    replies = text.split("plantwin> ")[1:]
    assert len(replies) == len(entries)
    for entry, wanted, reply in zip(entries, said, replies, strict=True):
        lines = re.split(r"[\r\n]{1,3}", reply)
        assert wanted in reply, (entry, reply)
        assert "Report" not in reply and len(lines) < 24, (entry, reply)
        assert all(cell_len(line) <= columns for line in lines if "━" not in line), (entry, reply)


# The progress bar: only on a terminal, only when work takes long


class Screen(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


def _work(bar: Bar) -> None:
    for done in range(50):
        bar(done, 50, "read")


def test_no_bar_where_stderr_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with Bar() as bar:
        _work(bar)
    assert capsys.readouterr() == ("", "")


def test_no_bar_for_short_work(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with Bar() as bar:
        _work(bar)
    assert screen.getvalue() == ""


def test_a_bar_for_long_work(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    with Bar() as bar:
        bar(0, None, "walk")
        _work(bar)
    assert "read" in screen.getvalue() and "49/50" in screen.getvalue()
    assert capsys.readouterr().out == ""


def test_the_bar_goes_away_when_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with pytest.raises(RuntimeError), Bar() as bar:
        bar(1, 2, "read")
        raise RuntimeError
    assert screen.getvalue().rstrip().endswith("\x1b[2K"), "the line is cleared"
    assert "\x1b[?25h" in screen.getvalue(), "the cursor is shown again"


def test_a_step_over_a_set_writes_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    for lines, expected in ((True, "s1 lint: 3 of 1,200\ns1 lint: 4 of 1,200\n"), (False, "")):
        steps = StepProgress(lambda id_: f"{id_} lint", lines=lines)
        steps("s1", 3, 1200)
        steps("s1", 4, 1200)
        steps.stop()
        assert capsys.readouterr().err == expected


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("10m", 600), ("2h", 7200), ("24h", 86_400), ("1", 1)]
)
def test_times(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "0", "-1", "1d", "1.5h", "25h", "９s", "1" * 50])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        duration(text)


def test_options_stand_before_settings() -> None:
    options = argparse.Namespace(max_files=7, time=90.0, per_object=True)
    changed = adjusted(Settings(), options)
    assert (changed.limits.max_files, changed.limits.step_seconds, changed.twin.mode) == (7, 90.0, "objects")
    assert adjusted(Settings(), argparse.Namespace()) == Settings()
