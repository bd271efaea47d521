"""What a run would take before it is started: requests, tokens and, at the person's own prices, money."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from plantwin.config.planners import Price
from plantwin_evals.configurations import Configuration
from plantwin_evals.planners import RULES, Files
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
    known: Collection[tuple[str, str, str]],
    prices: Mapping[str, Price],
) -> Table:
    """One line for each configuration, with what the folder of results already has left out."""
    sizes = _sizes(names) if any(each.mode not in (*SESSIONS, "goal-only") for each in configurations) else {}
    rows: list[tuple[Any, ...]] = []
    total = 0.0
    for each in configurations:
        left = [
            name
            for name in names
            for task in domain_of(name).tasks[:most]
            if (each.study, each.name, task.id) not in known
        ]
        free = each.planner in (*RULES, "local")
        files = 0 if each.mode in (*SESSIONS, "goal-only") else sum(sizes[name] for name in left)
        turns = 1 if each.mode == "goal-only" else TURNS
        read = 0 if free else int(turns * (len(left) * INSTRUCTIONS + files) / LETTERS)
        written = 0 if free else turns * ANSWER * len(left)
        price = prices.get(each.planner) or prices.get(each.planner.partition(":")[2])
        cost = 0.0 if free else (read * price.input + written * price.output) / 1e6 if price else None
        total += cost or 0.0
        rows.append((each.name, len(left), 0 if free else turns * len(left), read, written, cost))
    note = f"Sum of what has a price: {total:.2f}. Prices are those of [planner.prices]; reasoning costs more."
    columns = ("configuration", "tasks left", "requests", "tokens in", "tokens out", "cost")
    return Table("estimate", "What this run takes", columns, rows, note)


def _sizes(names: Sequence[str]) -> dict[str, int]:
    """Characters of all files of a domain with their history."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="plantwin-bench-") as place:
        for name in names:
            folder = TaskFolder(domain_of(name), Path(place) / name)
            found[name] = len(Files("", folder.history, folder.texts, dict).text())
    return found
