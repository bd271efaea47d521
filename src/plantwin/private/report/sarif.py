"""Findings as SARIF 2.1.0, the format that code scanning services and editors read.

Of the specification: section 3.11 (messages), 3.14 (run), 3.20 (invocation), 3.27 (result), 3.49 (rules).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from plantwin.private.report.baseline import Fingerprints
from plantwin.private.report.full import sound
from plantwin.private.report.model import Overview, Reported, Taken
from plantwin.private.report.wording import called, reason, words
from plantwin.run import Ending
from plantwin.vocabulary import CapabilityName

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.rules import Rule
    from plantwin.run import Run

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "none": "none"}
SCORES = {"critical": "9.5", "high": "8.0", "medium": "5.5", "low": "2.5", "none": "0.0"}
"""`security-severity` of a rule, as code scanning divides it into critical, high, medium and low."""
SECURITY = frozenset(
    {
        CapabilityName.SECURITY_AUDIT,
        CapabilityName.SECRET_SCAN,
        CapabilityName.AUDIT_INFRASTRUCTURE,
        CapabilityName.AUDIT_DEPENDENCIES,
        CapabilityName.ASSESS_EXPOSURE,
    }
)
"""Capabilities whose findings are about security."""
ROOT = "%SRCROOT%"
MOST_NOTES = 1000
"""Files listed as not examined."""
_placeholder = re.compile(r"\{(\w+)[^{}]*\}")
_escape = re.compile(r"\\(?:\\|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([nrt]))")
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}


def sarif(run: Run, overview: Overview) -> bytes:
    """The session as one SARIF log with one run."""
    from plantwin import __version__

    rules = _rules(run, overview)
    places = {rule["id"]: number for number, rule in enumerate(rules)}
    prints = Fingerprints()
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "PlanTwin",
                        "semanticVersion": __version__,
                        "rules": rules,
                    }
                },
                "originalUriBaseIds": {ROOT: {"description": {"text": "The folder that was examined."}}},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(run, overview)],
                "results": [_result(run, one, places, prints) for one in overview.findings],
            }
        ],
    }
    return json.dumps(log, indent=1).encode("ascii") + b"\n"


def _rules(run: Run, overview: Overview) -> list[dict[str, Any]]:
    rows = _rows({one.finding.rule for one in overview.findings if one.finding.rule})
    return [_rule(run, sort, found, rows.get(sort)) for sort, found in overview.by_sort.items()]


def _rows(wanted: set[str]) -> dict[str, Rule]:
    """The rows of the rules that were found; a rule of the person's own has none."""
    from plantwin.private.capabilities.engine.rules import load, names

    found: dict[str, Rule] = {}
    for name in names() if wanted else ():
        found |= {rule.id: rule for rule in load(name).rule if rule.id in wanted}
        if len(found) == len(wanted):
            break
    return found


def _rule(run: Run, id_: str, found: list[Reported], row: Rule | None) -> dict[str, Any]:
    worst = found[0].finding
    by = found[0].by[0]
    severity = row.severity.value if row else worst.severity
    short = _placeholder.sub(r"<\1>", row.message) if row else f"{words(worst.tag)}, found by {called(by, run.names)}"
    hint = _placeholder.sub(r"<\1>", row.hint) if row else worst.hint
    reference = row.reference if row else worst.reference
    tags = [worst.tag, *(["security"] if by in SECURITY else [])]
    rule: dict[str, Any] = {
        "id": sound(id_),
        "shortDescription": {"text": _text(short)},
        "defaultConfiguration": {"level": LEVELS.get(severity, "none")},
        "properties": {"tags": [sound(tag) for tag in tags]},
    }
    if by in SECURITY:
        rule["properties"]["security-severity"] = SCORES.get(severity, "0.0")
    if row:
        rule["properties"]["precision"] = row.confidence
    if told := " ".join(filter(None, (hint, f"({reference})" if reference else ""))):
        rule["help"] = {"text": _text(told)}
    if reference.startswith("https://") and reference.isascii() and not re.search(r'[\s<>"]', reference):
        rule["helpUri"] = reference
    return rule


def _result(run: Run, one: Reported, places: dict[str, int], prints: Fingerprints) -> dict[str, Any]:
    finding = one.finding
    uri, part = located(finding.name, run.root)
    location: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": ROOT}}
    if finding.line > 0:
        location["region"] = {"startLine": finding.line}
    place: dict[str, Any] = {"physicalLocation": location}
    if part:
        place["logicalLocations"] = [{"name": sound(part), "kind": "member"}]
    message = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    level = LEVELS.get(finding.severity, "none")
    fingerprint = prints.of_finding(finding, one.sort)
    return {
        "ruleId": sound(one.sort),
        "ruleIndex": places[sound(one.sort)],
        "kind": "informational" if level == "none" else "fail",
        "level": level,
        "message": {"text": _text(message)},
        "locations": [place],
        # The first is the one by which GitHub recognizes an alert; the other says how both are made.
        "partialFingerprints": {"primaryLocationLineHash": fingerprint, "plantwin/v1": fingerprint},
        "properties": {
            "severity": sound(finding.severity),
            "tag": sound(finding.tag),
            "foundBy": [called(capability, run.names) for capability in one.by],
        },
    }


def located(label: str, root: Path | None) -> tuple[str, str]:
    """The relative URI of what a finding names, and the part of the file, where it names one."""
    path, part = unescaped(label), ""
    head, mark, tail = path.rpartition("#")
    if mark and head and not os.path.lexists(os.path.join(root or "", path)):  # noqa: PTH118 - it may be undecodable
        path, part = head, tail
    return quote(os.fsencode(path), safe="/"), part


def unescaped(text: str) -> str:
    """The name behind what `printable` shows. A byte that was no UTF-8 is that byte again."""
    if "\\" not in text:
        return text
    return _escape.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    byte, short, long, plain = match.groups()
    if byte:
        value = int(byte, 16)
        return chr(value) if value < 0x80 else chr(0xDC00 + value)
    if short or long:
        value = int(short or long, 16)
        return chr(value) if value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF else match[0]
    return _PLAIN[plain] if plain else "\\"


def _invocation(run: Run, overview: Overview) -> dict[str, Any]:
    """Whether everything was carried out, and what was not."""
    return {
        "executionSuccessful": run.ending is Ending.DONE and not overview.failed and not overview.missed,
        "toolExecutionNotifications": [*_undone(run, overview), *_unexamined(run, overview.steps)],
    }


def _undone(run: Run, overview: Overview) -> Iterable[dict[str, Any]]:
    for became, steps in (
        ("failed", overview.failed),
        ("was refused", overview.refused),
        ("was not reached", overview.missed),
    ):
        for step in steps:
            why = reason(step.verdict) if step.verdict is not None else ""
            what = f"{step.step.id} {called(step.step.capability, run.names)}"
            yield {
                "level": "error" if became == "failed" else "warning",
                "message": {"text": _text(f"{what} {became}{f': {why}' if why else ''}")},
            }


def _unexamined(run: Run, steps: Iterable[Taken]) -> Iterable[dict[str, Any]]:
    left = MOST_NOTES
    for step in steps:
        for left_out in step.coverage.left_out if step.coverage else ():
            names = left_out.names[:left]
            left -= len(names)
            said = f"{step.step.id} did not examine {left_out.count}: {left_out.reason}"
            note: dict[str, Any] = {"level": "warning", "message": {"text": _text(said)}}
            if names:
                note["locations"] = [
                    {"physicalLocation": {"artifactLocation": {"uri": located(name, run.root)[0], "uriBaseId": ROOT}}}
                    for name in names
                ]
            yield note


def _text(text: str) -> str:
    """Plain text of a message: braces are placeholders and `[text](n)` is a link unless they are written otherwise."""
    flat = " ".join(sound(text).split())
    return flat.replace("](", "] (").replace("{", "{{").replace("}", "}}") or "-"
