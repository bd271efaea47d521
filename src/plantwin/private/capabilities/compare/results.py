"""Set two results side by side: which is worse, what both have, what only one has."""

from __future__ import annotations

from collections import Counter

from plantwin.private.capabilities.engine.job import Finding, Input, Result
from plantwin.private.capabilities.engine.report import ORDER, bucket, code, counted, plain, worst
from plantwin.private.capabilities.engine.results import table
from plantwin.private.formats.settings import leaves
from plantwin.private.formats.values import words
from plantwin.vocabulary import OutcomeTag, StepStatus

_AUDITS = words("security_audit secret_scan lint validate_config audit_infrastructure audit_dependencies")
_NAMED = 3
"""Names of one side of a comparison that are written out."""


def compared(first: Input, second: Input) -> Result:
    """Compare findings where there are any, else what the results say of their inputs."""
    one, two = first.findings(), second.findings()
    if one or two or {first.capability, second.capability} <= _AUDITS:
        return _by_findings(first, second, one, two)
    return _by_facts(first, second)


def _weight(findings: list[Finding]) -> tuple[int, ...]:
    """Return how bad a list is: first by the number of critical findings, then of high ones, and so on."""
    counts = Counter(finding.severity for finding in findings)
    return tuple(counts[word] for word in reversed(ORDER))


def _by_findings(first: Input, second: Input, one: list[Finding], two: list[Finding]) -> Result:
    counts = Counter(finding.tag for finding in one), Counter(finding.tag for finding in two)
    mine, other = set(counts[0]), set(counts[1])
    shared = sorted(mine & other, key=lambda tag: -max(counts[0][tag], counts[1][tag]))
    names, has, are = zip(*map(_about, (first, second)), strict=True)
    if _weight(one) != _weight(two):
        first_worse = _weight(one) > _weight(two)
        tags = [OutcomeTag.FIRST_WORSE if first_worse else OutcomeTag.SECOND_WORSE]
        worse = 0 if first_worse else 1
        verdict = f"{names[worse]} {are[worse]} worse"
    else:
        tags = [OutcomeTag.IDENTICAL if counts[0] == counts[1] else OutcomeTag.SIMILAR]
        verdict = "Neither is worse"
    tags += [OutcomeTag.SHARED_FINDINGS] if shared else []
    tags += [OutcomeTag.DIFFERENT] if mine != other else []
    lines = [f"{verdict}: {names[0]} {has[0]} {counted(one)}; {names[1]} {has[1]} {counted(two)}.", ""]
    rows = [(plain(tag), _cell(one, tag), _cell(two, tag)) for tag in sorted(mine | other)]
    lines += table(("sort", "first", "second"), rows, len(rows))
    for label, findings, others in ((names[0], one, other), (names[1], two, mine)):
        only = [finding for finding in findings if finding.tag not in others]
        lines += ["", f"Only in {label}:", ""] if only else []
        lines += [
            f"- {code(f'{each.name}:{each.line}')} {plain(each.message, 300)} ({each.severity})" for each in only[:25]
        ]
    return Result(
        outcome={
            "status": StepStatus.DONE.value,
            "severity": worst(one + two),
            "count": str(bucket(len(shared))),
            "tags": [tag.value for tag in tags],
        },
        title="Comparison of findings",
        facts={
            "first": dict(Counter(finding.severity for finding in one)),
            "second": dict(Counter(finding.severity for finding in two)),
            "shared": shared,
            "only_first": sorted(mine - other),
            "only_second": sorted(other - mine),
        },
        text="\n".join(lines) + "\n",
    )


def _about(given: Input) -> tuple[str, str, str]:
    """Return what a result is about, for the person, with the verbs for it."""
    facts = (given.result or {}).get("facts")
    examined = facts.get("examined") if isinstance(facts, dict) else None
    names = [code(name) for name in sorted(map(str, examined))] if isinstance(examined, list) else []
    if len(names) < 2:
        return (names or [f"step {code(given.name)}"])[0], "has", "is"
    shown = names if len(names) <= _NAMED else [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}", "have", "are"


def _cell(findings: list[Finding], tag: str) -> str:
    mine = [finding for finding in findings if finding.tag == tag]
    return f"{len(mine)} ({worst(mine)})" if mine else "none"


def _by_facts(first: Input, second: Input) -> Result:
    one, two = (dict(leaves(_facts(given))) for given in (first, second))
    missing = sorted(one.keys() ^ two.keys())
    differing = sorted(key for key in one.keys() & two.keys() if one[key] != two[key])
    total = len(missing) + len(differing)
    share = total / max(1, len(one.keys() | two.keys()))
    tag = OutcomeTag.IDENTICAL if not total else OutcomeTag.SIMILAR if share <= 0.3 else OutcomeTag.DIFFERENT
    lines = [f"{len(differing)} statements differ, {len(missing)} are in one only.", ""]
    lines += [f"- {code(key)}: {code(one[key])} and {code(two[key])}" for key in differing[:50]]
    lines += [f"- {code(key)}: only in the {'first' if key in one else 'second'}" for key in missing[:50]]
    return Result(
        outcome={"status": StepStatus.DONE.value, "count": str(bucket(total)), "tags": [tag.value]},
        title="Comparison of results",
        facts={"differ": differing[:200], "missing": missing[:200]},
        text="\n".join(lines).strip() + "\n",
    )


def _facts(given: Input) -> object:
    """Return what a result states, without the name of its one input at the top."""
    facts = (given.result or {}).get("facts")
    inner = next(iter(facts.values())) if isinstance(facts, dict) and len(facts) == 1 else None
    return inner if isinstance(inner, dict) else facts
