"""Two snapshots of data: columns, types, missing values and distributions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.check_data_quality.columns import KEY
from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, code, failed, plain
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.profile_data import QUANTILES
from plantwin.private.capabilities.tables.cells import shown_moment
from plantwin.private.capabilities.tables.profiled import Profiled, profiled, state_of
from plantwin.private.capabilities.tables.statistics import (
    agreed,
    below,
    chi_square,
    kolmogorov,
    number,
    percent,
    proportions,
    shares,
    spark,
    stability,
)
from plantwin.private.facts import Private, private
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Drift of data"
RULES = Rules("drift")
SHIFTED, MOVED = 0.25, 0.1
"""Stability index from which a column has shifted, or moved: the usual thresholds."""
CHANCE = 0.01
"""What could happen by chance more often than this is no drift."""
MISSING = 0.05
"""Change of the share of missing values that counts."""
FEW = 30
"""Rows below which distributions are not compared."""
COMPARED = 50_000
"""Numbers of each side that the test looks at."""
HEADS = ["column", "type", "missing", "PSI", "KS", "p", "before", "now", ""]
EXPLAINED = (
    "PSI is the population stability index over ten equal shares of the first snapshot (or over categories): below 0.1 "
    "stable, from 0.1 moved, from 0.25 shifted. KS is the largest distance between the two distributions. p is the "
    "chance of such a difference without drift (Kolmogorov-Smirnov for numbers, chi-square for categories); a column "
    "counts as drifted only where p is below 0.01."
)


@dataclass(repr=False)
class Side(Private):
    """A column in one snapshot."""

    type: str
    rows: int
    empty: int
    quantiles: Sequence[float] = ()
    numbers: Sequence[float] = ()
    top: Mapping[str, int] = field(default_factory=dict)
    hidden: bool = False
    unique: bool = False

    @property
    def dated(self) -> bool:
        """Whether it holds dates."""
        return self.type in ("date", "timestamp")

    @property
    def median(self) -> float:
        """The middle of its numbers."""
        return self.quantiles[len(self.quantiles) // 2]


@private
class Snapshot(NamedTuple):
    """One table."""

    input: Input
    label: str
    rows: int
    columns: dict[str, Side]

    @property
    def name(self) -> str:
        """The table's name in its file."""
        return self.label.rpartition("#")[2]

    @property
    def source(self) -> Source:
        """The snapshot for the result builder."""
        return Source(self.input, self.label, "", b"", "", False, False)


def run(job: Job) -> Result:
    """Compare the first input, the reference, with the second."""
    if len(job.inputs) != 2:
        return failed(TITLE, "Two snapshots are needed.")
    sides: list[list[Snapshot]] = []
    problems: list[str] = []
    profiles: list[Profiled] = []
    for given in job.inputs:
        if given.is_result:
            sides.append(_of_result(given))
            continue
        found, failures = profiled(Job(capability=job.capability, inputs=(given,), options=job.options))
        problems += failures
        profiles += found
        sides.append([_of_table(profile) for profile in found])
    if not sides[0] or not sides[1]:
        return failed(TITLE, " ".join(problems) or "There are no two tables to compare.", [OutcomeTag.UNPARSABLE])
    examined: list[Examined] = []
    text: list[str] = []
    measures: dict[str, object] = {}
    for before, now in _paired(*sides):
        if before is None or now is None:
            rule = "DRIFT-TABLE-GONE" if now is None else "DRIFT-TABLE-NEW"
            only = before or now
            examined += [Examined(only.source, [RULES.found(rule, 0, table=only.name)])] if only is not None else []
            continue
        comparison = _Comparison(before, now)
        examined.append(Examined(now.source, comparison.findings))
        text += [f"## {plain(before.label)} → {plain(now.label)}", ""]
        text += [f"{before.rows} rows before, {now.rows} now.", "", *table(HEADS, comparison.rows, most=1000)]
        measures |= comparison.measures
    result = concluded(
        job,
        TITLE,
        examined,
        tool="PSI, KS, chi-square",
        state=state_of(profiles, problems),
        notes=[EXPLAINED, *(plain(problem, 300) for problem in problems)],
        tables=text,
        facts={"examined": [given.label for given in job.inputs], "columns": measures},
        per_rule=MOST_FINDINGS,
        earnest=False,  # `test.csv` is half of the data
    )
    if result.findings:
        return result
    tags = [tag.value for tag in (*state_of(profiles, problems), OutcomeTag.SIMILAR)]
    return msgspec.structs.replace(result, outcome={**result.outcome, "tags": tags})


def _of_table(profile: Profiled) -> Snapshot:
    columns = {}
    for column in profile.columns:
        side = Side(column.type, column.rows, column.empty, hidden=column.name in profile.shown.hidden)
        side.unique = column.filled > 20 and column.distinct >= 0.95 * column.filled
        if column.numeric or column.dated:
            side.quantiles = column.quantiles(QUANTILES)
            side.numbers = column.numbers[:: max(1, len(column.numbers) // COMPARED)]
        elif column.exact and len(column.counts) <= max(50, column.filled // 4):
            side.top = {str(cell): times for cell, times in column.top(1000)}
        columns[column.name] = side
    return Snapshot(profile.input, profile.table.label, profile.rows, columns)


class _StatedColumn(msgspec.Struct):
    """A column as the facts of a profile state it."""

    type: str
    empty: int = 0
    distinct: int = 0
    quantiles: list[float] = []
    top: dict[str, int] = {}
    sensitive: str = ""


class _StatedTable(msgspec.Struct):
    rows: int
    columns: dict[str, _StatedColumn]


def _of_result(given: Input) -> list[Snapshot]:
    """Return the tables that an earlier profile tells of."""
    facts = (given.result or {}).get("facts")
    tables = facts.get("tables", {}) if isinstance(facts, dict) else {}
    found: list[Snapshot] = []
    for label, stated in msgspec.convert(tables, dict[str, _StatedTable], strict=False).items():
        columns = {}
        for name, column in stated.columns.items():
            filled = stated.rows - column.empty
            unique = filled > 20 and column.distinct >= 0.95 * filled
            hidden = bool(column.sensitive)
            columns[name] = Side(
                column.type, stated.rows, column.empty, column.quantiles, (), column.top, hidden, unique
            )
        found.append(Snapshot(given, label, stated.rows, columns))
    return found


def _paired(first: list[Snapshot], second: list[Snapshot]) -> Iterator[tuple[Snapshot | None, Snapshot | None]]:
    if len(first) == len(second) == 1:
        yield first[0], second[0]
        return
    others = {snapshot.name: snapshot for snapshot in second}
    for before in first:
        yield before, others.pop(before.name, None)
    for now in others.values():
        yield None, now


@dataclass
class _Row:
    """One line of the table."""

    psi: str = ""
    ks: str = ""
    p: str = ""
    before: str = ""
    now: str = ""
    word: str = ""


class _Shift(NamedTuple):
    """A distribution over the same ranges, or values, before and now."""

    what: str
    expected: list[float]
    actual: list[float]
    chance: float

    @property
    def psi(self) -> float:
        """The population stability index."""
        return stability(self.expected, self.actual)

    @property
    def plots(self) -> str:
        """Both as small plots."""
        return f"`{spark(self.expected[:12])}` → `{spark(self.actual[:12])}`"


class _Comparison:
    """What differs between two snapshots of a table."""

    def __init__(self, before: Snapshot, now: Snapshot) -> None:
        self.findings: list[Finding] = []
        self.rows: list[list[str]] = []
        self.measures: dict[str, object] = {}
        rows = before.rows, now.rows
        if rows[0] and (rows[1] < 0.5 * rows[0] or rows[1] > 3 * rows[0]) and max(rows) >= FEW:
            severity = Severity.MEDIUM if rows[1] < rows[0] else Severity.LOW
            self._found("DRIFT-ROW-COUNT", severity, rows=rows[1], before=rows[0])
        self._schema(before.columns, now.columns)
        for name, old in before.columns.items():
            if name in now.columns:
                self._column(name, old, now.columns[name])

    def _found(self, rule: str, severity: Severity | None = None, evidence: str = "", **values: object) -> None:
        finding = RULES.found(rule, 0, severity=severity, **values)
        self.findings.append(msgspec.structs.replace(finding, message=agreed(finding.message), evidence=evidence))

    def _schema(self, before: dict[str, Side], now: dict[str, Side]) -> None:
        renamed = {name.lower(): name for name in now}
        for name, old in before.items():
            if name not in now:
                again = renamed.get(name.lower())
                self._found("DRIFT-COLUMN-GONE", column=name, renamed=f"; it may be {again} now" if again else "")
                continue
            types = old.type, now[name].type
            if types[0] != types[1] and "empty" not in types and not (old.dated and now[name].dated):
                self._found("DRIFT-COLUMN-TYPE", column=name, before=types[0], now=types[1])
        for name in now:
            if name not in before:
                self._found("DRIFT-COLUMN-NEW", column=name)
        if [name for name in before if name in now] != [name for name in now if name in before]:
            self._found("DRIFT-COLUMN-ORDER")

    def _column(self, name: str, before: Side, now: Side) -> None:
        row = _Row()
        old, new = before.empty / max(1, before.rows), now.empty / max(1, now.rows)
        empty = percent(before.empty, before.rows), percent(now.empty, now.rows)
        if abs(old - new) >= MISSING and proportions(before.empty, before.rows, now.empty, now.rows) < CHANCE:
            severity = Severity.MEDIUM if new > old else Severity.LOW
            self._found("DRIFT-MISSING", severity, column=name, now=empty[1], before=empty[0])
            row.word = "missing values"
        facts: dict[str, object] = {}
        key = before.unique and now.unique and not before.numbers and not before.quantiles
        same = bool(before.quantiles and now.quantiles) and before.type == now.type
        if KEY.search(name) or key:
            row.word = row.word or "key"
        elif same or {before.type, now.type} == {"integer", "number"}:
            facts = self._numbers(name, before, now, row)
        elif before.top and now.top:
            facts = self._categories(name, before, now, row)
        self.measures[name] = {"missing": [before.empty, now.empty], **facts}
        missing = f"{empty[0]} → {empty[1]}"
        cells = [row.psi, row.ks, row.p, row.before, row.now, row.word]
        self.rows.append([code(name, 60), now.type, missing, *cells])

    def _numbers(self, name: str, before: Side, now: Side, row: _Row) -> dict[str, object]:
        step = max(1, (len(before.quantiles) - 1) // 10)
        borders = sorted(set(before.quantiles[step:-1:step]))
        if before.numbers and now.numbers:
            expected, actual = shares(before.numbers, borders), shares(now.numbers, borders)
            distance, chance = kolmogorov(before.numbers, now.numbers)
        else:
            old, new = ([below(side.quantiles, border) for border in borders] for side in (before, now))
            expected, actual = _differences(old), _differences(new)
            distance = max((abs(mine - other) for mine, other in zip(old, new, strict=True)), default=0.0)
            # The critical value of Kolmogorov and Smirnov at one percent.
            likely = distance <= 1.63 * (1 / max(1, before.rows) + 1 / max(1, now.rows)) ** 0.5
            chance = 1.0 if likely else 0.0
        shift = _Shift("distribution has", expected, actual, chance)
        row.psi, row.ks, row.p = f"{shift.psi:.2f}", f"{distance:.2f}", _chance(chance)
        medians = ""
        if not before.hidden:
            row.before, row.now = _range(before), _range(now)
            medians = f"; median {number(before.median)} → {number(now.median)}"
        if before.dated:
            row.word = row.word or "dates move on"
        else:
            self._judge(name, shift, _enough(before, now), row, medians)
        return {"psi": round(shift.psi, 4), "ks": round(distance, 4), "p": float(f"{chance:.3g}")}

    def _categories(self, name: str, before: Side, now: Side, row: _Row) -> dict[str, object]:
        totals = max(1, sum(before.top.values())), max(1, sum(now.top.values()))
        counts = {key: before.top.get(key, 0) + now.top.get(key, 0) for key in {**before.top, **now.top}}
        frequent = sorted(counts, key=lambda key: -counts[key])[:50]
        expected = [before.top.get(key, 0) / totals[0] for key in frequent]
        actual = [now.top.get(key, 0) / totals[1] for key in frequent]
        _, chance = chi_square(before.top, now.top)
        shift = _Shift("shares of its values have", expected, actual, chance)
        new = [key for key in now.top if key not in before.top]
        gone = [key for key in before.top if key not in now.top]
        row.psi, row.p = f"{shift.psi:.2f}", _chance(chance)
        row.before, row.now = f"{len(before.top)} values", f"{len(now.top)} values"
        if _enough(before, now):
            self._values("DRIFT-VALUES-NEW", name, new, now.top, totals[1], before.hidden)
            self._values("DRIFT-VALUES-GONE", name, gone, before.top, totals[0], before.hidden)
        self._judge(name, shift, _enough(before, now), row)
        return {"psi": round(shift.psi, 4), "p": float(f"{chance:.3g}"), "new": len(new), "gone": len(gone)}

    def _values(self, rule: str, name: str, keys: list[str], top: Mapping[str, int], total: int, hidden: bool) -> None:
        rows = sum(top[key] for key in keys)
        least = 0.001 if rule == "DRIFT-VALUES-NEW" else 0.01
        if keys and rows / total >= least:
            new = rule == "DRIFT-VALUES-NEW" and rows / total >= 0.01
            listed = "" if hidden else ", ".join(keys[:5])
            severity = Severity.MEDIUM if new else Severity.LOW
            self._found(rule, severity, listed, column=name, count=len(keys), share=percent(rows, total))

    def _judge(self, name: str, shift: _Shift, enough: bool, row: _Row, more: str = "") -> None:
        """Report a shift that is large enough and no chance."""
        if not enough:
            row.word = row.word or "too few"
        elif shift.psi < MOVED or shift.chance >= CHANCE:
            row.word = row.word or f"stable {shift.plots}"
        else:
            shifted = shift.psi >= SHIFTED
            severity = Severity.MEDIUM if shifted and not _CALENDAR.search(name) else Severity.LOW
            word = "shifted" if shifted else "moved"
            measures = f"PSI {row.psi}, KS {row.ks}, p {row.p}" if row.ks else f"PSI {row.psi}, p {row.p}"
            values = {"column": name, "what": shift.what, "word": word, "measures": measures + more}
            self._found("DRIFT-DISTRIBUTION", severity, **values)
            row.word = f"**{word}** {shift.plots}"


_CALENDAR = re.compile(r"(?:^|[_ ])(?:year|quarter|month|week|day|season|date)s?$", re.IGNORECASE)
"""Columns that move on with time, in every later snapshot."""


def _enough(before: Side, now: Side) -> bool:
    return min(before.rows - before.empty, now.rows - now.empty) >= FEW


def _differences(marks: Sequence[float]) -> list[float]:
    return [max(0.0, two - one) for one, two in zip([0.0, *marks], [*marks, 1.0], strict=True)]


def _range(side: Side) -> str:
    low, high = side.quantiles[0], side.quantiles[-1]
    if side.dated:
        return f"{shown_moment(low, False)} to {shown_moment(high, False)}"
    return f"{number(low)} / {number(side.median)} / {number(high)}"


def _chance(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.2g}"
