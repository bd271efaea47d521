"""The job: earlier results as one document."""

from __future__ import annotations

from collections import Counter, defaultdict

from plantwin.private.capabilities.common.report import (
    ORDER,
    bucket,
    code,
    counted,
    failed,
    plain,
    rank,
    worst,
)  # fmt: skip
from plantwin.private.capabilities.job import Input, Job, Result
from plantwin.private.capabilities.joined.merged import Merged, advice, merged
from plantwin.vocabulary import OutcomeTag, StepStatus

TITLE = "Report"
LISTED = 150
"""Findings that the document lists."""
OBJECTS = 40
QUOTED = 80
"""Lines of a result without findings that the document takes over."""


def document(job: Job) -> Result:
    """Summary, what to do, findings by rank and by object, and what each step said."""
    results = [given for given in job.inputs if given.is_result]
    if not results:
        return failed(TITLE, "Results of earlier steps are needed.")
    found = merged(results)
    weak = [given for given in results if _status(given) != StepStatus.DONE.value]
    lines = ["# Report", "", *_short(results, found, weak), "", *_next(found), *_objects(found), *_ranked(found)]
    lines += [line for given in results for line in _step(given)]
    if weak:
        lines += ["## Not examined in full", ""]
        lines += [f"- {_named(given)}: {plain(_status(given))}{_reason(given)}" for given in weak] + [""]
    skipped = len(job.inputs) - len(results)
    if skipped:
        lines += [f"{skipped} inputs are objects and not results; they are left out.", ""]
    text = "\n".join(lines).strip() + "\n"
    tags = [OutcomeTag.TRUNCATED] if any(OutcomeTag.TRUNCATED.value in _tags(given) for given in weak) else []
    tags += [OutcomeTag.SHARED_FINDINGS] if any(len(each.steps) > 1 for each in found) else []
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if weak else StepStatus.DONE).value,
            "severity": worst(each.finding for each in found),
            "count": str(bucket(len(found))),
            "tags": [tag.value for tag in tags],
        },
        title=TITLE,
        facts={
            "steps": [given.name for given in results],
            "severities": dict(Counter(each.finding.severity for each in found)),
            "shared": sum(len(each.steps) > 1 for each in found),
            "documents": [{"name": "report.md", "text": text}],
        },
        text=text,
    )


def _short(results: list[Input], found: list[Merged], weak: list[Input]) -> list[str]:
    total = sum(len(given.findings()) for given in results)
    names = {each.finding.name for each in found}
    lines = [f"- {len(results)} steps: {', '.join(_named(given) for given in results)}."]
    lines.append(
        f"- Found: {counted(each.finding for each in found)}" + (f", in {len(names)} objects." if names else ".")
    )
    if total > len(found):
        lines.append(f"- {total - len(found)} findings were said more than once and stand here once.")
    if found:
        sorts = Counter(each.finding.tag for each in found).most_common(6)
        lines.append("- Sorts: " + ", ".join(f"{tag.replace('_', ' ')} {count}" for tag, count in sorts) + ".")
    if weak:
        lines.append(f"- {len(weak)} steps did not see everything; see the end.")
    return lines


def _next(found: list[Merged]) -> list[str]:
    steps = advice(found)
    if not steps:
        return []
    lines = ["## What to do next", ""]
    for number, each in enumerate(steps, start=1):
        more = f" and {each.places - 1} more" if each.places > 1 else ""
        lines.append(f"{number}. **{each.severity}** {plain(each.hint, 300)} First at {code(each.first)}{more}.")
    return [*lines, ""]


def _objects(found: list[Merged]) -> list[str]:
    by_name: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found:
        by_name[each.finding.name][each.finding.severity] += 1
    if len(by_name) < 2:
        return []
    shown = [word for word in reversed(ORDER) if any(counts[word] for counts in by_name.values())]
    ranked = sorted(by_name.items(), key=lambda item: ([-item[1][word] for word in shown], item[0]))
    lines = ["## By object", "", "| object | " + " | ".join(shown) + " |", "|---|" + "---:|" * len(shown)]
    lines += [
        f"| {plain(name)} | " + " | ".join(str(counts[word] or "") for word in shown) + " |"
        for name, counts in ranked[:OBJECTS]
    ]
    if len(ranked) > OBJECTS:
        lines.append(f"\n{len(ranked) - OBJECTS} more objects are not shown.")
    return [*lines, ""]


def _ranked(found: list[Merged]) -> list[str]:
    if not found:
        return []
    lines = ["## Findings", ""]
    for each in found[:LISTED]:
        one = each.finding
        place = code(f"{one.name}:{one.line}" if one.line else one.name)
        lines.append(f"- **{one.severity}** {place} {plain(one.message, 300)} ({', '.join(map(plain, each.steps))})")
        lines += [f"  - also: {plain(said, 200)}" for said in each.said]
        if one.evidence:
            lines.append(f"  - {code(one.evidence)}")
        if one.hint:
            lines.append(f"  - {plain(one.hint, 300)}")
    if len(found) > LISTED:
        lines.append(f"- {len(found) - LISTED} more are not shown.")
    return [*lines, ""]


def _step(given: Input) -> list[str]:
    """One step: its findings in a sentence, or its own words."""
    result = given.result or {}
    lines = [f"## {_named(given)}", ""]
    findings = given.findings()
    text = result.get("text")
    if findings and result.get("listed", True):
        gravest = max(findings, key=lambda each: rank(each.severity))
        return [*lines, f"{counted(findings)}; the worst: {plain(gravest.message, 200)} in {code(gravest.name)}.", ""]
    said = text.split("\n") if isinstance(text, str) else []
    kept = [f"**{line.lstrip('#').strip()}**" if line.startswith("#") else line for line in said[:QUOTED]]
    if len(said) > QUOTED:
        kept.append(f"… {len(said) - QUOTED} more lines are in the step's own section.")
    return [*lines, *kept, ""]


def _named(given: Input) -> str:
    title = (given.result or {}).get("title")
    return f"{plain(given.name, 40)} {plain((given.capability or str(title or 'step')).replace('_', ' '), 60)}"


def _outcome(given: Input) -> dict[str, object]:
    found = (given.result or {}).get("outcome")
    return found if isinstance(found, dict) else {}


def _status(given: Input) -> str:
    return str(_outcome(given).get("status", StepStatus.FAILED.value))


def _tags(given: Input) -> list[object]:
    found = _outcome(given).get("tags")
    return found if isinstance(found, list) else []


def _reason(given: Input) -> str:
    tags = [str(tag) for tag in _tags(given) if tag in (OutcomeTag.TRUNCATED.value, OutcomeTag.UNPARSABLE.value)]
    text = (given.result or {}).get("text")
    if _status(given) == StepStatus.FAILED.value and isinstance(text, str):
        return f" ({plain(text, 160)})"
    return f" ({', '.join(tags)})" if tags else ""
