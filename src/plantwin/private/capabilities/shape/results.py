"""Two results side by side: which is worse, what both have, what only one has."""

from __future__ import annotations

from collections import Counter

from plantwin.private.capabilities.common.report import ORDER, bucket, code, counted, plain, rank
from plantwin.private.capabilities.common.settings import leaves
from plantwin.private.capabilities.job import Finding, Input, Result
from plantwin.vocabulary import OutcomeTag, StepStatus


def compared(first: Input, second: Input) -> Result:
    """Findings where there are any, else what the results say of their inputs."""
    one, two = first.findings(), second.findings()
    if one or two or _audits(first, second):
        return _findings(first, second, one, two)
    return _facts(first, second)


def _audits(first: Input, second: Input) -> bool:
    finding = ("security_audit", "secret_scan", "lint", "validate_config", "audit_infrastructure", "audit_dependencies")
    return first.capability in finding and second.capability in finding


def weight(findings: list[Finding]) -> tuple[int, ...]:
    """How bad a list is: first by the number of critical findings, then of high ones, and so on."""
    counts = Counter(each.severity for each in findings)
    return tuple(counts[word] for word in reversed(ORDER))


def _findings(first: Input, second: Input, one: list[Finding], two: list[Finding]) -> Result:
    tags: list[OutcomeTag] = []
    sorts = Counter(each.tag for each in one), Counter(each.tag for each in two)
    shared = sorted(set(sorts[0]) & set(sorts[1]), key=lambda tag: -max(sorts[0][tag], sorts[1][tag]))
    names = _names(first), _names(second)
    if weight(one) > weight(two):
        tags.append(OutcomeTag.FIRST_WORSE)
        verdict = f"{names[0]} is worse"
    elif weight(two) > weight(one):
        tags.append(OutcomeTag.SECOND_WORSE)
        verdict = f"{names[1]} is worse"
    else:
        tags.append(OutcomeTag.IDENTICAL if sorts[0] == sorts[1] else OutcomeTag.SIMILAR)
        verdict = "Neither is worse"
    if shared:
        tags.append(OutcomeTag.SHARED_FINDINGS)
    if set(sorts[0]) != set(sorts[1]):
        tags.append(OutcomeTag.DIFFERENT)
    lines = [
        f"{verdict}: {names[0]} has {counted(one)}; {names[1]} has {counted(two)}.",
        "",
        "| sort | first | second |",
        "|---|---|---|",
        *(f"| {plain(tag)} | {_cell(one, tag)} | {_cell(two, tag)} |" for tag in sorted({*sorts[0], *sorts[1]})),
    ]
    for label, mine, others in ((names[0], one, sorts[1]), (names[1], two, sorts[0])):
        only = [each for each in mine if each.tag not in others]
        if only:
            lines += ["", f"Only in {label}:", ""]
            lines += [
                f"- {code(f'{each.name}:{each.line}')} {plain(each.message, 300)} ({each.severity})"
                for each in only[:25]
            ]
    worst = max((each.severity for each in one + two), key=rank, default="none")
    facts: dict[str, object] = {
        "first": dict(Counter(each.severity for each in one)),
        "second": dict(Counter(each.severity for each in two)),
        "shared": shared,
        "only_first": sorted(set(sorts[0]) - set(sorts[1])),
        "only_second": sorted(set(sorts[1]) - set(sorts[0])),
    }
    told = {
        "status": StepStatus.DONE.value,
        "severity": worst,
        "count": str(bucket(len(shared))),
        "tags": [tag.value for tag in tags],
    }
    return Result(outcome=told, title="Comparison of findings", facts=facts, text="\n".join(lines) + "\n")


def _names(given: Input) -> str:
    """What a result is about, for the person."""
    facts = (given.result or {}).get("facts")
    examined = facts.get("examined") if isinstance(facts, dict) else None
    names = [str(each) for each in examined] if isinstance(examined, list) else []
    return ", ".join(code(name) for name in names[:3]) if names else f"step {code(given.name)}"


def _cell(findings: list[Finding], tag: str) -> str:
    mine = [each for each in findings if each.tag == tag]
    return f"{len(mine)} ({max((each.severity for each in mine), key=rank)})" if mine else "none"


def _facts(first: Input, second: Input) -> Result:
    one, two = (dict(leaves(_stated(given))) for given in (first, second))
    missing = sorted(one.keys() ^ two.keys())
    differing = sorted(key for key in one.keys() & two.keys() if one[key] != two[key])
    total = len(missing) + len(differing)
    share = total / max(1, len(one.keys() | two.keys()))
    tag = OutcomeTag.IDENTICAL if not total else OutcomeTag.SIMILAR if share <= 0.3 else OutcomeTag.DIFFERENT
    lines = [f"{len(differing)} statements differ, {len(missing)} are in one only.", ""]
    lines += [f"- {code(key)}: {code(one[key])} and {code(two[key])}" for key in differing[:50]]
    lines += [f"- {code(key)}: only in the {'first' if key in one else 'second'}" for key in missing[:50]]
    told = {"status": StepStatus.DONE.value, "count": str(bucket(total)), "tags": [tag.value]}
    return Result(
        outcome=told,
        title="Comparison of results",
        facts={"differ": differing[:200], "missing": missing[:200]},
        text="\n".join(lines).strip() + "\n",
    )


def _stated(given: Input) -> object:
    """What a result states, without the name of its input at the top, so that two inputs can be set side by side."""
    facts = (given.result or {}).get("facts")
    if isinstance(facts, dict) and len(facts) == 1:
        (inner,) = facts.values()
        return inner if isinstance(inner, dict) else facts
    return facts
