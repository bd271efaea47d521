"""Put everything that tells of events into one ordered list."""

from __future__ import annotations

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain, told
from plantwin.private.capabilities.engine.results import Mask, finding
from plantwin.private.capabilities.logs import rates
from plantwin.private.capabilities.logs.events import FAILED, LETTERS, WEIGHT, Event, Origin, gather, most_telling
from plantwin.private.capabilities.logs.rates import Incident
from plantwin.private.formats.timestamps import DAY, duration, shown
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TOOL = "timeline: entries of logs, dated sentences, events of earlier results"
ROWS = 150
"""Rows of the table; the result holds more."""
KEPT = 1000
SAME = 2.0
"""The same words of two sources within so many seconds are one event."""
_TAGS = {
    OutcomeTag.ATTACK_SIGNS: ("attack",),
    OutcomeTag.RECENT_CHANGE: ("deploy", "rollback", "config", "migration"),
    OutcomeTag.ERRORS: ("error", "critical"),
    OutcomeTag.RESTARTS: ("crash", "restart"),
    OutcomeTag.AUTH_FAILURES: ("refused",),
}


def run(job: Job) -> Result:
    """Order all events in time, with the incident marked."""
    origins = gather(job, Mask(job))
    events = _once([event for origin in origins for event in origin.events])
    if not events:
        reason = "None of the inputs tells of anything with a time that matters."
        return failed("Timeline", reason, [OutcomeTag.UNPARSABLE])
    errors = sorted(time for origin in origins for time in origin.errors)
    machine = [time for origin in origins if not origin.written for time in origin.times]
    incidents = rates.incidents(errors, min(machine), max(machine))[:3] if machine else []
    kept = most_telling(events, KEPT)
    rows = most_telling(kept, ROWS)
    truncated = any(origin.truncated for origin in origins)
    kinds = {event.kind for event in events}
    tags = [OutcomeTag.TRUNCATED] if truncated else []
    tags += [OutcomeTag.BURST] if incidents else []
    tags += [tag for tag, told_by in _TAGS.items() if kinds.intersection(told_by)]
    severity = Severity.MEDIUM if errors else Severity.NONE
    if incidents or kinds & {"critical", "crash", "attack"}:
        severity = Severity.HIGH
    sources = plural(sum(bool(origin.events) for origin in origins), "source")
    period = f"{shown(events[0].time)} to {shown(events[-1].time)}"
    lines = [f"{plural(len(events), 'event')} of {sources}, {period}.", "", *_plotted(origins, events)]
    found = []
    for incident in incidents:
        span = duration(incident.end - incident.start)
        count = plural(incident.errors, "error")
        start, peak, end = shown(incident.start), shown(incident.peak), shown(incident.end)
        lines += [f"**Incident**: began {start}, peaked {peak}, last error {end} ({span}, {count}).", ""]
        first = _first_error(events, incident)
        message = f"{count} from {start} to {end}, most at {peak}"
        found.append(finding(first.source, first.line, Severity.HIGH, OutcomeTag.BURST, message))
    lines += _table(rows, incidents[0] if incidents else None)
    if len(events) > len(rows):
        lines += ["", f"{len(events) - len(rows)} less telling events are not listed."]
    return Result(
        outcome=told(len(events), tags, severity=severity.value, partial=truncated),
        title="Timeline",
        findings=found,
        facts={
            "tool": TOOL,
            "examined": [origin.label for origin in origins],
            "incidents": [incident.as_dict() for incident in incidents],
            "events": [event.as_dict() for event in kept],
        },
        text="\n".join(lines).strip() + "\n",
    )


def _once(events: list[Event]) -> list[Event]:
    """Order events; keep once what two sources say in the same words at the same time."""
    found: list[Event] = []
    recent: dict[str, Event] = {}
    for event in sorted(events, key=lambda event: (event.time, -WEIGHT.get(event.kind, 0), event.source, event.line)):
        words = " ".join(event.text.lower().split())[-80:]
        before = recent.get(words)
        if before is not None and before.source != event.source and event.time - before.time <= SAME:
            continue
        recent[words] = event
        found.append(event)
    return found


def _first_error(events: list[Event], incident: Incident) -> Event:
    errors = (event for event in events if event.kind in FAILED and event.time >= incident.start - 1)
    return next(errors, events[0])


def _plotted(origins: list[Origin], events: list[Event]) -> list[str]:
    seen = [origin for origin in origins if origin.times and not origin.written]
    rows = [(origin.label.rpartition("/")[2][:24], origin.times) for origin in seen]
    errors = [time for origin in origins for time in origin.errors]
    rows += [("errors", errors)] if errors else []
    rows = rows or [("events", [event.time for event in events])]
    first, last = min(min(times) for _, times in rows), max(max(times) for _, times in rows)
    letters = {**LETTERS, "note": "n"}
    marks = [
        (event.time, letters[event.kind]) for event in events if event.kind in letters and first <= event.time <= last
    ]
    legend = "D deploy, B rollback, M migration, C settings, S start, X crash, A attack, n note, + several."
    return [*rates.plot(rows, marks), "", legend, ""]


def _table(rows: list[Event], incident: Incident | None) -> list[str]:
    lines = ["| time (UTC) | what | where | |", "|---|---|---|---|"]
    marks = [(incident.start, "incident begins"), (incident.end, "last error")] if incident is not None else []
    for event in rows:
        while marks and (event.time > marks[0][0] or (len(marks) == 2 and event.time == marks[0][0])):
            time, what = marks.pop(0)
            lines.append(f"| **{shown(time)}** | **{what}** | | |")
        day = event.kind == "note" and event.time % DAY == 0
        again = f" ({event.count} times until {shown(event.until, date=False)})" if event.count > 1 else ""
        place = f"{event.source}:{event.line}" if event.line else event.source
        when = shown(event.time)[:10] if day else shown(event.time)
        lines.append(f"| {when} | {event.kind} | {code(place)} | {plain(event.text, 200)}{again} |")
    return lines
