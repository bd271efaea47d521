"""The vague goals: labels that hold together, and how a plan is scored against them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks import vague
from plantwin.vocabulary import CapabilityName

SCAN, LINT, TODOS = "secret_scan", "lint", "list_todos"


def test_labels_hold_together() -> None:
    suite = vague.load()
    assert [*vague.faults(suite)] == []
    halves = [goal.half for goal in suite.goal]
    assert halves.count("open") == halves.count("kept")
    assert {task.folder for goal in suite.goal for task in goal.task} == vague.folders().keys()


def test_faults_are_told() -> None:
    suite = vague.load()
    first = suite.goal[0]
    task = msgspec.structs.replace(first.task[0], folder="nowhere", acceptable=tuple(first.task[0].required))
    goal = msgspec.structs.replace(first, task=(task, task, first.task[2]))
    wrong = " ".join(vague.faults(msgspec.structs.replace(suite, goal=(goal,))))
    assert all(part in wrong for part in ("same answer twice", "no folder nowhere", "both required and acceptable"))


@pytest.mark.parametrize(
    ("plan", "strict", "lenient", "files", "work"),
    [
        ({SCAN: {"a.env"}, LINT: {"b.py"}}, 1, 1, 1, 1),
        ({SCAN: {"a.env"}, LINT: {"b.py"}, TODOS: set()}, 0.8, 1, 1, 1),
        ({SCAN: {"b.py"}, LINT: {"a.env"}}, 1, 1, 1, 0),
        ({SCAN: {"a.env"}}, 2 / 3, 2 / 3, 2 / 3, 2 / 3),
        ({"describe": {"a.env", "b.py"}}, 0, 0, 1, 0),
        ({}, 0, 0, 0, 0),
    ],
)
def test_scores(
    tmp_path: Path, plan: dict[str, set[str]], strict: float, lenient: float, files: float, work: float
) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("a.env", "b.py", "c.md", ".git/hook.py"):
        (tmp_path / name).touch()
    required = {CapabilityName.SECRET_SCAN: ("*.env",), CapabilityName.LINT: ("**/*.py", "gone.py")}
    task = vague.Task(folder="x", reason="", acceptable=(CapabilityName.LIST_TODOS,), required=required)
    scores = vague.scored(plan, task, (), tmp_path)
    assert [scores[name].f1 for name in vague.MEASURES] == pytest.approx([strict, lenient, files, work])


def test_mean_of_f1_is_not_f1_of_means() -> None:
    good, bad = ({name: vague.Figure(*values) for name in vague.MEASURES} for values in ((1, 0.5, 2 / 3), (0, 0, 0)))
    assert vague.mean([good, bad])["work"] == pytest.approx((0.5, 0.25, 1 / 3))
