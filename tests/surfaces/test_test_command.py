"""The test command ends with 0 when every part passed, and with 1 when any one failed."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "test"
PROGRAMS = ("ruff", "mypy", "lint-imports", "python")


def run_with(folder: Path, failing: str | None) -> int:
    scripts, programs = folder / "scripts", folder / ".venv" / "bin"
    scripts.mkdir()
    programs.mkdir(parents=True)
    shutil.copy(SCRIPT, scripts / "test")
    for path in (scripts / "setup", *(programs / name for name in PROGRAMS)):
        path.write_text(f"#!/bin/sh\nexit {int(path.name == failing)}\n")
        path.chmod(0o755)
    return subprocess.run([scripts / "test"], capture_output=True, timeout=60).returncode


@pytest.mark.parametrize("failing", [None, *PROGRAMS, "setup"])
def test_the_test_command_fails_exactly_when_a_part_fails(tmp_path: Path, failing: str | None) -> None:
    assert run_with(tmp_path, failing) == int(failing is not None)
