"""Summarize objects and results: structure, and the parts that carry most."""

from __future__ import annotations

from collections import Counter

from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import code, counted, findings_text, ordered, plain, told
from plantwin.private.capabilities.engine.results import Mask
from plantwin.private.capabilities.engine.secrets import detector_of, secret_lines, shown
from plantwin.private.capabilities.engine.sort import CODE, DOCUMENT, LOG, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.explain_project.stack import about, names_it
from plantwin.private.capabilities.list_licenses import LICENSE_FILE, license_of
from plantwin.private.capabilities.logs.log import template_of
from plantwin.private.capabilities.tables import reader as tables
from plantwin.private.detect.engine import Detector
from plantwin.private.facts import Private
from plantwin.private.formats import documents
from plantwin.private.formats.definitions import Definition, outline
from plantwin.private.formats.logs import entries
from plantwin.private.formats.settings import settings
from plantwin.private.formats.timestamps import shown as shown_time
from plantwin.vocabulary import OutcomeTag

LISTED = 25
"""Names of one sort that are listed."""
TEMPLATES = 8
_STATE = (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE)
_ORDER = (*_STATE, OutcomeTag.OBLIGATIONS, OutcomeTag.DEADLINES, OutcomeTag.OPEN_POINTS, OutcomeTag.NUMBERS)


class Part(Private):
    """The section of one input."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.facts: dict[str, object] = {}
        self.tags: set[OutcomeTag] = set()

    def add(self, line: str) -> None:
        """Add a paragraph."""
        self.lines += [line, ""]

    def list(self, title: str, items: list[str]) -> None:
        """Add a list, shortened."""
        if items:
            more = [f"- and {len(items) - LISTED} more"] if len(items) > LISTED else []
            self.lines += [f"{title}:", "", *(f"- {item}" for item in items[:LISTED]), *more, ""]


def run(job: Job) -> Result:
    """Make one section for each input."""
    text: list[str] = []
    facts: dict[str, object] = {}
    tags: set[OutcomeTag] = set()
    for given in job.inputs:
        part = Part()
        if given.is_result:
            _result(given, part)
        else:
            _object(job, given, part)
        text += [f"### {plain(given.label)}", "", *part.lines, ""]
        facts[given.label] = part.facts
        tags |= part.tags
    return Result(
        outcome=told(len(job.inputs), (tag for tag in _ORDER if tag in tags), partial=tags.intersection(_STATE)),
        title="Summary",
        facts=facts,
        text="\n".join(text).strip() + "\n",
    )


def _object(job: Job, given: Input, part: Part) -> None:
    read = source(given)
    if read.truncated:
        part.tags.add(OutcomeTag.TRUNCATED)
        part.add(f"Only the first {READ >> 20} MiB were read.")
    sort = sort_of(read)
    part.facts |= {"sort": sort, "format": read.format, "bytes": given.size, "lines": read.lines}
    by_sort = {CODE: _code, LOG: _log, TABLE: _table}
    if read.binary and sort != TABLE:
        part.tags.add(OutcomeTag.UNPARSABLE)
        part.add(f"Not text: {given.size} bytes.")
    elif sort == SETTINGS:
        _settings(read, part, detector_of(job))
    elif sort == DOCUMENT:
        _document(read, part, Mask(job))
    elif sort in by_sort:
        by_sort[sort](read, part)
    elif not read.data.strip():
        part.tags.add(OutcomeTag.UNPARSABLE)
        part.add("It is empty.")
    else:
        part.tags.add(OutcomeTag.UNPARSABLE)
        part.add(f"{read.format or 'Text of no known form'}, {read.lines} lines: of this form nothing more is read.")


def _code(read: Source, part: Part) -> None:
    found = outline(read.format, read.text)
    if not found.parsed:
        part.tags.add(OutcomeTag.UNPARSABLE)
    kinds = Counter(definition.kind for definition in found.definitions)
    held = ", ".join(f"{count} {_plural(kind, count)}" for kind, count in kinds.most_common()) or "no definitions"
    if found.doc:
        part.add(plain(found.doc, 400))
    public = [definition for definition in found.definitions if definition.public]
    names = list(dict.fromkeys(definition.name for definition in public))
    main = [code(name) for name in names if "." not in name][:6]
    part.add(f"{read.format}, {read.lines} lines: {held}" + (f", such as {', '.join(main)}." if main else "."))
    # Overloads come before the function that has the text.
    part.list("Public", [_described(definition) for definition in {one.name: one for one in public}.values()])
    part.list("Imports", [code(name) for name in found.imports])
    part.facts |= {"definitions": dict(kinds), "public": names[:200], "imports": found.imports[:200]}


def _described(definition: Definition) -> str:
    outer = definition.name.rpartition(".")[0] if definition.kind in ("method", "class") else ""
    signature = f"{outer}.{definition.signature}" if outer else definition.signature
    return f"{code(signature)} (line {definition.line})" + (f": {plain(definition.doc)}" if definition.doc else "")


def _plural(kind: str, count: int) -> str:
    return kind if count == 1 else f"{kind}es" if kind.endswith("s") else f"{kind}s"


def _log(read: Source, part: Part) -> None:
    found = entries(read.text)
    times = [entry.time for entry in found if entry.timed]
    first, last = (shown_time(min(times)), shown_time(max(times))) if times else ("", "")
    levels = dict(Counter(entry.level for entry in found if entry.level).most_common())
    templates = Counter(template_of(entry.text) for entry in found).most_common(TEMPLATES)
    part.add(f"Log of {len(found)} entries{f' from {first} to {last}' if first else ''}.")
    if levels:
        part.add("Levels: " + ", ".join(f"{name} {count}" for name, count in levels.items()) + ".")
    part.list("Most frequent", [f"{count} × {code(text)}" for text, count in templates])
    part.facts |= {"first": first, "last": last, "levels": levels, "templates": templates}
    part.tags.add(OutcomeTag.NUMBERS)


def _table(read: Source, part: Part) -> None:
    found = tables.sheets(read)
    if not found:
        part.tags.add(OutcomeTag.UNPARSABLE)
        part.add("No table could be read.")
    for sheet in found[:50]:
        most = "" if sheet.exact else "more than "
        part.add(f"Table {code(sheet.name)}: {most}{sheet.rows} rows, {len(sheet.columns)} columns.")
        missing = {column.name: f", {column.missing} empty" if column.missing else "" for column in sheet.columns}
        columns = [f"{code(column.name)}: {plain(column.type)}{missing[column.name]}" for column in sheet.columns]
        part.list("Columns", columns)
    part.facts["tables"] = {
        sheet.name: {"rows": sheet.rows, "columns": [column.name for column in sheet.columns]} for sheet in found[:50]
    }
    part.tags.add(OutcomeTag.NUMBERS)


def _settings(read: Source, part: Part, detector: Detector) -> None:
    found, sound = settings(read.format, read.text)
    if not sound:
        part.tags.add(OutcomeTag.UNPARSABLE)
    secret = secret_lines(detector, read.data, read.input.name)
    sections = Counter(setting.path.partition(".")[0] for setting in found if "." in setting.path)
    part.add(f"{read.format}, {len(found)} settings in {len(sections)} sections.")
    part.list("Sections", [f"{code(name)}: {count} settings" for name, count in sections.items()])
    part.list("Settings", [f"{code(setting.path)} = {code(shown(setting, secret))}" for setting in found])
    keys = [setting.path for setting in found[:500]]
    part.facts |= {"settings": len(found), "sections": list(sections)[:200], "keys": keys}


def _document(read: Source, part: Part, mask: Mask) -> None:
    """Say what a document is for, its sections and its main claims, in its own sentences."""
    moods = documents.moods(read.text)
    found = documents.passages(read.format, read.text)
    titles = [passage for passage in found if passage.title]
    words = len(read.text.split())
    opening = about(found, 3)
    claims = [line for line in documents.telling(documents.statements(found)) if line not in opening]
    license = license_of(read.text) if LICENSE_FILE.search(read.label) else ""
    if license:
        part.add(f"The text of the licence {license}.")
    elif opening:
        said = " ".join(opening)
        # What stands before the first heading is not of it.
        title = found[0].title if names_it(found[0].title) else ""
        name = title if title.lower() not in said.lower() else ""
        part.add(plain(mask(f"{name.rstrip('.')}: {said}" if name else said, 900), 900))
    part.add(f"A {read.format} document of about {words:,} words in {len(titles)} sections.")
    upper = sorted({section.level for section in titles})[:2]
    part.list("Sections", [plain(section.title) for section in titles if section.level in upper])
    part.list("What it says", [plain(mask(claim), 400) for claim in ([] if license else claims)])
    if not words:
        part.add("It is empty.")
    for tag, count, states in (
        (OutcomeTag.OBLIGATIONS, moods.duties, "duties or limits"),
        (OutcomeTag.DEADLINES, moods.deadlines, "deadlines"),
        (OutcomeTag.OPEN_POINTS, moods.open_points, "open points"),
    ):
        if count:
            part.tags.add(tag)
            part.add(f"Lines that state {states}: {count}.")
    part.facts |= {
        "headings": [section.title for section in titles[:200]],
        "sentences": [*opening, *claims],
        **moods._asdict(),
    }


def _result(given: Input, part: Part) -> None:
    """Summarize an earlier result: its findings by severity and tag, else its own words."""
    result = given.result or {}
    title, text = result.get("title"), result.get("text")
    findings = ordered(given.findings())
    if not findings:
        lines = [line for line in (text if isinstance(text, str) else "").split("\n") if line.strip()]
        part.lines += [f"{plain(str(title or given.capability or 'Result'))}.", "", *lines[:10]]
        return
    tags = Counter(finding.tag for finding in findings)
    part.add(f"{plain(str(title or 'Findings'))}: {counted(findings)}.")
    part.add("Sorts: " + ", ".join(f"{plain(tag)} {count}" for tag, count in tags.most_common()) + ".")
    part.lines.append(findings_text(findings[:5], len(findings)))
    part.facts |= {"findings": len(findings), "sorts": dict(tags)}
