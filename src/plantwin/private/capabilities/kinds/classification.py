"""The job: the parts of each input by kind, with counts."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from plantwin.private.capabilities.common import documents
from plantwin.private.capabilities.common.report import ORDER, bucket, plain, rank
from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.common.settings import settings
from plantwin.private.capabilities.common.sort import CODE, DOCUMENT, LOG, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.job import Input, Job, Result
from plantwin.private.capabilities.kinds import entries, sections, units
from plantwin.private.capabilities.kinds.part import Part
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, StepStatus

TITLE = "Parts by kind"
LISTED = 80
NAMED = 8
"""Names of one kind in the overview."""
BAR = 20


class _Sorted(NamedTuple):
    label: str
    unit: str
    parts: list[Part]
    tags: frozenset[OutcomeTag]
    note: str = ""


def classification(job: Job) -> Result:
    """Sort the parts of every input."""
    done = [_findings(given) if given.is_result else _object(job, given) for given in job.inputs]
    tags: set[OutcomeTag] = set().union(*(each.tags for each in done)) if done else set()
    lines = [line for each in done for line in _section(each)]
    kinds = {part.kind for each in done for part in each.parts}
    order = (
        OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE, OutcomeTag.ERRORS, OutcomeTag.HARDCODED_SECRET,
        OutcomeTag.PERSONAL_DATA, OutcomeTag.OBLIGATIONS, OutcomeTag.OPEN_POINTS,
    )  # fmt: skip
    partial = bool(tags & {OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE})
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if partial else StepStatus.DONE).value,
            "count": str(bucket(len(kinds))),
            "tags": [tag.value for tag in order if tag in tags][:MAX_OUTCOME_TAGS],
        },
        title=TITLE,
        facts={each.label: {"sorted": each.unit, "kinds": dict(_counts(each.parts))} for each in done},
        text="\n".join(lines).strip() + "\n",
    )


def _object(job: Job, given: Input) -> _Sorted:
    each = source(given)
    tags = {OutcomeTag.TRUNCATED} if each.truncated else set()
    sort = sort_of(each)
    if sort == TABLE:
        return _table(job, given)
    if each.binary:
        return _Sorted(given.label, "parts", [], frozenset({*tags, OutcomeTag.UNPARSABLE}), "Not text.")
    note = f"Only the first {READ >> 20} MiB were read." if each.truncated else ""
    unit, parts, found = _by_sort(each, sort)
    return _Sorted(given.label, unit, parts, frozenset(tags | found), note)


def _by_sort(each: Source, sort: str) -> tuple[str, list[Part], set[OutcomeTag]]:
    if sort == LOG:
        from plantwin.private.capabilities.incident.lines import entries as read

        parts = list(entries.of_log(read(each.text)))
        failing = any(part.kind in ("error", "critical") for part in parts)
        return "log lines", parts, {OutcomeTag.ERRORS} if failing else set()
    if sort == SETTINGS:
        found, sound = settings(each.format, each.text)
        parts = list(entries.of_settings(found))
        return "settings", parts, set() if sound else {OutcomeTag.UNPARSABLE}
    if sort == CODE:
        parts, parsed = units.roles(each.format, each.text)
        return "definitions", parts, set() if parsed else {OutcomeTag.UNPARSABLE}
    if sort == DOCUMENT or each.text.strip():
        format = each.format if each.format in documents.FORMATS else "text"
        parts = list(sections.kinds_of_sections(format, each.text))
        kinds = {part.kind for part in parts}
        tags = {OutcomeTag.OBLIGATIONS} if kinds & {"requirements", "legal"} else set()
        return "sections", parts, tags | ({OutcomeTag.OPEN_POINTS} if "open points" in kinds else set())
    return "parts", [], set()


def _table(job: Job, given: Input) -> _Sorted:
    from plantwin.private.capabilities.data.opened import tables_of
    from plantwin.private.capabilities.kinds.columns import columns

    opened = tables_of(given)
    if not opened.tables:
        return _Sorted(given.label, "columns", [], frozenset({OutcomeTag.UNPARSABLE}), opened.problem)
    detector = detector_of(job)
    several = len(opened.tables) > 1
    parts = [part for table in opened.tables[:20] for part in columns(detector, table, several=several)]
    tags = (
        {OutcomeTag.PERSONAL_DATA}
        if any(part.kind in ("person", "contact", "personal data") for part in parts)
        else set()
    )
    tags |= {OutcomeTag.HARDCODED_SECRET} if any(part.kind == "secret" for part in parts) else set()
    return _Sorted(given.label, "columns", parts, frozenset(tags))


def _findings(given: Input) -> _Sorted:
    """Findings of an earlier step by sort; else the kinds that its facts count."""
    found = sorted(given.findings(), key=lambda each: -rank(each.severity))
    parts = [
        Part(each.tag.replace("_", " "), each.message[:120], each.line, each.severity, each.name) for each in found
    ]
    return _Sorted(given.name, "findings", parts, frozenset(), "" if parts else "It has no findings.")


def _counts(parts: list[Part]) -> list[tuple[str, int]]:
    counts: Counter[str] = Counter()
    for part in parts:
        counts[part.kind] += part.times
    return counts.most_common()


def _section(each: _Sorted) -> list[str]:
    total = sum(part.times for part in each.parts)
    kinds = _counts(each.parts)
    lines = [f"### {plain(each.label)}", ""]
    lines += [each.note if each.note.endswith(".") else f"{each.note}.", ""] if each.note else []
    if not kinds:
        return lines
    lines += [f"{total} {each.unit} of {len(kinds)} kinds.", ""]
    named = each.unit != "log lines"
    lines += [f"| kind | {each.unit} | |" + (" which |" if named else ""), "|---|---:|---|" + ("---|" if named else "")]
    most = kinds[0][1]
    for kind, count in kinds[:40]:
        names = [part.name for part in each.parts if part.kind == kind]
        shown = ", ".join(plain(name, 60) for name in dict.fromkeys(names[:NAMED])) + (
            " …" if len(names) > NAMED else ""
        )
        bar = "█" * max(1, round(BAR * count / most))
        lines.append(f"| {plain(kind)} | {count} | {bar} |" + (f" {shown} |" if named else ""))
    return [*lines, "", *_detail(each), ""]


def _detail(each: _Sorted) -> list[str]:
    if each.unit == "log lines":
        return _cross(each.parts, [part.kind for part in each.parts])
    if each.unit == "findings":
        order = [word for word in reversed(ORDER) if any(part.detail == word for part in each.parts)]
        return _cross([part._replace(name=part.kind, kind=part.detail) for part in each.parts], order)
    rows = ["| line | part | kind | |", "|---:|---|---|---|"]
    rows += [
        f"| {part.line or ''} | {plain(part.name, 80)} | {plain(part.kind)} | {plain(part.detail, 80)} |"
        for part in each.parts[:LISTED]
    ]
    return [*rows, *([f"\n{len(each.parts) - LISTED} more are not shown."] if len(each.parts) > LISTED else [])]


def _cross(parts: list[Part], order: list[str]) -> list[str]:
    """Two tables: topics by level, and subsystems or objects by level."""
    levels = list(dict.fromkeys(order))[:8]
    lines: list[str] = []
    for title, key in (("what", "name"), ("where", "group")):
        counts: dict[str, Counter[str]] = {}
        for part in parts:
            counts.setdefault(getattr(part, key) or "(not said)", Counter())[part.kind] += part.times
        if len(counts) < 2:
            continue
        ranked = sorted(counts.items(), key=lambda item: -sum(item[1].values()))
        lines += [f"| {title} | " + " | ".join(map(plain, levels)) + " |", "|---|" + "---:|" * len(levels)]
        lines += [
            f"| {plain(name, 80)} | " + " | ".join(str(row[level] or "") for level in levels) + " |"
            for name, row in ranked[:25]
        ]
        lines.append("")
    return lines
