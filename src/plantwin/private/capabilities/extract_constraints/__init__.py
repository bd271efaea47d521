"""List what the inputs demand, in tables, and where they disagree."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, failed, ordered, plain, told, worst
from plantwin.private.capabilities.engine.results import finding, table
from plantwin.private.capabilities.engine.secrets import detector_of, masked_text, secret_lines, shown
from plantwin.private.capabilities.engine.sort import CODE, LOG, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.extract_constraints import passages, structures
from plantwin.private.capabilities.extract_constraints.conflicts import Compared, compared
from plantwin.private.capabilities.extract_constraints.statements import (
    ADVICE,
    BAN,
    DEFINITION,
    DUTY,
    LIMIT,
    NEED,
    OPEN,
    PERMISSION,
    WARNING,
    Statement,
    language_of,
    manner,
    statements,
)
from plantwin.private.capabilities.list_licenses import Terms, terms_of
from plantwin.private.detect.engine import Detector
from plantwin.private.facts import private
from plantwin.private.formats import documents
from plantwin.private.formats.settings import settings
from plantwin.private.formats.values import words
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Constraints"
ROWS = 60
"""Rows of one table of the report."""
STATED = 1000
"""Statements of one object that later steps get."""
_BINDING = words("requirements_spec standards_document policy_document contract_document license")
_BINDING_NAMES = words("requirement policy terms contract agreement licen copying standard rules compliance conduct")
_LICENCE_NAMES = ("licen", "copying", "unlicense", "gpl", "lgpl")
_HEADINGS = {
    DUTY: "Duties", BAN: "Prohibitions", NEED: "Requirements", LIMIT: "Limits and terms", ADVICE: "Recommendations",
    WARNING: "Advised against", PERMISSION: "Permissions", DEFINITION: "Definitions", OPEN: "Open points",
}  # fmt: skip
_GRANT = re.compile(
    r"(?i)permission is hereby granted|redistribution and use|permission to use, copy|terms and conditions"
)


@private
class Part(NamedTuple):
    """What one input states."""

    label: str
    stated: list[Statement]
    note: str = ""
    tags: frozenset[OutcomeTag] = frozenset()
    parties: tuple[str, ...] = ()
    licence: Terms | None = None


def run(job: Job) -> Result:
    """List the statements of every input, and conflicts between them."""
    objects = [given for given in job.inputs if not given.is_result]
    if not objects:
        return failed(TITLE, "Objects are needed: results state no constraints of their own.")
    detector = detector_of(job)
    parts = [_read(given, detector) for given in objects]
    every = [statement for part in parts for statement in part.stated]
    disagreeing = compared(every) if len(parts) > 1 else Compared([], [])
    found = [*_disagreements(disagreeing), *_open_points(every)]
    state = [tag for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if any(tag in part.tags for part in parts)]
    lines = [_summary(every, parts), "", *_agreement(disagreeing)]
    for part in parts:
        lines += _section(part)
    return Result(
        outcome=told(
            sum(statement.kind not in (DEFINITION, OPEN) for statement in every),
            [*state, *_tags(every, disagreeing)],
            severity=worst(conflict for conflict in found if conflict.tag == OutcomeTag.OUT_OF_STEP.value),
            partial=state,
        ),
        title=TITLE,
        findings=ordered(found)[:MOST_FINDINGS],
        facts={
            "constraints": [_facts(statement) for part in parts for statement in part.stated[:STATED]],
            "conflicts": len(disagreeing.conflicts),
            "licences": {part.label: part.licence.name for part in parts if part.licence is not None},
            "examined": [part.label for part in parts],
        },
        text="\n".join(lines).strip() + "\n",
        listed=False,
    )


def _read(given: Input, detector: Detector) -> Part:
    read = source(given)
    label, format = read.label, read.format
    tags = frozenset({OutcomeTag.TRUNCATED} if read.truncated else ())
    note = f"Only the first {READ >> 20} MiB were read." if read.truncated else ""
    sort = sort_of(read)
    if read.binary or (sort == TABLE and not read.text):
        return Part(label, [], "Not text.", tags | {OutcomeTag.UNPARSABLE})
    if sort in (TABLE, LOG):
        return Part(label, [], "Rows and logs state no constraints: not examined.", tags | {OutcomeTag.UNPARSABLE})
    if not read.text.strip():
        return Part(label, [], "It is empty.", tags)
    text = masked_text(detector, read)
    if sort == SETTINGS:
        found, sound = settings(format, read.text)
        hidden = secret_lines(detector, read.data, given.name)
        open_ = [setting for setting in found if shown(setting, hidden) == setting.value or setting.value.isdigit()]
        stated = [*structures.of_settings(label, open_), *_comments(label, text)]
        return Part(label, stated, note, tags if sound else tags | {OutcomeTag.UNPARSABLE})
    if sort == CODE:
        spoken = passages.of_code(format, text)
        how = manner(language_of(" ".join(passage.text for passage in spoken[:2000])), False, spoken)
        return Part(label, [*structures.of_code(format, label, text), *statements(label, spoken, how)], note, tags)
    spoken = passages.of_document(format if format in documents.FORMATS else "text", text)
    name = given.name.rpartition("/")[2].lower()
    licensed = given.semantic_class == "license" or name.startswith(_LICENCE_NAMES)
    binding = licensed or given.semantic_class in _BINDING or any(word in name for word in _BINDING_NAMES)
    how = manner(language_of(text), binding or _binds(read), spoken)
    # A text that is no licence by its name is one where its first lines grant something.
    licence = terms_of(text) if licensed or _GRANT.search(text[:3000]) else None
    return Part(label, statements(label, spoken, how), note, tags, how.parties, licence)


def _binds(read: Source) -> bool:
    """Return whether a text of no telling name is full of duties."""
    duties = documents.moods(read.text).duties
    return duties >= 8 and duties * 12 >= read.text.count("\n")


def _comments(label: str, text: str) -> list[Statement]:
    """Return what comments of settings say."""
    comments = [
        line.strip().lstrip("#;/ ").strip() if line.lstrip().startswith(("#", ";", "//")) else ""
        for line in text.split("\n")
    ]
    spoken = passages.of_document("text", "\n".join(comments))
    return statements(label, spoken, manner(language_of(" ".join(comments)), False, spoken))


def _tags(every: list[Statement], found: Compared) -> list[OutcomeTag]:
    kinds = {statement.kind for statement in every}
    told = {
        OutcomeTag.OUT_OF_STEP: found.conflicts,
        OutcomeTag.OBLIGATIONS: kinds & {DUTY, NEED},
        OutcomeTag.PROHIBITIONS: BAN in kinds,
        OutcomeTag.DEADLINES: any(statement.deadline for statement in every),
        OutcomeTag.PERMISSIONS: PERMISSION in kinds,
        OutcomeTag.OPEN_POINTS: OPEN in kinds,
        OutcomeTag.NUMBERS: any(statement.quantities for statement in every),
    }
    return [tag for tag, holds in told.items() if holds]


def _disagreements(found: Compared) -> list[Finding]:
    return [
        finding(
            conflict.second.label, conflict.second.line, Severity.MEDIUM,
            OutcomeTag.OUT_OF_STEP, f"Disagrees with {conflict.first.label}:{conflict.first.line}: {conflict.why}",
            hint=f"There: {_short(conflict.first.text)}", evidence=_short(conflict.second.text),
        )
        for conflict in found.conflicts
    ]  # fmt: skip


def _open_points(every: list[Statement]) -> list[Finding]:
    return [
        finding(
            statement.label, statement.line, Severity.LOW, OutcomeTag.OPEN_POINTS,
            f"Undecided or undone ({statement.words})", evidence=_short(statement.text),
        )
        for statement in every
        if statement.kind == OPEN
    ][:200]  # fmt: skip


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:159] + "…"


def _summary(every: list[Statement], parts: list[Part]) -> str:
    counts = Counter(statement.kind for statement in every)
    held = ", ".join(f"{heading.lower()} {counts[kind]}" for kind, heading in _HEADINGS.items() if counts[kind])
    due = sum(statement.deadline for statement in every)
    examined = sum(bool(part.stated) or OutcomeTag.UNPARSABLE not in part.tags for part in parts)
    return f"{examined} examined: {held or 'nothing stated'}" + (f"; with a deadline {due}." if due else ".")


def _agreement(found: Compared) -> list[str]:
    lines: list[str] = []
    if found.conflicts:
        rows = [
            (_quoted(conflict.first), _quoted(conflict.second), plain(conflict.why))
            for conflict in found.conflicts[:ROWS]
        ]
        lines += ["**Where they disagree**", "", *table(("one", "other", "why"), rows)]
    if found.agreeing:
        pairs = {(one.label, one.line, two.label, two.line): (one, two) for one, two in found.agreeing}
        lines += ["**Settings that keep to what is stated**", ""]
        lines += [
            f"- {_place(one)} and {_place(two)}: {plain(two.text, 120)}" for one, two in list(pairs.values())[:20]
        ]
        lines.append("")
    return lines


def _quoted(statement: Statement) -> str:
    return f"{_place(statement)} {plain(statement.text, 140)}"


def _place(statement: Statement) -> str:
    return plain(f"{statement.label}:{statement.line}", 120)


def _section(part: Part) -> list[str]:
    lines = [f"### {plain(part.label)}", "", *([part.note, ""] if part.note else [])]
    if part.licence is not None:
        licence = part.licence
        row = [", ".join(terms) or "nothing" for terms in (licence.permits, licence.demands, licence.excludes)]
        lines += [f"Licence: {plain(licence.name)}, in short and without legal advice.", ""]
        lines += table(("permits", "demands", "excludes"), [row])
    if part.parties:
        owed = Counter(
            statement.party for statement in part.stated if statement.party and statement.kind in (DUTY, BAN)
        )
        lines += ["Parties: " + ", ".join(f"{plain(name)} ({owed[name]} duties)" for name in part.parties) + ".", ""]
    if not part.stated:
        return [*lines, "" if part.note else "No duty, limit or permission was recognized in it.", ""]
    for kind, heading in _HEADINGS.items():
        mine = [statement for statement in part.stated if statement.kind == kind]
        if mine:
            lines += [f"**{heading}**", "", *(_list(mine) if kind in (DEFINITION, OPEN) else _table(mine))]
            lines += [f"{len(mine) - ROWS} more are not shown."] if len(mine) > ROWS else []
            lines.append("")
    return lines


def _list(mine: list[Statement]) -> list[str]:
    return [
        f"- line {statement.line}: "
        + (f"{plain(statement.subject, 80)}: " if statement.subject else "")
        + plain(statement.object, 200)
        for statement in mine[:ROWS]
    ]


def _table(mine: list[Statement]) -> list[str]:
    """Return a table without the columns that are empty."""
    heads = ("line", "who or what", "", "what", "numbers", "when")
    rows = [
        (
            str(statement.line), plain(statement.subject, 80), plain(statement.words, 40), plain(statement.object, 200),
            plain(statement.numbers + (" (deadline)" if statement.deadline else ""), 80),
            plain(statement.condition, 120),
        )
        for statement in mine[:ROWS]
    ]  # fmt: skip
    kept = [number for number in range(len(heads)) if number < 4 or any(row[number] for row in rows)]
    return table([heads[number] for number in kept], [[row[number] for number in kept] for row in rows])


def _facts(statement: Statement) -> dict[str, object]:
    """Return a statement as a later step gets it, without what it does not say."""
    numbers = [
        {"bound": number.bound, "value": number.value, "of": number.dimension, "written": number.written}
        for number in statement.quantities
    ]
    stated = {
        "condition": statement.condition, "party": statement.party, "deadline": statement.deadline, "numbers": numbers,
        "dates": [day.iso for day in statement.days],
    }  # fmt: skip
    return {
        "kind": statement.kind, "object": statement.label, "line": statement.line, "subject": statement.subject,
        "words": statement.words, "what": statement.object[:200],
        **{name: value for name, value in stated.items() if value},
    }  # fmt: skip
