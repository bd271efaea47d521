"""Plan every vague goal in its three folders, and score the first plan against the labels. Nothing of a plan runs.

    python -m benchmarks.vague --folders DIR [--planner offline] [--half open] [--json]
    python -m benchmarks.vague --folders DIR --export PROMPTS
    python -m benchmarks.vague --folders DIR --plans PLANS [--prompts PROMPTS]

README.md says how the folders are brought. `--export` writes one prompt per task for a model that cannot be called
from here; its answers are files named TASK.1.json in PLANS, as with `plantwin bench score`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.harness import scratch
from benchmarks.vague import MEASURES, Goal, Scores, Suite, Task, faults, load, mean, scored
from plantwin.errors import PlanTwinError
from plantwin.session import run as session
from plantwin_evals.configurations import Configuration
from plantwin_evals.exchange import Desk, Replaying
from plantwin_evals.modes import LOOKING
from plantwin_evals.planners import Subject, subjects
from plantwin_evals.workspace import EvaluationWorkspace, worked_on


class Planned(NamedTuple):
    """What came of one task."""

    task: str
    capabilities: tuple[str, ...]
    scores: Scores
    error: str


def main() -> None:
    """Plan, score and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vague", description=__doc__)
    parser.add_argument("--folders", type=Path, required=True, help="where the folders are, each under its id")
    parser.add_argument("--planner", default="offline", help="as for `plantwin bench run`")
    parser.add_argument("--half", choices=("open", "kept"), help="only the goals of this half")
    parser.add_argument("--export", type=Path, metavar="PROMPTS", help="write prompts, and score nothing")
    parser.add_argument("--plans", type=Path, help="score the plans in these files")
    parser.add_argument("--prompts", type=Path, help="the prompts that these plans answer")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    suite = load()
    if wrong := [*faults(suite)]:
        sys.exit("\n".join(wrong))
    goals = [goal for goal in suite.goal if options.half in (None, goal.half)]
    missing = {task.folder for goal in goals for task in goal.task if not (options.folders / task.folder).is_dir()}
    if missing:
        sys.exit(
            f"not in {options.folders}: {', '.join(sorted(missing))}; benchmarks/vague/README.md says how to bring them"
        )
    with answering(options) as subject:
        results = {goal.id: [planned(goal, task, suite, options, subject) for task in goal.task] for goal in goals}
    if options.export:
        print(f"{sum(map(len, results.values()))} prompts in {options.export}")
    elif options.json:
        print(json.dumps(document(goals, results), indent=2))
    else:
        table(goals, results)


@contextmanager
def answering(options: argparse.Namespace) -> Iterator[Subject | None]:
    """Make the planner that is asked; None where answers are files."""
    if options.export or options.plans:
        yield None
        return
    with subjects() as named:
        yield named(options.planner)


def planned(goal: Goal, task: Task, suite: Suite, options: argparse.Namespace, subject: Subject | None) -> Planned:
    """Ask for a plan on a state in which nothing has been told yet, and score the steps that are admitted."""
    name, root = f"{goal.id}-{task.folder}", options.folders.resolve() / task.folder
    settings = Configuration("vague", options.planner, "twin").settings()
    with (
        scratch() as place,
        closing(EvaluationWorkspace(root, settings, place / "state", {}, direct=True)) as workspace,
    ):
        if subject is None:
            prompts = options.export or options.prompts or options.plans
            desk = Desk(prompts, options.plans, prompts / ".ids", "twin")
            planner: Any = Replaying(name, desk, workspace.catalog, export=options.export is not None)
            planner.ids = workspace.ids
        else:
            planner = subject.planner(workspace.catalog)
        plan, error = dict[str, set[str]](), ""
        try:
            done = session(goal.goal, workspace, workspace.watched(planner), only_plan=True)
        except PlanTwinError as raised:
            error = str(raised)
        else:
            error = done.error or ("" if done.turns else "no step was planned")
            for priced in (priced for turn in done.turns for priced in turn.admission.steps if priced.refusal is None):
                capability = workspace.catalog[priced.step.capability]
                if capability.name not in LOOKING:
                    records = workspace.executor.resolve(priced.step.inputs)
                    plan.setdefault(capability.name.value, set()).update(worked_on(capability, records, lambda _: True))
        scores = scored(plan, task, suite.acceptable_everywhere, root)
    return Planned(name, tuple(plan), scores, error)


def document(goals: list[Goal], results: dict[str, list[Planned]]) -> dict[str, Any]:
    """Lay out everything for JSON."""
    listed = [one for planned in results.values() for one in planned]
    return {
        "tasks": [
            {"task": one.task, "capabilities": one.capabilities, "error": one.error, **figures(one.scores)}
            for one in listed
        ],
        "goals": {goal.id: figures(mean([one.scores for one in results[goal.id]])) for goal in goals},
        "total": figures(mean([one.scores for one in listed])),
        "alike": alike(results),
    }


def figures(scores: Scores) -> dict[str, dict[str, float]]:
    """Name precision, recall and F1 of each measure."""
    return {
        name: {field: round(value, 3) for field, value in figure._asdict().items()} for name, figure in scores.items()
    }


def alike(results: dict[str, list[Planned]]) -> int:
    """Count the goals that got the same capabilities in all three folders: planned from their words alone."""
    return sum(len({frozenset(one.capabilities) for one in planned}) == 1 for planned in results.values())


def table(goals: list[Goal], results: dict[str, list[Planned]]) -> None:
    """Print a line for each goal, and the total."""
    listed = [one for planned in results.values() for one in planned]
    print(" " * 14 + "".join(f"{name:>12} P     R    F1" for name in MEASURES))
    rows = [(goal.id, mean([one.scores for one in results[goal.id]])) for goal in goals]
    for name, scores in [*rows, (f"all {len(listed)}", mean([one.scores for one in listed]))]:
        print(
            f"{name:16}"
            + "".join(f"{figure.precision:12.2f}{figure.recall:6.2f}{figure.f1:6.2f}" for figure in scores.values())
        )
    print(f"the same capabilities in all three folders: {alike(results)} of {len(goals)} goals")
    for one in listed:
        if one.error:
            print(f"{one.task} counts as 0: {one.error}")


if __name__ == "__main__":
    main()
