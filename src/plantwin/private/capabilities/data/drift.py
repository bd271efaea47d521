"""Two snapshots of data: columns, types, missing values and distributions."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    code,
    counted,
    failed,
    findings_text,
    ordered,
    outcome,
    plain,
)
from plantwin.private.capabilities.data.cells import shown_moment
from plantwin.private.capabilities.data.issues import KEY
from plantwin.private.capabilities.data.plot import number, percent, shares, spark
from plantwin.private.capabilities.data.profile import QUANTILES, Profiled, profiled
from plantwin.private.capabilities.data.statistics import below, chi_square, kolmogorov, proportions, stability
from plantwin.private.capabilities.data.wording import agreed
from plantwin.private.capabilities.job import Finding, Input, Job, Result
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Drift of data"
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
EXPLAINED = (
    "PSI is the population stability index over ten equal shares of the first snapshot (or over categories): below 0.1 "
    "stable, from 0.1 moved, from 0.25 shifted. KS is the largest distance between the two distributions. p is the "
    "chance of such a difference without drift (Kolmogorov-Smirnov for numbers, chi-square for categories); a column "
    "counts as drifted only where p is below 0.01."
)


@dataclass
class Side:
    """A column in one snapshot."""

    type: str
    rows: int
    empty: int
    quantiles: Sequence[float] = ()
    numbers: Sequence[float] = ()
    top: Mapping[str, int] = field(default_factory=dict)
    hidden: bool = False
    unique: bool = False

    def __repr__(self) -> str:
        return "<Side private>"


Snapshot = tuple[str, int, dict[str, Side]]
"""Label, rows and columns."""


def drift(job: Job) -> Result:
    """Compare the first input, the reference, with the second."""
    if len(job.inputs) != 2:
        return failed(TITLE, "Two snapshots are needed.")
    sides: list[list[Snapshot]] = []
    problems: list[str] = []
    truncated = False
    for given in job.inputs:
        if given.is_result:
            sides.append(_of_result(given))
            continue
        tables, issues = profiled(Job(capability=job.capability, inputs=(given,), options=job.options))
        problems += issues
        truncated |= any(each.table.truncated for each in tables)
        sides.append([_of_table(each) for each in tables])
    if not sides[0] or not sides[1]:
        return failed(TITLE, " ".join(problems) or "There are no two tables to compare.", [OutcomeTag.UNPARSABLE])
    found: list[Finding] = []
    lines: list[str] = []
    measures: dict[str, object] = {}
    for one, two in _paired(sides[0], sides[1], found):
        lines += _compared(one, two, found, measures)
    listed = ordered(found)[:MOST_FINDINGS]
    state = [OutcomeTag.TRUNCATED.value] if truncated else []
    state += [OutcomeTag.UNPARSABLE.value] if problems else []
    told = outcome(found, state=state, partial=bool(state))
    if not found:
        told["tags"] = [*state, OutcomeTag.SIMILAR.value]
    verdict = counted(found) if found else "no drift"
    text = [f"{verdict.capitalize()}.", "", *lines, EXPLAINED, "", findings_text(listed, len(set(found)))]
    return Result(
        outcome=told,
        title=TITLE,
        findings=listed,
        facts={"tool": "PSI, KS, chi-square", "examined": [each.label for each in job.inputs], "columns": measures},
        text="\n".join(text).strip() + "\n",
    )


def _of_table(each: Profiled) -> Snapshot:
    columns = {}
    for column in each.columns:
        measured = column.numeric or column.dated
        columns[column.name] = Side(
            column.type, column.rows, column.empty,
            column.quantiles(QUANTILES) if measured else (),
            column.numbers[:: max(1, len(column.numbers) // COMPARED)] if measured else (),
            {str(cell): times for cell, times in column.top(1000)} if not measured and column.exact and len(column.counts) <= max(50, column.filled // 4) else {},
            column.name in each.shown.hidden,
            column.filled > 20 and column.distinct >= 0.95 * column.filled,
        )  # fmt: skip
    return each.table.label, each.rows, columns


def _of_result(given: Input) -> list[Snapshot]:
    """The tables that an earlier profile tells."""
    facts = (given.result or {}).get("facts")
    tables = facts.get("tables") if isinstance(facts, dict) else None
    found: list[Snapshot] = []
    for label, table in tables.items() if isinstance(tables, dict) else ():
        rows, columns = int(table["rows"]), table["columns"]
        found.append((str(label), rows, {str(name): _stated(each, rows) for name, each in columns.items()}))
    return found


def _stated(each: Mapping[str, object], rows: int) -> Side:
    top = each.get("top")
    quantiles = each.get("quantiles")
    empty, distinct = each.get("empty"), each.get("distinct")
    filled = rows - (empty if isinstance(empty, int) else 0)
    return Side(
        str(each.get("type")), rows, rows - filled,
        [float(value) for value in quantiles] if isinstance(quantiles, list) else (), (),
        {str(key): int(value) for key, value in top.items()} if isinstance(top, dict) else {},
        "sensitive" in each, filled > 20 and isinstance(distinct, int) and distinct >= 0.95 * filled,
    )  # fmt: skip


def _paired(first: list[Snapshot], second: list[Snapshot], found: list[Finding]) -> Iterator[tuple[Snapshot, Snapshot]]:
    if len(first) == len(second) == 1:
        yield first[0], second[0]
        return
    other = {label.rpartition("#")[2]: (label, rows, columns) for label, rows, columns in second}
    for one in first:
        name = one[0].rpartition("#")[2]
        if name in other:
            yield one, other.pop(name)
        else:
            found.append(_finding(one[0], Severity.HIGH, OutcomeTag.SCHEMA_CHANGED, f"The table {name} is gone"))
    for label, _, _ in other.values():
        found.append(
            _finding(label, Severity.LOW, OutcomeTag.SCHEMA_CHANGED, f"The table {label.rpartition('#')[2]} is new")
        )


def _finding(
    name: str, severity: Severity, tag: OutcomeTag, message: str, hint: str = "", evidence: str = ""
) -> Finding:
    return Finding(
        name=name, severity=severity.value, tag=tag.value, message=agreed(message), hint=hint, evidence=evidence
    )


def _compared(one: Snapshot, two: Snapshot, found: list[Finding], measures: dict[str, object]) -> list[str]:
    label, rows, columns = two
    lines = [f"## {plain(one[0])} → {plain(label)}", "", f"{one[1]} rows before, {rows} now.", ""]
    if one[1] and (rows < 0.5 * one[1] or rows > 3 * one[1]) and max(rows, one[1]) >= FEW:
        severity = Severity.MEDIUM if rows < one[1] else Severity.LOW
        found.append(
            _finding(
                label,
                severity,
                OutcomeTag.DIFFERENT,
                f"{rows} rows now, {one[1]} before",
                "Check that the load is whole.",
            )
        )
    found += _schema(one, two)
    lines += ["| column | type | missing | PSI | KS | p | before | now | |", "|---|---|---|---|---|---|---|---|---|"]
    for name, before in one[2].items():
        now = columns.get(name)
        if now is None:
            continue
        missing = f"{percent(before.empty, before.rows)} → {percent(now.empty, now.rows)}"
        row = _column(label, name, before, now, found)
        measures[name] = {"missing": [before.empty, now.empty], **row.facts}
        lines.append(
            f"| {code(name, 60)} | {now.type} | {missing} | {row.psi} | {row.ks} | {row.p} | {row.before} | {row.now} | {row.word} |"
        )
    return [*lines, ""]


def _schema(one: Snapshot, two: Snapshot) -> Iterator[Finding]:
    label = two[0]
    renamed = {name.lower(): name for name in two[2]}
    for name, before in one[2].items():
        now = two[2].get(name)
        if now is None:
            again = renamed.get(name.lower())
            hint = f"It may be {again} now." if again else "What reads it will fail."
            yield _finding(label, Severity.HIGH, OutcomeTag.SCHEMA_CHANGED, f"The column {name} is gone", hint)
        elif (
            before.type != now.type
            and "empty" not in (before.type, now.type)
            and {before.type, now.type} != {"date", "timestamp"}
        ):
            widened = (before.type, now.type) == ("integer", "number")
            yield _finding(
                label,
                Severity.MEDIUM if widened else Severity.HIGH,
                OutcomeTag.SCHEMA_CHANGED,
                f"{name}: {before.type} before, {now.type} now",
                "What reads it may fail or lose values.",
            )
    for name in two[2]:
        if name not in one[2]:
            yield _finding(label, Severity.LOW, OutcomeTag.SCHEMA_CHANGED, f"The column {name} is new")
    shared = [name for name in one[2] if name in two[2]]
    if shared != [name for name in two[2] if name in one[2]]:
        yield _finding(
            label,
            Severity.LOW,
            OutcomeTag.SCHEMA_CHANGED,
            "Columns are in another order",
            "What reads them by position will mix them up.",
        )


@dataclass
class _Row:
    """One line of the table."""

    psi: str = ""
    ks: str = ""
    p: str = ""
    before: str = ""
    now: str = ""
    word: str = ""
    facts: dict[str, object] = field(default_factory=dict)


def _column(label: str, name: str, before: Side, now: Side, found: list[Finding]) -> _Row:
    row = _Row()
    share = before.empty / max(1, before.rows), now.empty / max(1, now.rows)
    if abs(share[0] - share[1]) >= MISSING and proportions(before.empty, before.rows, now.empty, now.rows) < CHANCE:
        grown = share[1] > share[0]
        severity = Severity.HIGH if grown and share[1] - share[0] >= 0.3 else Severity.MEDIUM if grown else Severity.LOW
        found.append(
            _finding(
                label,
                severity,
                OutcomeTag.MISSING_VALUES,
                f"{name}: {percent(now.empty, now.rows)} missing now, {percent(before.empty, before.rows)} before",
                "Check what fills it.",
            )
        )
        row.word = "missing values"
    if KEY.search(name) or (before.unique and now.unique and not before.numbers and not before.quantiles):
        row.word = row.word or "key"
        return row
    enough = min(before.rows - before.empty, now.rows - now.empty) >= FEW
    if (before.quantiles and now.quantiles and before.type == now.type) or {before.type, now.type} == {
        "integer",
        "number",
    }:
        _numbers(label, name, before, now, enough, found, row)
    elif before.top and now.top:
        _categories(label, name, before, now, enough, found, row)
    return row


def _numbers(label: str, name: str, before: Side, now: Side, enough: bool, found: list[Finding], row: _Row) -> None:
    step = max(1, (len(before.quantiles) - 1) // 10)
    borders = sorted(set(before.quantiles[step:-1:step]))
    if before.numbers and now.numbers:
        expected, actual = shares(before.numbers, borders), shares(now.numbers, borders)
        distance, chance = kolmogorov(before.numbers, now.numbers)
    else:
        marks = [below(before.quantiles, each) for each in borders], [below(now.quantiles, each) for each in borders]
        expected, actual = (_differences(each) for each in marks)
        distance = max((abs(one - two) for one, two in zip(*marks, strict=True)), default=0.0)
        chance = 0.0 if distance > 1.63 * (1 / max(1, before.rows) + 1 / max(1, now.rows)) ** 0.5 else 1.0
    index = stability(expected, actual)
    dated = before.type in ("date", "timestamp")
    if not before.hidden:
        row.before, row.now = (_range(each, dated) for each in (before, now))
    row.facts = {"psi": round(index, 4), "ks": round(distance, 4), "p": float(f"{chance:.3g}")}
    row.psi, row.ks, row.p = f"{index:.2f}", f"{distance:.2f}", _chance(chance)
    if dated:
        row.word = row.word or "dates move on"
        return
    if not enough:
        row.word = row.word or "too few"
        return
    plots = f"`{spark(expected)}` → `{spark(actual)}`"
    if index >= MOVED and chance < CHANCE:
        severity = Severity.HIGH if index >= 2 * SHIFTED else Severity.MEDIUM if index >= SHIFTED else Severity.LOW
        middle = len(before.quantiles) // 2, len(now.quantiles) // 2
        medians = (
            ""
            if before.hidden
            else f"; median {number(before.quantiles[middle[0]])} → {number(now.quantiles[middle[1]])}"
        )
        word = "shifted" if index >= SHIFTED else "moved"
        found.append(
            _finding(
                label,
                severity,
                OutcomeTag.DISTRIBUTION_SHIFT,
                f"{name}: the distribution has {word} (PSI {index:.2f}, KS {distance:.2f}, p {_chance(chance)}{medians})",
                "Find the cause before models or reports use it.",
            )
        )
        row.word = f"**{word}** {plots}"
    else:
        row.word = row.word or f"stable {plots}"


def _differences(marks: Sequence[float]) -> list[float]:
    return [max(0.0, two - one) for one, two in zip([0.0, *marks], [*marks, 1.0], strict=True)]


def _range(side: Side, dated: bool) -> str:
    low, middle, high = side.quantiles[0], side.quantiles[len(side.quantiles) // 2], side.quantiles[-1]
    if dated:
        return f"{shown_moment(low, False)} to {shown_moment(high, False)}"
    return f"{number(low)} / {number(middle)} / {number(high)}"


def _chance(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.2g}"


def _categories(label: str, name: str, before: Side, now: Side, enough: bool, found: list[Finding], row: _Row) -> None:
    total = sum(before.top.values()), sum(now.top.values())
    frequent = sorted({**before.top, **now.top}, key=lambda key: -(before.top.get(key, 0) + now.top.get(key, 0)))[:50]
    expected = [before.top.get(key, 0) / max(1, total[0]) for key in frequent]
    actual = [now.top.get(key, 0) / max(1, total[1]) for key in frequent]
    index = stability(expected, actual)
    _, chance = chi_square(before.top, now.top)
    new = [key for key in now.top if key not in before.top]
    gone = [key for key in before.top if key not in now.top]
    row.facts = {"psi": round(index, 4), "p": float(f"{chance:.3g}"), "new": len(new), "gone": len(gone)}
    row.psi, row.p = f"{index:.2f}", _chance(chance)
    row.before, row.now = f"{len(before.top)} values", f"{len(now.top)} values"
    if not enough:
        row.word = row.word or "too few"
        return
    listed = "" if before.hidden else ", ".join(new[:5])
    share = sum(now.top[key] for key in new) / max(1, total[1])
    if new and share >= 0.001:
        found.append(
            _finding(
                label,
                Severity.MEDIUM if share >= 0.01 else Severity.LOW,
                OutcomeTag.DISTRIBUTION_SHIFT,
                f"{name}: {len(new)} values are new ({percent(sum(now.top[key] for key in new), total[1])} of the rows)",
                "Models and mappings do not know them.",
                listed,
            )
        )
    lost = sum(before.top[key] for key in gone) / max(1, total[0])
    if gone and lost >= 0.01 and now.rows >= FEW:
        found.append(
            _finding(
                label,
                Severity.LOW,
                OutcomeTag.DISTRIBUTION_SHIFT,
                f"{name}: {len(gone)} values are gone ({percent(sum(before.top[key] for key in gone), total[0])} of the rows before)",
                "",
                "" if before.hidden else ", ".join(gone[:5]),
            )
        )
    plots = f"`{spark(expected[:12])}` → `{spark(actual[:12])}`"
    if index >= MOVED and chance < CHANCE:
        severity = Severity.HIGH if index >= 2 * SHIFTED else Severity.MEDIUM if index >= SHIFTED else Severity.LOW
        word = "shifted" if index >= SHIFTED else "moved"
        found.append(
            _finding(
                label,
                severity,
                OutcomeTag.DISTRIBUTION_SHIFT,
                f"{name}: the shares of its values have {word} (PSI {index:.2f}, p {_chance(chance)})",
                "Find the cause before models or reports use it.",
            )
        )
        row.word = f"**{word}** {plots}"
    else:
        row.word = row.word or f"stable {plots}"
