"""One ordered list of what happened, from everything that tells of it."""

from __future__ import annotations

from plantwin.private.capabilities.common.report import bucket, code, failed, plain
from plantwin.private.capabilities.incident import rates
from plantwin.private.capabilities.incident.gathering import Story, gather
from plantwin.private.capabilities.incident.happenings import WEIGHT, Happening, fewer
from plantwin.private.capabilities.incident.moments import DAY, lasting, shown, times
from plantwin.private.capabilities.incident.plots import timeline as plot
from plantwin.private.capabilities.incident.rates import Incident
from plantwin.private.capabilities.incident.veil import Veil
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, Severity, StepStatus

TOOL = "timeline: entries of logs, dated sentences, events of earlier results"
ROWS = 150
"""Rows of the table; the result holds more."""
KEPT = 1000
SAME = 2.0
"""The same words of two sources within so many seconds are one happening."""
_TAGS = {
    "error": OutcomeTag.ERRORS, "critical": OutcomeTag.ERRORS, "crash": OutcomeTag.RESTARTS,
    "restart": OutcomeTag.RESTARTS,
    "deploy": OutcomeTag.RECENT_CHANGE, "rollback": OutcomeTag.RECENT_CHANGE, "config": OutcomeTag.RECENT_CHANGE,
    "migration": OutcomeTag.RECENT_CHANGE, "attack": OutcomeTag.ATTACK_SIGNS, "refused": OutcomeTag.AUTH_FAILURES,
}  # fmt: skip
_ORDER = (
    OutcomeTag.TRUNCATED, OutcomeTag.BURST, OutcomeTag.ATTACK_SIGNS, OutcomeTag.RECENT_CHANGE, OutcomeTag.ERRORS,
    OutcomeTag.RESTARTS, OutcomeTag.AUTH_FAILURES,
)  # fmt: skip
_LETTERS = {
    "deploy": "D",
    "rollback": "B",
    "migration": "M",
    "config": "C",
    "restart": "S",
    "crash": "X",
    "attack": "A",
    "note": "n",
}


def build(job: Job) -> Result:
    """Everything in the order of time, with the incident marked."""
    veil = Veil(job)
    stories = gather(job, veil)
    told = _once([one for each in stories for one in each.told])
    if not told:
        return failed(
            "Timeline", "None of the inputs tells of anything with a time that matters.", [OutcomeTag.UNPARSABLE]
        )
    errors = sorted(time for each in stories for time in each.errors)
    machine = [time for each in stories if not each.written for time in each.times]
    incidents = rates.incidents(errors, min(machine), max(machine))[:3] if machine else []
    kept = fewer(told, KEPT)
    rows = fewer(kept, ROWS)
    truncated = any(each.truncated for each in stories)
    tags = {_TAGS[each.kind] for each in told if each.kind in _TAGS}
    tags |= {OutcomeTag.BURST} if incidents else set()
    tags |= {OutcomeTag.TRUNCATED} if truncated else set()
    severity = Severity.NONE
    if incidents or any(each.kind in ("critical", "crash", "attack") for each in told):
        severity = Severity.HIGH
    elif errors:
        severity = Severity.MEDIUM
    lines = [
        f"{times(len(told), 'event')} of {times(len([each for each in stories if each.told]), 'source')}, "
        f"{shown(told[0].time)} to {shown(told[-1].time)}.",
        "",
    ]
    lines += _plotted(stories, told)
    for each in incidents:
        lines += [
            f"**Incident**: began {shown(each.start)}, peaked {shown(each.peak)}, last error {shown(each.end)} "
            f"({lasting(each.end - each.start)}, {times(each.errors, 'error')}).",
            "",
        ]
    lines += _table(rows, incidents[0] if incidents else None)
    if len(told) > len(rows):
        lines += ["", f"{len(told) - len(rows)} less telling events are not listed."]
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if truncated else StepStatus.DONE).value,
            "severity": severity.value,
            "count": str(bucket(len(told))),
            "tags": [tag.value for tag in _ORDER if tag in tags][:MAX_OUTCOME_TAGS],
        },
        title="Timeline",
        findings=[
            Finding(
                name=_first(told, each).source,
                line=_first(told, each).line,
                severity=Severity.HIGH.value,
                tag=OutcomeTag.BURST.value,
                message=f"{times(each.errors, 'error')} from {shown(each.start)} to {shown(each.end)}, "
                f"most at {shown(each.peak)}",
            )
            for each in incidents
        ],
        facts={
            "tool": TOOL,
            "examined": [each.label for each in stories],
            "incidents": [
                {"start": shown(each.start), "peak": shown(each.peak), "end": shown(each.end), "errors": each.errors}
                for each in incidents
            ],
            "events": [each.stated() for each in kept],
        },
        text="\n".join(lines).strip() + "\n",
    )


def _once(told: list[Happening]) -> list[Happening]:
    """In order; what two sources say in the same words at the same time, once."""
    found: list[Happening] = []
    recent: dict[str, Happening] = {}
    for each in sorted(told, key=lambda one: (one.time, -WEIGHT.get(one.kind, 0), one.source, one.line)):
        words = " ".join(each.text.lower().split())[-80:]
        before = recent.get(words)
        if before is not None and before.source != each.source and each.time - before.time <= SAME:
            continue
        recent[words] = each
        found.append(each)
    return found


def _first(told: list[Happening], incident: Incident) -> Happening:
    return next(
        (each for each in told if each.kind in ("error", "critical", "crash") and each.time >= incident.start - 1),
        told[0],
    )


def _plotted(stories: list[Story], told: list[Happening]) -> list[str]:
    rows = [(each.label.rpartition("/")[2][:24], each.times) for each in stories if each.times and not each.written]
    errors = [time for each in stories for time in each.errors]
    rows += [("errors", errors)] if errors else []
    if not rows:
        rows = [("events", [each.time for each in told])]
    first, last = min(min(row[1]) for row in rows), max(max(row[1]) for row in rows)
    marks = [(each.time, _LETTERS[each.kind]) for each in told if each.kind in _LETTERS and first <= each.time <= last]
    return [
        *plot(rows, marks),
        "",
        "D deploy, B rollback, M migration, C settings, S start, X crash, A attack, n note, + several.",
        "",
    ]


def _table(rows: list[Happening], incident: Incident | None) -> list[str]:
    lines = ["| time (UTC) | what | where | |", "|---|---|---|---|"]
    begun = ended = incident is None
    for each in rows:
        if incident is not None and not begun and each.time >= incident.start:
            lines.append(f"| **{shown(incident.start)}** | **incident begins** | | |")
            begun = True
        if incident is not None and begun and not ended and each.time > incident.end:
            lines.append(f"| **{shown(incident.end)}** | **last error** | | |")
            ended = True
        day = each.kind == "note" and each.time % DAY == 0
        again = f" ({each.count} times until {shown(each.until, date=False)})" if each.count > 1 else ""
        place = f"{each.source}:{each.line}" if each.line else each.source
        lines.append(
            f"| {shown(each.time)[:10] if day else shown(each.time)} | {each.kind} "
            f"| {code(place)} | {plain(each.text, 200)}{again} |"
        )
    return lines
