"""A result from findings: severity, count and tags follow from them where they are not stated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plantwin.private.capabilities.job import Finding, Result
from plantwin.vocabulary import Severity

ORDER = tuple(each.value for each in Severity)
MOST = 500
"""Findings that are listed; more are counted."""


def concluded(
    findings: Sequence[Finding],
    told: Mapping[str, object] | None = None,
    *,
    title: str = "",
    text: str = "",
    facts: dict[str, object] | None = None,
) -> Result:
    """The result of these findings. `told`: what the tool itself said of the outcome."""
    worst = max((ORDER.index(each.severity) for each in findings if each.severity in ORDER), default=0)
    number = len(findings)
    outcome: dict[str, object] = {
        "status": "done",
        "severity": ORDER[worst],
        "count": "none" if not number else "one" if number == 1 else "few" if number < 10 else "many",
        "tags": list(dict.fromkeys(each.tag for each in findings if each.tag)),
    }
    listed = sorted(findings, key=lambda each: -ORDER.index(each.severity) if each.severity in ORDER else 0)[:MOST]
    more = {"findings_in_all": number} if number > MOST else {}
    return Result(
        outcome=outcome | dict(told or {}),
        title=title,
        findings=list(listed),
        facts={**(facts or {}), **more},
        text=text,
    )
