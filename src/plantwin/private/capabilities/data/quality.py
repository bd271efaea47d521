"""The quality of data: every table's columns, rows, keys and references, with the lines of what is wrong."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

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
from plantwin.private.capabilities.data.cells import Cell, understood
from plantwin.private.capabilities.data.issue import Issue
from plantwin.private.capabilities.data.issues import KEY, column_issues
from plantwin.private.capabilities.data.links import relations
from plantwin.private.capabilities.data.plot import bar, percent
from plantwin.private.capabilities.data.profile import Profiled, profiled
from plantwin.private.capabilities.data.wording import agreed
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.vocabulary import OutcomeTag, Severity, member

PLACES = 5
"""Rows that are named for one issue."""
HASHED = 3_000_000
"""Rows among which repeated ones are looked for."""
SHEET_ENDS = frozenset((65_535, 65_536, 1_048_575, 1_048_576))
"""Where spreadsheets stop."""
_PAIRS = (
    ("start", "end"),
    ("begin", "end"),
    ("from", "to"),
    ("created", "updated"),
    ("created", "modified"),
    ("created", "closed"),
    ("opened", "closed"),
    ("ordered", "shipped"),
    ("shipped", "delivered"),
    ("check_in", "check_out"),
    ("checkin", "checkout"),
    ("birth", "death"),
    ("hired", "terminated"),
    ("issued", "expires"),
    ("min", "max"),
    ("placed", "shipped"),
)
TITLE = "Data quality"


def quality(job: Job) -> Result:
    """Check the tables of a job's inputs."""
    tables, problems = profiled(job)
    if not tables:
        return failed(TITLE, " ".join(problems) or "There is no data.", [OutcomeTag.UNPARSABLE])
    found: list[Finding] = []
    links = relations([(each.table, each.columns) for each in tables])
    for each in tables:
        issues = [
            issue
            for column in (each.columns if each.rows > 1 else ())
            for issue in column_issues(
                column,
                each.shown.hidden.get(column.name, ("", ""))[1],
                lambda cell, name=column.name, shown=each.shown: shown.value(name, cell),  # type: ignore[misc]
            )
        ]
        for link in links:
            if link.table is each.table and link.broken and (link.declared or link.broken * 2 < link.distinct):
                values = frozenset(str(cell) for cell in link.missing)
                issues.append(
                    Issue(
                        link.column,
                        OutcomeTag.BROKEN_REFERENCE,
                        Severity.HIGH,
                        f"{link.broken} of {link.distinct} values are not in {link.other.label} ({link.key})",
                        "Rows point to something that is not there.",
                        lambda cell, held=values: str(cell) in held,  # type: ignore[misc]
                    )
                )
        found += _flaws(each)
        found += _rows(each)
        found += located(each, issues)
    listed = ordered(found)[:MOST_FINDINGS]
    truncated = any(each.table.truncated for each in tables)
    state = [OutcomeTag.TRUNCATED.value] if truncated else []
    state += [OutcomeTag.UNPARSABLE.value] if problems else []
    lines = [f"{len(tables)} tables examined: {counted(found)}.", "", *(plain(each, 300) for each in problems)]
    lines += _scores(tables, found)
    lines += ["", findings_text(listed, len(set(found)))]
    return Result(
        outcome=outcome(found, state=state, partial=bool(truncated or problems)),
        title=TITLE,
        findings=listed,
        facts={
            "tool": "data quality rules",
            "examined": [each.label for each in job.inputs],
            "rows": {each.table.label: each.rows for each in tables},
            "sorts": dict(Counter(each.tag for each in found)),
        },
        text="\n".join(lines).strip() + "\n",
    )


def _scores(tables: list[Profiled], found: list[Finding]) -> list[str]:
    lines = ["| table | rows | filled | | findings |", "|---|---|---|---|---|"]
    for each in tables:
        cells = max(1, each.rows * len(each.columns))
        filled = sum(column.filled for column in each.columns)
        mine = [one for one in found if one.name == each.table.label]
        lines.append(
            f"| {code(each.table.label)} | {each.rows} | {percent(filled, cells)} | `{bar(filled / cells, 10)}` | {counted(mine)} |"
        )
    return lines


def _flaws(each: Profiled) -> Iterator[Finding]:
    for flaw in each.table.flaws:
        yield _finding(
            each,
            flaw.line if each.table.lined else 0,
            member(Severity, flaw.severity),
            OutcomeTag.INVALID_VALUES,
            flaw.message,
            flaw.hint,
        )
    if each.rows in SHEET_ENDS:
        yield _finding(
            each,
            0,
            Severity.HIGH,
            OutcomeTag.INVALID_VALUES,
            f"There are exactly {each.rows} rows, where spreadsheets stop",
            "Check that no row was cut off.",
        )
    if each.rows == 0:
        yield _finding(each, 0, Severity.MEDIUM, OutcomeTag.MISSING_VALUES, "The table has no rows")


def _finding(
    each: Profiled, line: int, severity: Severity, tag: OutcomeTag, message: str, hint: str = "", evidence: str = ""
) -> Finding:
    return Finding(
        name=each.table.label,
        line=line,
        severity=severity.value,
        tag=tag.value,
        message=agreed(message),
        hint=hint,
        evidence=evidence,
    )


def located(each: Profiled, issues: list[Issue]) -> Iterator[Finding]:
    """Issues with the rows where they are, from one more reading."""
    places: list[list[tuple[int, Cell]]] = [[] for _ in issues]
    open_ = [
        (at, each.table.columns.index(issue.column), issue.test)
        for at, issue in enumerate(issues)
        if issue.test is not None
    ]
    flaws = list(each.table.flaws)
    for batch in each.table.batches() if open_ else ():
        for at, column, test in open_:
            held = places[at]
            if len(held) >= PLACES:
                continue
            cells = batch.columns[column]
            wanted = {cell for cell in set(cells) if test(cell)}
            if wanted:
                for line, cell in zip(batch.lines, cells, strict=True):
                    if cell in wanted:
                        held.append((line, cell))
                        if len(held) >= PLACES:
                            break
        open_ = [one for one in open_ if len(places[one[0]]) < PLACES]
        if not open_:
            break
    each.table.flaws[:] = flaws
    for issue, held in zip(issues, places, strict=True):
        message = f"{issue.column}: {issue.message}"
        if held:
            word = "lines" if each.table.lined else "rows"
            message += f" ({word} {', '.join(str(line) for line, _ in held)}{' …' if len(held) == PLACES else ''})"
        values = dict.fromkeys(
            each.shown.value(issue.column, cell) for _, cell in held if cell is not None and str(cell).strip()
        )
        yield _finding(
            each,
            held[0][0] if held and each.table.lined else 0,
            issue.severity,
            issue.tag,
            message,
            issue.hint,
            ", ".join(list(values)[:PLACES]),
        )


def _rows(each: Profiled) -> Iterator[Finding]:
    """What concerns several cells of a row: repeated rows and keys, equal columns, dates in the wrong order."""
    table, columns = each.table, each.columns
    keys = _keys(each)
    pairs = _ordered_pairs(each)
    seen: set[int] = set()
    seen_keys: list[set[int]] = [set() for _ in keys]
    repeated: list[int] = []
    repeated_keys: list[list[tuple[int, tuple[Cell, ...]]]] = [[] for _ in keys]
    number = 0
    numbers = [0] * len(keys)
    wrong: list[list[int]] = [[] for _ in pairs]
    digests = [0] * len(columns)
    flaws = list(table.flaws)
    for batch in table.batches():
        for at, cells in enumerate(batch.columns):
            digests[at] = hash((digests[at], tuple(cells)))
        if len(seen) < HASHED and len(columns) > 1:
            for line, digest in zip(batch.lines, map(hash, zip(*batch.columns, strict=True)), strict=True):
                if digest in seen:
                    number += 1
                    if len(repeated) < PLACES:
                        repeated.append(line)
                else:
                    seen.add(digest)
        for at, key in enumerate(keys):
            held, values = seen_keys[at], [batch.columns[place] for place in key]
            for line, cells in zip(batch.lines, zip(*values, strict=True), strict=True):
                if any(cell is None or cell == "" for cell in cells):
                    continue
                digest = hash(cells)
                if digest in held:
                    numbers[at] += 1
                    if len(repeated_keys[at]) < PLACES:
                        repeated_keys[at].append((line, cells))
                elif len(held) < HASHED:
                    held.add(digest)
        for at, (one, two) in enumerate(pairs):
            wrong[at] += _wrong(batch.lines, batch.columns[one], batch.columns[two])
    table.flaws[:] = flaws
    if number:
        yield _finding(
            each,
            repeated[0] if table.lined else 0,
            Severity.MEDIUM,
            OutcomeTag.DUPLICATION,
            f"{number} rows repeat an earlier row in every cell ({_listed(table.lined, repeated, number)})",
            "Remove them, unless a row counts each time.",
        )
    for at, key in enumerate(keys):
        if numbers[at] and numbers[at] != number:
            names = " + ".join(columns[place].name for place in key)
            shown = ", ".join(
                dict.fromkeys(each.shown.value(columns[key[0]].name, cells[0]) for _, cells in repeated_keys[at])
            )
            lines = [line for line, _ in repeated_keys[at]]
            yield _finding(
                each,
                lines[0] if table.lined else 0,
                Severity.HIGH,
                OutcomeTag.DUPLICATION,
                f"{names}: {numbers[at]} rows repeat a key of an earlier row ({_listed(table.lined, lines, numbers[at])})",
                "A key names one row.",
                shown,
            )
    for (one, two), lines in zip(pairs, wrong, strict=True):
        if lines:
            yield _finding(
                each,
                lines[0] if table.lined else 0,
                Severity.MEDIUM,
                OutcomeTag.INVALID_VALUES,
                f"{columns[two].name} lies before {columns[one].name} in {len(lines)} rows ({_listed(table.lined, lines[:PLACES], len(lines))})",
                "",
            )
    yield from _equal(each, digests)


def _listed(lined: bool, lines: list[int], number: int) -> str:
    return f"{'lines' if lined else 'rows'} {', '.join(map(str, lines))}{' …' if number > len(lines) else ''}"


def _keys(each: Profiled) -> list[tuple[int, ...]]:
    """Columns that are declared unique, and those whose name and values say that they are meant to be."""
    place = {column.name: at for at, column in enumerate(each.columns)}
    found = [tuple(place[name] for name in key) for key in each.table.keys if all(name in place for name in key)]
    for at, column in enumerate(each.columns):
        first = at == 0 or re.fullmatch(r"(?:id|uuid|guid|pk|key)", column.name, re.IGNORECASE)
        if (
            first
            and KEY.search(column.name)
            and column.filled > 1
            and column.distinct >= 0.9 * column.filled
            and (at,) not in found
        ):
            found.append((at,))
    return found[:8]


def _ordered_pairs(each: Profiled) -> list[tuple[int, int]]:
    """Columns of which one is never less than the other."""
    place = {column.name.lower(): at for at, column in enumerate(each.columns) if column.dated or column.numeric}
    found = []
    for name, at in place.items():
        for one, two in _PAIRS:
            if one in re.split(r"[^a-z]+", name) or (one in name and "_" in one):
                other = place.get(name.replace(one, two))
                if other is not None and other != at and each.columns[at].dated == each.columns[other].dated:
                    found.append((at, other))
    return found[:8]


def _wrong(lines: object, first: object, second: object) -> list[int]:
    found = []
    for line, one, two in zip(lines, first, second, strict=True):  # type: ignore[call-overload]
        if one and two:
            before, after = understood(one), understood(two)
            if before.kind == after.kind and after.number < before.number and before.kind not in ("text", "empty"):
                found.append(line)
    return found


def _equal(each: Profiled, digests: list[int]) -> Iterator[Finding]:
    seen: dict[int, str] = {}
    for column, digest in zip(each.columns, digests, strict=True):
        if column.rows < 5 or column.distinct < 2:
            continue
        if digest in seen:
            yield _finding(
                each,
                0,
                Severity.LOW,
                OutcomeTag.DUPLICATION,
                f"{column.name}: the same as {seen[digest]} in every row",
                "One of them is enough.",
            )
        seen.setdefault(digest, column.name)
