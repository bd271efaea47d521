"""Join earlier results into one document."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Coverage, Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import ORDER, code, counted, failed, plain, rank, told, worst
from plantwin.private.capabilities.engine.results import table
from plantwin.private.facts import private
from plantwin.vocabulary import OutcomeTag, StepStatus

TITLE = "Report"
LISTED = 150
"""Findings that the document lists."""
OBJECTS = 40
ADVICE = 10
QUOTED = 80
"""Lines of a result without findings that the document takes over."""
_DETAIL = re.compile(r"\d+|\([^)]{0,80}\)|'[^']{0,80}'|\"[^\"]{0,80}\"")


@private
class Merged(NamedTuple):
    """One thing found, and who found it."""

    finding: Finding
    steps: tuple[str, ...]
    said: tuple[str, ...]
    """Other words for it."""


def run(job: Job) -> Result:
    """Write a summary, what to do, findings by rank and by object, and what each step said."""
    results = [given for given in job.inputs if given.is_result]
    missing = [str(step) for step in absent] if isinstance(absent := job.options.get("missing"), list) else []
    if not results:
        named = f" There is none of: {', '.join(map(plain, missing))}." if missing else ""
        return failed(TITLE, f"Results of earlier steps are needed.{named}")
    found = _merged(results)
    weak = [given for given in results if _status(given) != StepStatus.DONE.value]
    lines = [
        "# Report",
        "",
        *_summary(results, found, len(weak) + len(missing)),
        "",
        *_advice(found),
        *_objects(found),
        *_ranked(found),
    ]
    lines += [line for given in results for line in _step(given)]
    if weak or missing:
        lines += ["## Not examined in full", ""]
        lines += [f"- {_named(given)}: {plain(_status(given))}{_reason(given)}" for given in weak]
        lines += [*(f"- {plain(step, 40)}: missing; it failed or was refused" for step in missing), ""]
    skipped = len(job.inputs) - len(results)
    lines += [f"{skipped} inputs are objects and not results; they are left out.", ""] if skipped else []
    text = "\n".join(lines).strip() + "\n"
    shared = sum(len(merged.steps) > 1 for merged in found)
    tags = [OutcomeTag.TRUNCATED] if any(OutcomeTag.TRUNCATED.value in _tags(given) for given in weak) else []
    tags += [OutcomeTag.SHARED_FINDINGS] if shared else []
    return Result(
        outcome=told(len(found), tags, severity=worst(merged.finding for merged in found), partial=weak or missing),
        title=TITLE,
        facts={
            "steps": [given.name for given in results],
            "missing": missing,
            "severities": dict(Counter(merged.finding.severity for merged in found)),
            "shared": shared,
            "documents": [{"name": "report.md", "text": text}],
        },
        text=text,
    )


def _merged(results: list[Input]) -> list[Merged]:
    """Return the findings of all results, the worst first; those of one tag on one line are one."""
    kept: dict[tuple[str, int, str, str], Merged] = {}
    for given in results:
        for finding in given.findings():
            key = (finding.name, finding.line, finding.tag, "" if finding.line else _gist(finding.message))
            known = kept.get(key)
            if known is None:
                kept[key] = Merged(finding, (given.name,), ())
                continue
            worse = rank(finding.severity) > rank(known.finding.severity)
            best, other = (finding, known.finding) if worse else (known.finding, finding)
            if not best.hint and other.hint:
                best = msgspec.structs.replace(best, hint=other.hint, evidence=best.evidence or other.evidence)
            said = known.said if _gist(other.message) == _gist(best.message) else (*known.said, other.message)
            steps = tuple(dict.fromkeys((*known.steps, given.name)))
            kept[key] = Merged(best, steps, tuple(dict.fromkeys(said))[:4])
    return sorted(
        kept.values(),
        key=lambda merged: (
            -rank(merged.finding.severity),
            -len(merged.steps),
            merged.finding.name,
            merged.finding.line,
        ),
    )


def _gist(message: str) -> str:
    return " ".join(_DETAIL.sub("", message).lower().split())


def _place(finding: Finding) -> str:
    return code(f"{finding.name}:{finding.line}" if finding.line else finding.name)


def _summary(results: list[Input], found: list[Merged], weak: int) -> list[str]:
    total = sum(len(given.findings()) for given in results)
    names = {merged.finding.name for merged in found}
    where = f", in {len(names)} objects" if names else ""
    lines = [f"- {len(results)} steps: {', '.join(map(_named, results))}."]
    lines.append(f"- Found: {counted(merged.finding for merged in found)}{where}.")
    if total > len(found):
        lines.append(f"- {total - len(found)} findings were said more than once and stand here once.")
    if found:
        tags = Counter(merged.finding.tag.replace("_", " ") for merged in found).most_common(6)
        lines.append("- Sorts: " + ", ".join(f"{tag} {count}" for tag, count in tags) + ".")
    return [*lines, f"- {weak} steps did not see everything; see the end."] if weak else lines


def _advice(found: list[Merged]) -> list[str]:
    """List what to do next: each hint once, the gravest and most frequent first."""
    by_hint: dict[str, list[Finding]] = defaultdict(list)
    for merged in found:
        hint = merged.finding.hint.strip()
        if not hint or hint.startswith("There: "):
            hint = f"Look at: {merged.finding.tag.replace('_', ' ')}."
        by_hint[hint].append(merged.finding)
    ranked = sorted(by_hint.items(), key=lambda item: (-rank(item[1][0].severity), -len(item[1]), item[0]))
    lines = ["## What to do next", ""] if ranked else []
    for number, (hint, findings) in enumerate(ranked[:ADVICE], start=1):
        more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
        first = findings[0]
        lines.append(f"{number}. **{first.severity}** {plain(hint, 300)} First at {_place(first)}{more}.")
    return [*lines, ""] if ranked else []


def _objects(found: list[Merged]) -> list[str]:
    by_name: dict[str, Counter[str]] = defaultdict(Counter)
    for merged in found:
        by_name[merged.finding.name][merged.finding.severity] += 1
    if len(by_name) < 2:
        return []
    severities = [word for word in reversed(ORDER) if any(counts[word] for counts in by_name.values())]
    ranked = sorted(by_name.items(), key=lambda item: ([-item[1][word] for word in severities], item[0]))
    rows = [[plain(name), *(str(counts[word] or "") for word in severities)] for name, counts in ranked]
    return ["## By object", "", *table(["object", *severities], rows, OBJECTS)]


def _ranked(found: list[Merged]) -> list[str]:
    lines = ["## Findings", ""] if found else []
    for finding, steps, said in found[:LISTED]:
        by = ", ".join(map(plain, steps))
        lines.append(f"- **{finding.severity}** {_place(finding)} {plain(finding.message, 300)} ({by})")
        lines += [f"  - also: {plain(words, 200)}" for words in said]
        lines += [f"  - {code(finding.evidence)}"] if finding.evidence else []
        lines += [f"  - {plain(finding.hint, 300)}"] if finding.hint else []
    lines += [f"- {len(found) - LISTED} more are not shown."] if len(found) > LISTED else []
    return [*lines, ""] if found else []


def _step(given: Input) -> list[str]:
    """Write one step: its findings in a sentence, or its own words."""
    result = given.result or {}
    lines = [f"## {_named(given)}", ""]
    lines += _covered(result.get("coverage"))
    findings = given.findings()
    text = result.get("text")
    if findings and result.get("listed", True):
        gravest = max(findings, key=lambda finding: rank(finding.severity))
        return [*lines, f"{counted(findings)}; the worst: {plain(gravest.message, 200)} in {code(gravest.name)}.", ""]
    said = text.split("\n") if isinstance(text, str) else []
    kept = [f"**{line.lstrip('#').strip()}**" if line.startswith("#") else line for line in said[:QUOTED]]
    kept += [f"… {len(said) - QUOTED} more lines are in the step's own section."] if len(said) > QUOTED else []
    return [*lines, *kept, ""]


def _covered(coverage: object) -> list[str]:
    """Write how much of a set a step examined, and why the rest was left out."""
    if not isinstance(coverage, dict):
        return []
    stated = msgspec.convert(coverage, Coverage)
    left = "".join(f" {left.count} not examined: {plain(left.reason)}." for left in stated.left_out)
    return [f"{stated.examined} of {stated.given} examined, something found in {stated.affected}.{left}", ""]


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
    text = (given.result or {}).get("text")
    if _status(given) == StepStatus.FAILED.value and isinstance(text, str):
        return f" ({plain(text, 160)})"
    tags = [tag.value for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if tag.value in _tags(given)]
    return f" ({', '.join(tags)})" if tags else ""
