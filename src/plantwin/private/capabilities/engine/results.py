"""Build the one result of a check from what was found in each object: ignored rules left out, evidence masked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import code, counted, findings_text, most_findings, ordered, outcome
from plantwin.private.capabilities.engine.report import table as table
from plantwin.private.capabilities.engine.rules import ignored
from plantwin.private.capabilities.engine.secrets import detector_of, secret_lines
from plantwin.private.capabilities.engine.source import Source, in_earnest, production
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.summary import FINANCIAL, HEALTH, HIDDEN, IDENTITY, preview
from plantwin.private.facts import Private, private
from plantwin.private.formats.document import Text
from plantwin.vocabulary import OutcomeTag, Severity

PER_RULE = 40
"""Findings of one rule in one object that are listed."""
_SECRET = re.compile(
    r"(?P<key>[\w.\"'-]{0,60}(?:passw|passwd|pwd|secret|token|api_?-?key|private_?-?key|credential|access_?-?key|salt|dsn"
    r"|connection_?string|webhook)[\w.\"'-]{0,60}\s{0,8}[=:]\s{0,8})(?!\s*(?:true|false|null|\{|\[|\$\{|\d{1,5}\b))\S.{0,2000}",
    re.IGNORECASE,
)
_USERINFO = re.compile(r"(://[^/\s:@]{0,100}:)[^/\s@]{1,200}@")


@private
class Examined(NamedTuple):
    """One object with what was found in it."""

    source: Text
    findings: Sequence[Finding]
    hidden: frozenset[int] | None = None
    """Lines with a secret, which are not quoted; the detector is asked where they are not known."""


def concluded(
    job: Job,
    title: str,
    examined: Iterable[Examined],
    *,
    tool: object,
    state: Sequence[OutcomeTag] = (),
    partial: bool = False,
    notes: Sequence[str] = (),
    tables: Sequence[str] = (),
    facts: dict[str, object] | None = None,
    per_rule: int = PER_RULE,
    quoted: bool = True,
    earnest: bool = True,
) -> Result:
    """Build the result of a check. Rules that the person switched off, or a comment ignores, are counted in a note.

    `tool`: what examined, as text or by object. `state`: whether something was cut or unreadable.
    `per_rule`: how many findings of one rule in one object are listed; the others are counted.
    `quoted`: whether a finding without evidence shows its line. `earnest`: whether a finding is grave only where the
    object is used in earnest: in tests, examples, documents, templates and packages by others it is of medium severity
    at most.
    """
    off = frozenset(map(str, value)) if isinstance(value := job.options.get("rules_off"), list) else frozenset()
    found: list[Finding] = []
    rules: Counter[str] = Counter()
    notes = list(notes)
    labels: list[str] = []
    left_out = total = 0
    for source, findings, known in examined:
        labels.append(source.label)
        if not findings:
            continue
        hidden = known
        if hidden is None and quoted:
            hidden = secret_lines(detector_of(job), source.data, source.name)
        lines = source.text.split("\n")
        of_rule: Counter[str] = Counter()
        for finding in sorted(set(findings), key=lambda found: (found.line, found.rule, found.message)):
            text = lines[finding.line - 1] if 0 < finding.line <= len(lines) else ""
            if finding.rule and (finding.rule in off or finding.rule in ignored(text)):
                left_out += 1
                continue
            total += 1
            of_rule[finding.rule] += 1
            # A secret that no form proves is grave where it is one of production.
            unproven = finding.tag == OutcomeTag.HARDCODED_SECRET.value and finding.severity == Severity.HIGH.value
            if earnest and (not in_earnest(source.name) or (unproven and not production(source.name, source.data))):
                finding = capped(finding)
            if not finding.rule or of_rule[finding.rule] <= per_rule:
                evidence = finding.evidence
                if quoted and not evidence:
                    evidence = HIDDEN if finding.line in (hidden or ()) else masked(text.strip()[:200])
                found.append(msgspec.structs.replace(finding, name=source.label, evidence=evidence))
        rules.update(of_rule)
        for rule, times in of_rule.items():
            if rule and times > per_rule:
                more = f"{times - per_rule} more of the rule {code(rule)} in {code(source.label)} are not listed."
                notes.append(more)
    if left_out:
        notes.append(f"{left_out} left out: their rules are switched off, or ignored by a comment.")
    del rules[""]
    unique = ordered(found)
    listed = unique[: most_findings(len(labels))]
    kept = [tag for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if tag in state]
    head = f"{len(labels)} examined: {counted(unique)}." if labels else "Nothing was examined."
    report = [head, "", *tables, "", findings_text(listed, len(unique)), ""]
    if rules:
        report += [f"Rules: {', '.join(f'{code(rule)} {times}' for rule, times in rules.most_common(30))}.", ""]
    return Result(
        outcome=outcome(
            unique, total=total, state=[tag.value for tag in kept], partial=partial or bool(kept) or not labels
        ),
        title=title,
        findings=listed,
        facts={"tool": tool, "examined": labels, "rules": dict(rules), "notes": notes, **(facts or {})},
        text=re.sub(r"\n{3,}", "\n\n", "\n".join([*report, *notes])).strip() + "\n",
    )


def capped(finding: Finding) -> Finding:
    """Return a finding that is of medium severity at most."""
    grave = finding.severity in (Severity.HIGH.value, Severity.CRITICAL.value)
    return msgspec.structs.replace(finding, severity=Severity.MEDIUM.value) if grave else finding


def masked(text: str) -> str:
    """Return a piece of text with the values of secret keys, and passwords in addresses, hidden."""
    return _USERINFO.sub(rf"\1{HIDDEN}@", _SECRET.sub(rf"\g<key>{HIDDEN}", text))


class Mask(Private):
    """Masks secrets and payment, health and identity data in lines. The detector is loaded when first needed."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._detector: Detector | None = None
        self._seen: dict[str, str] = {}

    def __call__(self, text: str, most: int = 400) -> str:
        """Return the text with such values replaced."""
        text = text[:most]
        known = self._seen.get(text)
        if known is not None:
            return known
        if self._detector is None:
            self._detector = detector_of(self._job)
        data = text.encode("utf-8", "replace")
        parts: list[bytes] = []
        at = 0
        for found in self._detector.scan(data, path="line.log"):
            grave = found.type in FINANCIAL or found.type in HEALTH or found.type in IDENTITY
            if (found.group == "secret" or grave) and found.confidence != "low" and found.start >= at:
                value = data[found.start : found.end].decode("utf-8", "replace")
                parts += [data[at : found.start], preview(value).encode("utf-8", "replace")]
                at = found.end
        masked = b"".join([*parts, data[at:]]).decode("utf-8", "replace")
        if len(self._seen) < 5000:
            self._seen[text] = masked
        return masked


def finding(
    name: str, line: int, severity: Severity, tag: OutcomeTag, message: str, *, hint: str = "", evidence: str = ""
) -> Finding:
    """Make a finding that no row of rules words."""
    return Finding(
        name=name, line=line, severity=severity.value, tag=tag.value, message=message, hint=hint, evidence=evidence
    )


def placed(found: Finding, name: str, evidence: str = "") -> Finding:
    """Say in which object a rule found something, with masked evidence."""
    return msgspec.structs.replace(found, name=name, evidence=evidence)


def concluded_by_object(
    job: Job, title: str, found: Iterable[Finding], *, tool: str, examined: Sequence[str] = (),
    state: Sequence[OutcomeTag] = (), notes: Sequence[str] = (), tables: Sequence[str] = (),
    facts: dict[str, object] | None = None, partial: bool = False, earnest: bool = False,
) -> Result:  # fmt: skip
    """Build the result of findings that name their objects and bring masked evidence."""
    by_object: dict[str, list[Finding]] = {label: [] for label in examined}
    for reported in found:
        by_object.setdefault(reported.name, []).append(reported)
    listed = [Examined(_unread(label), findings) for label, findings in by_object.items()]
    return concluded(
        job, title, listed, tool=tool, state=state, notes=notes, tables=tables, partial=partial,
        facts={"examined": list(examined), **(facts or {})}, per_rule=500, earnest=earnest,
    )  # fmt: skip


def _unread(label: str) -> Source:
    """Return a source of which nothing is quoted: the findings bring their own evidence."""
    return Source(Input(name=label), label, "", b"", "", False, False)
