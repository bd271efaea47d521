"""The parts of each input by kind, with counts."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from plantwin.private.capabilities.classify.parts import (
    Part,
    definitions_by_role,
    log_lines,
    sections_by_purpose,
    settings_by_use,
)
from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import ORDER, plain, rank, told
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.capabilities.engine.sort import CODE, DOCUMENT, LOG, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.formats import documents
from plantwin.private.formats.settings import settings
from plantwin.vocabulary import OutcomeTag

TITLE = "Parts by kind"
LISTED = 80
NAMED = 8
"""Names of one kind in the overview."""
BAR = 20
_TAGS = (
    OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE, OutcomeTag.ERRORS, OutcomeTag.HARDCODED_SECRET,
    OutcomeTag.PERSONAL_DATA, OutcomeTag.OBLIGATIONS, OutcomeTag.OPEN_POINTS,
)  # fmt: skip
"""In the order in which they are told."""
_TELLING = {
    "error": OutcomeTag.ERRORS, "critical": OutcomeTag.ERRORS, "secret": OutcomeTag.HARDCODED_SECRET,
    "person": OutcomeTag.PERSONAL_DATA, "contact": OutcomeTag.PERSONAL_DATA, "personal data": OutcomeTag.PERSONAL_DATA,
    "requirements": OutcomeTag.OBLIGATIONS, "legal": OutcomeTag.OBLIGATIONS, "open points": OutcomeTag.OPEN_POINTS,
}  # fmt: skip
"""Kinds of log lines, columns and sections that the outcome tells of."""


class _Sorted(NamedTuple):
    """One input with its parts."""

    label: str
    unit: str
    parts: list[Part]
    tags: set[OutcomeTag]
    note: str = ""

    def counts(self) -> list[tuple[str, int]]:
        """Return how many parts each kind has, the most frequent first."""
        counts: Counter[str] = Counter()
        for part in self.parts:
            counts[part.kind] += part.times
        return counts.most_common()


def run(job: Job) -> Result:
    """Sort the parts of every input."""
    done = [_findings(given) if given.is_result else _object(job, given) for given in job.inputs]
    tags = set().union(*(sorted_.tags for sorted_ in done))
    partial = bool(tags & {OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE})
    lines = [line for sorted_ in done for line in _section(sorted_)]
    return Result(
        outcome=told(
            len({part.kind for sorted_ in done for part in sorted_.parts}),
            (tag for tag in _TAGS if tag in tags),
            partial=partial,
        ),
        title=TITLE,
        facts={sorted_.label: {"sorted": sorted_.unit, "kinds": dict(sorted_.counts())} for sorted_ in done},
        text="\n".join(lines).strip() + "\n",
    )


def _object(job: Job, given: Input) -> _Sorted:
    file = source(given)
    sort = sort_of(file)
    if sort == TABLE:
        return _table(job, given)
    tags = {OutcomeTag.TRUNCATED} if file.truncated else set()
    if file.binary:
        return _Sorted(given.label, "parts", [], tags | {OutcomeTag.UNPARSABLE}, "Not text.")
    unit, parts, parsed = _parts(file, sort)
    if unit in ("log lines", "sections"):
        tags |= {_TELLING[part.kind] for part in parts if part.kind in _TELLING}
    if not parsed:
        tags.add(OutcomeTag.UNPARSABLE)
    note = f"Only the first {READ >> 20} MiB were read." if file.truncated else ""
    if not file.text.strip():
        note = "It is empty."
    elif not parts:
        note = f"There are no {unit} in it to sort."
    return _Sorted(given.label, unit, parts, tags, note)


def _parts(file: Source, sort: str) -> tuple[str, list[Part], bool]:
    """Return what the parts are, the parts, and whether the text parsed."""
    if sort == LOG:
        from plantwin.private.formats.logs import entries

        return "log lines", list(log_lines(entries(file.text))), True
    if sort == SETTINGS:
        found, parsed = settings(file.format, file.text)
        return "settings", list(settings_by_use(found)), parsed
    if sort == CODE:
        parts, parsed = definitions_by_role(file.format, file.text)
        return "definitions", parts, parsed
    if sort == DOCUMENT or file.text.strip():
        format = file.format if file.format in documents.FORMATS else "text"
        return "sections", list(sections_by_purpose(format, file.text)), True
    return "parts", [], True


def _table(job: Job, given: Input) -> _Sorted:
    from plantwin.private.capabilities.classify.parts import columns
    from plantwin.private.capabilities.tables.reader import tables_of

    tables, problem = tables_of(given)
    if not tables:
        return _Sorted(given.label, "columns", [], {OutcomeTag.UNPARSABLE}, problem)
    detector = detector_of(job)
    parts = [part for table in tables[:20] for part in columns(detector, table, several=len(tables) > 1)]
    return _Sorted(given.label, "columns", parts, {_TELLING[part.kind] for part in parts if part.kind in _TELLING})


def _findings(given: Input) -> _Sorted:
    """Sort the findings of an earlier step."""
    parts = [
        Part(finding.tag.replace("_", " "), finding.message[:120], finding.line, finding.severity, finding.name)
        for finding in sorted(given.findings(), key=lambda finding: -rank(finding.severity))
    ]
    return _Sorted(given.name, "findings", parts, set(), "" if parts else "It has no findings.")


def _section(sorted_: _Sorted) -> list[str]:
    kinds = sorted_.counts()
    unit, parts = sorted_.unit, sorted_.parts
    lines = [f"### {plain(sorted_.label)}", ""]
    lines += [f"{sorted_.note.removesuffix('.')}.", ""] if sorted_.note else []
    if not kinds:
        return lines
    lines += [f"{sum(part.times for part in parts)} {unit} of {len(kinds)} kinds.", ""]
    named = unit != "log lines"
    lines += [f"| kind | {unit} | |" + (" which |" if named else ""), "|---|---:|---|" + ("---|" if named else "")]
    for kind, count in kinds[:40]:
        bar = "█" * max(1, round(BAR * count / kinds[0][1]))
        row = f"| {plain(kind)} | {count} | {bar} |"
        if named:
            names = [part.name for part in parts if part.kind == kind]
            shown = ", ".join(plain(name, 60) for name in dict.fromkeys(names[:NAMED]))
            row += f" {shown}{' …' if len(names) > NAMED else ''} |"
        lines.append(row)
    return [*lines, "", *_detail(sorted_), ""]


def _detail(sorted_: _Sorted) -> list[str]:
    parts = sorted_.parts
    if sorted_.unit == "log lines":
        return _cross(parts, [part.kind for part in parts])
    if sorted_.unit == "findings":
        severities = {part.detail for part in parts}
        order = [word for word in reversed(ORDER) if word in severities]
        return _cross([part._replace(name=part.kind, kind=part.detail) for part in parts], order)
    rows = ["| line | part | kind | |", "|---:|---|---|---|"]
    rows += [
        f"| {part.line or ''} | {plain(part.name, 80)} | {plain(part.kind)} | {plain(part.detail, 80)} |"
        for part in parts[:LISTED]
    ]
    return [*rows, *([f"\n{len(parts) - LISTED} more are not shown."] if len(parts) > LISTED else [])]


def _cross(parts: list[Part], order: list[str]) -> list[str]:
    """Return two tables: topics by level, and subsystems or objects by level."""
    levels = list(dict.fromkeys(order))[:8]
    lines: list[str] = []
    for title, key in (("what", "name"), ("where", "group")):
        counts: dict[str, Counter[str]] = {}
        for part in parts:
            counts.setdefault(getattr(part, key) or "(not said)", Counter())[part.kind] += part.times
        if len(counts) < 2:
            continue
        lines += [f"| {title} | {' | '.join(map(plain, levels))} |", "|---|" + "---:|" * len(levels)]
        for name, row in sorted(counts.items(), key=lambda item: -item[1].total())[:25]:
            lines.append(f"| {plain(name, 80)} | {' | '.join(str(row[level] or '') for level in levels)} |")
        lines.append("")
    return lines
