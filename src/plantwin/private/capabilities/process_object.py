"""`process_object`: everything that can be done with one object, in one call with one outcome."""

from __future__ import annotations

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, bucket, rank, worst
from plantwin.types.capability import TELLING, Capability
from plantwin.vocabulary import (
    Kind,
    SemanticClass,
    StepStatus,
    member,
)


def run(job: Job) -> Result:
    """Run every built-in that works on one object by itself; the outcome is one status, severity and count."""
    from plantwin.private.capabilities import function

    findings: list[Finding] = []
    texts: list[str] = []
    facts: dict[str, object] = {}
    failed = 0
    for given in job.inputs:
        for capability in _fitting(given):
            name = capability.name.value
            try:
                result = function(name)(Job(capability=name, inputs=(given,), options={**job.options, "engines": {}}))
            except Exception:  # one tool that fails must not cost the others
                failed += 1
                continue
            findings += result.findings
            failed += result.outcome.get("status") == StepStatus.FAILED.value
            texts.append(f"## {name}: {given.label}\n\n{result.text}")
            facts[f"{name}:{given.label}"] = dict(result.outcome)
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if failed else StepStatus.DONE).value,
            "severity": worst(findings),
            "count": str(bucket(len(findings))),
        },
        title="Everything",
        findings=sorted(findings, key=lambda finding: -rank(finding.severity))[:MOST_FINDINGS],
        facts=facts,
        text="\n\n".join(texts),
    )


def _fitting(given: Input) -> list[Capability]:
    """Return those that need one object and nothing around it; engines, which are programs, are not asked."""
    from plantwin.private.capabilities import catalog

    if given.is_result:
        return []
    kind, leaf = member(Kind, given.kind), member(SemanticClass, given.semantic_class)
    return [
        capability
        for capability in catalog().values()
        if capability.name not in TELLING
        and capability.least == 1
        and not (capability.project or capability.surroundings or capability.approval)
        and capability.accepts(kind, leaf)
    ]
