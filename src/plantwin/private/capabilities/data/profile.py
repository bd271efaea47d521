"""A profile of every table: one row per column, small plots, keys and relations."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from plantwin.private.capabilities.common.report import bucket, code, failed, plain
from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.data.cells import EMPTY, TIME, shown_moment
from plantwin.private.capabilities.data.column import Column, gathered
from plantwin.private.capabilities.data.links import relations
from plantwin.private.capabilities.data.opened import tables_of
from plantwin.private.capabilities.data.personal import Shown, sensitive
from plantwin.private.capabilities.data.plot import bar, histogram, number, percent, spark
from plantwin.private.capabilities.data.table import READ, Table
from plantwin.private.capabilities.job import Job, Result
from plantwin.vocabulary import OutcomeTag, StepStatus

LISTED = 120
"""Columns of one table in the report."""
BINS = 16
QUANTILES = 20
"""Equal shares whose borders the facts tell."""
PAIRS = 12
"""Columns out of which pairs are tried as keys."""
PAIRED_ROWS = 200_000
TITLE = "Profile of data"


class Profiled(NamedTuple):
    """A table with its columns."""

    table: Table
    columns: list[Column]
    shown: Shown

    def __repr__(self) -> str:
        return "<Profiled private>"

    @property
    def rows(self) -> int:
        """How many rows were read."""
        return self.columns[0].rows if self.columns else 0


def profiled(job: Job) -> tuple[list[Profiled], list[str]]:
    """Every table of every input, read once, and what could not be read."""
    detector = detector_of(job)
    found: list[Profiled] = []
    problems: list[str] = []
    for given in job.inputs:
        if given.is_result:
            continue
        opened = tables_of(given)
        if opened.problem:
            problems.append(opened.problem)
        for table in opened.tables:
            columns = gathered(table)
            found.append(Profiled(table, columns, Shown(detector, sensitive(detector, table))))
    return found, problems


def profile(job: Job) -> Result:
    """The profile of a job's inputs."""
    found, problems = profiled(job)
    if not found:
        return failed(TITLE, " ".join(problems) or "There is no data.", [OutcomeTag.UNPARSABLE])
    lines: list[str] = [*(f"{plain(each, 300)}\n" for each in problems)]
    for each in found:
        lines += _section(each)
    links = relations([(each.table, each.columns) for each in found])
    if links:
        lines += ["## Relations", ""]
        lines += [
            f"- {code(f'{link.table.name}.{link.column}')} → {code(f'{link.other.name}.{link.key}')}: "
            + (
                "every value is there."
                if not link.broken
                else f"{link.broken} of {link.distinct} values are not there."
            )
            for link in links
        ]
    truncated = any(each.table.truncated for each in found)
    tags = [OutcomeTag.TRUNCATED] if truncated else []
    tags += [OutcomeTag.UNPARSABLE] if problems else []
    tags += (
        [OutcomeTag.PERSONAL_DATA]
        if any(group == "personal" for each in found for group, _ in each.shown.hidden.values())
        else []
    )
    remarks = sum(bool(_remarks(each, column)) for each in found for column in each.columns)
    tags += [OutcomeTag.MISSING_VALUES] if any(column.empty for each in found for column in each.columns) else []
    tags += [OutcomeTag.MIXED_TYPES] if any(_stray(column) for each in found for column in each.columns) else []
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if truncated or problems else StepStatus.DONE).value,
            "count": str(bucket(remarks)),
            "tags": [tag.value for tag in tags[:4]],
        },
        title=TITLE,
        facts={
            "tool": "profile",
            "examined": [each.label for each in job.inputs],
            "tables": {each.table.label: _facts(each) for each in found},
        },
        text="\n".join(lines).strip() + "\n",
    )


def _section(each: Profiled) -> list[str]:
    table = each.table
    lines = [f"## {plain(table.label)}", "", f"{each.rows} rows, {len(each.columns)} columns; {plain(table.storage)}."]
    if table.truncated:
        lines += ["", f"Not all of it was read: at most {READ >> 20} MiB are."]
    if table.flaws:
        lines += ["", f"{len(table.flaws)} rows or places are flawed: check the data's quality."]
    lines += ["", "| column | type | empty | distinct | values | |", "|---|---|---|---|---|---|"]
    for column in each.columns[:LISTED]:
        about = "approx. " if not column.exact else ""
        lines.append(
            f"| {plain(column.name, 60)} | {_type(each, column)} | {percent(column.empty, column.rows)} "
            f"| {about}{column.distinct} | {_values(each, column)} | {_plot(column)} |"
        )
    if len(each.columns) > LISTED:
        lines += ["", f"{len(each.columns) - LISTED} more columns are not listed."]
    keys = _keys(each)
    lines += (
        ["", f"Key candidates: {', '.join(' + '.join(map(code, key)) for key in keys)}."]
        if keys
        else ["", "No column or pair of columns is known to be a key."]
    )
    remarks = [(column.name, remark) for column in each.columns for remark in _remarks(each, column)]
    if remarks:
        lines += ["", *(f"- {code(name)}: {remark}" for name, remark in remarks[:LISTED])]
    return [*lines, ""]


def _type(each: Profiled, column: Column) -> str:
    declared = each.table.declared.get(column.name, "")
    group = each.shown.hidden.get(column.name)
    words = [column.type + (" (category)" if column.category else "")]
    words += [plain(declared.lower(), 30)] if declared and declared.lower() != column.type else []
    words += [group[1].replace("_", " ")] if group else []
    return ", ".join(words)


def _values(each: Profiled, column: Column) -> str:
    hidden = column.name in each.shown.hidden
    if not column.filled:
        return ""
    if column.numbers and (column.numeric or column.dated) and not hidden:
        borders = column.quantiles(4)
        if column.dated:
            timed = column.type == TIME
            return f"{shown_moment(borders[0], timed)} to {shown_moment(borders[4], timed)}, median {shown_moment(borders[2], timed)}"
        return f"{number(borders[0])} to {number(borders[4])}; quartiles {number(borders[1])}, {number(borders[2])}, {number(borders[3])}"
    frequent = column.top(5 if column.category else 3)
    if column.distinct > 5 and frequent[0][1] == 1:
        frequent = frequent[:2]
    shown = ", ".join(
        f"{code(each.shown.value(column.name, cell), 40)}" + (f" {percent(times, column.filled)}" if times > 1 else "")
        for cell, times in frequent
    )
    lengths = f"; {column.shortest} to {column.longest} characters" if column.longest and not column.category else ""
    return shown + lengths


def _plot(column: Column) -> str:
    if column.numbers and (column.numeric or column.dated) and column.distinct > 2:
        return f"`{spark(histogram(column.numbers, column.least, column.most, BINS))}`"
    if column.category and column.counts:
        return f"`{spark([times for _, times in column.top(BINS)])}`"
    return f"`{bar(column.filled / column.rows, 8)}`" if column.rows and column.empty else ""


def _stray(column: Column) -> str:
    """Values of another type than nearly all."""
    kinds = {kind: times for kind, times in column.kinds.items() if kind != EMPTY}
    families = {_FAMILY.get(kind, kind) for kind in kinds}
    if len(families) < 2 or column.type == EMPTY:
        return ""
    own = _FAMILY.get(column.type, column.type)
    others = {kind: times for kind, times in kinds.items() if _FAMILY.get(kind, kind) != own}
    if own == "text" and sum(others.values()) < 0.2 * column.filled:
        return ""  # texts may look like anything
    return ", ".join(f"{times} {kind}" for kind, times in sorted(others.items(), key=lambda pair: -pair[1]))


_FAMILY = {"integer": "number", "date": "timestamp"}


def _remarks(each: Profiled, column: Column) -> Iterable[str]:
    found = []
    if column.rows and not column.filled:
        found.append("always empty")
    elif column.exact and column.distinct == 1 and column.rows > 2:
        found.append("one value" + ("" if not column.empty else " or empty"))
    stray = _stray(column)
    if stray:
        found.append(f"mixed types: mostly {column.type}, also {stray}")
    if column.notes["leading zero"]:
        found.append("digits with leading zeros: codes, not numbers")
    if column.bad_dates:
        found.append(f"{column.bad_dates} dates that no calendar has")
    if column.broken:
        found.append(f"{column.broken} values with broken characters")
    if column.name in each.shown.hidden:
        group, type_ = each.shown.hidden[column.name]
        found.append(
            f"{'personal data' if group == 'personal' else 'secrets'} ({type_.replace('_', ' ')}): values are masked here"
        )
    return found


def _keys(each: Profiled) -> list[tuple[str, ...]]:
    single: list[tuple[str, ...]] = [
        (column.name,) for column in each.columns if column.unique and column.type not in ("number", "nested")
    ]
    if single or each.rows < 2 or each.rows > PAIRED_ROWS:
        return sorted(single, key=lambda key: not key[0].lower().endswith("id"))[:6]
    places = [
        at
        for at, column in enumerate(each.columns)
        if not column.empty and column.distinct**2 >= each.rows and column.type != "number"
    ]
    places.sort(key=lambda at: -each.columns[at].distinct)
    pairs = list(combinations(places[:PAIRS], 2))[:15]
    seen: list[set[int]] = [set() for _ in pairs]
    rows = 0
    for batch in each.table.batches():
        rows += len(batch.lines)
        for held, (one, two) in zip(seen, pairs, strict=True):
            held.update(map(hash, zip(batch.columns[one], batch.columns[two], strict=True)))
    double: list[tuple[str, ...]] = [
        (each.columns[one].name, each.columns[two].name)
        for held, (one, two) in zip(seen, pairs, strict=True)
        if len(held) == rows
    ]
    return double[:3]


def _facts(each: Profiled) -> dict[str, object]:
    columns: dict[str, object] = {}
    for column in each.columns:
        hidden = column.name in each.shown.hidden
        stated: dict[str, object] = {
            "type": column.type,
            "empty": column.empty,
            "distinct": column.distinct,
            "exact": column.exact,
        }
        if column.numbers and (column.numeric or column.dated) and not hidden:
            stated |= {"quantiles": column.quantiles(QUANTILES), "mean": column.total / max(1, column.filled)}
        elif column.category and not hidden:
            stated["top"] = {each.shown.value(column.name, cell): times for cell, times in column.top(50)}
        if hidden:
            stated["sensitive"] = each.shown.hidden[column.name][1]
        columns[column.name] = stated
    return {"rows": each.rows, "columns": columns}
