"""What a run would take before it is started: requests, tokens and, at the person's own prices, money."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from plantwin.config.planners import Price
from plantwin_evals.attempts import Attempt
from plantwin_evals.configurations import Configuration
from plantwin_evals.metrics import mean
from plantwin_evals.planners import RULES, Files
from plantwin_evals.running import known
from plantwin_evals.suite import domain as domain_of
from plantwin_evals.tables import SESSIONS, Table
from plantwin_evals.task_folder import TaskFolder

LETTERS: Final = 3.5
"""Characters of a token, on the safe side for code and JSON."""
INSTRUCTIONS: Final = 24_000
"""Characters of the instructions, the catalog and the envelopes of a turn."""
TURNS: Final = 3
"""Requests of a task: plans, results, and now and then a repair."""
ANSWER: Final = 700
"""Tokens of an answer; models that reason aloud write many times that."""


def estimate_table(
    configurations: Sequence[Configuration],
    names: Sequence[str],
    most: int | None,
    attempts: Sequence[Attempt],
    prices: Mapping[str, Price],
) -> Table:
    """One line for each configuration, without what these attempts have; their tokens are measured, others guessed."""
    done = known(attempts)
    sizes = _sizes(names) if any(each.mode not in (*SESSIONS, "goal-only") for each in configurations) else {}
    rows: list[tuple[Any, ...]] = []
    for each in configurations:
        left = [
            name
            for name in names
            for task in domain_of(name).some(most)
            if (each.study, each.name, task.id) not in done
        ]
        counted = [one.tokens for one in attempts if one.configuration == each.name and any(one.tokens)]
        turns = 0 if each.planner in (*RULES, "local") else 1 if each.mode == "goal-only" else TURNS
        if counted:
            read, written = (round(mean(map(float, side)) * len(left)) for side in zip(*counted, strict=True))
        else:
            files = 0 if each.mode in (*SESSIONS, "goal-only") else sum(sizes[name] for name in left)
            read = int(turns * (len(left) * INSTRUCTIONS + files) / LETTERS)
            written = turns * ANSWER * len(left)
        price = prices.get(each.planner) or prices.get(each.planner.partition(":")[2])
        # A model of this machine costs nobody anything.
        free = not turns or each.mode == "local"
        cost = 0.0 if free else (read * price.input + written * price.output) / 1e6 if price else None
        rows.append(
            (each.name, len(left), turns * len(left), read, written, "measured" if counted else "guessed", cost)
        )
    unpriced = [row[0] for row in rows if row[-1] is None and row[1]]
    note = f"{sum(row[2] for row in rows)} requests, {sum(row[3] + row[4] for row in rows) / 1e6:.1f} million tokens"
    note += f"; at your prices {sum(row[-1] or 0.0 for row in rows):.2f}"
    note += f" without {len(unpriced)} configurations that have none in [planner.prices]" if unpriced else ""
    note += ". Reasoning costs more than is guessed; what a first task of each takes is measured."
    columns = ("configuration", "tasks left", "requests", "tokens in", "tokens out", "tokens", "cost")
    return Table("estimate", "What this run takes", columns, rows, note)


def _sizes(names: Sequence[str]) -> dict[str, int]:
    """Characters of all files of a domain with their history."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="plantwin-bench-") as place:
        for name in names:
            folder = TaskFolder(domain_of(name), Path(place) / name)
            found[name] = len(Files("", folder.history, folder.texts, dict).text())
    return found
