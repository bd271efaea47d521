"""A planner that only asks: what it gets ends where budgets end."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from plantwin.session import run
from plantwin_evals.configurations import Configuration
from plantwin_evals.greedy import Greedy
from plantwin_evals.reid import GOALS, library
from plantwin_evals.workspace import EvaluationWorkspace


def folder_of(place: Path) -> Path:
    folder = place / "folder"
    for number in range(200):
        (folder / f"part{number % 20}").mkdir(parents=True, exist_ok=True)
        (folder / f"part{number % 20}" / f"code{number}.py").write_text(f"def work_{number}():\n    return {number}\n")
    return folder


def test_it_asks_about_every_object_and_is_told_within_budgets(tmp_path: Path) -> None:
    settings = Configuration("greedy", "offline", "objects").settings()
    with closing(EvaluationWorkspace(folder_of(tmp_path), settings, tmp_path / "state", {})) as room:
        done = run(GOALS[1], room, Greedy())
    words = {step.capability for turn in done.turns for step in turn.plan.steps}
    assert words == {"describe", "split"}
    assert len(done.turns) == settings.limits.max_turns
    assert all(each.spent <= each.threshold for each in done.spending)
    described = [each for each in done.outbound if json.loads(each.data)["message"] == "results"]
    shown = {each["object_id"] for sent in described for each in json.loads(sent.data).get("objects", ())}
    assert 0 < len(shown) < 200


def test_of_sets_it_is_told_within_the_budgets_of_cells(tmp_path: Path) -> None:
    settings = Configuration("greedy", "offline", "twin").settings()
    with closing(EvaluationWorkspace(folder_of(tmp_path), settings, tmp_path / "state", {})) as room:
        done = run(GOALS[1], room, Greedy())
    assert {step.capability for turn in done.turns for step in turn.plan.steps} == {"split"}
    assert done.set_spending and all(each.spent <= each.threshold for each in done.set_spending)
    assert done.spending == []


def test_the_standard_library_is_a_tree_without_packages(tmp_path: Path) -> None:
    tree = library(tmp_path / "tree")
    assert (tree / "json" / "decoder.py").is_file()
    assert not list(tree.glob("*-packages"))
