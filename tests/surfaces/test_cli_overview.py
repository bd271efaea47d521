"""Help, version, exit codes and how failures are told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, Process, Terminal

from plantwin.errors import GateError, InputError, PlanTwinError, RootError, StageError, StateError, WireError
from plantwin.surfaces import cli as package
from plantwin.surfaces.cli import COMMANDS
from plantwin.surfaces.cli.output import exit_code

HEAVY = ("msgspec", "rich", "plantwin.vocabulary", "plantwin.private", "json", "yaml", "hyperscan", "tree_sitter")


def test_the_overview_names_every_command(cli: Cli) -> None:
    ran = cli("--help")
    assert ran.code == 0
    for name, purpose in COMMANDS.items():
        assert f"  {name:<14}{purpose}\n" in ran.out
    assert cli().out == ran.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_a_purpose_an_example_and_says_that_nothing_is_sent(name: str, cli: Cli) -> None:
    ran = cli(name, "--help")
    assert ran.code == 0
    assert COMMANDS[name][1:20] in ran.out
    assert f"example:\n  plantwin {name}" in ran.out
    assert "Nothing is sent" in ran.out


def test_every_command_has_its_file() -> None:
    folder = Path(package.__file__).parent
    assert all((folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file() for name in COMMANDS)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["scan", "--nonsense"],
        ["scan", "--jobs", "0"],
        ["scan", "--jobs", "²"],
        ["scan", "--jobs", "9" * 5000],
        ["graph"],
        ["vocabulary", "--json", "--markdown"],
    ],
)
def test_bad_usage_is_2_and_points_to_help(arguments: list[str], cli: Cli) -> None:
    ran = cli(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("--help\n")


def test_usage_errors_do_not_echo_escape_sequences(cli: Cli) -> None:
    ran = cli("scan", "a", "b\x1b[31m\n")
    assert ran.code == 2
    assert "\x1b" not in ran.err
    assert r"\x1b[31m" in ran.err


def test_a_missing_root_is_one_clear_line_and_a_next_step(cli: Cli, tmp_path: Path) -> None:
    ran = cli("scan", tmp_path / "absent")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0].startswith("plantwin: no such file or folder: ")
    assert len(ran.err.splitlines()) == 2
    assert "Traceback" not in ran.err


def test_one_file_is_a_folder_of_one(cli: Cli, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("scan", tree / "README.md", "--json").json["summary"]["files"] == 1
    monkeypatch.setenv("PLANTWIN_ROOT", str(tree / "README.md"))
    assert [one["path"] for one in cli("objects", "--json").json["objects"]] == ["README.md"]
    assert cli("scan", "--root", "/dev/null").code == 2


def test_an_unusable_state_folder_is_a_refusal(cli: Cli, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = cli("scan", tree, "--state", tmp_path / "file" / "state")
    assert ran.code == 1
    assert "state folder" in ran.err and "plantwin doctor" in ran.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("x"), 2),
        (RootError("x"), 2),
        (GateError("x"), 1),
        (WireError("x"), 1),
        (StateError("x"), 1),
        (StageError("x"), 2),
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(), 0),
    ],
)
def test_exit_codes(error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plantwin.surfaces.cli.output._silence", lambda stream: None)
    assert exit_code(error) == code


def test_every_error_has_a_next_step(capsys: pytest.CaptureFixture[str]) -> None:
    def family(kind: type[PlanTwinError]) -> list[type[PlanTwinError]]:
        return [kind, *(each for child in kind.__subclasses__() for each in family(child))]

    for kind in family(PlanTwinError):
        exit_code(kind("code: reason"))
        first, second = capsys.readouterr().err.splitlines()
        assert first == "plantwin: code: reason"
        assert second.endswith((".", "scan .", ">"))


def test_an_unforeseen_error_shows_no_content(cli: Cli, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("canary-content-of-a-file")

    monkeypatch.setattr("plantwin.private.environment.Environment.scan", fail)
    ran = cli("scan", tree)
    assert ran.code == 1
    assert "canary" not in ran.err
    assert "ValueError" in ran.err and "Traceback" not in ran.err
    monkeypatch.setenv("PLANTWIN_DEBUG", "1")
    assert "Traceback" in cli("scan", tree).err


def test_help_is_light() -> None:
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "plantwin", "--help"], capture_output=True, text=True, check=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert "argparse" in loaded
    assert not [name for name in loaded if name.startswith(HEAVY)]


def test_help_takes_at_most_four_times_an_empty_python(tmp_path: Path) -> None:
    """By processor time, with compiled modules as an installation has them, in turns: other work does not count."""
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    compiled["PYTHONPYCACHEPREFIX"] = str(tmp_path)

    def spent(*arguments: str) -> float:
        with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=compiled) as child:
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        return used.ru_utime + used.ru_stime

    help_, empty = ("-m", "plantwin", "--help"), ("-c", "pass")
    spent(*help_)
    turns = [(spent(*help_), spent(*empty)) for _ in range(10)]
    assert min(turn[0] for turn in turns) <= 4 * min(turn[1] for turn in turns)


def _starting(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "plantwin", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def test_a_closed_pipe_is_quiet(tree: Path) -> None:
    for index in range(300):
        (tree / f"note{index:04}.md").write_text(f"# Note {index}\n")
    for command in ("objects", "twin"):
        with _starting(command, tree, "--json") as child:
            assert child.stdout is not None and child.stderr is not None
            child.stdout.close()
            assert child.stderr.read() == b""
            assert child.wait(60) == 0


def test_ctrl_c_is_130_and_clean(tree: Path, terminal: Terminal) -> None:
    code, shown = terminal("review", tree, answers=(None,))
    assert code == 130
    assert "plantwin: interrupted" in shown
    assert "Traceback" not in shown


def test_a_narrow_encoding_does_not_crash(tree: Path, process: Process) -> None:
    ran = process("scan", tree, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0, ran.stderr
    ran.stdout.decode("ascii")


def test_columns_can_be_chosen(tmp_path, monkeypatch, capsys):
    from plantwin.surfaces.cli import main

    monkeypatch.setenv("PLANTWIN_STATE", str(tmp_path / "state"))
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "README.md").write_text("# Title\n\nHow to use it.\n")
    assert main(["objects", str(tmp_path / "tree"), "--columns", "semantic_class,path"]) == 0
    assert capsys.readouterr().out.splitlines() == ["semantic_class  path", "readme          README.md"]
    assert main(["objects", str(tmp_path / "tree"), "--columns", "secrets"]) == 2
    assert "no column 'secrets'" in capsys.readouterr().err
