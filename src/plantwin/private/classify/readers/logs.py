"""Logs of any origin: records recognised by how lines start, classes counted by line or by the fields of JSON."""

from __future__ import annotations

import re
from itertools import pairwise

import msgspec

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.facts import Sample
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.logs import START
from plantwin.private.formats.text import decode
from plantwin.private.formats.timestamps import YEAR_KNOWN, when
from plantwin.private.formats.values import Tree, text_of, trees, words

_LEXICON = Lexicon(__file__)
_WHEN = _LEXICON.phrases("when")
_WHAT = _LEXICON.words("what")
_FAULTS = ("error", "err", "exception", "exc_info", "stack", "stack_trace", "stacktrace", "traceback")
"""Fields that say what went wrong: in words, or empty where nothing did. A number there is a measured error."""
_OUTCOMES = _LEXICON.words("outcomes")
_ORDERED = 0.8
_PLACE = re.compile(r"(?:^|/)logs?/|(?:^|[/._-])logs?\.[a-z0-9.]{1,20}$", re.IGNORECASE)
_ERRORS = _LEXICON.words("errors")
_WARNINGS = words("warning warn 40")
_LATENCY = _LEXICON.words("latency")
_REQUESTED = _LEXICON.words("requested")
_SERVED = frozenset({"path", "url", "uri", "request_uri", "requestUrl", "endpoint"})
_ACTORS = _LEXICON.words("actors")
_DEEDS = _LEXICON.words("deeds")
_LEVELS = _LEXICON.phrases("levels")
_ENDS = _LEXICON.words("ends")
_FAILURES = ("denied", "unauthorized", "failure", "invalid credentials", "failed password", "login failed")
_AUTH_EVENTS = _LEXICON.phrases("auth_events")


def _time(record: Tree) -> int | None:
    for key in _WHEN:
        if key in record:
            value = record[key]
            if type(value) in (int, float):
                number = float(value)  # type: ignore[arg-type]
                number = number / 1000 if number > 1e11 else number
                return int(number) if 1e9 <= number < 7e9 else None
            return when(text_of(value))
    return None


def looks_like_log(records: list[Tree], path: str = "") -> bool:
    """A time and a message, level, event or fault in nearly every record; in a place of logs any outcome will do."""
    first = records[:20]
    timed = [record for record in first if any(key in record for key in _WHEN)]
    if len(timed) * 10 < len(first) * 8:
        return False
    found = sum(bool(record.keys() & _WHAT) or _faulty(record) is not None for record in timed)
    if found * 10 >= len(first) * 8:
        return True
    if not path or _PLACE.search(path) is None:
        return False
    told = sum(bool(record.keys() & _OUTCOMES) for record in timed)
    return told * 10 >= len(first) * 8 and _in_order(timed)


def _faulty(record: Tree) -> bool | None:
    """Return whether a record tells of a fault; nothing where it has no field for one."""
    known: bool | None = None
    for key in _FAULTS:
        if key in record:
            value = record[key]
            if type(value) in (str, dict, list) and value:
                return True
            if type(value) in (int, float):
                continue
            known = False
    return known


def _in_order(records: list[Tree]) -> bool:
    """Return whether times run on from record to record, as they do where a program wrote them."""
    times = [time for record in records if (time := _time(record)) is not None]
    onward = sum(before <= after for before, after in pairwise(times))
    return len(times) >= 2 and onward >= _ORDERED * (len(times) - 1)


def count_records(draft: Draft, records: list[Tree]) -> None:
    """Count each record by its fields, and the span of all."""
    draft.add("log_line", len(records))
    for record in records:
        _count(draft, record)
    times = [time for record in (*records[:5], *records[-5:]) if (time := _time(record)) is not None]
    if times:
        draft.outline.span = (min(times), max(times))


def _count(draft: Draft, record: Tree) -> None:
    keys = record.keys()
    level = ""
    for key in _LEVELS:
        if key in keys:
            level = text_of(record[key]).lower()
            break
    message = text_of(record.get("message") or record.get("msg") or record.get("event") or record.get("log"))[
        :300
    ].lower()
    status = text_of(
        record.get("status") or record.get("status_code") or record.get("statusCode") or record.get("sc_status")
    )
    failed = level in _ERRORS or (status[:1] == "5" and len(status) == 3)
    draft.add("log_error", failed or (not level and _faulty(record) is True))
    draft.add("log_warning", level in _WARNINGS)
    served = bool(keys & _REQUESTED) and bool(status or keys & _SERVED)
    draft.add("log_access", served)
    draft.add("log_latency", bool(keys & _LATENCY))
    stack = (
        record.get("stack")
        or record.get("stack_trace")
        or record.get("stacktrace")
        or record.get("exc_info")
        or record.get("exception")
        or record.get("traceback")
    )
    draft.add("stack_trace", bool(stack))
    draft.add("log_network", bool(keys & _ENDS))
    event = text_of(record.get("eventName") or record.get("action") or record.get("event_type")).lower()
    audit = (
        "userIdentity" in keys
        or "actor" in keys
        or "principal" in keys
        or any(word in event for word in _AUTH_EVENTS)
        or bool(not level and not served and keys & _ACTORS and keys & _DEEDS)
    )
    refused = "errorCode" in keys or status in ("401", "403") or any(word in message for word in _FAILURES)
    draft.add("log_auth", audit or any(word in message for word in ("login", "logged in", "authenticat", "password")))
    draft.add(
        "log_auth_failure",
        refused and (audit or status in ("401", "403") or any(word in message for word in _FAILURES)),
    )
    draft.add(
        "log_restart", any(word in message for word in ("starting", "started", "shutting down", "stopped", "restart"))
    )


def cloud_trail(draft: Draft, tree: Tree) -> bool:
    """Read records with a time, an event and an actor."""
    rows = trees(tree["Records"])
    if not rows or not looks_like_log(rows):
        return False
    count_records(draft, rows[:2000])
    return True


def event_list(draft: Draft, rows: list[Tree]) -> None:
    """Read a bare list whose records are log records."""
    if looks_like_log(rows):
        count_records(draft, rows[:2000])


_HEAD = 128 << 10
_WINDOW = 32 << 10
_MAX_LINES = 2000
_MAX_LINE = 2000
_MAX_RECORD = 64 << 10
_LEVEL_WITHIN = 160

ACCESS, REQUESTED, ANSWERED = map(_LEXICON.pattern, ("access", "request_line", "answered"))
METHODS = _LEXICON.phrases("methods")
LITERALS: dict[str, list[str]] = _LEXICON.tables["literals"]
CONFIRM = {feature: re.compile(_LEXICON.expand(text)) for feature, text in _LEXICON.tables["confirm"].items()}
SERVED = [(row["literal"], re.compile(row["pattern"])) for row in _LEXICON.tables["served"]]


def _levels() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """Return the literals of levels, each with the expression that confirms that it stands for one."""
    edge, end = r"(?:^|[\s\[<|=\"'(:.\]])", r"(?=$|[\s\]>|:\"',;)!.\[])"
    field = r"(?:[\[<(|]|(?:level|severity|lvl|levelname)[\"=: ]{1,4})"
    found = {
        feature: [(word, re.compile(edge + re.escape(word) + end)) for word in literals]
        for feature, literals in _LEXICON.tables["level_words"].items()
    }
    for feature, literals in _LEXICON.tables["tagged_levels"].items():
        # In brackets, as a field's value, before a colon.
        found[feature] += [
            (word, re.compile(rf"{field}{word}\b|:{word}\]|(?:^|[\s:.]){word}(?:: |!)")) for word in literals
        ]
    return found


LEVELS = _levels()
_TRACE = re.compile(r"^(?![ \t]{1,12}at )[^\n]{0,400}\n[ \t]{1,12}at [\w.$<>]{2,200}", re.MULTILINE)


def _texts(sample: Sample) -> list[str]:
    parts = [sample.head[:_HEAD], *(window[:_WINDOW] for window in sample.windows)]
    if sample.windows:
        # The last lines of the last window hold the end of the span.
        parts[-1] = sample.windows[-1][-_WINDOW:]
    return [decode(part).replace("\r\n", "\n") for part in parts]


Seen = dict[str, set[int]]
"""Features, with where the lines start that show them: a line counts once, however often it says so."""


def read_log(sample: Sample, draft: Draft) -> None:
    """Count lines by class, and find the span."""
    times: list[int] = []
    for text in _texts(sample):
        lines = text.split("\n")[:_MAX_LINES]
        seen: Seen = {}
        if not _count_starts(draft, lines, seen):
            _count_levels(text, seen)
            _count_words(text, seen)
            _count_requests(text, seen)
            _count_traces(draft, text)
        for feature, starts in seen.items():
            draft.add(feature, len(starts))
        times.extend(time for line in (*lines[:12], *lines[-12:]) if (time := when(line)) is not None)
    if any(time > YEAR_KNOWN for time in times):
        times = [time for time in times if time > YEAR_KNOWN]
    if times and "log_line" in draft.features:
        draft.outline.span = (min(times), max(times))
    # Builds and plain servers write records without a time: their lines are records all the same.
    records = max(draft.features.get(kind, 0) for kind in ("log_line", "log_build", "log_access"))
    if records:
        draft.features["log_line"] = records


def _count_starts(draft: Draft, lines: list[str], seen: Seen) -> bool:
    """How lines begin makes them records, whatever they say. True where the records are JSON and are all counted."""
    records: list[Tree] = []
    started = seen.setdefault("log_line", set())
    at = 0
    for line in lines:
        match = START.match(line[:300])
        if match is not None:
            kind = match.lastgroup
            if kind == "json":
                record = _record(line)
                if record is not None:
                    records.append(record)
            started.add(at)
            if kind in _STARTS:
                seen.setdefault(_STARTS[kind], set()).add(at)
            if kind == "klog" and line[0] != "I":
                seen.setdefault("log_warning" if line[0] == "W" else "log_error", set()).add(at)
        at += len(line) + 1
    if len(records) * 2 > len(started) and looks_like_log(records):
        seen.clear()
        count_records(draft, records)
        return True
    return False


_STARTS = {
    "journal": "log_system",
    "system": "log_system",
    "klog": "log_system",
    "network": "log_network",
    "audit": "log_auth",
}


def _record(line: str) -> Tree | None:
    if len(line) > _MAX_RECORD:
        return None
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    return value if type(value) is dict else None


def _line_of(text: str, at: int) -> tuple[int, int]:
    start = text.rfind("\n", max(at - _MAX_LINE, 0), at) + 1
    end = text.find("\n", at, at + _MAX_LINE)
    return start, end if end >= 0 else min(len(text), at + _MAX_LINE)


def _count_words(text: str, seen: Seen) -> None:
    """Count classes by what lines say: plain searches find candidates, an expression on the one line confirms."""
    text = text.lower()
    for feature, literals in LITERALS.items():
        starts = seen.setdefault(feature, set())
        confirm = CONFIRM.get(feature)
        for literal in literals:
            at = text.find(literal)
            while at >= 0 and len(starts) < _MAX_LINES:
                start, end = _line_of(text, at)
                if start not in starts and (confirm is None or confirm.search(text, start, end)):
                    starts.add(start)
                at = text.find(literal, end)


def _count_levels(text: str, seen: Seen) -> None:
    """Count levels, as tokens near the start of a line."""
    for feature, levels in LEVELS.items():
        starts = seen.setdefault(feature, set())
        for literal, confirm in levels:
            at = text.find(literal)
            while at >= 0 and len(starts) < _MAX_LINES:
                start, end = _line_of(text, at)
                if start not in starts and at - start < _LEVEL_WITHIN:
                    near = max(start, at - 12), min(end, at + len(literal) + 2)
                    if confirm.search(text, *near):
                        starts.add(start)
                at = text.find(literal, at + len(literal))


def _count_requests(text: str, seen: Seen) -> None:
    """Count requests served, with their status."""
    served, failed, refused = (seen.setdefault(kind, set()) for kind in ("log_access", "log_error", "log_auth_failure"))
    for method in METHODS:
        at = text.find(method)
        while at >= 0:
            start, end = _line_of(text, at)
            match = ACCESS.search(text, at, end)
            status = match[1] or match[2] if match else ""
            if not match and REQUESTED.match(text, at, end):
                # Load balancers quote the request last, after its status.
                match = ANSWERED.search(text, start, at)
                status = match[1] if match else ""
            if status:
                served.add(start)
                if status[0] == "5":
                    failed.add(start)
                elif status in ("401", "403"):
                    refused.add(start)
            at = text.find(method, end)
    for literal, confirm in SERVED:
        at = text.find(literal)
        while at >= 0:
            start, end = _line_of(text, at)
            match = confirm.match(text, at, end)
            if match:
                served.add(start)
                if match[1] and match[1][0] == "5":
                    failed.add(start)
            at = text.find(literal, end)


def _count_traces(draft: Draft, text: str) -> None:
    traces = text.count("Traceback (most recent call last)") + text.count("\ngoroutine ")
    if "\tat " in text or "  at " in text:
        traces += sum(1 for _ in _TRACE.finditer(text))
    draft.add("stack_trace", traces)
