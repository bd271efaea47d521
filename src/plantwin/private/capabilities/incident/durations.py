"""How long things took, by template, and what took far longer than its like."""

from __future__ import annotations

import re
from statistics import median

from plantwin.private.capabilities.common.report import code
from plantwin.private.capabilities.incident import rates
from plantwin.private.capabilities.incident.moments import lasting
from plantwin.private.capabilities.incident.reading import Log
from plantwin.private.capabilities.incident.veil import Veil
from plantwin.private.capabilities.job import Finding
from plantwin.vocabulary import OutcomeTag, Severity

TRIES = 5
"""Lines of one template that are looked through for a duration before it counts as having none."""
_LATENCY = re.compile(
    r"(?:took|in|duration|latency|elapsed|time)[\w ]{0,12}[=: (]{1,3}"
    r"(\d{1,9}(?:\.\d{1,6})?) ?(ms|msec|s|secs?|seconds|µs|us)\b"
    r"|\((\d{1,9}(?:\.\d{1,6})?) ?(ms|s)\)",
    re.IGNORECASE,
)

_SLOW = re.compile(r"\bslow\b|statement:|execute |\bquery\b", re.IGNORECASE)


def durations(log: Log, veil: Veil) -> tuple[list[Finding], dict[str, object], list[str]]:
    """Percentiles by template, and what is far slower than its like."""
    groups: dict[int, list[tuple[float, int]]] = {}
    looked: dict[int, int] = {}
    for entry, kind in zip(log.entries, log.kinds, strict=True):
        value = entry.latency
        if value < 0 and looked.get(kind.number, 0) < TRIES:
            value = _stated(entry.text)
            if value < 0 and kind.number not in groups:
                # A template whose first lines tell no duration has none.
                looked[kind.number] = looked.get(kind.number, 0) + 1
        if value >= 0:
            groups.setdefault(kind.number, []).append((value, entry.line))
    if not groups:
        return [], {}, []
    every = sorted(value for group in groups.values() for value, _ in group)
    overall = {f"p{share}": round(rates.quantile(every, share / 100), 1) for share in (50, 95, 99)} | {
        "max": round(every[-1], 1)
    }
    usual = max(rates.quantile(every, 0.5), 1.0)
    found: list[Finding] = []
    rows: list[str] = []
    ranked = sorted(groups.items(), key=lambda pair: -max(value for value, _ in pair[1]))
    for number, group in ranked[:200]:
        values = sorted(value for value, _ in group)
        high, line = max(group)
        kind = log.miner.templates[number]
        middle = rates.quantile(values, 0.5)
        if len(rows) < 8:
            rows.append(
                f"| {code(veil(kind.text), 80).replace('|', '¦')} | {len(values)} | {middle:.0f} "
                f"| {rates.quantile(values, 0.95):.0f} | {high:.0f} |"
            )
        reference = median(values) if len(values) >= 8 else min(usual, middle) if len(every) >= 5 else middle
        said = len(values) < 8 and high >= 1000 and _SLOW.search(kind.sample) is not None
        if said and high < 5 * max(reference, 1.0) and len(found) < 20:
            found.append(
                Finding(
                    name=log.label,
                    line=line,
                    severity=(Severity.MEDIUM if high >= 5000 else Severity.LOW).value,
                    tag=OutcomeTag.SLOW.value,
                    message=f"A statement took {lasting(high / 1000)}",
                    evidence=veil(kind.sample),
                )
            )
        elif high >= 1000 and high >= 5 * max(reference, 1.0) and len(found) < 20:
            slow = sum(value >= max(1000.0, 5 * reference) for value in values)
            found.append(
                Finding(
                    name=log.label,
                    line=line,
                    severity=(
                        Severity.HIGH
                        if high >= 30_000
                        else Severity.MEDIUM
                        if high >= 5000 or slow >= 10
                        else Severity.LOW
                    ).value,
                    tag=OutcomeTag.SLOW.value,
                    message=f"{slow} of {len(values)} took over five times the usual "
                    f"{lasting(max(reference, 1) / 1000)}; "
                    f"the slowest {lasting(high / 1000)}",
                    evidence=veil(kind.text),
                )
            )
    stated = " ".join(f"{name} {value:g} ms" for name, value in overall.items())
    table = [
        f"Durations: {stated}.",
        "",
        "| what | count | p50 ms | p95 ms | max ms |",
        "|---|---:|---:|---:|---:|",
        *rows,
        "",
    ]
    return found, dict(overall), table if len(every) >= 5 else []


def _stated(text: str) -> float:
    match = _LATENCY.search(text[:400])
    if match is None:
        return -1.0
    unit = (match[2] or match[4]).lower()
    return float(match[1] or match[3]) * (1.0 if unit.startswith("ms") else 0.001 if unit in ("µs", "us") else 1000.0)
