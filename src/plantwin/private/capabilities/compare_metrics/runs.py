"""Runs with their measures, out of JSON, tables, logs and earlier results, and which way each measure is better."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from math import isfinite
from statistics import mean

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.tables.cells import Cell, understood
from plantwin.private.capabilities.tables.reader import tables_of
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.facts import Private
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.settings import leaves

ROWS = 200_000
LONGEST_LOG = 8 << 20
MOST_RUNS = 200
MOST_MEASURES = 2000
_PAIR = re.compile(
    r"([A-Za-z][\w@/.\-]{0,60})\s{0,3}[:=]\s{0,3}"
    r"([-+]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:[eE][-+]?\d{1,3})?)\s?(%|ms|s|us)?(?![\w:/-])"
)
_STEP = re.compile(r"\b(?:epoch|step|iter(?:ation)?)\b", re.IGNORECASE)
_LOCK = re.compile(r"\.lock$|(?:^|[-_./])lock(?:file)?\.(?:json|ya?ml|toml)$", re.IGNORECASE)
_NO_MEASURES = ("http", "https", "line", "port", "pid")
_TIMED = re.compile(r"stats\.(?:mean|min|max|median|q1|q3|total)$")
"""Times, as benchmark tools write them."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOWHERE = (-1, 0)
_BENCHMARK = ("name", "fullname", "benchmark")


@cache
def _words(key: str) -> list[str]:
    return list(beside(__file__, "measures.toml")[key])


@cache
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile("|".join(_words(key)))


@cache
def _setting() -> re.Pattern[str]:
    return re.compile(rf"(?:^|_|\.)(?:{'|'.join(_words('setting'))})$")


def normal(name: str) -> str:
    """Return a name in lower case with underscores."""
    return re.sub(r"[\s\-/:]+", "_", _CAMEL.sub("_", name)).lower()


def is_setting(name: str) -> bool:
    """Tell whether a number says how something was run rather than how well."""
    return _setting().search("_" + normal(name).replace(".", "_")) is not None


def _last(pattern: re.Pattern[str], text: str) -> tuple[int, int]:
    """Return where the last match ends, and how early it starts."""
    found = _NOWHERE
    for match in pattern.finditer(text):
        found = match.end(), -match.start()
    return found


def direction(name: str) -> int:
    """Return 1 where more is better, -1 where less is, 0 where the name does not tell."""
    name = normal(name)
    if _TIMED.search(name):
        return -1
    for part in (name.rpartition(".")[2], name.replace(".", "_")):
        ends = [_last(_pattern(key), part) for key in ("lower", "higher")]
        if ends != [_NOWHERE, _NOWHERE]:
            return -1 if ends[0] > ends[1] else 1
    return 0


@dataclass(repr=False)
class Run(Private):
    """One run: each measure with its values, repeated or over time."""

    name: str
    source: str
    measures: dict[str, list[float]] = field(default_factory=dict)
    series: bool = False
    """Values follow each other in time: the last counts, the best is told."""

    def add(self, name: str, cell: object) -> None:
        """Take one more value, if it is a number."""
        value = understood(cell if isinstance(cell, (str, int, float)) else None)
        if value.kind not in ("integer", "number") or not isfinite(value.number):
            return
        if name in self.measures or len(self.measures) < MOST_MEASURES:
            self.measures.setdefault(name, []).append(value.number)

    def value(self, name: str) -> float:
        """Return the value that counts: the last over time, else the mean."""
        values = self.measures[name]
        return values[-1] if self.series else mean(values)

    @property
    def results(self) -> list[str]:
        """The names of what was measured, without settings."""
        return [name for name in self.measures if not is_setting(name)]


def runs_of(given: Input) -> tuple[list[Run], str]:
    """Return the runs of one input, or why there are none."""
    if given.is_result:
        run = Run(f"step {given.name}", given.label)
        for path, value in leaves((given.result or {}).get("facts")):
            run.add(path, value)
        return ([run], "") if run.measures else ([], f"Step {given.name} has no numbers.")
    if _LOCK.search(given.name):
        return [], f"{given.label} is a lock file: its sizes are no measures."
    tables, problem = tables_of(given)
    found: list[Run] = []
    logged = given.name.lower().endswith((".log", ".out", ".txt"))
    if logged or not any(len(table.columns) > 1 and _has_numbers(table) for table in tables):
        try:
            found = [_logged(given)]
        except OSError:
            return [], f"{given.label} cannot be read."
    if not any(run.measures for run in found):
        found = [run for table in tables for run in _tabled(table, given.label, len(tables) > 1)]
    found = [run for run in found if run.measures][:MOST_RUNS]
    return found, "" if found else problem or f"{given.label} holds no measures."


def _has_numbers(table: Table) -> bool:
    first = next(table.batches(), None)
    cells = chain.from_iterable(column[:5] for column in first.columns) if first is not None else ()
    return any(understood(cell).kind in ("integer", "number") for cell in cells)


def _tabled(table: Table, label: str, several: bool) -> list[Run]:
    """Return the runs of a table, whose rows are runs, values over time, repetitions, or metrics with their values."""
    places = {normal(name).rpartition(".")[2]: at for at, name in reversed(list(enumerate(table.columns)))}

    def place(key: str) -> int | None:
        return next((places[word] for word in _words(key) if word in places), None)

    names = [places[word] for word in _words("run") if word in places]
    named = next((at for at in names if "." not in table.columns[at]), None)
    metric, value, series = place("metric"), place("value"), place("step") is not None
    base = table.label if several else label
    runs: dict[str, Run] = {}
    for row in islice(_rows(table), ROWS):
        key = str(row[named]) if named is not None and row[named] not in (None, "") else ""
        if key not in runs and len(runs) >= MOST_RUNS:
            continue
        run = runs.setdefault(key, Run(key or base, label, series=series))
        if metric is not None and value is not None:
            run.add(str(row[metric])[:100], row[value])
            continue
        for at, name in enumerate(table.columns):
            if at != named:
                run.add(name, row[at])
    column = normal(table.columns[named]) if named is not None else ""
    if len(runs) < 2 or column not in _BENCHMARK or "benchmark" not in table.label.lower():
        return list(runs.values())
    # Every row its own name: one run whose measures are told by that name, as benchmark tools write them.
    joined = Run(base, label)
    for key, run in runs.items():
        joined.measures |= {f"{key}.{name}": values for name, values in run.measures.items()}
    return [joined]


def _rows(table: Table) -> Iterator[tuple[Cell, ...]]:
    for batch in table.batches():
        yield from zip(*batch.columns, strict=True)


def _logged(given: Input) -> Run:
    """Return the pairs of a name and a number in the lines of a log."""
    run = Run(given.label, given.label)
    steps = 0
    for line in given.text(LONGEST_LOG).split("\n")[:ROWS]:
        pairs = _PAIR.findall(line[:2000])
        steps += bool(pairs and _STEP.search(line[:2000]))
        for name, value, unit in pairs:
            if name.lower() not in _NO_MEASURES:
                name = name.rstrip(".")
                run.add(f"{name}_{unit}" if unit in ("ms", "us", "s") else name, float(value))
    run.series = steps > 1
    return run
