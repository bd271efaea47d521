"""The job: what the inputs demand, in tables, and where they disagree."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from plantwin.private.capabilities.common import documents
from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    bucket,
    failed,
    ordered,
    plain,
    worst,
)  # fmt: skip
from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.common.settings import settings
from plantwin.private.capabilities.common.sort import CODE, LOG, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.common.veiled import veiled
from plantwin.private.capabilities.job import Finding, Input, Job, Result
from plantwin.private.capabilities.shape.hidden import secret_lines, shown
from plantwin.private.capabilities.terms import passages, structures
from plantwin.private.capabilities.terms.conflicts import Found, conflicts
from plantwin.private.capabilities.terms.licences import Licence, licence_of
from plantwin.private.capabilities.terms.phrases import (
    ADVICE,
    BAN,
    DEFINITION,
    DUTY,
    LIMIT,
    NEED,
    OPEN,
    PERMISSION,
    WARNING,
    language_of,
)  # fmt: skip
from plantwin.private.capabilities.terms.sentences import manner, statements
from plantwin.private.capabilities.terms.statement import Statement
from plantwin.private.extract.formats.words import words
from plantwin.private.redact.engine import Detector
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, Severity, StepStatus

TITLE = "Constraints"
ROWS = 60
"""Rows of one table of the report."""
STATED = 1000
"""Statements of one object that later steps get."""
_BINDING = frozenset(("requirements_spec", "standards_document", "policy_document", "contract_document", "license"))
_NAMES = words("requirement policy terms contract agreement licen copying standard rules compliance conduct")
_HEADINGS = {
    DUTY: "Duties",
    BAN: "Prohibitions",
    NEED: "Requirements",
    LIMIT: "Limits and terms",
    ADVICE: "Recommendations",
    WARNING: "Advised against",
    PERMISSION: "Permissions",
    DEFINITION: "Definitions",
    OPEN: "Open points",
}


class _Part(NamedTuple):
    label: str
    language: str
    parties: tuple[str, ...]
    stated: list[Statement]
    licence: Licence | None
    note: str
    tags: frozenset[OutcomeTag]


def extraction(job: Job) -> Result:
    """Statements of every input, and conflicts between them."""
    objects = [given for given in job.inputs if not given.is_result]
    if not objects:
        return failed(TITLE, "Objects are needed: results state no constraints of their own.")
    detector = detector_of(job)
    parts = [_read(given, detector) for given in objects]
    every = [each for part in parts for each in part.stated]
    disagreeing = conflicts(every) if len(parts) > 1 else Found([], [])
    findings = [*_disagreements(disagreeing), *_open(every)]
    tags = [tag for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if any(tag in part.tags for part in parts)]
    partial = bool(tags)
    tags += _told(every, disagreeing)
    lines = [_summary(every, parts), ""]
    if disagreeing.conflicts or disagreeing.agreeing:
        lines += _agreement(disagreeing)
    for part in parts:
        lines += _section(part)
    severity = worst(each for each in findings if each.tag == OutcomeTag.OUT_OF_STEP.value)
    listed = ordered(findings)[:MOST_FINDINGS]
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if partial else StepStatus.DONE).value,
            "severity": severity,
            "count": str(bucket(sum(each.kind not in (DEFINITION, OPEN) for each in every))),
            "tags": [tag.value for tag in tags[:MAX_OUTCOME_TAGS]],
        },
        title=TITLE,
        findings=listed,
        facts={
            "constraints": [_plain(each) for part in parts for each in part.stated[:STATED]],
            "conflicts": len(disagreeing.conflicts),
            "licences": {part.label: part.licence.name for part in parts if part.licence is not None},
            "examined": [part.label for part in parts],
        },
        text="\n".join(lines).strip() + "\n",
        listed=False,
    )


def _read(given: Input, detector: Detector) -> _Part:
    each = source(given)
    tags = {OutcomeTag.TRUNCATED} if each.truncated else set()
    note = f"Only the first {READ >> 20} MiB were read." if each.truncated else ""
    sort = sort_of(each)
    if each.binary or (sort == TABLE and not each.text):
        return _Part(each.label, "", (), [], None, "Not text.", frozenset({*tags, OutcomeTag.UNPARSABLE}))
    if sort in (TABLE, LOG):
        return _Part(each.label, "", (), [], None, "Rows and logs state no constraints.", frozenset(tags))
    text = veiled(detector, each)
    if sort == SETTINGS:
        found, sound = settings(each.format, each.text)
        if not sound:
            tags.add(OutcomeTag.UNPARSABLE)
        hidden = secret_lines(detector, each.data, given.name)
        open_ = [one for one in found if shown(one, hidden) == one.value or one.value.isdigit()]
        stated = list(structures.of_settings(each.label, open_))
        stated += _comments(each.label, text)
        return _Part(each.label, "", (), stated, None, note, frozenset(tags))
    if sort == CODE:
        spoken = passages.of_code(each.format, text)
        how = manner(language_of(" ".join(one.text for one in spoken[:2000])), False, spoken)
        stated = [*structures.of_code(each.format, each.label, text), *statements(each.label, spoken, how)]
        return _Part(each.label, how.language, (), stated, None, note, frozenset(tags))
    spoken = passages.of_document(each.format if each.format in documents.FORMATS else "text", text)
    name = given.name.rpartition("/")[2].lower()
    licensed = given.semantic_class == "license" or name.startswith(("licen", "copying", "unlicense", "gpl", "lgpl"))
    binding = licensed or given.semantic_class in _BINDING or any(word in name for word in _NAMES)
    how = manner(language_of(text), binding or _binds(each), spoken)
    licence = licence_of(text, declared=licensed)
    return _Part(
        each.label, how.language, how.parties, statements(each.label, spoken, how), licence, note, frozenset(tags)
    )


def _binds(each: Source) -> bool:
    """Whether a text of no telling name is full of duties."""
    moods = documents.moods(each.text)
    return moods.duties >= 8 and moods.duties * 12 >= each.text.count("\n")


def _comments(label: str, text: str) -> list[Statement]:
    """What comments of settings say."""
    lines = [
        line.strip().lstrip("#;/ ").strip() if line.lstrip().startswith(("#", ";", "//")) else ""
        for line in text.split("\n")
    ]
    spoken = passages.of_document("text", "\n".join(lines))
    return statements(label, spoken, manner(language_of(" ".join(lines)), False, spoken))


def _told(every: list[Statement], found: Found) -> list[OutcomeTag]:
    kinds = {each.kind for each in every}
    told = [OutcomeTag.OUT_OF_STEP] if found.conflicts else []
    told += [OutcomeTag.OBLIGATIONS] if kinds & {DUTY, NEED} else []
    told += [OutcomeTag.PROHIBITIONS] if BAN in kinds else []
    told += [OutcomeTag.DEADLINES] if any(each.deadline for each in every) else []
    told += [OutcomeTag.PERMISSIONS] if PERMISSION in kinds else []
    told += [OutcomeTag.OPEN_POINTS] if OPEN in kinds else []
    return [*told, *([OutcomeTag.NUMBERS] if any(each.quantities for each in every) else [])]


def _disagreements(found: Found) -> list[Finding]:
    return [
        Finding(
            name=each.second.label,
            line=each.second.line,
            severity=(Severity.HIGH if each.sure else Severity.MEDIUM).value,
            tag=OutcomeTag.OUT_OF_STEP.value,
            message=f"Disagrees with {each.first.label}:{each.first.line}: {each.why}",
            hint=f"There: {_short(each.first.text)}",
            evidence=_short(each.second.text),
        )
        for each in found.conflicts
    ]


def _open(every: list[Statement]) -> list[Finding]:
    return [
        Finding(
            name=each.label, line=each.line, severity=Severity.LOW.value, tag=OutcomeTag.OPEN_POINTS.value,
            message=f"Undecided or undone ({each.words})", evidence=_short(each.text),
        )
        for each in every
        if each.kind == OPEN
    ][:200]  # fmt: skip


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:159] + "…"


def _summary(every: list[Statement], parts: list[_Part]) -> str:
    counts = Counter(each.kind for each in every)
    held = ", ".join(f"{_HEADINGS[kind].lower()} {counts[kind]}" for kind in _HEADINGS if counts[kind])
    due = sum(each.deadline for each in every)
    return f"{len(parts)} examined: {held or 'nothing stated'}" + (f"; with a deadline {due}." if due else ".")


def _agreement(found: Found) -> list[str]:
    lines: list[str] = []
    if found.conflicts:
        lines += ["**Where they disagree**", "", "| one | other | why |", "|---|---|---|"]
        lines += [
            f"| {_quoted(each.first)} | {_quoted(each.second)} | {plain(each.why)} |" for each in found.conflicts[:ROWS]
        ]
        lines.append("")
    if found.agreeing:
        lines += ["**Settings that keep to what is stated**", ""]
        pairs = {(one.label, one.line, two.label, two.line): (one, two) for one, two in found.agreeing}
        lines += [
            f"- {_place(one)} and {_place(two)}: {plain(two.text, 120)}" for one, two in list(pairs.values())[:20]
        ]
        lines.append("")
    return lines


def _quoted(each: Statement) -> str:
    return f"{_place(each)} {plain(each.text, 140)}"


def _place(each: Statement) -> str:
    return plain(f"{each.label}:{each.line}", 120)


def _section(part: _Part) -> list[str]:
    lines = [f"### {plain(part.label)}", ""]
    if part.note:
        lines += [part.note, ""]
    if part.licence is not None:
        lines += [
            f"Licence: {plain(part.licence.name)}, in short and without legal advice.", "",
            "| permits | demands | excludes |", "|---|---|---|",
            "| " + " | ".join(", ".join(each) or "nothing" for each in part.licence[1:]) + " |", "",
        ]  # fmt: skip
    if part.parties:
        owed = Counter(each.party for each in part.stated if each.party and each.kind in (DUTY, BAN))
        lines += ["Parties: " + ", ".join(f"{plain(each)} ({owed[each]} duties)" for each in part.parties) + ".", ""]
    if not part.stated:
        return [*lines, "" if part.note else "Nothing is stated.", ""]
    for kind, heading in _HEADINGS.items():
        mine = [each for each in part.stated if each.kind == kind]
        if not mine:
            continue
        lines += [f"**{heading}**", ""]
        lines += _defined(mine) if kind in (DEFINITION, OPEN) else _table(mine)
        if len(mine) > ROWS:
            lines.append(f"{len(mine) - ROWS} more are not shown.")
        lines.append("")
    return lines


def _defined(mine: list[Statement]) -> list[str]:
    return [
        f"- line {each.line}: " + (f"{plain(each.subject, 80)}: " if each.subject else "") + plain(each.object, 200)
        for each in mine[:ROWS]
    ]


def _table(mine: list[Statement]) -> list[str]:
    conditional = any(each.condition for each in mine[:ROWS])
    numbered = any(each.quantities or each.days for each in mine[:ROWS])
    head = ["line", "who or what", "", "what", *(["numbers"] if numbered else []), *(["when"] if conditional else [])]
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for each in mine[:ROWS]:
        cells = [str(each.line), plain(each.subject, 80), plain(each.words, 40), plain(each.object, 200)]
        cells += [plain(each.numbers + (" (deadline)" if each.deadline else ""), 80)] if numbered else []
        cells += [plain(each.condition, 120)] if conditional else []
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def _plain(each: Statement) -> dict[str, object]:
    made: dict[str, object] = {
        "kind": each.kind, "object": each.label, "line": each.line, "subject": each.subject, "words": each.words,
        "what": each.object[:200],
    }  # fmt: skip
    if each.condition:
        made["condition"] = each.condition
    if each.party:
        made["party"] = each.party
    if each.deadline:
        made["deadline"] = True
    if each.quantities:
        made["numbers"] = [
            {"bound": one.bound, "value": one.value, "of": one.dimension, "written": one.written}
            for one in each.quantities
        ]
    if each.days:
        made["dates"] = [one.iso for one in each.days]
    return made
