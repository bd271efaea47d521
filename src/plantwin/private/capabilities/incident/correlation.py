"""Sources set beside each other in time: what came before errors, what followed, and what both name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import exp
from typing import NamedTuple

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
from plantwin.private.capabilities.incident import rates
from plantwin.private.capabilities.incident.gathering import Story, gather, offset
from plantwin.private.capabilities.incident.happenings import Happening, fewer
from plantwin.private.capabilities.incident.identifiers import Names, Shared, of_story, shared
from plantwin.private.capabilities.incident.moments import lasting, shown, times
from plantwin.private.capabilities.incident.plots import timeline
from plantwin.private.capabilities.incident.rates import Incident
from plantwin.private.capabilities.incident.signs import CHANGES, RESTART
from plantwin.private.capabilities.incident.veil import Veil
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.vocabulary import OutcomeTag, Severity

TOOL = "events aligned in time; changes within the hour before errors, lagged correlation of error rates"
BEFORE = 3600.0
"""How long before errors a change is looked for."""
JOINED = 300.0
"""Lines of one change are not further apart than this."""
_WEIGHT = {"deploy": 1.0, "migration": 1.0, "config": 1.0, "rollback": 0.5, "restart": 0.4}
_LETTER = {"deploy": "D", "rollback": "B", "migration": "M", "config": "C", "restart": "S", "crash": "X", "attack": "A"}
_KEYED = re.compile(
    r"timeout|limit|max|pool|size|retr|attempt|ttl|interval|delay|worker|thread|replica|conn|memory|port|version|image|tag|host|url|quota",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d{2,9}(?![\w]*[.\d])")


class Change(NamedTuple):
    """Something that people or pipelines did, from its first line to its last."""

    kind: str
    start: float
    end: float
    source: str
    line: int
    text: str

    def __repr__(self) -> str:
        return "<Change private>"


def correlate(job: Job) -> Result:
    """Incidents with the changes before and after them, and what the sources share."""
    veil = Veil(job)
    stories = gather(job, veil)
    timed = [each for each in stories if each.times]
    if not timed:
        return failed("Correlation", "None of the inputs tells of anything with a time.", [OutcomeTag.UNPARSABLE])
    named_by = {each.label: of_story(each) for each in stories}
    moved = _clocks(timed, named_by)
    errors = sorted(time for each in timed for time in each.errors)
    every = [time for each in timed if not each.written for time in each.times] or [
        time for each in timed for time in each.times
    ]
    changes = changed([one for each in timed for one in each.told])
    found_incidents = rates.incidents(errors, min(every), max(every))[:5]
    common = shared(named_by)
    found = [one for each in found_incidents for one in _causes(each, changes, errors, stories)]
    found += list(_settings(stories, veil))
    found += list(_leads(timed))
    found += list(_shared(common, veil))
    truncated = any(each.truncated for each in stories)
    state = [OutcomeTag.TRUNCATED.value] if truncated else []
    listed = ordered(found)[:MOST_FINDINGS]
    told = fewer([one for each in timed for one in each.told], 800)
    return Result(
        outcome=outcome(found, state=state, partial=truncated),
        title="Correlation",
        findings=listed,
        facts={
            "tool": TOOL,
            "examined": [each.label for each in stories],
            "incidents": [
                {"start": shown(each.start), "peak": shown(each.peak), "end": shown(each.end), "errors": each.errors}
                for each in found_incidents
            ],
            "changes": [
                {
                    "kind": each.kind,
                    "start": shown(each.start),
                    "end": shown(each.end),
                    "source": each.source,
                    "line": each.line,
                }
                for each in changes[:200]
            ],
            "shared": [
                {"sort": each.sort, "value": veil(each.value), "sources": sorted(each.places), "failed": each.failed}
                for each in common[:100]
            ],
            "clocks": moved,
            "events": [each.stated() for each in told],
        },
        text=_text(timed, found_incidents, changes, common, moved, listed, len(set(found)), veil),
    )


def changed(told: list[Happening]) -> list[Change]:
    """Changes and restarts, their lines joined, in the order of time."""
    found: list[Change] = []
    for each in sorted(told, key=lambda one: (one.source, one.time)):
        if each.kind not in CHANGES and each.kind != RESTART:
            continue
        last = found[-1] if found else None
        end = max(each.time, each.until)
        if (
            last is not None
            and last.source == each.source
            and each.time - last.end <= JOINED
            and _same(last.kind, each.kind)
        ):
            kind = last.kind if last.kind != RESTART else each.kind
            found[-1] = last._replace(end=max(end, last.end), kind=kind)
        else:
            found.append(Change(each.kind, each.time, end, each.source, each.line, each.text))
    return sorted(found, key=lambda one: one.start)


def _same(one: str, two: str) -> bool:
    """What belongs to one change: a rollback replaces containers as a deploy does."""
    return one == two or {one, two} <= {"deploy", "restart"} or (one == "rollback" and two in ("deploy", "restart"))


def _clocks(stories: list[Story], named_by: dict[str, Names]) -> dict[str, str]:
    """Move clocks that are off by a zone: the same requests tell."""
    moved: dict[str, str] = {}
    logs = [each for each in stories if each.log is not None and each.times]
    if len(logs) < 2:
        return moved
    first = max(logs, key=lambda each: len(each.times))
    mine = _rare(named_by[first.label])
    for each in logs:
        if each is first:
            continue
        gap, agreed = offset(list(_rare(named_by[each.label]).items()), mine)
        if gap:
            each.shift(gap)
            named_by[each.label] = {
                key: seen._replace(time=seen.time + gap) if seen.time >= 0 else seen
                for key, seen in named_by[each.label].items()
            }
            moved[each.label] = f"{'+' if gap > 0 else '-'}{lasting(gap)} ({agreed} identifiers agree)"
    return moved


def _rare(names: Names) -> dict[str, float]:
    """When each identifier of one thing was named first."""
    return {f"{sort}:{value}": seen.time for (sort, value), seen in names.items() if seen.often <= 20}


def _causes(incident: Incident, changes: list[Change], errors: list[float], stories: list[Story]) -> Iterator[Finding]:
    before = [each for each in changes if 0 <= incident.start - each.start <= BEFORE and each.kind in _WEIGHT]
    before.sort(key=lambda each: -_WEIGHT[each.kind] * exp(-max(0.0, incident.start - each.end) / 1800))
    grave = incident.errors >= 10 or any(
        one.kind == "critical" and incident.start <= one.time <= incident.end for each in stories for one in each.told
    )
    severity = Severity.HIGH if grave else Severity.MEDIUM
    what = f"{times(incident.errors, 'error')} from {shown(incident.start)} to {shown(incident.end)}"
    place = _place(incident, stories)
    if not before:
        yield Finding(
            name=place[0], line=place[1], severity=severity.value, tag=OutcomeTag.BURST.value,
            message=f"{what}; no deploy, restart or change of settings is seen in the hour before",
            hint="Add the log of the deployment, or look at what the program depends on.",
        )  # fmt: skip
        return
    best = before[0]
    yield Finding(
        name=place[0], line=place[1], severity=severity.value, tag=OutcomeTag.BURST.value, message=what,
    )  # fmt: skip
    span = max(60.0, incident.end - best.end)
    was = sum(best.start - span <= time < best.start for time in errors)
    now = sum(best.end <= time <= best.end + span for time in errors)
    yield Finding(
        name=best.source,
        line=best.line,
        severity=severity.value,
        tag=OutcomeTag.RECENT_CHANGE.value,
        message=f"A {best.kind} {_lag(incident.start - best.end)} the errors of {shown(incident.start)}; "
        f"in {lasting(span)} before it "
        f"{times(was, 'error')}, after it {now}",
        hint="Likely cause: see what it changed."
        if now > 2 * was
        else "It may be a coincidence: errors were there before.",
        evidence=best.text,
    )
    after = [
        each
        for each in changes
        if each.kind in ("rollback", "restart", "deploy", "config") and each.start >= incident.peak
    ]
    if after:
        first = min(after, key=lambda each: (each.kind != "rollback", each.start))
        later = sum(time > first.end for time in errors)
        yield Finding(
            name=first.source,
            line=first.line,
            severity=Severity.LOW.value,
            tag=OutcomeTag.RECENT_CHANGE.value,
            message=f"A {first.kind} {lasting(first.start - incident.start)} after it began; "
            + ("no error came after it" if not later else f"{times(later, 'error')} came after it"),
            evidence=first.text,
        )


def _lag(lag: float) -> str:
    return f"ended {lasting(lag)} before" if lag > 0 else "was under way at"


def _place(incident: Incident, stories: list[Story]) -> tuple[str, int]:
    """The line of the first error of an incident."""
    found = [
        (one.time, each.label, one.line)
        for each in stories
        for one in each.told
        if one.kind in ("error", "critical", "crash") and one.time >= incident.start - 1 and not each.written
    ]
    return min(found)[1:] if found else (stories[0].label, 0)


def _settings(stories: list[Story], veil: Veil) -> Iterator[Finding]:
    """Values of settings that stand in the words of errors: limits, timeouts, hosts, versions."""
    said: dict[str, tuple[str, int, str]] = {}
    for story in stories:
        for one in story.told:
            if one.kind in ("error", "critical", "crash", "warning") and not story.written:
                for word in {*_NUMBER.findall(one.text), *re.findall(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}", one.text)}:
                    said.setdefault(word, (one.source, one.line, one.text))
    for story in stories:
        for each in story.settings:
            if not _KEYED.search(each.path) or len(each.value) > 200:
                continue
            words = (
                {each.value}
                if each.value.isdigit()
                else set(re.findall(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}", each.value))
            )
            hit = next((said[word] for word in words if word in said and (not word.isdigit() or len(word) >= 2)), None)
            if hit is not None:
                yield Finding(
                    name=story.label,
                    line=each.line,
                    severity=Severity.MEDIUM.value,
                    tag=OutcomeTag.SUSPECT_FOUND.value,
                    message=f"The value of {each.path} stands in an error ({hit[0]}:{hit[1]})",
                    hint="Check whether this setting is part of the cause.",
                    evidence=hit[2],
                )


def _leads(stories: list[Story]) -> Iterator[Finding]:
    """Sources whose errors follow those of another."""
    busy = [(each, each.errors) for each in stories if len(each.errors) >= 20]
    for number, (one, mine) in enumerate(busy):
        for two, theirs in busy[number + 1 :]:
            start, width, size = rates.frame([*mine, *theirs], 200)
            first, second = (rates.series(each, start, width, size).counts for each in (mine, theirs))
            if min(sum(map(bool, first)), sum(map(bool, second))) < 4 or size < 12:
                continue
            lag, strength = max(
                ((lag, _pearson(first, second, lag)) for lag in range(-10, 11)),
                key=lambda pair: (round(pair[1], 2), -abs(pair[0])),
            )
            if strength >= 0.6:
                ahead, behind = (one, two) if lag >= 0 else (two, one)
                how = f"come {lasting(abs(lag) * width)} after" if lag else "come at the same time as"
                yield Finding(
                    name=behind.label,
                    severity=Severity.LOW.value,
                    tag=OutcomeTag.ERRORS.value,
                    message=f"Errors here {how} those of {ahead.label} "
                    f"(correlation {strength:.2f} by {lasting(width)})",
                )


def _pearson(one: list[int], two: list[int], lag: int) -> float:
    first = one[: len(one) - lag] if lag >= 0 else one[-lag:]
    second = two[lag:] if lag >= 0 else two[: len(two) + lag]
    count = len(first)
    if count < 8:
        return 0.0
    left, right = sum(first) / count, sum(second) / count
    top = sum((a - left) * (b - right) for a, b in zip(first, second, strict=True))
    below = sum((a - left) ** 2 for a in first) * sum((b - right) ** 2 for b in second)
    return float(top / below**0.5) if below > 0 else 0.0


def _shared(common: list[Shared], veil: Veil) -> Iterator[Finding]:
    for each in common[:10]:
        label, seen = min(each.places.items(), key=lambda pair: pair[1].time)
        others = ", ".join(f"{name}:{one.line}" for name, one in each.places.items() if name != label)
        yield Finding(
            name=label,
            line=seen.line,
            severity=(Severity.MEDIUM if each.failed else Severity.LOW).value,
            tag=OutcomeTag.SHARED_IDENTIFIERS.value,
            message=f"The {each.sort or 'id'} {veil(each.value)} is also in {others}"
            + (", and failed" if each.failed else ""),
        )


def _text(
    stories: list[Story], incidents: list[Incident], changes: list[Change], common: list[Shared], moved: dict[str, str],
    listed: list[Finding], total: int, veil: Veil,
) -> str:  # fmt: skip
    seen = [each for each in stories if not each.written]
    rows = [(each.label.rpartition("/")[2][:24], each.times) for each in seen]
    rows += [("errors", [time for each in seen for time in each.errors])]
    marks = [
        (each.start, _LETTER.get(each.kind, "+"))
        for each in changes
        if seen and each.source in {one.label for one in seen}
    ]
    lines = [
        f"{times(len(stories), 'source')} with times, {times(len(incidents), 'incident')}, "
        f"{times(len(common), 'identifier')} in common: {counted(listed)}.",
        "",
    ]
    if rows and any(values for _, values in rows):
        lines += [
            *timeline([row for row in rows if row[1]], marks),
            "",
            "D deploy, B rollback, M migration, C settings, S start.",
            "",
        ]
    lines += [f"The clock of {code(name)} was moved by {how}." for name, how in moved.items()]
    lines += [findings_text(listed, total), ""]
    if common:
        lines += ["", "| identifier | sort | sources | in an error |", "|---|---|---|---|"]
        lines += [
            f"| {code(veil(each.value))} | {plain(each.sort)} | {plain(_sources(each))} "
            f"| {'yes' if each.failed else ''} |"
            for each in common[:15]
        ]
    return "\n".join(lines).strip() + "\n"


def _sources(each: Shared) -> str:
    return ", ".join(f"{name}:{one.line} ({one.often})" for name, one in each.places.items())
