"""The page about the command line tells the truth: its examples run, its tables are complete."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Cli

from plantwin.private.records import Record, Summary
from plantwin.surfaces.cli import COMMANDS

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = [line[2:] for block in BLOCKS for line in block.splitlines() if line.startswith("$ ")]
SHOP = Path(__file__).parents[2] / "examples" / "shop"


def section(name: str) -> str:
    """The part of the page under one heading."""
    return re.split(r"^## ", PAGE.partition(f"\n## {name}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def test_the_examples_run_in_order(tmp_path: Path) -> None:
    assert len(EXAMPLES) > 15
    shutil.copytree(SHOP, tmp_path / "shop")
    shutil.copytree(SHOP.parent / "plans", tmp_path / "plans")
    for example in EXAMPLES:
        program, *arguments = shlex.split(example, comments=True)
        assert program == "plantwin"
        ran = subprocess.run(
            [sys.executable, "-m", "plantwin", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ran.returncode == ("# exit code 1" in example), (example, ran.stderr)
        assert ran.stdout, example


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str, cli: Cli) -> None:
    text = section(name)
    assert f"$ plantwin {name}" in text
    shared = section("For all commands")
    for option in set(re.findall(r"--[a-z-]+", cli(name, "--help").out)) - {"--help"}:
        assert option in text or f"`{option}" in shared, option


def test_every_member_of_json_is_documented() -> None:
    documented = {*re.findall(r"`(\w+)`", section("scan"))}
    assert set(Summary.__struct_fields__) <= documented
    documented = {*re.findall(r"`(\w+)`", section("objects"))}
    assert set(Record.__struct_fields__) - {"alternatives"} <= documented
