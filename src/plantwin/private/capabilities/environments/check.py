"""One comparison of environments: a table of keys, and what their differences mean."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    bucket,
    code,
    counted,
    failed,
    findings_text,
    ordered,
    worst,
)
from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.common.source import source
from plantwin.private.capabilities.environments.differences import issues, same, shown
from plantwin.private.capabilities.environments.settings import Environment, environment
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.capabilities.placed.document import read
from plantwin.private.capabilities.placed.node import Node
from plantwin.private.capabilities.placed.report import Issue, masked, table
from plantwin.private.capabilities.shape.hidden import secret_lines
from plantwin.private.redact.masking import HIDDEN
from plantwin.vocabulary import OutcomeTag, Severity, StepStatus

_T, _S = OutcomeTag, Severity
TITLE = "Comparison of environments"
Column = dict[str, tuple[Node, int]]


def compared(job: Job) -> Result:
    """The result of comparing two to six environments."""
    if not 2 <= len(job.inputs) <= 6:
        return failed(TITLE, "Two to six inputs are needed.")
    documents = [read(source(given)) for given in job.inputs]
    unread = [each.source.label for each in documents if not each.syntax or not each.roots]
    if unread:
        return failed(TITLE, f"Not a settings file that can be read: {', '.join(map(code, unread))}.", [_T.UNPARSABLE])
    plain = len({each.syntax for each in documents}) > 1
    environments = [environment(each, plain=plain) for each in documents]
    _named(environments)
    hidden = {
        id(each): secret_lines(detector_of(job), each.document.source.data, each.document.name) for each in environments
    }
    state = (
        [_T.TRUNCATED]
        if any(not each.whole or not each.document.whole or each.document.source.truncated for each in environments)
        else []
    )
    state += [_T.UNPARSABLE] if any(not each.document.sound for each in environments) else []
    paths = list(dict.fromkeys(path for each in environments for path in each.settings))
    found: list[Finding] = []
    missing: dict[str, list[str]] = {}
    differing: list[str] = []
    rows: list[list[str]] = []
    for path in paths:
        values = [(each, *each.settings[path]) for each in environments if path in each.settings]
        absent = [each for each in environments if path not in each.settings]
        if absent:
            missing[path] = [each.label for each in absent]
            found += [_finding(each, issue, hidden[id(each)]) for each, issue in _absent(path, values, absent)]
        differs = any(not same(values[0][1], node) for _, node, _ in values[1:])
        if differs:
            differing.append(path)
        if differs or absent:
            letters: dict[str, str] = {}
            rows.append([code(path, 80), *(_cell(path, each, letters, hidden[id(each)]) for each in environments)])
        if len(values) > 1:
            found += [_finding(each, issue, hidden[id(each)]) for each, issue in issues(path, values)]
    listed = ordered(found)
    shared = len(paths) - len(missing)
    told = _outcome(listed, missing, differing, len(paths), state)
    names = [f"{code(each.label)} ({each.stage or 'unknown'}, {len(each.settings)} settings)" for each in environments]
    lines = [
        f"Compared: {', '.join(names)}.",
        "",
        f"{len(paths)} settings: {shared - sum(path not in missing for path in differing)} equal in all, {len(differing)} with different values, {len(missing)} not in all. {counted(listed).capitalize()}.",
        "",
    ]
    lines += [findings_text(listed[:MOST_FINDINGS], len(listed)), ""] if listed else []
    lines += (
        ["**Differences** (secrets are masked; equal letters mean equal values)", ""] if rows else ["Nothing differs."]
    )
    lines += table(
        ["setting", *(code((each.stage and _unique(each, environments)) or each.label, 40) for each in environments)],
        rows,
        120,
    )
    facts: dict[str, object] = {
        "tool": "plantwin compare_environments",
        "environments": {each.label: each.stage for each in environments},
        "missing": missing,
        "differs": differing,
        "settings": len(paths),
        "rules": dict(Counter(each.message.rpartition("[")[2].rstrip("]") for each in listed)),
    }
    return Result(
        outcome=told, title=TITLE, findings=listed[:MOST_FINDINGS], facts=facts, text="\n".join(lines).strip() + "\n"
    )


def _named(environments: Sequence[Environment]) -> None:
    """Where only one has no stage and others are examples or overrides, its name says nothing more."""
    for each in environments:
        if not each.stage and each.document.syntax == "env" and any(other.stage == "example" for other in environments):
            each.stage = ""


def _unique(one: Environment, environments: Sequence[Environment]) -> str:
    return one.stage if sum(each.stage == one.stage for each in environments) == 1 else ""


def _cell(path: str, each: Environment, letters: dict[str, str], hidden: frozenset[int]) -> str:
    if path not in each.settings:
        return "—"
    node, line = each.settings[path]
    return code(shown(path, node, letters, line in hidden and node.kind == "text"), 60)


def _absent(
    path: str, values: Sequence[tuple[Environment, Node, int]], absent: Sequence[Environment]
) -> list[tuple[Environment, Issue]]:
    made = []
    has = ", ".join(each.stage or each.label for each, _, _ in values)
    for each in absent:
        if all(other.stage == "example" for other, _, _ in values) and len(values) == 1:
            severity, message = _S.MEDIUM, f"`{path}` is in the example and not in {each.stage or each.label}"
        elif each.stage == "example":
            severity, message = _S.LOW, f"`{path}` is used and not in the example"
        elif each.grave:
            severity, message = _S.MEDIUM, f"`{path}` is missing in production and set in {has}"
        else:
            severity, message = _S.LOW, f"`{path}` is missing in {each.stage or each.label} and set in {has}"
        made.append(
            (
                each,
                Issue(
                    0, severity, _T.KEY_MISSING, "missing key", message, "Add it, or make sure that a default holds."
                ),
            )
        )
    return made


def _finding(each: Environment, issue: Issue, hidden: frozenset[int]) -> Finding:
    lines = each.document.source.text.split("\n")
    evidence = ""
    if 0 < issue.line <= len(lines):
        line = lines[issue.line - 1].strip()[:200]
        evidence = HIDDEN if issue.line in hidden or issue.tag is _T.REUSED_SECRET else masked(line)
    return Finding(
        name=each.label,
        line=issue.line,
        severity=issue.severity.value,
        tag=issue.tag.value,
        message=f"{issue.message} [{issue.rule}]",
        hint=issue.hint,
        evidence=evidence,
    )


def _outcome(
    found: Sequence[Finding],
    missing: dict[str, list[str]],
    differing: Sequence[str],
    total: int,
    state: Sequence[OutcomeTag],
) -> dict[str, object]:
    touched = len(set(missing) | set(differing))
    likeness = _T.IDENTICAL if not touched else _T.SIMILAR if touched * 10 <= total * 3 else _T.DIFFERENT
    grave = Counter(each.tag for each in found if each.severity in ("medium", "high", "critical"))
    tags = [
        *(tag.value for tag in state),
        *(tag for tag, _ in grave.most_common() if tag not in (_T.KEY_MISSING.value, _T.VALUE_DIFFERS.value)),
    ][:3]
    rest = [_T.KEY_MISSING.value] if missing else []
    rest += [_T.VALUE_DIFFERS.value] if differing else []
    return {
        "status": (StepStatus.PARTIAL if state else StepStatus.DONE).value,
        "severity": worst(found),
        "count": str(bucket(touched)),
        "tags": [*tags, *[tag for tag in (*rest, likeness.value) if tag not in tags]][:4],
    }
