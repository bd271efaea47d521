"""Commands of the shell's user: help, version, init, config, completion, report, graph; suggestions, pipes, pagers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from command_line import Cli, Terminal

import plantwin.surfaces.cli as cli_module
from plantwin import __version__
from plantwin.surfaces.cli import COMMANDS, families, parser_of
from tables import cases

HERE = Path(__file__).parents[2]
PAGES = [HERE / "README.md", HERE / "CONTRIBUTING.md", *sorted((HERE / "docs").glob("*.md"))]
SHOWN = re.compile(r"(?:`|^\$ |^    |^exec |^- run: |\| )(plantwin [^`\n]*)", re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_prints_json_and_takes_the_common_options(name: str) -> None:
    options = {option for parser in families(parser_of(name)) for option in parser._option_string_actions}
    assert {"--quiet", "--no-color"} <= options
    assert "--json" in options


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_documented_option_exists(page: Path) -> None:
    """Whatever the pages show as a command has that command and these options."""
    for shown in SHOWN.findall(page.read_text(encoding="utf-8")):
        shown = re.split(r"[|>&;#]", shown)[0]
        words = shown.split()
        if len(words) < 2 or not re.fullmatch(r"[a-z]+", words[1]):
            continue
        assert words[1] in COMMANDS, shown
        known = {option for parser in families(parser_of(words[1])) for option in parser._option_string_actions}
        for word in re.findall(r"(?<![\w'\"-])--[a-z-]+", shown):
            assert word in known, (page.name, shown, word)


@cases("arguments", "said")
def test_the_nearest_is_suggested(arguments: list[str], said: str, cli: Cli) -> None:
    ran = cli(*arguments)
    assert ran.code == 2 and said in ran.err


def test_an_unknown_option_is_named_and_not_what_follows_it(cli: Cli) -> None:
    assert "unrecognized arguments: --limit" in cli("rules", "--limit", "3").err
    assert "did you mean --group" in cli("rules", "--grop=secret").err
    assert cli("rules", "--conf", "high", "--json").code == 0


def test_help_and_version(cli: Cli) -> None:
    assert cli("help").out.startswith("usage: plantwin")
    assert cli("help", "do").out == cli("do", "--help").out
    assert {row["command"] for row in cli("help", "--json").json["commands"]} == set(COMMANDS)
    assert cli("version").out == cli("--version").out == f"plantwin {__version__}\n"
    assert cli("version", "--json").json["version"] == __version__


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_the_overview_fits_the_terminal(columns: str, terminal: Terminal) -> None:
    code, shown = terminal("--help", COLUMNS=columns)
    assert code == 0 and shown.count("  plantwin ") >= 3
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_init_and_config(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(cli("config", "path").out.strip())
    assert not path.exists() and "not there" in cli("config", "check").out
    assert tomllib.loads(cli("config").out)["privacy"]["k"] == cli("config", "--json").json["settings"]["privacy"]["k"]
    assert cli("init").code == 0 and path.stat().st_mode & 0o777 == 0o600
    assert cli("config", "check").out.endswith("no mistakes.\n")
    assert cli("init").code == 2 and cli("init", "--force", "--json").json["file"] == str(path)
    path.write_text(path.read_text().replace("# k = 5", "k = 7"))
    assert cli("config", "--json").json["settings"]["privacy"]["k"] == 7
    monkeypatch.setenv("EDITOR", "sh -c 'echo x >> \"$0\"'")
    ran = cli("config", "edit")
    assert ran.code == 2 and "not valid TOML" in ran.err
    monkeypatch.setenv("EDITOR", "/nowhere/editor")
    assert "set EDITOR" in cli("config", "edit").err


def test_doctor_names_the_cause_first(cli: Cli, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[privacy]\nk = 'many'\n")
    ran = cli("doctor", "--config", broken)
    assert ran.code == 1 and ran.out.startswith("configuration file or policy is broken: ")
    assert "privacy.k" in ran.out.splitlines()[0] and "1 required part broken." in ran.out
    assert cli("doctor").out.startswith("Everything required is in order.")


def test_warnings_name_the_file_and_what_to_do(cli: Cli, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / ".gitignore").write_bytes(b"[a-\n" * 3 + b"x" * 2_000_000)
    ran = cli("scan", tree)
    assert "warning: an ignore file in the folder itself is too long" in ran.err and "shorten it" in ran.err
    monkeypatch.chdir(tree)
    ran = cli("do", "lint", "README.md")
    assert ran.code == 0 and "Nothing was examined: `plantwin capabilities show lint`" in ran.err


def test_completion(cli: Cli) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = cli("completion", shell).out
        assert (
            "security_audit" in script and "--fail-on" in script and cli("completion", shell, "--json").json["script"]
        )
    question = 'COMP_WORDS=(plantwin do sec); COMP_CWORD=2; _plantwin; echo "${COMPREPLY[@]}"'
    given = cli("completion", "bash").out + question
    answered = subprocess.run(["bash"], input=given, capture_output=True, text=True, check=True)
    assert set(answered.stdout.split()) == {"secret_scan", "security_audit"}
    assert 'if [ "$funcstack[1]" = _plantwin ]' in cli("completion", "zsh").out


def test_manual_pages(cli: Cli, tmp_path: Path) -> None:
    assert cli("help", "--man", tmp_path / "man1", "--json").json["pages"] == len(COMMANDS) + 1
    pages = {page.name: page.read_text() for page in (tmp_path / "man1").iterdir()}
    assert set(pages) == {"plantwin.1", *(f"plantwin-{name}.1" for name in COMMANDS)}
    for name in COMMANDS:
        page = pages[f"plantwin-{name}.1"]
        assert page.startswith(f'.TH "PLANTWIN-{name.upper()}" 1') and COMMANDS[name].replace("-", "\\-") in page
        known = {option for parser in families(parser_of(name)) for option in parser._option_string_actions}
        missing = [option for option in known if option.replace("-", "\\-") not in page]
        assert not missing, (name, missing)
    if shutil.which("man"):
        file = tmp_path / "man1" / "plantwin-detect.1"
        shown = subprocess.run(["man", "-l", str(file)], capture_output=True, text=True, check=True)
        assert "--confidence WORD" in shown.stdout and not shown.stderr
    (tmp_path / "file").touch()
    assert cli("help", "--man", tmp_path / "file").code == 2


def test_a_full_disk_and_a_wrong_folder_are_told(cli: Cli, tree: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "plantwin", "objects", str(tree), "--json"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 1 and "cannot write the result: No space left on device" in ran.stderr
    assert "no such file or folder: 'nowhere'" in cli("scan", "nowhere").err


def test_reports(cli: Cli, tree: Path) -> None:
    assert "no report of this folder" in cli("report", tree).err
    assert cli("do", "secret_scan", "--root", tree, "-q").code == 0
    assert cli("report", tree).out.startswith("# PlanTwin report")
    (row,) = cli("report", "--list", "--json").json["reports"]
    assert row["root"] == str(tree) and row["findings"] == len(cli("report", "--root", tree, "--json").json["findings"])
    assert cli("report", "--list").out.startswith("1 report, newest first.")


def test_graph_formats(cli: Cli, tree: Path, tmp_path: Path) -> None:
    starts = {"a.svg": b"<svg", "a.html": b"<!doctype html>", "a.png": b"\x89PNG"}
    for name, start in starts.items():
        assert cli("graph", tree, "--out", tmp_path / name).code == 0
        assert (tmp_path / name).read_bytes().startswith(start)
    ran = cli("graph", tree, "--out", tmp_path / "a.gif")
    assert ran.code == 2 and "ends in .svg, .png or .html" in ran.err and not (tmp_path / "a.gif").exists()
    page = (tmp_path / "a.html").read_text()
    assert "default-src 'none'" in page and not re.findall(r'(?:src|href)="(?!#)', page)


@pytest.mark.parametrize(
    "command",
    ["objects {}", "vocabulary", "capabilities", "rules", "help", "detect {} --json", "do secret_scan {} --json"],
)
def test_head_is_no_error(command: str, tree: Path) -> None:
    line = f"{sys.executable} -m plantwin {command.format(tree)} 2>err | head -n 1; echo ${{PIPESTATUS[0]}}; cat err"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True, cwd=tree.parent)
    first, code, *errors = ran.stdout.splitlines()
    assert first and code in ("0", "141")
    assert not any("Traceback" in error or "BrokenPipe" in error for error in errors)


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("columns", ["60", "120"])
@pytest.mark.parametrize("command", ["objects", "capabilities", "budget", "doctor"])
def test_lists_on_a_terminal(command: str, columns: str, colour: bool, terminal: Terminal, tree: Path) -> None:
    options = [] if colour else ["--no-color"]
    root = [tree] if command in ("objects", "budget") else []
    code, shown = terminal(command, *root, *options, COLUMNS=columns)
    assert code == 0
    if not colour:
        assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", shown)


def test_long_lists_go_through_the_pager(terminal: Terminal, tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho PAGED\nhead -n 2\n")
    pager.chmod(0o755)
    for command in ("vocabulary", "capabilities", "rules", "help"):
        code, shown = terminal(command, PAGER=str(pager))
        assert code == 0 and shown.count("PAGED") == 1 and len(shown.splitlines()) < 8, command


@pytest.mark.parametrize("arguments", [["run", "Find secrets"], ["do", "secret_scan"], ["scan"], ["detect"]])
def test_ctrl_c_at_any_moment_is_told_in_one_line(arguments: list[str], tmp_path: Path) -> None:
    root = tmp_path / "big"
    root.mkdir()
    for number in range(1500):
        (root / f"f{number}.py").write_text(f"key_{number} = {number}\n" * 200)
    for wait in (0.35, 0.9):
        command = [sys.executable, "-m", "plantwin", *arguments, "--root", str(root)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as child:
            time.sleep(wait)
            os.killpg(child.pid, 2)
            try:
                _, error = child.communicate(timeout=60)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, 9)  # what hangs fails this test, and does not hold it up
        assert child.returncode in (130, 0, 1, -2), error
        assert b"Traceback" not in error


def test_ctrl_c_inside_a_callback_of_the_interpreter_is_not_lost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def command(arguments: list[str]) -> int:
        class Freed:
            def __del__(self) -> None:
                raise KeyboardInterrupt

        Freed()
        time.sleep(5)
        return 0

    monkeypatch.setattr(cli_module, "_run", command)
    assert cli_module.main([]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_hooks_name_commands_that_exist(cli: Cli) -> None:
    text = (HERE / ".pre-commit-hooks.yaml").read_text()
    entries = re.findall(r"entry: plantwin (\w+)(.*)", text)
    assert len(entries) == 2
    for name, rest in entries:
        known = parser_of(name)._option_string_actions
        assert all(word in known for word in rest.split() if word.startswith("--"))


def test_nothing_leaves_is_never_followed_by_to_be_sent(cli: Cli, tree: Path) -> None:
    for command in (["run", "Find secrets", "-v"], ["plan", "Find secrets"], ["run", "Find secrets", "--dry-run"]):
        said = cli(*command, "--root", tree).out
        assert "sends nothing" in said and not re.search("to be sent|would be sent", said, re.IGNORECASE)
    assert json.loads(cli("plan", "Find secrets", tree, "--json").out)["saved"]
