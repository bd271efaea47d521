"""Nothing is sent before a person agrees: at the terminal wherever the output goes, or by an option where nobody is."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts import GOAL

PROGRAM = """#!/bin/sh
cat > {told}
echo '{{"done": true}}'
"""

NOTHING_PLANNED = 2
"""The exit code where, as here, a planner that was told everything asks for nothing."""


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """Where the planner keeps what it was sent."""
    path = tmp_path / "planner"
    path.write_text(PROGRAM.format(told=shlex.quote(str(tmp_path / "told"))))
    path.chmod(0o755)
    return tmp_path / "told"


def arguments(command: str, tree: Path, told: Path, *more: str) -> list[str]:
    words = ["chat", str(tree)] if command == "chat" else [command, GOAL, str(tree)]
    return [sys.executable, "-m", "plantwin", *words, "--planner", f"command:{told.with_name('planner')}", *more]


def alone(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Where nobody sits: no terminal at all."""
    return subprocess.run(
        words, input=f"{GOAL}\n", capture_output=True, text=True, check=False, start_new_session=True, timeout=60
    )


@pytest.mark.parametrize("json", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("command", ["run", "plan", "chat"])
def test_where_nobody_can_be_asked_nothing_is_sent(command: str, json: list[str], tree: Path, told: Path) -> None:
    ran = alone(arguments(command, tree, told, *json))
    assert (ran.returncode, told.exists()) == (1, False), ran.stderr
    assert "nothing was sent" in ran.stderr and "--send" in ran.stderr
    agreed = alone(arguments(command, tree, told, "--send", *json))
    assert agreed.returncode == NOTHING_PLANNED and "message" in told.read_text(), agreed.stderr


def test_a_rehearsal_and_a_preview_need_nobody(tree: Path, told: Path) -> None:
    assert alone(arguments("run", tree, told, "--dry-run")).returncode == 0
    assert alone(arguments("preview", tree, told)).returncode == 0
    assert not told.exists()


def test_a_planner_that_sends_nothing_asks_nobody(tree: Path) -> None:
    for name in ("offline", "offline --json"):
        words = [sys.executable, "-m", "plantwin", "run", "What is this project about?", str(tree), "--planner"]
        words += name.split()
        assert alone(words).returncode == 0


def at_a_terminal(words: list[str], answer: str, out: Path, *, streams: tuple[int, ...]) -> tuple[int, str]:
    """Run with a controlling terminal while `streams` go elsewhere; the exit code and what the terminal showed."""
    pid, controller = pty.fork()
    if not pid:
        os.dup2(0, 9)  # a terminal that nobody holds is hung up
        elsewhere = os.open(out, os.O_RDWR | os.O_CREAT)
        for stream in streams:
            os.dup2(elsewhere, stream)
        os.execv(words[0], words)
    shown, until = b"", time.monotonic() + 60
    while time.monotonic() < until:
        try:
            chunk = os.read(controller, 65536)
        except OSError:
            break
        if not chunk:
            break
        asked = shown.count(b"exact bytes > ")
        shown += chunk
        if shown.count(b"exact bytes > ") > asked:
            os.write(controller, f"{answer}\n".encode())
            answer = "n"
    os.close(controller)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode(errors="replace")


@pytest.mark.parametrize(
    ("command", "streams"),
    [("run", ()), ("run", (1,)), ("run", (0, 1)), ("run", (1, 2)), ("run", (0, 1, 2)), ("plan", (1,))],
    ids=["none", "out", "in-out", "out-err", "all", "plan"],
)
def test_a_pipe_does_not_skip_the_question(
    command: str, streams: tuple[int, ...], tree: Path, told: Path, tmp_path: Path
) -> None:
    words = arguments(command, tree, told)
    _, shown = at_a_terminal(words, "n", tmp_path / "out", streams=streams)
    assert "Send this?" in shown and not told.exists()
    assert "planner (REMOTE), audience command" in shown
    code, shown = at_a_terminal(words, "y", tmp_path / "out", streams=streams)
    assert code == NOTHING_PLANNED and "message" in told.read_text()


def test_json_asks_at_the_terminal_and_shows_the_bytes_there(tree: Path, told: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _, shown = at_a_terminal(arguments("run", tree, told, "--json"), "d", out, streams=(0, 1))
    assert '"message":"request"' in shown and not told.exists()
    assert out.read_text().startswith("{")


def test_a_chat_that_reads_a_file_asks_at_the_terminal(tree: Path, told: Path, tmp_path: Path) -> None:
    out = tmp_path / "entries"
    for answer, sent in (("n", False), ("y", True)):
        out.write_text(f"{GOAL}\n")
        words = ["/bin/sh", "-c", 'in=$1; shift; exec "$@" < "$in"', "sh", str(out), *arguments("chat", tree, told)]
        _, shown = at_a_terminal(words, answer, tmp_path / "log", streams=(1,))
        assert "Send this?" in shown and told.exists() is sent


def test_a_port_of_this_machine_is_asked_about_unless_it_is_trusted(tree: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[planners.here]\nurl = "http://127.0.0.1:9/v1"\nmodel = "m"\n')
    words = [sys.executable, "-m", "plantwin", "run", GOAL, str(tree), "--planner", "here", "--config", str(config)]
    ran = alone(words)
    assert ran.returncode == 1 and "nobody can be asked" in ran.stderr
    config.write_text(config.read_text() + "trusted = true\n")
    ran = alone([*words, "-v"])
    assert ran.returncode == 3 and "nothing listens" in ran.stderr
    assert "sent to a port of this machine; where that leads PlanTwin cannot know" in ran.stdout
    shown = alone([*words[:3], "preview", *words[4:]]).stdout
    assert "sent to a port of this machine; where that leads PlanTwin cannot know" in shown
    assert "a port here" in alone([*words[:3], "planners", "--config", str(config)]).stdout
