"""Set sources beside each other in time: what came before errors, what followed, and what both name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import exp
from statistics import median
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain
from plantwin.private.capabilities.engine.results import Mask, concluded_by_object, finding, table
from plantwin.private.capabilities.logs import rates
from plantwin.private.capabilities.logs.events import FAILED, LETTERS, Event, Origin, gather, most_telling
from plantwin.private.capabilities.logs.log import CHANGES
from plantwin.private.capabilities.logs.rates import Incident
from plantwin.private.facts import private
from plantwin.private.formats.logs import Entry
from plantwin.private.formats.timestamps import duration, shown
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

MOST = 50_000
"""Identifiers of one source."""
COMMON = 2000
"""What a source names more often than this is no identifier of one thing."""
_UUID = re.compile(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b")
_NAMED = re.compile(
    r"\b((?:request|req|trace|correlation|span|session|transaction|txn|order|job|task|user|customer|invoice|payment|message|basket)"
    r"(?:[_-]?id)?)[\"']?(?:=|: ?\"?| |#)([A-Za-z0-9][\w.@-]{2,63})", re.IGNORECASE,
)  # fmt: skip
_TOKEN = re.compile(r"(?<![\w-])([a-z]{2,8}_[A-Za-z0-9]{4,40}|[0-9a-f]{16,64})(?![\w-])")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_PART = re.compile(r"/([a-z_-]{2,30})/(\d{3,18}|[0-9a-f]{12,40})(?=/|$|\?)")


class Seen(NamedTuple):
    """Where and when one source names something first, and how often; whether that was in an error."""

    time: float
    line: int
    often: int
    failed: bool


Names = dict[tuple[str, str], Seen]
"""What one source names, by its kind and value."""


@private
class Shared(NamedTuple):
    """What several sources name."""

    kind: str
    value: str
    places: dict[str, Seen]

    @property
    def failed(self) -> bool:
        """Whether any of them names it in an error."""
        return any(seen.failed for seen in self.places.values())


def _identifiers(entry: Entry) -> Iterator[tuple[str, str]]:
    text = entry.text[:1000]
    if entry.address:
        yield "address", entry.address.partition(":")[0] if entry.address.count(":") == 1 else entry.address
    for match in _UUID.finditer(text) if "-" in text else ():
        yield "id", match[0].lower()
    for match in _NAMED.finditer(text):
        if any(character.isdigit() for character in match[2]):
            yield match[1].lower().removesuffix("_id").removesuffix("-id").removesuffix("id"), match[2]
    for match in _MAIL.finditer(text) if "@" in text else ():
        yield "person", match[0].lower()
    for match in _TOKEN.finditer(text):
        if any(character.isdigit() for character in match[1]):
            yield "token", match[1]
    for match in _PART.finditer(entry.path[:300]):
        yield match[1].removesuffix("s"), match[2]


def names_of(origin: Origin) -> Names:
    """Return everything that a log names."""
    found: Names = {}
    for entry in origin.log.entries if origin.log is not None else ():
        for key in _identifiers(entry):
            before = found.get(key)
            if before is not None:
                found[key] = before._replace(often=before.often + 1, failed=before.failed or entry.failed)
            elif len(found) < MOST:
                found[key] = Seen(entry.time, entry.line, 1, entry.failed)
    return found


def shared(named_by: Mapping[str, Names]) -> list[Shared]:
    """Return what at least two sources name; first what failed, then the rarest."""
    places: dict[tuple[str, str], dict[str, Seen]] = {}
    for label, names in named_by.items():
        for key, seen in names.items():
            if seen.often <= COMMON:
                places.setdefault(key, {})[label] = seen
    found = [Shared(kind, value, where) for (kind, value), where in places.items() if len(where) > 1]
    often = {id(identifier): sum(seen.often for seen in identifier.places.values()) for identifier in found}
    return sorted(found, key=lambda identifier: (not identifier.failed, often[id(identifier)], identifier.value))


def clock_offset(names: Names, reference: Names) -> tuple[float, int]:
    """Return by how much the reference's clock is ahead, and how many identifiers of both agree on it.

    Only steps of a quarter of an hour count: that is what a zone that was not written down makes.
    """
    first, second = _first_times(names), _first_times(reference)
    gaps = [second[key] - time for key, time in first.items() if key in second and time >= 0 and second[key] >= 0]
    if len(gaps) < 2:
        return 0.0, len(gaps)
    step = round(median(gaps) / 900) * 900.0
    near = sum(abs(gap - step) <= 60 for gap in gaps)
    return (step, near) if step and near * 3 >= len(gaps) * 2 and near >= 2 else (0.0, near)


def _first_times(names: Names) -> dict[tuple[str, str], float]:
    """Return when each identifier of one thing was named first."""
    return {key: seen.time for key, seen in names.items() if seen.often <= 20}


TOOL = "events aligned in time; changes within the hour before errors, lagged correlation of error rates"
BEFORE = 3600.0
"""How long before errors a change is looked for."""
JOINED = 300.0
"""Lines of one change are not further apart than this."""
STRONG = 0.6
"""Correlation from which errors of one source follow those of another."""
_WEIGHT = {"deploy": 1.0, "migration": 1.0, "config": 1.0, "rollback": 0.5, "restart": 0.4}
_REMEDY = ("rollback", "restart", "deploy", "config")
_LIMITING_KEY = re.compile(
    r"timeout|limit|max|pool|size|retr|attempt|ttl|interval|delay|worker|thread|replica|conn|memory|port|version|image|tag|host|url|quota",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d{2,9}(?![\w]*[.\d])")
_DOTTED = re.compile(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")


@private
class Change(NamedTuple):
    """Something that people or pipelines did, from its first line to its last."""

    kind: str
    start: float
    end: float
    source: str
    line: int
    text: str

    def as_dict(self) -> dict[str, object]:
        """Return it as a result states it."""
        start, end = shown(self.start), shown(self.end)
        return {"kind": self.kind, "start": start, "end": end, "source": self.source, "line": self.line}


def run(job: Job) -> Result:
    """Find incidents with the changes before and after them, and what the sources share."""
    mask = Mask(job)
    origins = gather(job, mask)
    timed = [origin for origin in origins if origin.times]
    if not timed:
        return failed("Correlation", "None of the inputs tells of anything with a time.", [OutcomeTag.UNPARSABLE])
    named_by = {origin.label: names_of(origin) for origin in origins}
    clocks = _set_clocks(timed, named_by)
    errors = sorted(time for origin in timed for time in origin.errors)
    machines = [origin for origin in timed if not origin.written]
    every = [time for origin in machines or timed for time in origin.times]
    events = [event for origin in timed for event in origin.events]
    changes = _changes(events)
    incidents = rates.incidents(errors, min(every), max(every))[:5]
    common = shared(named_by)
    found = [identifier for incident in incidents for identifier in _causes(incident, changes, errors, origins)]
    found += [*_settings(origins), *_followers(timed), *_shared(common, mask)]
    rows = [
        (
            code(mask(identifier.value)),
            plain(identifier.kind),
            plain(_places(identifier)),
            "yes" if identifier.failed else "",
        )
        for identifier in common[:15]
    ]
    return concluded_by_object(
        job, "Correlation", found, tool=TOOL, examined=[origin.label for origin in origins],
        state=[OutcomeTag.TRUNCATED] if any(origin.truncated for origin in origins) else [],
        notes=[f"The clock of {code(name)} was moved by {how}." for name, how in clocks.items()],
        tables=[
            f"{plural(len(incidents), 'incident')}, {plural(len(common), 'identifier')} in common.", "",
            *_plotted(machines, changes), "", *table(("identifier", "sort", "sources", "in an error"), rows),
        ],
        facts={
            "incidents": [incident.as_dict() for incident in incidents],
            "changes": [change.as_dict() for change in changes[:200]],
            "shared": [
                {
                    "sort": identifier.kind, "value": mask(identifier.value), "sources": sorted(identifier.places),
                    "failed": identifier.failed,
                }
                for identifier in common[:100]
            ],
            "clocks": clocks,
            "events": [event.as_dict() for event in most_telling(events, 800)],
        },
    )  # fmt: skip


def _plotted(machines: list[Origin], changes: list[Change]) -> list[str]:
    rows = [(origin.label.rpartition("/")[2][:24], origin.times) for origin in machines]
    rows += [("errors", errors)] if (errors := [time for origin in machines for time in origin.errors]) else []
    labels = {origin.label for origin in machines}
    marks = [(change.start, LETTERS.get(change.kind, "+")) for change in changes if change.source in labels]
    return [*rates.plot(rows, marks), "", "D deploy, B rollback, M migration, C settings, S start."] if rows else []


def _changes(events: list[Event]) -> list[Change]:
    """Return changes and restarts, their lines joined, in the order of time."""
    found: list[Change] = []
    for event in sorted(events, key=lambda event: (event.source, event.time)):
        if event.kind not in CHANGES and event.kind != "restart":
            continue
        last = found[-1] if found else None
        end = max(event.time, event.until)
        near = last is not None and last.source == event.source and event.time - last.end <= JOINED
        if last is not None and near and _same_change(last.kind, event.kind):
            kind = last.kind if last.kind != "restart" else event.kind
            found[-1] = last._replace(end=max(end, last.end), kind=kind)
        else:
            found.append(Change(event.kind, event.time, end, event.source, event.line, event.text))
    return sorted(found, key=lambda change: change.start)


def _same_change(one: str, two: str) -> bool:
    """Return whether both belong to one change: a rollback replaces containers as a deploy does."""
    return one == two or {one, two} <= {"deploy", "restart"} or (one == "rollback" and two in ("deploy", "restart"))


def _set_clocks(origins: list[Origin], named_by: dict[str, Names]) -> dict[str, str]:
    """Move clocks that are off by a zone: the same requests tell."""
    moved: dict[str, str] = {}
    logs = [origin for origin in origins if origin.log is not None]
    reference = max(logs, key=lambda origin: len(origin.times), default=None)
    for origin in logs:
        if reference is None or origin is reference:
            continue
        names = named_by[origin.label]
        gap, agreed = clock_offset(names, named_by[reference.label])
        if gap:
            origin.shift(gap)
            named_by[origin.label] = {
                key: seen._replace(time=seen.time + gap) if seen.time >= 0 else seen for key, seen in names.items()
            }
            moved[origin.label] = f"{'+' if gap > 0 else '-'}{duration(gap)} ({agreed} identifiers agree)"
    return moved


def _causes(incident: Incident, changes: list[Change], errors: list[float], origins: list[Origin]) -> Iterator[Finding]:
    before = [change for change in changes if 0 <= incident.start - change.start <= BEFORE and change.kind in _WEIGHT]
    before.sort(key=lambda change: -_WEIGHT[change.kind] * exp(-max(0.0, incident.start - change.end) / 1800))
    events = [event for origin in origins for event in origin.events]
    critical = any(event.kind == "critical" and incident.start <= event.time <= incident.end for event in events)
    severity = Severity.HIGH if incident.errors >= 10 or critical else Severity.MEDIUM
    what = f"{plural(incident.errors, 'error')} from {shown(incident.start)} to {shown(incident.end)}"
    label, line = _first_error(incident, origins)
    if not before:
        what += "; no deploy, restart or change of settings is seen in the hour before"
        hint = "Add the log of the deployment, or look at what the program depends on."
        yield finding(label, line, severity, OutcomeTag.BURST, what, hint=hint)
        return
    yield finding(label, line, severity, OutcomeTag.BURST, what)
    best = before[0]
    span = max(60.0, incident.end - best.end)
    was = sum(best.start - span <= time < best.start for time in errors)
    now = sum(best.end <= time <= best.end + span for time in errors)
    lag = incident.start - best.end
    how = f"ended {duration(lag)} before" if lag > 0 else "was under way at"
    rise = f"in {duration(span)} before it {plural(was, 'error')}, after it {now}"
    likely = "Likely cause: see what it changed."
    yield finding(
        best.source, best.line, severity, OutcomeTag.RECENT_CHANGE,
        f"A {best.kind} {how} the errors of {shown(incident.start)}; {rise}",
        hint=likely if now > 2 * was else "It may be a coincidence: errors were there before.", evidence=best.text,
    )  # fmt: skip
    after = [change for change in changes if change.kind in _REMEDY and change.start >= incident.peak]
    if after:
        first = min(after, key=lambda change: (change.kind != "rollback", change.start))
        later = sum(time > first.end for time in errors)
        came = plural(later, "error") if later else "no error"
        message = f"A {first.kind} {duration(first.start - incident.start)} after it began; {came} came after it"
        where = first.source, first.line
        yield finding(*where, Severity.LOW, OutcomeTag.RECENT_CHANGE, message, evidence=first.text)


def _first_error(incident: Incident, origins: list[Origin]) -> tuple[str, int]:
    """Return the object and line of the first error of an incident."""
    found = [
        (event.time, origin.label, event.line)
        for origin in origins
        if not origin.written
        for event in origin.events
        if event.kind in FAILED and event.time >= incident.start - 1
    ]
    return min(found)[1:] if found else (origins[0].label, 0)


def _settings(origins: list[Origin]) -> Iterator[Finding]:
    """Yield settings whose values stand in the words of errors: limits, timeouts, hosts, versions."""
    said: dict[str, Event] = {}
    for origin in origins:
        for event in origin.events:
            if (event.kind in FAILED or event.kind == "warning") and not origin.written:
                for word in {*_NUMBER.findall(event.text), *_DOTTED.findall(event.text)}:
                    said.setdefault(word, event)
    for origin in origins:
        for setting in origin.settings:
            if not _LIMITING_KEY.search(setting.path) or len(setting.value) > 200:
                continue
            words = {setting.value} if setting.value.isdigit() else set(_DOTTED.findall(setting.value))
            for event in [said[word] for word in words if word in said and len(word) >= 2][:1]:
                yield finding(
                    origin.label, setting.line, Severity.MEDIUM, OutcomeTag.SUSPECT_FOUND,
                    f"The value of {setting.path} stands in an error ({event.source}:{event.line})",
                    hint="Check whether this setting is part of the cause.", evidence=event.text,
                )  # fmt: skip


def _followers(origins: list[Origin]) -> Iterator[Finding]:
    """Yield sources whose errors follow those of another."""
    busy = [(origin, errors) for origin in origins if len(errors := origin.errors) >= 20]
    for number, (one, mine) in enumerate(busy):
        for two, theirs in busy[number + 1 :]:
            start, width, size = rates.frame([*mine, *theirs], 200)
            first, second = (rates.series(errors, start, width, size).counts for errors in (mine, theirs))
            if min(sum(map(bool, first)), sum(map(bool, second))) < 4 or size < 12:
                continue
            strengths = {lag: _correlation(first, second, lag) for lag in range(-10, 11)}
            lag = max(strengths, key=lambda lag: (round(strengths[lag], 2), -abs(lag)))
            if strengths[lag] >= STRONG:
                ahead, behind = (one, two) if lag >= 0 else (two, one)
                how = f"come {duration(abs(lag) * width)} after" if lag else "come at the same time as"
                by = f"(correlation {strengths[lag]:.2f} by {duration(width)})"
                message = f"Errors here {how} those of {ahead.label} {by}"
                yield finding(behind.label, 0, Severity.LOW, OutcomeTag.ERRORS, message)


def _correlation(one: list[int], two: list[int], lag: int) -> float:
    """Return Pearson's coefficient of two series, the second moved back by the lag."""
    first = one[: len(one) - lag] if lag >= 0 else one[-lag:]
    second = two[lag:] if lag >= 0 else two[: len(two) + lag]
    count = len(first)
    if count < 8:
        return 0.0
    left, right = sum(first) / count, sum(second) / count
    top = sum((a - left) * (b - right) for a, b in zip(first, second, strict=True))
    below = sum((a - left) ** 2 for a in first) * sum((b - right) ** 2 for b in second)
    return float(top / below**0.5) if below > 0 else 0.0


def _shared(common: list[Shared], mask: Mask) -> Iterator[Finding]:
    for identifier in common[:10]:
        label, seen = min(identifier.places.items(), key=lambda pair: pair[1].time)
        others = ", ".join(f"{name}:{other.line}" for name, other in identifier.places.items() if name != label)
        message = f"The {identifier.kind or 'id'} {mask(identifier.value)} is also in {others}"
        message += ", and failed" if identifier.failed else ""
        severity = Severity.MEDIUM if identifier.failed else Severity.LOW
        yield finding(label, seen.line, severity, OutcomeTag.SHARED_IDENTIFIERS, message)


def _places(identifier: Shared) -> str:
    return ", ".join(f"{name}:{seen.line} ({seen.often})" for name, seen in identifier.places.items())
