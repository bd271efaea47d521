"""One audit: every input by the reader of its format, secrets by the detector, one list of findings."""

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.private.capabilities.audit.issue import Issue, lowered
from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    counted,
    findings_text,
    ordered,
    outcome,
    plain,
)
from plantwin.private.capabilities.common.secrets import detector_of, secrets
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.masking import HIDDEN
from plantwin.vocabulary import OutcomeTag, Severity

_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|fixtures|testdata)/|(?:^|/)(?:test_|conftest)[^/]*$|[._-](?:test|spec)\.\w+$|_test\.\w+$"
)
_SCRIPT = re.compile(r"<script\b[^>]{0,200}>", re.IGNORECASE)


def examine(job: Job) -> Result:
    """The result of an audit."""
    detector = detector_of(job)
    found: list[Finding] = []
    state: list[OutcomeTag] = []
    notes: list[str] = []
    unable: list[str] = []
    for given in job.inputs:
        each = source(given)
        if each.truncated:
            state.append(OutcomeTag.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {plain(each.label)} were examined.")
        if each.binary:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{plain(each.label)} is not text; it was searched for secrets only.")
        issues, sound, whole, tools = weaknesses(each)
        if not tools:
            unable.append(each.label)
            notes.append(f"bandit failed on {plain(each.label)}; it was examined by the built-in rules alone.")
        if not whole:
            state.append(OutcomeTag.TRUNCATED)
            notes.append(f"{plain(each.label)} has more places than are examined.")
        if not sound and not each.binary:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{plain(each.label)} does not parse as {each.format}; it was examined line by line.")
        found += _findings(each, issues, detector)
    state = [tag for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if tag in state]
    unique = ordered(found)
    listed = unique[:MOST_FINDINGS]
    text = [f"{len(job.inputs)} examined: {counted(unique)}.", "", findings_text(listed, len(unique)), "", *notes]
    return Result(
        outcome=outcome(unique, state=[tag.value for tag in state], partial=bool(state or unable)),
        title="Security audit",
        findings=listed,
        facts={
            "tool": "built-in rules, bandit for Python, and the detector of secrets",
            "examined": [each.label for each in job.inputs],
            "notes": notes,
            "tools_failed": {"bandit": unable} if unable else {},
        },
        text="\n".join(text).strip() + "\n",
    )


class Weaknesses(NamedTuple):
    """The issues of one object, and how far it was looked at."""

    issues: list[Issue]
    sound: bool = True
    """Whether it parsed."""
    whole: bool = True
    """Whether every place was looked at."""
    tools: bool = True
    """Whether every tool did its part."""

    def __repr__(self) -> str:
        return "<Weaknesses private>"


def weaknesses(each: Source) -> Weaknesses:
    """Look at one object by its format."""
    if each.binary:
        return Weaknesses([])
    path, format = each.input.name, each.format
    if format == "notebook":
        return _python(_notebook(each.text), path)
    if format == "python":
        return _python(each.text, path)
    from plantwin.private.capabilities.audit import settings
    from plantwin.private.capabilities.audit.rules import FORMATS

    if format in FORMATS:
        return _lines(format, each.text, True)
    if format in settings.READ:
        return Weaknesses(*settings.issues(format, each.text, path))
    if format == "html":
        # Everything but the scripts is blank, so that lines stay what they are.
        return _lines("javascript", _scripts(each.text), True)
    return Weaknesses([])


def _python(text: str, path: str) -> Weaknesses:
    from plantwin.private.capabilities.audit.python.module import LIMIT, examined

    found = examined(text, path) if len(text) <= LIMIT else None
    return Weaknesses(found.issues, tools=found.peer) if found is not None else _lines("python", text, False)


def _lines(format: str, text: str, sound: bool) -> Weaknesses:
    from plantwin.private.capabilities.audit.lines import issues
    from plantwin.private.capabilities.audit.python.module import merged
    from plantwin.private.capabilities.audit.rules import language

    found, whole = issues(language(format), format, text.encode("utf-8", "replace"))
    return Weaknesses(merged(found), sound, whole)


def _notebook(text: str) -> str:
    """The code of a notebook's cells."""
    from plantwin.private.extract.formats import json_loader

    value, _ = json_loader.load(text, True)
    cells = value.get("cells", []) if isinstance(value, dict) else []
    code = []
    for cell in cells[:2000] if isinstance(cells, list) else []:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            lines = cell.get("source", "")
            joined = "".join(map(str, lines)) if isinstance(lines, list) else str(lines)
            code.append("\n".join("" if line.lstrip()[:1] in ("%", "!") else line for line in joined.split("\n")))
    return "\n".join(code)


def _scripts(text: str) -> str:
    parts: list[str] = []
    at = 0
    for match in _SCRIPT.finditer(text):
        if match.start() < at:
            continue
        end = text.find("</script", match.end())
        end = len(text) if end < 0 else end
        parts += [re.sub(r"[^\n]", " ", text[at : match.end()]), text[match.end() : end]]
        at = end
    return "".join(parts)


def _findings(each: Source, issues: list[Issue], detector: Detector) -> list[Finding]:
    """Issues and secrets of one object. In tests weak values are the rule: there nothing counts as grave."""
    tests = _TEST.search(each.input.name) is not None
    lines = each.text.split("\n")
    hidden = list(secrets(detector, each.data, each.input.name, each.label, personal=False))
    secret_lines = {finding.line for finding in hidden}
    found = [
        Finding(
            name=each.label,
            line=issue.line,
            severity=(lowered(issue.severity, Severity.LOW) if tests else issue.severity).value,
            tag=issue.tag.value,
            message=issue.message,
            hint=issue.hint,
            evidence=_evidence(lines, issue.line, secret_lines),
        )
        for issue in issues
    ]
    known = {(finding.line, finding.tag) for finding in found}
    return found + [finding for finding in hidden if _counts(finding, known)]


def _counts(finding: Finding, known: set[tuple[int, str]]) -> bool:
    """A doubtful secret at a line that a rule already reports says nothing new."""
    return finding.severity != Severity.LOW.value or (finding.line, finding.tag) not in known


def _evidence(lines: list[str], line: int, secret_lines: set[int]) -> str:
    """The line itself, unless a secret stands in it."""
    if not 0 < line <= len(lines):
        return ""
    return HIDDEN if line in secret_lines else lines[line - 1].strip()[:200]
