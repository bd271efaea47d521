"""Logs: what they say, how often, what stands out, and what is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    code,
    counted,
    failed,
    findings_text,
    ordered,
    outcome,
    plain,
)
from plantwin.private.capabilities.incident import intrusions, rates
from plantwin.private.capabilities.incident.durations import durations
from plantwin.private.capabilities.incident.entry import Entry
from plantwin.private.capabilities.incident.happenings import happenings
from plantwin.private.capabilities.incident.moments import lasting, shown
from plantwin.private.capabilities.incident.moments import times as many
from plantwin.private.capabilities.incident.plots import timeline
from plantwin.private.capabilities.incident.reading import Log, read, share
from plantwin.private.capabilities.incident.signs import CRASH, RESTART, cause_of
from plantwin.private.capabilities.incident.traces import traces_of
from plantwin.private.capabilities.incident.veil import Veil
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.vocabulary import OutcomeTag, Severity

TOOL = "log analysis: Drain templates, robust z-scores by bucket"
LISTED = 12
"""Templates of one log that are listed."""
LOOP = 3
"""Starts within `LOOP_WITHIN` from which a program restarts again and again."""
LOOP_WITHIN = 600.0
AGAIN = 10.0
"""Lines about a crash or start within so many seconds are about one."""


def analyze(job: Job) -> Result:
    """Every log on its own, and one plot for all."""
    veil = Veil(job)
    limit = share(len(job.inputs))
    logs = [read(given, limit) for given in job.inputs]
    usable = [log for log in logs if log.entries]
    if not usable:
        return failed("Log analysis", "None of the inputs holds lines of a log.", [OutcomeTag.UNPARSABLE])
    found: list[Finding] = []
    facts: dict[str, object] = {}
    text: list[str] = []
    for log in usable:
        mine, stated, lines = _log(log, veil)
        found += mine
        facts[log.label] = stated
        text += [f"### {plain(log.label)}", "", *lines, ""]
    state = [OutcomeTag.TRUNCATED.value] if any(log.truncated for log in logs) else []
    state += [OutcomeTag.UNPARSABLE.value] if len(usable) < len(logs) else []
    listed = ordered(found)[:MOST_FINDINGS]
    head = [
        f"{many(len(usable), 'log')}, {many(sum(len(log.entries) for log in usable), 'entry')}: {counted(found)}.",
        "",
    ]
    head += _plot(usable)
    for log in logs:
        if log.truncated:
            head += [f"Of {code(log.label)} only {limit >> 20} MiB were examined.", ""]
        if not log.entries:
            head += [f"{code(log.label)} holds no lines of a log.", ""]
    return Result(
        outcome=outcome(found, state=state, partial=bool(state)),
        title="Log analysis",
        findings=listed,
        facts={
            "tool": TOOL,
            "examined": [log.label for log in logs],
            "sources": facts,
            "events": [each.stated() for log in usable for each in happenings(log, veil)],
            "traces": [each.stated(veil) for log in usable for each in traces_of(log)[:50]],
        },
        text="\n".join([*head, findings_text(listed, len(set(found))), "", *text]).strip() + "\n",
    )


def _plot(logs: list[Log]) -> list[str]:
    """One plot where the logs tell time in the same way."""
    rows: list[tuple[str, list[float]]] = []
    for log in logs:
        if log.times:
            name = log.label.rpartition("/")[2][:24]
            rows.append((name, log.times))
            errors = [each.time for each in log.entries if each.failed and each.timed]
            if errors:
                rows.append(("  errors", errors))
    spans = [min(times) > 1e8 for _, times in rows]
    return [*timeline(rows), ""] if rows and len(set(spans)) == 1 else []


def _log(log: Log, veil: Veil) -> tuple[list[Finding], dict[str, object], list[str]]:
    entries = log.entries
    times = log.times
    levels = Counter(each.level or "none" for each in entries)
    errors = sum(each.failed for each in entries)
    signed, accounts = intrusions.signed(log)
    found = [*_failures(log, veil), *signed, *intrusions.attacks(log, veil), *_restarts(log, veil)]
    slow, latency, table = durations(log, veil)
    found += slow
    if times:
        found += _rates(log, times, veil)
    period = (
        f", {shown(min(times))} to {shown(max(times))} ({lasting(max(times) - min(times))})"
        if times
        else ", without times"
    )
    lines = [f"{len(entries)} entries{period}; {errors} errors ({errors / len(entries):.1%}).", ""]
    if set(levels) - {"none"}:
        lines += ["Levels: " + ", ".join(f"{name} {count}" for name, count in levels.most_common()) + ".", ""]
    status = Counter(f"{each.status // 100}xx" for each in entries if each.status)
    if status:
        lines += ["Requests: " + ", ".join(f"{name} {count}" for name, count in sorted(status.items())) + ".", ""]
    lines += table
    templates = sorted(log.miner.templates, key=lambda each: (-each.failed, -each.count, each.number))
    lines += ["| count | level | first | last | template |", "|---:|---|---|---|---|"]
    lines += [
        f"| {each.count} | {each.level or ''} | {shown(each.first, date=False)} | {shown(each.last, date=False)} "
        f"| {code(veil(each.text)).replace('|', '¦')} |"
        for each in templates[:LISTED]
    ]
    if len(templates) > LISTED:
        lines.append(f"\n{len(templates) - LISTED} more templates.")
    stated: dict[str, object] = {
        "entries": len(entries),
        "first": shown(min(times)) if times else "",
        "last": shown(max(times)) if times else "",
        "levels": dict(levels),
        "status": dict(status),
        "error_ratio": round(errors / len(entries), 4),
        "latency_ms": latency,
        "sign_ins": accounts,
        "templates": [
            {"template": veil(each.text), "count": each.count, "level": each.level, "first": shown(each.first)}
            for each in templates[:100]
        ],
    }
    return found, stated, lines


def _failures(log: Log, veil: Veil) -> list[Finding]:
    """What failed, by template: the most frequent first."""
    kinds = sorted((each for each in log.miner.templates if each.failed), key=lambda each: -each.count)
    found: list[Finding] = []
    for each in kinds[:25]:
        critical = each.level == "critical"
        tag = cause_of(each.sample)
        severity = (
            Severity.HIGH if critical or (each.count >= 100 and tag is not OutcomeTag.ERRORS) else Severity.MEDIUM
        )
        if each.count == 1 and not critical and len(log.entries) > 1000:
            severity = Severity.LOW
        when = f", {shown(each.first)} to {shown(each.last)}" if each.first >= 0 and each.count > 1 else ""
        found.append(
            Finding(
                name=log.label,
                line=each.line,
                severity=severity.value,
                tag=tag.value,
                message=f"{each.level.capitalize()}, {each.count} times{when}"
                if each.count > 1
                else f"{each.level.capitalize()}, once",
                evidence=veil(each.sample),
            )
        )
    return found


def _restarts(log: Log, veil: Veil) -> list[Finding]:
    found: list[Finding] = []
    begun = _apart(each for each, kind in zip(log.entries, log.kinds, strict=True) if kind.sign == RESTART)
    crashed = _apart(each for each, kind in zip(log.entries, log.kinds, strict=True) if kind.sign == CRASH)
    if crashed:
        found.append(
            Finding(
                name=log.label,
                line=crashed[0].line,
                severity=Severity.HIGH.value,
                tag=OutcomeTag.RESTARTS.value,
                message=f"Crashed or was killed {many(len(crashed), 'time')}"
                + (f", first {shown(crashed[0].time)}" if crashed[0].timed else ""),
                evidence=veil(crashed[0].text),
            )
        )
    loop = _loop(begun) or _loop(crashed)
    if loop is not None and crashed:
        found.append(
            Finding(
                name=log.label,
                line=loop.line,
                severity=Severity.HIGH.value,
                tag=OutcomeTag.RESTARTS.value,
                message=f"Starts or crashes {LOOP} times or more within {lasting(LOOP_WITHIN)}, "
                f"from {shown(loop.time)}",
                hint="Look at what it says just before it ends.",
            )
        )
    elif begun and not crashed:
        found.append(
            Finding(
                name=log.label,
                line=begun[0].line,
                severity=Severity.LOW.value,
                tag=OutcomeTag.RESTARTS.value,
                message=f"Started or stopped {many(len(begun), 'time')}",
                evidence=veil(begun[0].text),
            )
        )
    return found


def _apart(found: Iterable[Entry]) -> list[Entry]:
    """Lines close to each other tell of one crash or start."""
    kept: list[Entry] = []
    last = -AGAIN
    for each in found:
        if not each.timed or not 0 <= each.time - last < AGAIN:
            kept.append(each)
        last = each.time if each.timed else last
    return kept


def _loop(begun: list[Entry]) -> Entry | None:
    """The first of several that follow each other closely."""
    timed = sorted((each for each in begun if each.timed), key=lambda each: each.time)
    pairs = zip(timed, timed[LOOP - 1 :], strict=False)
    return next((first for first, last in pairs if last.time - first.time <= LOOP_WITHIN), None)


def _rates(log: Log, times: list[float], veil: Veil) -> list[Finding]:
    """Bursts of all, of errors and of single templates; silences; errors that are new."""
    start, width, size = rates.frame(times)
    found: list[Finding] = []
    for begun, ended in rates.silences(rates.series(times, start, width, size))[:5]:
        before = max((each for each in log.entries if each.timed and each.time < begun), key=lambda each: each.time)
        found.append(
            Finding(
                name=log.label,
                line=before.line,
                severity=Severity.MEDIUM.value,
                tag=OutcomeTag.SILENCE.value,
                message=f"Nothing for {lasting(ended - begun)} from {shown(begun)}, "
                "in a log that is otherwise never still",
                hint="The program hung, was stopped, or its log was lost.",
                evidence=veil(before.text),
            )
        )
    by_kind: dict[int, list[tuple[float, int]]] = {}
    for entry, kind in zip(log.entries, log.kinds, strict=True):
        if entry.timed:
            by_kind.setdefault(kind.number, []).append((entry.time, entry.line))
    late = min(times) + (max(times) - min(times)) / 3
    scored: list[tuple[float, Finding]] = []
    for number, mine in by_kind.items():
        kind = log.miner.templates[number]
        counts = rates.series([time for time, _ in mine], start, width, size)
        steady = sum(map(bool, counts.counts)) * 10 >= size * 3
        # What comes in batches by its nature bursts each time; only trouble is told of then.
        for each in rates.bursts(counts)[:3] if steady or kind.level in ("warning", "error", "critical") else ():
            grave = Severity.HIGH if kind.failed else Severity.MEDIUM if kind.level == "warning" else Severity.LOW
            scored.append(
                (
                    each.score * (3 if kind.failed else 1),
                    Finding(
                        name=log.label,
                        line=next(line for time, line in mine if time >= each.start),
                        severity=grave.value,
                        tag=OutcomeTag.BURST.value,
                        message=f"{each.most} in {lasting(width)} at {shown(each.peak)}, "
                        f"where {each.usual:g} are usual "
                        f"(z {each.score:g})",
                        evidence=veil(kind.text),
                    ),
                )
            )
        if (
            kind.level in ("warning", "error", "critical")
            and kind.count >= 3
            and kind.first > late
            and len(times) >= 100
        ):
            scored.append(
                (
                    float(kind.count),
                    Finding(
                        name=log.label,
                        line=kind.line,
                        severity=(Severity.MEDIUM if kind.failed else Severity.LOW).value,
                        tag=OutcomeTag.NEW_PATTERN.value,
                        message=f"New since {shown(kind.first)}: {kind.count} times, never before",
                        evidence=veil(kind.text),
                    ),
                )
            )
    scored.sort(key=lambda pair: -pair[0])
    return found + [each for _, each in scored[:30]]
