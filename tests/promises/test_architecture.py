"""The architecture page tells the truth: its picture is the import graph, and every module that it names exists."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "plantwin"
PAGES = (ROOT / "docs" / "architecture.md", ROOT / "CONTRIBUTING.md")


def script() -> ModuleType:
    """Load `scripts/architecture`, which has no ending."""
    loader = importlib.machinery.SourceFileLoader("architecture", str(ROOT / "scripts" / "architecture"))
    spec = importlib.util.spec_from_loader("architecture", loader)
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    loader.exec_module(made)
    return made


def test_the_picture_is_the_import_graph() -> None:
    made = script()
    assert made.page() == made.PAGE.read_text("utf-8"), "run: scripts/architecture --write"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_that_the_page_names_exists(page: Path) -> None:
    named = set(re.findall(r"`((?:src/plantwin/)?[a-z_]+(?:/[a-z_]+)*(?:\.py|/))`", page.read_text("utf-8")))
    elsewhere = ("node_modules", "plantwin_evals", "tests", "src")
    named = {name.removeprefix("src/plantwin/") for name in named}
    named = {name for name in named if name.split("/")[0] not in elsewhere}
    missing = [name for name in named if not any((place / name).exists() for place in (SOURCE, SOURCE / "boundary"))]
    assert len(named) > 5
    assert missing == []


def test_no_module_is_longer_than_400_lines() -> None:
    lengths = {str(file.relative_to(SOURCE)): file.read_bytes().count(b"\n") for file in SOURCE.rglob("*.py")}
    assert len(lengths) > 300
    assert {name: length for name, length in lengths.items() if length > 400} == {}


LOADED = """
import sys
from plantwin.surfaces.cli import main
code = main(sys.argv[1:])
sys.stderr.write("\\n".join(name for name in sys.modules if name.partition(".")[0] == "plantwin"))
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("command", "most"),
    [(("scan",), 76), (("run", "Is anything in here unsafe?", "--yes"), 210)],
    ids=("scan", "run"),
)
def test_a_first_command_loads_few_modules(command: tuple[str, ...], most: int, tmp_path: Path) -> None:
    private = {name: str(tmp_path) for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    words = [sys.executable, "-c", LOADED, *command, "--root", str(ROOT / "examples" / "shop")]
    done = subprocess.run(words, env={**os.environ, **private}, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    loaded = [line for line in done.stderr.splitlines() if re.fullmatch(r"plantwin[\w.]*", line)]
    assert "plantwin.private.scan" in loaded
    assert len(loaded) <= most, "load what a usual session does not need where it is needed"
    late = (
        "cloud.remote",
        "cloud.transport",
        "private.extensions.registry",
        "private.report.sarif",
        "surfaces.cli.chat",
    )
    assert {f"plantwin.{name}" for name in late}.isdisjoint(loaded)
