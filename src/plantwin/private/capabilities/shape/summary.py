"""The summary of objects and results."""

from __future__ import annotations

from collections import Counter

from plantwin.private.capabilities.common import documents, logs, tables
from plantwin.private.capabilities.common.definitions import Definition, outline
from plantwin.private.capabilities.common.report import bucket, code, counted, findings_text, ordered, plain
from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.common.settings import settings
from plantwin.private.capabilities.common.sort import CODE, DOCUMENT, LOG, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.job import Input, Job, Result
from plantwin.private.capabilities.shape.hidden import secret_lines, shown
from plantwin.private.redact.engine import Detector
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, StepStatus

LISTED = 25
"""Names of one sort that are listed."""


class _Part:
    """The section of one input."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.facts: dict[str, object] = {}
        self.tags: set[OutcomeTag] = set()

    def listed(self, title: str, items: list[str]) -> None:
        """A list, shortened."""
        if items:
            self.lines += [f"{title}:", "", *(f"- {each}" for each in items[:LISTED])]
            if len(items) > LISTED:
                self.lines.append(f"- and {len(items) - LISTED} more")
            self.lines.append("")


def summary(job: Job) -> Result:
    """One section for each input."""
    text: list[str] = []
    facts: dict[str, object] = {}
    tags: set[OutcomeTag] = set()
    for given in job.inputs:
        part = _result(given) if given.is_result else _object(job, given)
        text += [f"### {plain(given.label)}", "", *part.lines, ""]
        facts[given.label] = part.facts
        tags |= part.tags
    partial = bool(tags & {OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE})
    order = [
        OutcomeTag.TRUNCATED,
        OutcomeTag.UNPARSABLE,
        OutcomeTag.OBLIGATIONS,
        OutcomeTag.DEADLINES,
        OutcomeTag.OPEN_POINTS,
        OutcomeTag.NUMBERS,
    ]
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if partial else StepStatus.DONE).value,
            "count": str(bucket(len(job.inputs))),
            "tags": [tag.value for tag in order if tag in tags][:MAX_OUTCOME_TAGS],
        },
        title="Summary",
        facts=facts,
        text="\n".join(text).strip() + "\n",
    )


def _object(job: Job, given: Input) -> _Part:
    each = source(given)
    part = _Part()
    if each.truncated:
        part.tags.add(OutcomeTag.TRUNCATED)
        part.lines += [f"Only the first {READ >> 20} MiB were read.", ""]
    sort = sort_of(each)
    part.facts |= {"sort": sort, "format": each.format, "bytes": given.size, "lines": each.lines}
    if each.binary and sort != TABLE:
        part.tags.add(OutcomeTag.UNPARSABLE)
        part.lines.append(f"Not text: {given.size} bytes.")
    elif sort == CODE:
        _code(each, part)
    elif sort == LOG:
        _log(each, part)
    elif sort == TABLE:
        _table(each, part)
    elif sort == SETTINGS:
        _settings(each, part, detector_of(job))
    elif sort == DOCUMENT:
        _document(each, part)
    else:
        part.lines.append(f"{each.format}, {each.lines} lines.")
    return part


def _code(each: Source, part: _Part) -> None:
    found = outline(each.format, each.text)
    if not found.parsed:
        part.tags.add(OutcomeTag.UNPARSABLE)
    kinds = Counter(one.kind for one in found.definitions)
    held = ", ".join(f"{count} {_many(kind, count)}" for kind, count in kinds.most_common()) or "no definitions"
    part.lines += [
        f"{each.format}, {each.lines} lines: {held}." + (f" {plain(found.doc, 300)}" if found.doc else ""),
        "",
    ]
    public = [one for one in found.definitions if one.public]
    part.listed(
        "Public",
        [f"{code(_signature(one))} (line {one.line})" + (f": {plain(one.doc)}" if one.doc else "") for one in public],
    )
    part.listed("Imports", [code(name) for name in found.imports])
    part.facts |= {
        "definitions": dict(kinds),
        "public": [one.name for one in public[:200]],
        "imports": found.imports[:200],
    }


def _signature(one: Definition) -> str:
    outer = one.name.rpartition(".")[0] if one.kind in ("method", "class") else ""
    return f"{outer}.{one.signature}" if outer else one.signature


def _log(each: Source, part: _Part) -> None:
    found = logs.read(each.text)
    period = f" from {found.first} to {found.last}" if found.first else ""
    part.lines += [f"Log of {found.lines} lines{period}.", ""]
    if found.levels:
        part.lines += ["Levels: " + ", ".join(f"{name} {count}" for name, count in found.levels.items()) + ".", ""]
    part.listed("Most frequent", [f"{count} × {code(text)}" for text, count in found.templates])
    part.facts |= {"first": found.first, "last": found.last, "levels": found.levels, "templates": found.templates}
    part.tags.add(OutcomeTag.NUMBERS)


def _table(each: Source, part: _Part) -> None:
    found = tables.sheets(each)
    if not found:
        part.tags.add(OutcomeTag.UNPARSABLE)
        part.lines.append("No table could be read.")
    for sheet in found[:50]:
        most = "" if sheet.exact else "more than "
        part.lines += [f"Table {code(sheet.name)}: {most}{sheet.rows} rows, {len(sheet.columns)} columns.", ""]
        part.listed(
            "Columns",
            [
                f"{code(column.name)}: {plain(column.type)}" + (f", {column.missing} empty" if column.missing else "")
                for column in sheet.columns
            ],
        )
    part.facts["tables"] = {
        sheet.name: {"rows": sheet.rows, "columns": [column.name for column in sheet.columns]} for sheet in found[:50]
    }
    part.tags.add(OutcomeTag.NUMBERS)


def _settings(each: Source, part: _Part, detector: Detector) -> None:
    found, sound = settings(each.format, each.text)
    if not sound:
        part.tags.add(OutcomeTag.UNPARSABLE)
    secret = secret_lines(detector, each.data, each.input.name)
    groups = Counter(one.path.partition(".")[0] if "." in one.path else "" for one in found)
    part.lines += [f"{each.format}, {len(found)} settings in {len([name for name in groups if name])} sections.", ""]
    part.listed("Sections", [f"{code(name)}: {count} settings" for name, count in groups.items() if name])
    part.listed("Settings", [f"{code(one.path)} = {code(shown(one, secret))}" for one in found])
    part.facts |= {
        "settings": len(found),
        "sections": [name for name in groups if name][:200],
        "keys": [one.path for one in found[:500]],
    }


def _document(each: Source, part: _Part) -> None:
    found = documents.sections(each.format, each.text)
    moods = documents.moods(each.text)
    words = len(each.text.split())
    titles = [section for section in found if section.title]
    part.lines += [f"{each.format}, about {words} words, {len(titles)} sections.", ""]
    part.listed("Headings", [f"{'  ' * max(0, section.level - 1)}{plain(section.title)}" for section in titles])
    sentences = documents.telling(each.format, each.text)
    part.listed("What it says", [plain(sentence, 400) for sentence in sentences])
    for tag, count, states in (
        (OutcomeTag.OBLIGATIONS, moods.duties, "duties or limits"),
        (OutcomeTag.DEADLINES, moods.deadlines, "deadlines"),
        (OutcomeTag.OPEN_POINTS, moods.open_points, "open points"),
    ):
        if count:
            part.tags.add(tag)
            part.lines += [f"Lines that state {states}: {count}.", ""]
    part.facts |= {"headings": [section.title for section in titles[:200]], "sentences": sentences, **moods._asdict()}


def _result(given: Input) -> _Part:
    """An earlier result: its findings by severity and sort, else its own words."""
    part = _Part()
    result = given.result or {}
    findings = ordered(given.findings())
    title = result.get("title")
    if findings:
        sorts = Counter(each.tag for each in findings)
        held = ", ".join(f"{plain(tag)} {count}" for tag, count in sorts.most_common())
        part.lines += [f"{plain(str(title or 'Findings'))}: {counted(findings)}.", "", f"Sorts: {held}.", ""]
        part.lines += [findings_text(findings[:5], len(findings))]
        part.facts |= {"findings": len(findings), "sorts": dict(sorts)}
        return part
    text = result.get("text")
    shortened = [line for line in (text if isinstance(text, str) else "").split("\n") if line.strip()][:10]
    part.lines += [f"{plain(str(title or given.capability or 'Result'))}.", "", *shortened]
    return part


def _many(kind: str, count: int) -> str:
    return kind if count == 1 else f"{kind}es" if kind.endswith("s") else f"{kind}s"
