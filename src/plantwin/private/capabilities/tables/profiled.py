"""Tables with what their columns hold, how their values may be shown, and which refer to which."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Input, Job
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.column import Column, gathered, key_of
from plantwin.private.capabilities.tables.reader import tables_of
from plantwin.private.capabilities.tables.statistics import agreed
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.summary import preview
from plantwin.private.facts import Private, private
from plantwin.vocabulary import OutcomeTag

PLACES = 5
"""Rows that are named for one issue."""
_SENSITIVE = ("personal", "secret")
_SUFFIX = re.compile(r"[_\s-]?(?:id|key|code|no|number|uuid|ref)$|(?<=[a-z])(?:Id|Key|Code|Uuid|Ref)$")
_FOLDER = re.compile(r".*[/#]")
_EDITION = re.compile(r"[_-]?(?:\d{4}.*|v\d+|export|dump|table|data)$")


def sensitive(detector: Detector, table: Table) -> dict[str, tuple[str, str]]:
    """Return group and type of each column that holds personal data or secrets, by its name."""
    if not table.head:
        return {}
    known = {name.lower(): name for name in table.columns}
    return {
        known[column.column.strip().lower()]: (column.group, column.type)
        for column in detector.columns(table.head, table.head_name)
        if column.column.strip().lower() in known and column.group in _SENSITIVE
    }


class Shown(Private):
    """Values as the report may show them."""

    def __init__(self, detector: Detector, hidden: dict[str, tuple[str, str]]) -> None:
        self._detector = detector
        self.hidden = hidden

    def of(self, hidden: dict[str, tuple[str, str]]) -> Shown:
        """Return the same for another table, of which these columns are hidden."""
        return Shown(self._detector, hidden)

    def value(self, column: str, cell: Cell, most: int = 40) -> str:
        """Return a cell, masked where its column is sensitive or it holds a secret itself."""
        text = "" if cell is None else str(cell)
        if column in self.hidden or (isinstance(cell, str) and len(text) > 6 and self._secret(text)):
            return preview(text.strip())
        return text if len(text) <= most else text[: most - 1] + "…"

    def _secret(self, text: str) -> bool:
        matches = self._detector.scan(text[:2000].encode("utf-8", "replace"), path="cell.txt")
        return any(match.group in _SENSITIVE and match.confidence != "low" for match in matches)


@private
class Profiled(NamedTuple):
    """A table with its columns."""

    input: Input
    table: Table
    columns: list[Column]
    shown: Shown

    @property
    def rows(self) -> int:
        """How many rows were read."""
        return self.columns[0].rows if self.columns else 0

    @property
    def source(self) -> Source:
        """The table for the result builder, without text: evidence is masked by column here."""
        return Source(self.input, self.table.label, "", b"", "", self.table.truncated, False)


def profiled(job: Job) -> tuple[list[Profiled], list[str]]:
    """Return every table of every input, read once, and what could not be read."""
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
            found.append(Profiled(given, table, columns, Shown(detector, sensitive(detector, table))))
    return found, problems


def state_of(tables: Iterable[Profiled], problems: list[str]) -> list[OutcomeTag]:
    """Return the tags that say whether everything was read."""
    state = [OutcomeTag.TRUNCATED] if any(profile.table.truncated for profile in tables) else []
    return state + ([OutcomeTag.UNPARSABLE] if problems else [])


@private
class Issue(NamedTuple):
    """Something wrong with the values of a column, and the test that finds its rows."""

    column: str
    finding: Finding
    test: Callable[[Cell], bool] | None = None


def located(profile: Profiled, issues: list[Issue]) -> Iterator[Finding]:
    """Yield the findings of issues with the rows where they are, from one more reading."""
    table, shown = profile.table, profile.shown
    places: list[list[tuple[int, Cell]]] = [[] for _ in issues]
    searched = [
        (held, table.columns.index(issue.column), issue.test)
        for held, issue in zip(places, issues, strict=True)
        if issue.test is not None
    ]
    for batch in table.again() if searched else ():
        for held, column, test in searched:
            cells = batch.columns[column]
            wanted = {cell for cell in set(cells) if test(cell)}
            for line, cell in zip(batch.lines, cells, strict=True) if wanted else ():
                if cell in wanted:
                    held.append((line, cell))
                    if len(held) >= PLACES:
                        break
        searched = [search for search in searched if len(search[0]) < PLACES]
        if not searched:
            break
    for issue, held in zip(issues, places, strict=True):
        lines = [line for line, _ in held]
        message = f"{issue.column}: {issue.finding.message}"
        if held:
            message += f" ({table.place(lines, len(held) == PLACES)})"
        values = [shown.value(issue.column, cell) for _, cell in held if cell is not None and str(cell).strip()]
        yield msgspec.structs.replace(
            issue.finding,
            name=table.label,
            line=lines[0] if held and table.lined else 0,
            message=agreed(message),
            evidence=", ".join(dict.fromkeys(values)),
        )


@private
class Relation(NamedTuple):
    """A column that refers to another table's key."""

    table: Table
    column: str
    other: Table
    key: str
    distinct: int
    missing: frozenset[object]
    """Values that the other does not have."""
    declared: bool


def relations(profiles: list[Profiled]) -> list[Relation]:
    """Return the declared references, and those that names and values suggest."""
    found: list[Relation] = []
    for profile in profiles:
        table = profile.table
        declared = {reference.column: reference for reference in table.references}
        for column in profile.columns:
            for other in profiles:
                if other is profile:
                    continue
                named = {theirs.name.lower(): theirs for theirs in other.columns}
                reference = declared.get(column.name)
                if reference is None:
                    key = _suggested(column, other.table, named)
                elif reference.table.lower() != other.table.name.lower():
                    key = None
                elif reference.target:
                    key = named.get(reference.target.lower())
                else:
                    key = next((theirs for theirs in other.columns if theirs.unique), None)
                if key is not None and key.exact and column.exact:
                    there = {comparable(cell) for cell in key.counts}
                    missing = frozenset(cell for cell in column.counts if comparable(cell) not in there)
                    distinct, certain = len(column.counts), reference is not None
                    found.append(Relation(table, column.name, other.table, key.name, distinct, missing, certain))
    return found


def _suggested(column: Column, other: Table, named: dict[str, Column]) -> Column | None:
    """Return the key of another table that a column refers to by its name."""
    low = column.name.lower().rpartition(".")[2]
    base = _SUFFIX.sub("", column.name).lower().strip("_- ")
    if not base or not _SUFFIX.search(column.name):
        return None
    if base == stem(other.name):
        candidates = [named.get(name) for name in ("id", low, f"{base}_id", "key", "code", "uuid")]
        return next((key for key in candidates if key is not None and _keylike(key)), None)
    same = named.get(low)
    return same if same is not None and same.unique and not _keylike(column) else None


def _keylike(column: Column) -> bool:
    return column.filled > 0 and column.exact and len(column.counts) >= 0.9 * column.filled


def comparable(cell: object) -> str:
    """Return a value so that equal ones are equal whatever they are stored as."""
    text = str(key_of(cell) if isinstance(cell, str) else cell).strip()
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text


def stem(name: str) -> str:
    """Return a table's name as columns speak of it: without folder, ending and plural."""
    base = _EDITION.sub("", _FOLDER.sub("", name).split(".")[0].lower())
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if base.endswith(ending) and len(base) > 3:
            return base[: -len(ending)] + instead
    return base
