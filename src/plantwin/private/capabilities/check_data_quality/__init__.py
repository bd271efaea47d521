"""The quality of data: every table's columns, rows, keys and references, with the lines of what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from plantwin.private.capabilities.check_data_quality.columns import KEY, check_column, expectations
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, code, counted, failed, plain
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.tables.cells import Cell, understood
from plantwin.private.capabilities.tables.profiled import (
    PLACES,
    Issue,
    Profiled,
    Relation,
    located,
    profiled,
    relations,
    state_of,
)
from plantwin.private.capabilities.tables.statistics import agreed, bar, percent
from plantwin.private.capabilities.tables.table import RULES
from plantwin.vocabulary import OutcomeTag

TITLE = "Data quality"
HASHED = 3_000_000
"""Rows among which repeated ones are looked for."""
MOST_KEYS = 8
SHEET_ENDS = (65_535, 65_536, 1_048_575, 1_048_576)
"""Rows at which spreadsheets stop."""
_IDENTIFIER = re.compile(r"(?:id|uuid|guid|pk|key)", re.IGNORECASE)


def run(job: Job) -> Result:
    """Check the tables of a job's inputs."""
    profiles, problems = profiled(job)
    if not profiles:
        return failed(TITLE, " ".join(problems) or "There is no data.", [OutcomeTag.UNPARSABLE])
    links = relations(profiles)
    examined = [Examined(profile.source, list(_findings(profile, links))) for profile in profiles]
    rows = [_row(profile, findings) for profile, (_, findings, _hidden) in zip(profiles, examined, strict=True)]
    return concluded(
        job,
        TITLE,
        examined,
        tool="data quality rules",
        state=state_of(profiles, problems),
        notes=[plain(problem, 300) for problem in problems],
        tables=table(["table", "rows", "filled", "", "findings"], rows),
        facts={
            "examined": [given.label for given in job.inputs],
            "rows": {profile.table.label: profile.rows for profile in profiles},
        },
        per_rule=MOST_FINDINGS,
    )


def _row(profile: Profiled, findings: Sequence[Finding]) -> list[str]:
    cells = max(1, profile.rows * len(profile.columns))
    filled = sum(column.filled for column in profile.columns)
    share = f"`{bar(filled / cells, 10)}`"
    return [code(profile.table.label), str(profile.rows), percent(filled, cells), share, counted(findings)]


def _findings(profile: Profiled, links: list[Relation]) -> Iterator[Finding]:
    yield from profile.table.flaws
    if profile.rows in SHEET_ENDS:
        problem = f"There are exactly {profile.rows} rows, at which spreadsheets stop"
        yield RULES.found("DATA-CUT-OFF", 0, problem=problem)
    # A dump may be of the structure alone.
    if profile.rows == 0 and profile.columns and profile.table.storage != "SQL dump":
        yield RULES.found("DATA-NO-ROWS", 0)
    yield from _Rows(profile).findings()
    issues: list[Issue] = []
    if profile.rows > 1:
        for column in profile.columns:
            sort = profile.shown.hidden.get(column.name, ("", ""))[1]
            issues += check_column(column, sort, _shown(profile, column.name))
    for link in links:
        broken = len(link.missing)
        if link.table is profile.table and broken and (link.declared or broken * 2 < link.distinct):
            other, distinct = link.other.label, link.distinct
            found = RULES.found("DATA-BROKEN-REFERENCE", 0, count=broken, distinct=distinct, table=other, key=link.key)
            issues.append(Issue(link.column, found, _among(frozenset(map(str, link.missing)))))
    yield from located(profile, issues)


def _shown(profile: Profiled, column: str) -> Callable[[Cell], str]:
    return lambda cell: profile.shown.value(column, cell)


def _among(values: frozenset[str]) -> Callable[[Cell], bool]:
    return lambda cell: str(cell) in values


class _Repeats:
    """Rows that repeat an earlier one."""

    def __init__(self) -> None:
        self.count = 0
        self.lines: list[int] = []
        self.values: list[tuple[Cell, ...]] = []
        self._seen: set[int] = set()

    def add(self, lines: Iterable[int], values: Iterable[tuple[Cell, ...]]) -> None:
        """Take more rows."""
        seen = self._seen
        for line, value in zip(lines, values, strict=True):
            digest = hash(value)
            if digest not in seen:
                if len(seen) < HASHED:
                    seen.add(digest)
                continue
            self.count += 1
            if self.count <= PLACES:
                self.lines.append(line)
                self.values.append(value)


class _Rows:
    """Checks over several cells of a row: repeated rows and keys, equal columns, dates in the wrong order."""

    def __init__(self, profile: Profiled) -> None:
        self.profile = profile
        self.columns = profile.columns
        self.rows = _Repeats()
        self.keys = {key: _Repeats() for key in self._keys()}
        self.wrong: dict[tuple[int, int], list[int]] = {pair: [] for pair in self._pairs()}
        self.digests = [0] * len(self.columns)

    def _keys(self) -> list[tuple[int, ...]]:
        """Return columns that are declared unique, and those whose name and values say that they are meant to be."""
        place = {column.name: at for at, column in enumerate(self.columns)}
        declared = [key for key in self.profile.table.keys if all(name in place for name in key)]
        found = [tuple(place[name] for name in key) for key in declared]
        for at, column in enumerate(self.columns):
            named = KEY.search(column.name) and (at == 0 or _IDENTIFIER.fullmatch(column.name))
            if column.name == "pk" and "model" in place:
                continue  # a fixture of Django holds rows of several tables
            if named and column.filled > 1 and column.distinct >= 0.9 * column.filled:
                found.append((at,))
        return list(dict.fromkeys(found))[:MOST_KEYS]

    def _pairs(self) -> list[tuple[int, int]]:
        """Return columns of which the second is never less than the first."""
        columns = self.columns
        place = {column.name.lower(): at for at, column in enumerate(columns) if column.dated or column.numeric}
        found = []
        for name, at in place.items():
            words = re.split(r"[^a-z]+", name)
            for first, second in expectations()["ordered"]["pairs"]:
                other = place.get(name.replace(first, second), at)
                named = first in words or ("_" in first and first in name)
                if named and other != at and columns[at].dated == columns[other].dated:
                    found.append((at, other))
        return found[:MOST_KEYS]

    def findings(self) -> Iterator[Finding]:
        """Read the table once more and yield what is wrong with its rows."""
        for batch in self.profile.table.again():
            for at, cells in enumerate(batch.columns):
                self.digests[at] = hash((self.digests[at], tuple(cells)))
            if len(self.columns) > 1:
                self.rows.add(batch.lines, zip(*batch.columns, strict=True))
            for key, repeats in self.keys.items():
                values = zip(*(batch.columns[place] for place in key), strict=True)
                rows = zip(batch.lines, values, strict=True)
                filled = [(line, cells) for line, cells in rows if None not in cells and "" not in cells]
                repeats.add([line for line, _ in filled], [cells for _, cells in filled])
            for (first, second), lines in self.wrong.items():
                pairs = zip(batch.lines, batch.columns[first], batch.columns[second], strict=True)
                lines += [line for line, before, after in pairs if before and after and _is_less(after, before)]
        yield from self._repeated()
        for (first, second), lines in self.wrong.items():
            if lines:
                names = self.columns[first].name, self.columns[second].name
                yield self._found("WRONG-ORDER", lines, len(lines), first=names[0], second=names[1])
        yield from self._equal()

    def _found(self, rule: str, lines: list[int], count: int, **values: object) -> Finding:
        table = self.profile.table
        place = table.place(lines[:PLACES], count > PLACES)
        found = RULES.found(
            f"DATA-{rule}", lines[0] if table.lined else 0, severity=None, count=count, place=place, **values
        )
        return msgspec.structs.replace(found, message=agreed(found.message))

    def _repeated(self) -> Iterator[Finding]:
        if self.rows.count:
            yield self._found("DUPLICATE-ROW", self.rows.lines, self.rows.count)
        for key, repeats in self.keys.items():
            if repeats.count and repeats.count != self.rows.count:
                names = [self.columns[place].name for place in key]
                found = self._found("DUPLICATE-KEY", repeats.lines, repeats.count, key=" + ".join(names))
                shown = [self.profile.shown.value(names[0], cells[0]) for cells in repeats.values]
                yield msgspec.structs.replace(found, evidence=", ".join(dict.fromkeys(shown)))

    def _equal(self) -> Iterator[Finding]:
        seen: dict[int, str] = {}
        for column, digest in zip(self.columns, self.digests, strict=True):
            if column.rows >= 5 and column.distinct >= 2:
                other = seen.setdefault(digest, column.name)
                if other != column.name:
                    yield RULES.found("DATA-EQUAL-COLUMNS", 0, column=column.name, other=other)


def _is_less(one: Cell, two: Cell) -> bool:
    """Tell whether a number or a date is less than another of its kind."""
    less, more = understood(one), understood(two)
    return less.kind == more.kind and less.number < more.number and less.kind not in ("text", "empty")
