"""Runs with their measures, out of JSON, tables, logs and earlier results."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from plantwin.private.capabilities.common.settings import leaves
from plantwin.private.capabilities.data.cells import Cell, understood
from plantwin.private.capabilities.data.opened import tables_of
from plantwin.private.capabilities.data.table import Table
from plantwin.private.capabilities.job import Input
from plantwin.private.capabilities.metrics.direction import normal

ROWS = 200_000
MOST_RUNS = 200
MOST_MEASURES = 2000
_NAMES = (
    "run",
    "run_name",
    "run_id",
    "model",
    "model_name",
    "name",
    "experiment",
    "system",
    "variant",
    "benchmark",
    "algorithm",
    "method",
    "fullname",
)
_STEPS = ("epoch", "step", "global_step", "iteration", "iter", "round", "batch")
_REPEATS = ("seed", "fold", "repeat", "repetition", "trial", "split")
_PAIR = re.compile(
    r"([A-Za-z][\w@/.\-]{0,60})\s{0,3}[:=]\s{0,3}([-+]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:[eE][-+]?\d{1,3})?)\s?(%|ms|s|us)?(?![\w:/-])"
)
_STEP = re.compile(r"\b(?:epoch|step|iter(?:ation)?)\b", re.IGNORECASE)


@dataclass
class Run:
    """One run: each measure with its values, repeated or over time."""

    name: str
    source: str
    measures: dict[str, list[float]] = field(default_factory=dict)
    series: bool = False
    """Values follow each other in time: the last counts, the best is told."""

    def __repr__(self) -> str:
        return "<Run private>"

    def add(self, name: str, value: float) -> None:
        """Take one more value."""
        if isfinite(value) and (name in self.measures or len(self.measures) < MOST_MEASURES):
            self.measures.setdefault(name, []).append(value)


def runs_of(given: Input) -> tuple[list[Run], str]:
    """The runs of one input, or why there are none."""
    if given.is_result:
        run = Run(f"step {given.name}", given.label)
        for path, value in leaves((given.result or {}).get("facts")):
            number = understood(value)
            if number.kind in ("integer", "number"):
                run.add(path, number.number)
        return ([run], "") if run.measures else ([], f"Step {given.name} has no numbers.")
    opened = tables_of(given)
    found: list[Run] = []
    lined = (
        not opened.tables
        or all(len(table.columns) < 2 or not _numeric(table) for table in opened.tables)
        or given.name.lower().endswith((".log", ".out", ".txt"))
    )
    if lined:
        try:
            found = _logged(given)
        except OSError:
            return [], f"{given.label} cannot be read."
    if not found:
        for table in opened.tables:
            found += _tabled(table, given.label, len(opened.tables) > 1)
    found = [each for each in found if each.measures][:MOST_RUNS]
    return found, "" if found else opened.problem or f"{given.label} holds no measures."


def _numeric(table: Table) -> bool:
    first = next(table.batches(), None)
    return first is not None and any(
        understood(cell).kind in ("integer", "number") for column in first.columns for cell in column[:5]
    )


def _tabled(table: Table, label: str, several: bool) -> list[Run]:
    """Rows are runs by name, values over time, repetitions, or pairs of a metric and its value."""
    low = {normal(name).rpartition(".")[2]: at for at, name in reversed(list(enumerate(table.columns)))}
    named = next((low[each] for each in _NAMES if each in low and "." not in table.columns[low[each]]), None)
    metric = next((low[each] for each in ("metric", "metric_name", "measure") if each in low), None)
    value = next((low[each] for each in ("value", "score", "result") if each in low), None)
    series = any(each in low for each in _STEPS)
    base = table.label if several else label
    runs: dict[str, Run] = {}
    for row in _rows(table):
        key = str(row[named]) if named is not None and row[named] not in (None, "") else ""
        if key not in runs and len(runs) >= MOST_RUNS:
            continue
        run = runs.setdefault(key, Run(key or base, label, {}, series))
        if metric is not None and value is not None:
            number = understood(row[value])
            if number.kind in ("integer", "number"):
                run.add(str(row[metric])[:100], number.number)
            continue
        for at, name in enumerate(table.columns):
            number = understood(row[at])
            if number.kind in ("integer", "number") and at != named:
                run.add(name, number.number)
    # Every row its own name: one run whose measures are told by that name, as benchmark tools write them.
    if (
        named is not None
        and len(runs) > 1
        and normal(table.columns[named]) in ("name", "fullname", "benchmark")
        and "benchmark" in table.label.lower()
    ):
        joined = Run(base, label)
        for key, each in runs.items():
            for name, values in each.measures.items():
                for one in values:
                    joined.add(f"{key}.{name}", one)
        return [joined]
    return list(runs.values())


def _rows(table: Table) -> Iterator[tuple[Cell, ...]]:
    number = 0
    for batch in table.batches():
        for row in zip(*batch.columns, strict=True):
            number += 1
            if number > ROWS:
                return
            yield row


def _logged(given: Input) -> list[Run]:
    """Pairs of a name and a number in the lines of a log."""
    text = given.text(8 << 20)
    run = Run(given.label, given.label)
    steps = 0
    for line in text.split("\n")[:ROWS]:
        pairs = _PAIR.findall(line[:2000])
        steps += bool(_STEP.search(line[:2000]) and pairs)
        for name, value, unit in pairs:
            if name.lower() not in ("http", "https", "line", "port", "pid"):
                run.add(f"{name.rstrip('.')}_{unit}" if unit in ("ms", "us", "s") else name.rstrip("."), float(value))
    run.series = steps > 1
    return [run] if run.measures else []


def grouped(runs: list[Run]) -> Mapping[str, list[Run]]:
    """Runs by the input that they are from."""
    found: dict[str, list[Run]] = defaultdict(list)
    for each in runs:
        found[each.source].append(each)
    return found
