"""Engines as a person meets them: named by `doctor`, at work in a step's sandbox, missed where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Cli

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.installed import ENGINES

FILES = {
    "src/cart.js": "export function add(a) {\n  debugger;\n  return a;\n}\n",
    "scripts/clean.sh": '#!/bin/bash\nrm -rf "$1"/*\n',
    "src/app.py": "import os\n\nprint(1)\n",
    "Dockerfile": "FROM ubuntu\nRUN sudo true\n",
    ".github/workflows/ci.yml": "on: pull_request_target\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-24.04\n"
    "    steps:\n      - run: echo ${{ github.event.pull_request.title }}\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project with something to find for every engine."""
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    ("capability", "expected"),
    [
        ("lint", {"no-debugger", "SC2115", "F401", "DL3004"}),
        ("audit_infrastructure", {"DL3004", "DOCKER-ROOT", "GHA-SCRIPT-INJECTION", "dangerous-triggers"}),
    ],
)
def test_engines_work_inside_the_sandbox(cli: Cli, project: Path, capability: str, expected: set[str]) -> None:
    ran = cli("do", capability, "--root", str(project), "--json")
    assert ran.code == 0
    assert {finding["rule"] for finding in ran.json["findings"]} >= expected


def test_without_engines_what_was_not_examined_is_said(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "find", lambda name: None)
    ran = cli("do", "lint", "--root", str(project))
    assert ran.code == 0
    assert "not linted without" in " ".join(ran.out.split())


def test_doctor_names_every_engine_with_its_licence(cli: Cli) -> None:
    rows = {row["name"]: row for row in cli("doctor", "--json").json["checks"] if row["part"] == "engine"}
    assert rows.keys() == {engine.name for engine in ENGINES}
    for engine in ENGINES:
        assert engine.licence in rows[engine.name]["detail"] and engine.adds in rows[engine.name]["cost"]
        assert not rows[engine.name]["required"]
