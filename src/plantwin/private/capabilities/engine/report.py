"""From findings to an outcome and to Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from plantwin.private.capabilities.engine.job import Finding, Result
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Findings, OutcomeTag, Severity, StepStatus

ORDER = tuple(severity.value for severity in Severity)
MOST_FINDINGS = 500
"""Findings of one result; more are counted and said to be left out."""
FEW_OBJECTS = 8
"""Objects up to which that holds; of more, in proportion."""
_CONTROL = dict.fromkeys((*range(32), 127, 8232, 8233), " ")
_SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>|#"})
_MARKED = re.compile(r"\\([\\`*_\[\]<>|#])")
_SEVERITIES = frozenset(f"**{word.capitalize()}**" for word in ORDER)


def most_findings(objects: int) -> int:
    """How many findings of so many objects one result lists."""
    return MOST_FINDINGS * max(1, -(-objects // FEW_OBJECTS))


def rank(severity: str) -> int:
    """How bad a severity word is."""
    return ORDER.index(severity) if severity in ORDER else 0


def plain(text: str, most: int = 160) -> str:
    """Text of the environment on one line, shortened, that cannot act as Markdown."""
    flat = " ".join(text[: most * 4].translate(_CONTROL).split())
    return (flat if len(flat) <= most else flat[: most - 1] + "…").translate(_SPECIAL)


def unmarked(text: str) -> str:
    """What `plain` was made of, as far as it was not shortened."""
    return _MARKED.sub(r"\1", text)


def code(text: str, most: int = 160) -> str:
    """The same inside backticks."""
    flat = " ".join(text[: most * 4].translate(_CONTROL).split()).replace("`", "'")
    return f"`{flat if len(flat) <= most else flat[: most - 1] + '…'}`" if flat else "``"


def bucket(number: int) -> str:
    """A count as the vocabulary tells it."""
    return (Findings.NONE, Findings.ONE, *[Findings.FEW] * 8)[number] if number < 10 else Findings.MANY


def worst(findings: Iterable[Finding]) -> str:
    """The worst severity among findings."""
    return max((finding.severity for finding in findings), key=rank, default=Severity.NONE.value)


def outcome(
    findings: Sequence[Finding], *, total: int | None = None, state: Sequence[str] = (), partial: bool = False
) -> dict[str, object]:
    """The outcome of findings: the tags of the worst first, after those that tell the state of the work."""
    weight: Counter[str] = Counter()
    for finding in findings:
        weight[finding.tag] += 1000 ** max(0, rank(finding.severity) - 1)
    ranked = sorted((tag for tag in weight if tag not in state), key=lambda tag: (-weight[tag], tag))
    return {
        "status": (StepStatus.PARTIAL if partial else StepStatus.DONE).value,
        "severity": worst(findings),
        "count": str(bucket(len(findings) if total is None else total)),
        "tags": [*state, *ranked][:MAX_OUTCOME_TAGS],
    }


def told(
    count: int, tags: Iterable[OutcomeTag] = (), *, severity: str = "", partial: object = False
) -> dict[str, object]:
    """The outcome of work that is more than a list of findings."""
    return {
        "status": (StepStatus.PARTIAL if partial else StepStatus.DONE).value,
        "count": str(bucket(count)),
        "tags": [tag.value for tag in tags][:MAX_OUTCOME_TAGS],
        **({"severity": severity} if severity else {}),
    }


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Worst first, then by place; every one once."""
    return sorted(
        set(findings),
        key=lambda found: (-rank(found.severity), found.name, found.line, found.message, found.rule, found.evidence),
    )


def findings_text(findings: Sequence[Finding], total: int) -> str:
    """Findings as a Markdown list, by severity."""
    lines: list[str] = []
    current = ""
    for finding in findings:
        if finding.severity != current:
            current = finding.severity
            lines += ["", f"**{current.capitalize()}**", ""]
        place = code(f"{finding.name}:{finding.line}" if finding.line else finding.name)
        hint = f" {plain(finding.hint, 300)}" if finding.hint else ""
        rule = f" ({', '.join(filter(None, (finding.rule, plain(finding.reference))))})" if finding.rule else ""
        lines.append(f"- {place} {plain(finding.message, 300)}.{hint}{rule}")
        if finding.evidence:
            lines.append(f"  {code(finding.evidence)}")
    if total > len(findings):
        lines += ["", f"{total - len(findings)} more are not listed."]
    return "\n".join(lines).strip()


def beyond(text: str) -> str:
    """What a text has besides the list that `findings_text` makes: tables, plots, notes."""
    kept: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line in _SEVERITIES:
            inside = True
        elif inside and (not line or line.startswith(("- ", "  "))):
            continue
        elif not (inside and line.endswith(" more are not listed.")):
            inside = False
            kept.append(line)
    return "\n".join(kept).strip()


def counted(findings: Iterable[Finding]) -> str:
    """`2 high, 1 low`."""
    counts = Counter(finding.severity for finding in findings)
    return ", ".join(f"{counts[word]} {word}" for word in reversed(ORDER) if counts[word]) or "nothing found"


def failed(title: str, reason: str, tags: Sequence[OutcomeTag] = ()) -> Result:
    """A result that says why there is none."""
    told = {"status": StepStatus.FAILED.value, "tags": [tag.value for tag in tags]}
    return Result(outcome=told, title=title, text=f"{reason}\n")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], most: int = 60) -> list[str]:
    """Return a Markdown table of cells that are safe already."""
    made = [f"| {' | '.join(row)} |" for row in rows]
    if not made:
        return []
    head = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    more = [f"| … | {len(made) - most} more |" + " |" * (len(heads) - 2)] if len(made) > most else []
    return [*head, *made[:most], *more, ""]
