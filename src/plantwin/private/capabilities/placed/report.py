"""From issues by object to one result: masked evidence, rules counted, tables where they help."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.common.report import MOST_FINDINGS, code, counted, findings_text, ordered, outcome
from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.common.source import Source
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.capabilities.shape.hidden import secret_lines
from plantwin.private.redact.masking import HIDDEN
from plantwin.vocabulary import OutcomeTag, Severity

_SECRET = re.compile(
    r"(?P<key>[\w.\"'-]{0,60}(?:passw|passwd|pwd|secret|token|api_?-?key|private_?-?key|credential|access_?-?key|salt|dsn"
    r"|connection_?string|webhook)[\w.\"'-]{0,60}\s{0,8}[=:]\s{0,8})(?!\s*(?:true|false|null|\{|\[|\$\{|\d{1,5}\b))\S.{0,2000}",
    re.IGNORECASE,
)
_USERINFO = re.compile(r"(://[^/\s:@]{0,100}:)[^/\s@]{1,200}@")
PER_RULE = 40
"""Findings of one rule in one object that are listed."""


class Issue(NamedTuple):
    """What a rule found at a line."""

    line: int
    severity: Severity
    tag: OutcomeTag
    rule: str
    """What said so: the name of a check, a criterion, a benchmark's number."""
    message: str
    hint: str = ""

    def __repr__(self) -> str:
        return "<Issue private>"


def masked(text: str) -> str:
    """A piece of text in which values of secret keys, and passwords in addresses, are hidden."""
    return _USERINFO.sub(rf"\1{HIDDEN}@", _SECRET.sub(rf"\g<key>{HIDDEN}", text))


class Examined(NamedTuple):
    """One object with what was found in it."""

    source: Source
    issues: Sequence[Issue]

    def __repr__(self) -> str:
        return "<Examined private>"


def concluded(
    job: Job,
    title: str,
    examined: Iterable[Examined],
    *,
    tool: str,
    state: Sequence[OutcomeTag] = (),
    notes: Sequence[str] = (),
    tables: Sequence[str] = (),
    facts: dict[str, object] | None = None,
) -> Result:
    """The result of a check that yields issues."""
    detector = detector_of(job)
    found: list[Finding] = []
    rules: Counter[str] = Counter()
    notes = list(notes)
    labels = []
    for each in examined:
        labels.append(each.source.label)
        if not each.issues:
            continue
        hidden = secret_lines(detector, each.source.data, each.source.input.name)
        lines = each.source.text.split("\n")
        of_rule: Counter[str] = Counter()
        for issue in sorted(set(each.issues), key=lambda issue: (issue.line, issue.rule)):
            of_rule[issue.rule] += 1
            if of_rule[issue.rule] <= PER_RULE:
                found.append(_finding(each.source.label, issue, lines, hidden))
        rules.update(of_rule)
        for rule, times in of_rule.items():
            if times > PER_RULE:
                notes.append(
                    f"{times - PER_RULE} more of the rule {code(rule)} in {code(each.source.label)} are not listed."
                )
    listed = ordered(found)[:MOST_FINDINGS]
    kept = [tag for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if tag in state]
    text = [f"{len(labels)} examined: {counted(found)}.", "", *tables, "", findings_text(listed, len(set(found))), ""]
    text += (
        [f"Rules: {', '.join(f'{code(rule)} {times}' for rule, times in rules.most_common(30))}.", ""] if rules else []
    )
    return Result(
        outcome=outcome(found, state=[tag.value for tag in kept], partial=bool(kept)),
        title=title,
        findings=listed,
        facts={"tool": tool, "examined": labels, "rules": dict(rules), "notes": notes, **(facts or {})},
        text=re.sub(r"\n{3,}", "\n\n", "\n".join([*text, *notes])).strip() + "\n",
    )


def _finding(label: str, issue: Issue, lines: list[str], hidden: frozenset[int]) -> Finding:
    evidence = ""
    if 0 < issue.line <= len(lines):
        evidence = HIDDEN if issue.line in hidden else masked(lines[issue.line - 1].strip()[:200])
    return Finding(
        name=label,
        line=issue.line,
        severity=issue.severity.value,
        tag=issue.tag.value,
        message=f"{issue.message} [{issue.rule}]",
        hint=issue.hint,
        evidence=evidence,
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], most: int = 60) -> list[str]:
    """A Markdown table of cells that are safe already."""
    made = [f"| {' | '.join(row)} |" for row in rows]
    if not made:
        return []
    head = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    more = [f"| … | {len(made) - most} more |" + " |" * (len(heads) - 2)] if len(made) > most else []
    return [*head, *made[:most], *more, ""]
