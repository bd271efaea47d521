"""Tables: types of columns, planted faults and planted drift, by us, frictionless, ydata-profiling and evidently."""

from __future__ import annotations

import csv
import json
import random
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.capabilities.section import HEADS, Section, judged, peer
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job, Result

TABLES = ("titanic", "penguins", "mpg", "planets", "dowjones", "healthexp", "tips", "geyser", "exercise", "fmri")
"""Of seaborn-data: at most 1,100 rows each."""
SEED = 20
ROWS = "(rows)"
"""Stands for a column where a fault is one of rows."""


class Table(NamedTuple):
    """A table as text."""

    name: str
    heads: list[str]
    rows: list[list[str]]

    def column(self, head: str) -> list[str]:
        """Return the values of a column."""
        return [row[self.heads.index(head)] for row in self.rows]

    def with_column(self, head: str, values: list[str]) -> Table:
        """Return it with other values in one column."""
        at = self.heads.index(head)
        rows = [[*row[:at], value, *row[at + 1 :]] for row, value in zip(self.rows, values, strict=True)]
        return self._replace(rows=rows)

    def numbers(self) -> list[str]:
        """Return the columns that hold numbers alone, with more than ten different ones."""
        return [
            head for head in self.heads if len(set(self.column(head))) > 10 and all(map(_number, self.column(head)))
        ]

    def categories(self) -> list[str]:
        """Return the columns with a few words in them, and nothing missing."""
        found = []
        for head in self.heads:
            values = set(self.column(head))
            if 2 <= len(values) <= 12 and all(re.fullmatch(r"[A-Za-z][A-Za-z ]{3,}", value) for value in values):
                found.append(head)
        return found

    def write(self, file: Path) -> None:
        """Write it as CSV."""
        with file.open("w", encoding="utf-8", newline="") as opened:
            csv.writer(opened).writerows([self.heads, *self.rows])


def _number(value: str) -> bool:
    return re.fullmatch(r"-?\d+(?:\.\d+)?", value) is not None


def tables(folder: Path) -> list[Table]:
    """Read the tables."""
    found = []
    for name in TABLES:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as opened:
            heads, *rows = csv.reader(opened)
        found.append(Table(name, heads, rows))
    return found


def _some(values: list[str], times: int, change: Callable[[str], str]) -> list[str]:
    """Return values, so many of them changed, always the same ones."""
    chosen = set(random.Random(SEED).sample(range(len(values)), times))
    return [change(value) if place in chosen else value for place, value in enumerate(values)]


def _swapped(text: str) -> str:
    return f"{text[:-3]}{text[-2]}{text[-3]}{text[-1]}" if text[-2] != text[-3] else f"{text}{text[-1]}"


FAULTS: dict[str, tuple[str, Callable[[list[str]], list[str]]]] = {
    "5 values missing": ("number", lambda values: _some(values, 5, lambda _: "")),
    "3 words among numbers": ("number", lambda values: _some(values, 3, lambda _: "see note")),
    "1 value a thousandfold": (
        "number",
        lambda values: _some(values, 1, lambda value: f"{float(value or 1) * 1000 + 9e5}"),
    ),
    "5 values -999": ("number", lambda values: _some(values, 5, lambda _: "-999")),
    "4 values in capitals": ("category", lambda values: _some(values, 4, str.swapcase)),
    "4 values with a blank after them": ("category", lambda values: _some(values, 4, lambda value: f"{value} ")),
    "2 values with a typing error": ("category", lambda values: _some(values, 2, _swapped)),
    "4 values of broken encoding": (
        "category",
        lambda values: _some(values, 4, lambda value: f"{value[:2]}Ã©{value[3:]}"),
    ),
}
"""What is done to one column, and of which sort it must be."""
SHIFTS: dict[str, tuple[str, Callable[[list[str]], list[str]]]] = {
    "half a deviation more": ("number", lambda values: _moved(values, 0.5)),
    "twice as much": ("number", lambda values: [f"{2 * float(value):g}" for value in values]),
    "a fifth missing": ("number", lambda values: _some(values, len(values) // 5, lambda _: "")),
    "a third one category": ("category", lambda values: _some(values, len(values) // 3, lambda _: max(set(values)))),
    "a tenth a new category": ("category", lambda values: _some(values, len(values) // 10, lambda _: "unheard of")),
}


def _moved(values: list[str], deviations: float) -> list[str]:
    by = deviations * statistics.stdev(map(float, values))
    return [f"{float(value) + by:.4f}" for value in values]


RENDERED: dict[str, tuple[str, Callable[[int], str]]] = {
    "thousands": ("number", lambda at: f"{1000 + at * 917:,}"),
    "price": ("number", lambda at: f"${at * 3.25 + 1:.2f}"),
    "share": ("number", lambda at: f"{at % 97}%"),
    "decimal_comma": ("number", lambda at: f"{at * 7 % 100},{at % 90 + 10}"),
    "scientific": ("number", lambda at: f"{at * 1.5 + 1:e}"),
    "german_date": ("date", lambda at: f"{at % 28 + 1:02}.{at % 12 + 1:02}.20{at % 20 + 10}"),
    "us_date": ("date", lambda at: f"{at % 12 + 1:02}/{at % 28 + 1:02}/20{at % 20 + 10}"),
    "named_month": ("date", lambda at: f"{at % 28 + 1} {('Jan', 'Feb', 'Mar', 'Apr')[at % 4]} 20{at % 20 + 10}"),
    "moment": ("date", lambda at: f"2024-{at % 12 + 1:02}-{at % 28 + 1:02}T{at % 24:02}:30:00Z"),
    "seconds": ("date", lambda at: f"{1_700_000_000 + at * 3607}"),
    "yes_no": ("boolean", lambda at: "yes" if at % 3 else "no"),
    "y_n": ("boolean", lambda at: "Y" if at % 3 else "N"),
    "true_false": ("boolean", lambda at: "TRUE" if at % 3 else "FALSE"),
    "postcode": ("text", lambda at: f"{at * 37 % 99999:05}"),
    "phone": ("text", lambda at: f"+49 30 {at * 7919 % 9_000_000 + 1_000_000}"),
    "code": ("text", lambda at: f"A{at:04}"),
    "version": ("text", lambda at: f"{at % 9}.{at % 12}.{at % 7}"),
}
"""Columns whose type is known by how they are made."""
SORTS = {
    "integer": "number", "number": "number", "timestamp": "date", "date": "date", "datetime": "date", "year": "date",
    "yearmonth": "date", "boolean": "boolean", "Numeric": "number", "DateTime": "date", "Boolean": "boolean",
}  # fmt: skip
"""Names of types; every other is text."""


def sections(data: Path | None) -> list[Section]:
    """Return what is measured: nothing of faults and drift without the tables."""
    found = [_types()]
    if data is not None and (data / "seaborn-data").is_dir():
        every = tables(data / "seaborn-data")
        found += [_quality(every), _drift(every)]
    return found


def _peer(name: str, folder: str) -> tuple[Any, float]:
    """Return what a peer says of the tables of a folder; none where it is not installed."""
    program = shutil.which(name)
    first = Path(program).read_text("utf-8").partition("\n")[0] if program else ""
    done = (
        peer([first.removeprefix("#!"), str(Path(__file__).with_name("data_peers.py")), name, folder], seconds=900)
        if first
        else None
    )
    answer = done.text.strip().rpartition("\n")[2] if done else ""
    return (json.loads(answer), done.seconds) if done and answer else (None, 0)


def _ours(capability: str, *files: Path) -> Result:
    inputs = tuple(Input(name=file.name, file=str(file)) for file in files)
    return function(capability)(Job(capability=capability, inputs=inputs))


def _types() -> Section:
    heads = list(RENDERED)
    rows = [[make(at) for _, make in RENDERED.values()] for at in range(400)]
    rows_of: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "rendered.csv")
        Table("rendered", heads, rows).write(file)
        begun = time.perf_counter()
        facts: Any = _ours("profile_data", file).facts
        ours = {name: column["type"] for name, column in facts["tables"][file.name]["columns"].items()}
        answers: dict[str, tuple[Any, float]] = {"ours": (ours, time.perf_counter() - begun)}
        for name in ("frictionless", "ydata_profiling"):
            told, seconds = _peer(name, folder)
            answers[name] = (told and told[file.name]["types"], seconds)
    for name, (types, seconds) in answers.items():
        wrong = [head for head, (sort, _) in RENDERED.items() if types and SORTS.get(types.get(head), "text") != sort]
        right = f"{len(RENDERED) - len(wrong)} of {len(RENDERED)}" if types else "not installed, or over two minutes"
        rows_of.append([name, right, ", ".join(wrong) or "—", f"{seconds:.1f} s" if types else "—"])
    text = f"{len(RENDERED)} columns of 400 values, whose type is known by how they are made (`data.py`)."
    return Section("profile_data: types of columns", text, ("named by", "right", "another", "time"), rows_of)


def _planted(every: list[Table], changes: dict[str, Any]) -> Iterator[tuple[str, Table, Table, str]]:
    """Yield every change of one column in every table: a name, the table, what it becomes, the column."""
    for table in every:
        for number, (sort, change) in enumerate(changes.values()):
            heads = table.numbers() if sort == "number" else table.categories()
            if heads:
                head = heads[number % len(heads)]
                yield f"{table.name}_{number}", table, table.with_column(head, change(table.column(head))), head


def _quality(every: list[Table]) -> Section:
    with tempfile.TemporaryDirectory() as folder:
        cases: list[tuple[str, str, str, list[str]]] = []
        for table in every:
            table.write(Path(folder, f"{table.name}.csv"))
            for what, rows in {
                "twice": [*table.rows, *table.rows[3:6]],
                "ragged": [*table.rows[:40], [*table.rows[40], "1"], *table.rows[41:]],
            }.items():
                table._replace(rows=rows).write(Path(folder, f"{table.name}_{what}.csv"))
                cases.append((table.name, f"{table.name}_{what}", ROWS, [ROWS, *table.heads]))
        for name, table, changed, head in _planted(every, FAULTS):
            changed.write(Path(folder, f"{name}.csv"))
            cases.append((table.name, name, head, [ROWS, *table.heads]))
        begun = time.perf_counter()
        ours = {file.name: {"faults": list(_faults(file))} for file in sorted(Path(folder).glob("*.csv"))}
        answers = {"ours": (ours, time.perf_counter() - begun)}
        answers |= {name: _peer(name, folder) for name in ("frictionless", "ydata_profiling")}
    rows_of = []
    labels = [head == planted for _, _, planted, heads in cases for head in heads]
    for name, (told, seconds) in answers.items():
        flags = None
        if told:
            flags = []
            for clean, file, _, heads in cases:
                new = {tuple(fault) for fault in told[f"{file}.csv"]["faults"]}
                new -= {tuple(fault) for fault in told[f"{clean}.csv"]["faults"]}
                flags += [any(head == at for _, at in new) for head in heads]
        rows_of.append(judged(name, labels, flags, seconds))
    text = (
        f"{len(cases)} copies of {len(every)} real tables (seaborn-data), each with one fault of {len(FAULTS) + 2}: in "
        "a column (missing, of another type, far out, in capitals, padded, misspelt, of broken encoding) or in rows "
        "(twice, ragged). A column, or the rows, count as flagged where the copy has a finding that the table has not."
    )
    return Section("check_data_quality: planted faults", text, HEADS, rows_of)


def _faults(file: Path) -> Iterator[tuple[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        heads = next(csv.reader(opened))
    for finding in _ours("check_data_quality", file).findings:
        head = finding.message.partition(":")[0]
        # Each repeated row is a fault of its own: real tables have some already.
        times = re.match(r"\d+", finding.message) if finding.rule == "DATA-DUPLICATE-ROW" else None
        for number in range(int(times[0]) if times else 1):
            yield f"{finding.rule} {number}", head if head in heads else ROWS


def _drift(every: list[Table]) -> Section:
    labels: list[bool] = []
    pairs: list[tuple[str, list[str]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, table, changed, head in _planted([table for table in every if len(table.rows) > 200], SHIFTS):
            half = set(random.Random(name).sample(range(len(table.rows)), len(table.rows) // 2))
            before = [row for at, row in enumerate(table.rows) if at in half]
            table._replace(rows=before).write(Path(folder, f"{name}.before.csv"))
            now = [row for at, row in enumerate(changed.rows) if at not in half]
            table._replace(rows=now).write(Path(folder, f"{name}.now.csv"))
            labels += [each == head for each in table.heads]
            pairs.append((name, table.heads))
        begun = time.perf_counter()
        ours = {name: _drifted(Path(folder), name, heads) for name, heads in pairs}
        answers = {"ours": (ours, time.perf_counter() - begun), "evidently": _peer("evidently", folder)}
    rows_of = [
        judged(name, labels, [head in told[pair] for pair, heads in pairs for head in heads] if told else None, seconds)
        for name, (told, seconds) in answers.items()
    ]
    text = (
        f"{len(pairs)} pairs of random halves of real tables (seaborn-data), one column of the second changed: half a "
        "standard deviation more, doubled, a fifth missing, a third made one category, a tenth a new one. The rest "
        "differs by chance. Ours with any severity, evidently with what its preset chooses."
    )
    return Section("detect_drift: planted drift", text, HEADS, rows_of)


def _drifted(folder: Path, name: str, heads: list[str]) -> set[str]:
    result = _ours("detect_drift", folder / f"{name}.before.csv", folder / f"{name}.now.csv")
    return {head for finding in result.findings for head in heads if finding.message.startswith(f"{head}:")}
