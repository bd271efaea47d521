"""The README's examples are what the program really says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"```\n\$ plantwin ([^\n]*)\n(.*?)```", README, re.DOTALL)


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANTWIN_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(ROOT)


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "plantwin", *arguments], capture_output=True, text=True, check=True)


def steady(text):
    """The part of an output that is the same in every run."""
    text = re.sub(r"artifact_\w{8}", "artifact_", text)
    text = re.sub(r"\d+(\.\d+)? (s|ms|kB|MB|bytes)\b", "N", text)
    text = re.sub(r"^(Folder|Report) +.*$", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r" {2,}", "  ", text)
    return [line.rstrip() for line in text.strip().splitlines()]


def test_the_readme_has_examples():
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize(("command", "shown"), [each for each in EXAMPLES if "twin" not in each[0]])
def test_an_example_shows_the_real_output(command, shown):
    done = run(*shlex.split(command))
    assert steady(done.stdout) == steady(shown)


def test_the_twin_shown_is_of_the_right_form():
    shown = next(shown for command, shown in EXAMPLES if command.startswith("twin"))
    real = run("twin", "examples/shop").stdout
    listed = set(re.findall(r'\{[^{}]*"set_id":"set_\w{8}"[^{}]*\}', shown))
    assert len(listed) >= 3
    assert all(re.sub(r"set_\w{8}", "", each) in re.sub(r"set_\w{8}", "", real) for each in listed)


def test_the_library_example_runs():
    [code] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "authentication_module" in done.stdout


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_two_commands_exist_and_can_run():
    for name in ("demo", "test", "setup"):
        assert (ROOT / "scripts" / name).stat().st_mode & 0o111
