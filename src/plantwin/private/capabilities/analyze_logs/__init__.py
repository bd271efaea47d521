"""Find what stands out in logs: errors, bursts, silences, restarts, slow requests, and what is new."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from statistics import median
from textwrap import shorten

import msgspec

from plantwin.private.capabilities.analyze_logs.intrusions import attacks, failed_sign_ins
from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain
from plantwin.private.capabilities.engine.results import Mask, concluded_by_object, placed, table
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.logs import rates
from plantwin.private.capabilities.logs.events import events_of
from plantwin.private.capabilities.logs.log import Log, Template, cause_of, read, share
from plantwin.private.capabilities.trace_errors.traces import traces_of
from plantwin.private.classify.identify import identify
from plantwin.private.formats.logs import Entry
from plantwin.private.formats.timestamps import duration, shown
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

RULES = Rules("logs")
TOOL = "log analysis: Drain templates, robust z-scores by bucket"
LISTED = 12
"""Templates of one log that are listed."""
QUOTED = 90
"""Characters of a message that a finding names."""
LOOP = 3
"""Starts within `LOOP_WITHIN` seconds from which a program restarts again and again."""
LOOP_WITHIN = 600.0
AGAIN = 10.0
"""Lines about a crash or start within so many seconds are about one."""
TRIES = 5
"""Lines of one template that are searched for a duration before it counts as having none."""
FEW = 8
"""Durations of one template below which it is compared with those of all."""
_TROUBLE = ("warning", "error", "critical")
_LATENCY = re.compile(
    r"(?:took|in|duration|latency|elapsed|time)[\w ]{0,12}[=: (]{1,3}"
    r"(\d{1,9}(?:\.\d{1,6})?) ?(ms|msec|s|secs?|seconds|µs|us)\b"
    r"|\((\d{1,9}(?:\.\d{1,6})?) ?(ms|s)\)",
    re.IGNORECASE,
)
_STATEMENT = re.compile(r"\bslow\b|statement:|execute |\bquery\b", re.IGNORECASE)


def run(job: Job) -> Result:
    """Examine every log on its own, with one plot for all."""
    mask = Mask(job)
    limit = share(len(job.inputs))
    logs = [read(given, limit) for given in job.inputs]
    usable = [log for given, log in zip(job.inputs, logs, strict=True) if _is_log(given, log)]
    if not usable:
        return failed("Log analysis", "None of the inputs holds lines of a log.", [OutcomeTag.UNPARSABLE])
    cut = [f"Of {code(log.label)} only {limit >> 20} MiB were examined." for log in logs if log.truncated]
    empty = [f"{code(log.label)} holds no lines of a log, and was not examined." for log in logs if log not in usable]
    empty += [
        f"No line of {code(log.label)} has a time, a level or a status: its lines were grouped, and not judged."
        for log in usable
        if not log.telling
    ]
    found: list[Finding] = []
    facts: dict[str, object] = {}
    text = [plural(sum(len(log.entries) for log in usable), "entry", "entries") + ".", "", *_plot(usable), ""]
    for log in usable:
        slow, latency, durations = _durations(log, mask)
        refused, sign_ins = failed_sign_ins(log)
        found += [*_errors(log, mask), *refused, *attacks(log, mask), *_restarts(log, mask), *slow]
        found += _rates(log, mask) if log.times else []
        facts[log.label] = {**_facts(log, mask), "latency_ms": latency, "sign_ins": sign_ins}
        text += [f"### {plain(log.label)}", "", *_section(log, durations, mask), ""]
    return concluded_by_object(
        job, "Log analysis", found, tool=TOOL, examined=[log.label for log in usable], tables=text,
        state=[*([OutcomeTag.TRUNCATED] if cut else []), *([OutcomeTag.UNPARSABLE] if empty else [])],
        notes=[*cut, *empty],
        earnest=True,
        facts={
            "sources": facts,
            "events": [event.as_dict() for log in usable for event in events_of(log, mask)],
            "traces": [trace.as_dict(mask) for log in usable for trace in traces_of(log)[:50]],
        },
    )  # fmt: skip


def _is_log(given: Input, log: Log) -> bool:
    """Tell whether an input is a log: code, documents, tables and settings are none, unless their lines have times."""
    if not log.entries or log.times or given.is_result:
        return bool(log.entries)
    format = identify(given.name, given.read(1 << 12))
    return format == "log" or given.kind == "log_stream" or (log.telling and format in ("text", ""))


def _plot(logs: list[Log]) -> list[str]:
    """Draw one plot where the logs tell time in the same way."""
    rows: list[tuple[str, list[float]]] = []
    for log in logs:
        rows += [(log.label.rpartition("/")[2][:24], log.times)] if log.times else []
        rows += [("  errors", log.errors)] if log.errors else []
    return rates.plot(rows) if len({min(times) > 1e8 for _, times in rows}) == 1 else []


def _ranked_templates(log: Log) -> list[Template]:
    return sorted(log.templates, key=lambda template: (-template.failed, -template.count, template.number))


def _facts(log: Log, mask: Mask) -> dict[str, object]:
    times = log.times
    return {
        "entries": len(log.entries),
        "first": shown(min(times)) if times else "",
        "last": shown(max(times)) if times else "",
        "levels": dict(Counter(entry.level or "none" for entry in log.entries)),
        "status": dict(Counter(f"{entry.status // 100}xx" for entry in log.entries if entry.status)),
        "error_ratio": round(sum(entry.failed for entry in log.entries) / len(log.entries), 4),
        "templates": [
            {
                "template": mask(template.text),
                "count": template.count,
                "level": template.level,
                "first": shown(template.first),
            }
            for template in _ranked_templates(log)[:100]
        ],
    }


def _section(log: Log, durations: list[str], mask: Mask) -> list[str]:
    times = log.times
    errors = sum(entry.failed for entry in log.entries)
    period = ", without times"
    if times:
        period = f", {shown(min(times))} to {shown(max(times))} ({duration(max(times) - min(times))})"
    lines = [f"{len(log.entries)} entries{period}; {errors} errors ({errors / len(log.entries):.1%}).", ""]
    levels = Counter(entry.level or "none" for entry in log.entries)
    if set(levels) - {"none"}:
        lines += ["Levels: " + ", ".join(f"{name} {count}" for name, count in levels.most_common()) + ".", ""]
    status = Counter(f"{entry.status // 100}xx" for entry in log.entries if entry.status)
    if status:
        lines += ["Requests: " + ", ".join(f"{name} {count}" for name, count in sorted(status.items())) + ".", ""]
    lines += durations
    rows = [
        (
            str(template.count), template.level, shown(template.first, date=False), shown(template.last, date=False),
            code(mask(template.text)).replace("|", "¦"),
        )
        for template in _ranked_templates(log)
    ]  # fmt: skip
    return [*lines, *table(("count", "level", "first", "last", "template"), rows, LISTED)]


def _errors(log: Log, mask: Mask) -> Iterator[Finding]:
    """Yield what failed, by template: the most frequent first."""
    templates = sorted(
        (template for template in log.templates if template.failed), key=lambda template: -template.count
    )
    for template in templates[:25]:
        cause = cause_of(template.sample)
        severity = Severity.MEDIUM
        if template.level == "critical" or (template.count >= 100 and cause is not OutcomeTag.ERRORS):
            severity = Severity.HIGH
        elif template.count == 1 and len(log.entries) > 1000:
            severity = Severity.LOW
        when = (
            f", {shown(template.first)} to {shown(template.last)}" if template.first >= 0 and template.count > 1 else ""
        )
        count = f"{template.count} times{when}" if template.count > 1 else "once"
        rule = f"LOG-{cause.value.upper().replace('_', '-')}"
        finding = RULES.found(rule, template.line, severity=severity, level=template.level.capitalize(), count=count)
        yield _quoted(finding, log.label, mask(template.sample), mask(template.text))


def _quoted(finding: Finding, label: str, evidence: str, text: str = "") -> Finding:
    """A finding that says of which message it speaks."""
    said = shorten(text or evidence, QUOTED, placeholder=" …")
    return placed(msgspec.structs.replace(finding, message=f"{code(said)}: {finding.message}"), label, evidence)


def _restarts(log: Log, mask: Mask) -> Iterator[Finding]:
    started = _apart(entry for entry, template in log.matched if template.sign == "restart")
    crashed = _apart(entry for entry, template in log.matched if template.sign == "crash")
    if crashed:
        first = f", first {shown(crashed[0].time)}" if crashed[0].timed else ""
        count = plural(len(crashed), "time") + first
        yield placed(RULES.found("LOG-CRASH", crashed[0].line, count=count), log.label, mask(crashed[0].text))
    loop = _loop(started) or _loop(crashed)
    if loop is not None and crashed:
        span, start = duration(LOOP_WITHIN), shown(loop.time)
        yield placed(RULES.found("LOG-RESTART-LOOP", loop.line, count=LOOP, span=span, start=start), log.label)
    elif started and not crashed:
        count = plural(len(started), "time")
        yield placed(RULES.found("LOG-RESTART", started[0].line, count=count), log.label, mask(started[0].text))


def _apart(found: Iterable[Entry]) -> list[Entry]:
    """Keep one of lines close to each other: they tell of one crash or start."""
    kept: list[Entry] = []
    last = -AGAIN
    for entry in found:
        if not entry.timed or not 0 <= entry.time - last < AGAIN:
            kept.append(entry)
        last = entry.time if entry.timed else last
    return kept


def _loop(started: list[Entry]) -> Entry | None:
    """Return the first of several that follow each other closely."""
    timed = sorted((entry for entry in started if entry.timed), key=lambda entry: entry.time)
    pairs = zip(timed, timed[LOOP - 1 :], strict=False)
    return next((first for first, last in pairs if last.time - first.time <= LOOP_WITHIN), None)


def _rates(log: Log, mask: Mask) -> list[Finding]:
    """Return silences, bursts of single templates, and errors that are new."""
    times = log.times
    start, width, size = rates.frame(times)
    found: list[Finding] = []
    for begun, ended in rates.silences(rates.series(times, start, width, size))[:5]:
        before = max((entry for entry in log.entries if 0 <= entry.time < begun), key=lambda entry: entry.time)
        silence = RULES.found("LOG-SILENCE", before.line, span=duration(ended - begun), start=shown(begun))
        found.append(placed(silence, log.label, mask(before.text)))
    by_template: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for entry, template in log.matched:
        if entry.timed:
            by_template[template.number].append((entry.time, entry.line))
    late = min(times) + (max(times) - min(times)) / 3
    scored: list[tuple[float, Finding]] = []
    for number, places in by_template.items():
        template = log.templates[number]
        counts = rates.series([time for time, _ in places], start, width, size)
        steady = sum(map(bool, counts.counts)) * 10 >= size * 3
        trouble = template.level in _TROUBLE
        # What comes in batches by its nature bursts each time; only trouble is told of then.
        for burst in rates.bursts(counts)[:3] if steady or trouble else ():
            severity = Severity.LOW if not trouble else Severity.HIGH if template.failed else Severity.MEDIUM
            finding = RULES.found(
                "LOG-BURST", next(line for time, line in places if time >= burst.start), severity=severity,
                count=burst.most, span=duration(width), peak=shown(burst.peak), usual=f"{burst.usual:g}",
                score=f"{burst.score:g}",
            )  # fmt: skip
            weight = burst.score * (3 if template.failed else 1)
            scored.append((weight, _quoted(finding, log.label, mask(template.text))))
        if trouble and template.count >= 3 and template.first > late and len(times) >= 100:
            severity = Severity.MEDIUM if template.failed else Severity.LOW
            finding = RULES.found(
                "LOG-NEW-PATTERN", template.line, severity=severity, start=shown(template.first), count=template.count
            )
            scored.append((float(template.count), _quoted(finding, log.label, mask(template.text))))
    scored.sort(key=lambda pair: -pair[0])
    return found + [finding for _, finding in scored[:30]]


def _durations(log: Log, mask: Mask) -> tuple[list[Finding], dict[str, float], list[str]]:
    """Return what took far longer than its like, percentiles of all in milliseconds, and a table by template."""
    groups: dict[int, list[tuple[float, int]]] = defaultdict(list)
    without: Counter[int] = Counter()
    for entry, template in log.matched:
        value = entry.latency
        if value < 0 and without[template.number] < TRIES:
            value = _stated_latency(entry.text)
            # A template whose first lines tell no duration has none.
            without[template.number] += value < 0 and template.number not in groups
        if value >= 0:
            groups[template.number].append((value, entry.line))
    if not groups:
        return [], {}, []
    every = sorted(value for group in groups.values() for value, _ in group)
    overall = {f"p{share}": round(rates.quantile(every, share / 100), 1) for share in (50, 95, 99)}
    usual = max(rates.quantile(every, 0.5), 1.0)
    found: list[Finding] = []
    rows: list[tuple[str, ...]] = []
    for number, group in sorted(groups.items(), key=lambda pair: -max(pair[1])[0])[:200]:
        values = sorted(value for value, _ in group)
        high, line = max(group)
        template = log.templates[number]
        shares = [f"{rates.quantile(values, share):.0f}" for share in (0.5, 0.95, 1)]
        if len(rows) < LISTED:
            rows.append((code(mask(template.text), 80).replace("|", "¦"), str(len(values)), *shares))
        reference = median(values) if len(values) >= FEW else rates.quantile(values, 0.5)
        if len(values) < FEW and len(every) >= 5:
            reference = min(usual, reference)
        reference = max(reference, 1.0)
        if high < 1000 or len(found) >= 20:
            continue
        if high >= 5 * reference:
            slow = sum(value >= max(1000.0, 5 * reference) for value in values)
            severity = Severity.MEDIUM if high >= 5000 or slow >= 10 else Severity.LOW
            finding = RULES.found(
                "LOG-SLOW", line, severity=Severity.HIGH if high >= 30_000 else severity, slow=slow,
                count=len(values), usual=duration(reference / 1000), slowest=duration(high / 1000),
            )  # fmt: skip
            found.append(placed(finding, log.label, mask(template.text)))
        elif len(values) < FEW and _STATEMENT.search(template.sample) is not None:
            severity = Severity.MEDIUM if high >= 5000 else Severity.LOW
            finding = RULES.found("LOG-SLOW-STATEMENT", line, severity=severity, slowest=duration(high / 1000))
            found.append(placed(finding, log.label, mask(template.sample)))
    overall["max"] = round(every[-1], 1)
    lines = ["Durations: " + " ".join(f"{name} {value:g} ms" for name, value in overall.items()) + ".", ""]
    lines += table(("what", "count", "p50 ms", "p95 ms", "max ms"), rows)
    return found, overall, lines if len(every) >= 5 else []


def _stated_latency(text: str) -> float:
    """Return the milliseconds that a message names; below zero where it names none."""
    match = _LATENCY.search(text[:400])
    if match is None:
        return -1.0
    unit = (match[2] or match[4]).lower()
    return float(match[1] or match[3]) * (1.0 if unit.startswith("ms") else 0.001 if unit in ("µs", "us") else 1000.0)
