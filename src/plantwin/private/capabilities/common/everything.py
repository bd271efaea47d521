"""What the coarse catalog does: every built-in that works on one object by itself, and of all that one outcome."""

from __future__ import annotations

from plantwin.private.capabilities.job import Finding, Input, Job, Result
from plantwin.types.capability import TELLING, Capability
from plantwin.vocabulary import Findings, Kind, OutcomeTag, SemanticClass, Severity, member

TAGS = frozenset((OutcomeTag.TRUNCATED,))
_ORDER = tuple(each.value for each in Severity)


def processed(job: Job) -> Result:
    """The local report has everything; the outcome has a status, the worst severity and a count."""
    findings: list[Finding] = []
    texts: list[str] = []
    facts: dict[str, object] = {}
    failed = 0
    for each in job.inputs:
        for capability in _fitting(each):
            try:
                result = _run(capability, each, job)
            except Exception:  # one tool that fails must not cost the others
                failed += 1
                continue
            findings += result.findings
            failed += result.outcome.get("status") == "failed"
            texts.append(f"## {capability.name.value}: {each.label}\n\n{result.text}")
            facts[f"{capability.name.value}:{each.label}"] = dict(result.outcome)
    worst = max((_ORDER.index(each.severity) for each in findings if each.severity in _ORDER), default=0)
    number = len(findings)
    count = (
        Findings.NONE if not number else Findings.ONE if number == 1 else Findings.FEW if number < 10 else Findings.MANY
    )
    outcome = {"status": "partial" if failed else "done", "severity": _ORDER[worst], "count": count.value}
    ranked = sorted(findings, key=lambda each: -_ORDER.index(each.severity) if each.severity in _ORDER else 0)
    return Result(outcome=outcome, title="Everything", findings=ranked[:500], facts=facts, text="\n\n".join(texts))


def _fitting(each: Input) -> list[Capability]:
    """Those that need one object and nothing around it, and start nothing."""
    from plantwin.private.capabilities import catalog

    if each.is_result:
        return []
    kind, leaf = member(Kind, each.kind), member(SemanticClass, each.semantic_class)
    return [
        one
        for one in catalog().values()
        if one.name not in TELLING
        and one.least == 1
        and not (one.programs or one.project or one.surroundings or one.approval)
        and one.accepts(kind, leaf)
    ]


def _run(capability: Capability, each: Input, job: Job) -> Result:
    from plantwin.private.capabilities import function

    name = capability.name.value
    return function(name)(Job(capability=name, inputs=(each,), options=job.options))
