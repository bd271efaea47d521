"""Asking about sets that differ in one file: what answers tell of it together, at the price of a set.

An adaptive planner asks about a set, about parts, complements and narrower sets of it, in one session and over several,
and splits sets until nothing is left. It wins where fewer than k files are told apart and have not paid for it by
themselves, or where a set of fewer than k is told. Control: the others have paid nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.redteam.score import Score
from benchmarks.redteam.target import Colluder, NextSteps, charged, folder, session, settings
from plantwin.types.plan import MAX_STEPS
from plantwin.vocabulary import Dimension

NUMBER = 12
ODD = "code/piece_7.py"
PLAIN = "def piece_{0}(value):\n    return value + {0}\n"
BAD = "import os\n\n\ndef piece_{0}(word):\n    os.system('ls ' + word)\n    return {0}\n"
GOAL = "Tell me more"
CONFIG = "[limits]\nfields_per_hour = 100000\nrefusals_per_hour = 100000\nturns_per_hour = 100000\n"
Steps = Sequence[Mapping[str, Any]]
FIRST = {"id": "a", "capability": "security_audit", "inputs": ["CODE"]}
PLANS: Mapping[str, Sequence[Sequence[Steps]]] = {
    "a part, and the whole": [
        [
            [FIRST],
            [{"capability": "summarize", "inputs": ["a.clean"]}],
            [{"capability": "summarize", "inputs": ["CODE"]}],
        ]
    ],
    "the whole, and a part": [
        [[FIRST, {"capability": "lint", "inputs": ["CODE"]}], [{"capability": "lint", "inputs": ["a.clean"]}]]
    ],
    "over two sessions": [
        [[FIRST], [{"capability": "summarize", "inputs": ["a.clean"]}]],
        [[{"capability": "summarize", "inputs": ["CODE"]}]],
    ],
    "the part itself": [[[FIRST], [{"capability": "summarize", "inputs": ["a.affected"]}]]],
}
"""Sessions of turns of steps. `CODE` is the set of code."""


def files() -> dict[str, str]:
    """Code that is alike, but for one file; and documents."""
    code = {f"code/piece_{n}.py": (BAD if f"_{n}.py" in ODD else PLAIN).format(n) for n in range(NUMBER)}
    return code | {f"notes/note_{n}.md": f"# Note {n}\n\nHow to use piece {n}.\n" for n in range(NUMBER)}


def _playing(turns: Sequence[Steps]) -> NextSteps:
    def next_steps(planner: Colluder) -> Steps:
        if len(planner.asked) >= len(turns):
            return ()
        code = next((id_ for id_, told in planner.sets.items() if told.get("kind") == "code_file"), "set_aaaaaaaa")
        return [
            {**step, "inputs": [code if name == "CODE" else name for name in step["inputs"]]}
            for step in turns[len(planner.asked)]
        ]

    return next_steps


def _splitting(planner: Colluder) -> Steps:
    """Every set along every dimension, as long as there are new ones."""
    asked = {(step["inputs"][0], step["by"]) for steps in planner.asked for step in steps}
    wanted = [(id_, by.value) for id_ in planner.sets for by in Dimension if (id_, by.value) not in asked]
    return [{"capability": "split", "inputs": [id_], "by": by} for id_, by in wanted[:MAX_STEPS]]


def attack(base: Path, short: bool) -> list[Score]:
    """Every plan on a folder of its own; splits; a set that changes every time."""
    made = settings(base, CONFIG)
    won = []
    plans = dict(list(PLANS.items())[1:3]) if short else PLANS
    for number, (name, sessions) in enumerate(plans.items()):
        root, state = folder(base, files(), f"folder{number}"), base / f"state{number}"
        for turns in sessions:
            planner = Colluder(_playing(turns))
            session(root, state, planner, GOAL, made)
            if not all(outcome["status"] in ("done", "partial") for _, outcome in planner.heard):
                raise AssertionError("control: every step was answered")
        if any(charged(root, state, made, path)[2] for path in files() if path != ODD):
            raise AssertionError("control: who is one of many pays nothing alone")
        units, _, _ = charged(root, state, made, ODD)
        if not any(unit.startswith(("summarize.", "lint.")) for unit in units):
            won.append(name)
    return [
        Score("sets that differ in one file", len(plans), len(won), note=", ".join(won)),
        _splits(base),
        _changes(base),
    ]


def _splits(base: Path) -> Score:
    """Splitting until nothing is left."""
    made = settings(base, CONFIG + "max_turns = 8\n")
    root = folder(base, {f"part{n % 3}/{path}": text for n, (path, text) in enumerate(files().items())}, "split")
    planner = Colluder(_splitting)
    session(root, base / "split-state", planner, GOAL, made)
    small = [told for told in planner.sets.values() if told["size"] in ("one", "few")]
    if len(planner.asked) < 2:
        raise AssertionError("control: sets were split")
    return Score("splitting until nothing is left", sum(map(len, planner.asked)), len(small))


def _changes(base: Path) -> Score:
    """The same question about a set of which one file changes every time: news is paid for, until nothing is told."""
    made = settings(base, CONFIG + "[budget.thresholds]\nsets = 1.5\n")
    root, state = folder(base, files(), "changing"), base / "changing-state"
    free, before, refused = 0, 0, False
    for number in range(12):
        (root / ODD).write_text(BAD.format(number + 100))
        planner = Colluder(_playing([[FIRST]]))
        run = session(root, state, planner, GOAL, made)
        if run.error or not run.set_spending:
            refused = True
            break
        spent = max(each.spent for each in run.set_spending)
        heard = [outcome for _, outcome in planner.heard if outcome["status"] not in ("rejected", "escalated")]
        refused = refused or not heard
        free += bool(heard) and spent <= before
        before = spent
    if not refused:
        raise AssertionError("control: the budget of the set ends")
    return Score("one question about a set that changes", 12, free)
