"""Logs of any origin: records recognised by how lines start, classes counted by line over sampled windows."""

from __future__ import annotations

import re

import msgspec

from plantwin.private.extract.formats.clock import YEAR_KNOWN, when
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree
from plantwin.private.extract.formats.log_records import count_records, looks_like_log
from plantwin.private.extract.formats.log_words import (
    ACCESS,
    ANSWERED,
    CONFIRM,
    LEVELS,
    LITERALS,
    METHODS,
    REQUESTED,
    SERVED,
)
from plantwin.private.extract.formats.text import decode
from plantwin.private.facts import Sample

_HEAD = 128 << 10
_WINDOW = 32 << 10
_MAX_LINES = 2000
_MAX_LINE = 2000
_MAX_RECORD = 64 << 10
_LEVEL_WITHIN = 160

START = re.compile(
    r"(?:(?P<system><\d{1,3}>(?:1 )?|(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}(?: \d{4})? [\w.:-]{1,100} "
    r"[\w./ ()-]{1,60}(?:\[\d{1,8}\])?: |\[ {0,8}\d{1,7}\.\d{6}\] "
    r"|\d{4}-\d\d-\d\dT[\d:.]{8,15}[+-]\d\d:\d\d [\w.-]{1,80} "
    r"[\w./-]{1,60}(?:\[\d{1,8}\])?: )"
    r"|(?P<access>\S{1,100} \S{1,60} \S{1,100} \[\d{2}/[A-Z][a-z]{2}/\d{4}:)"
    r"|(?P<klog>[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d)"
    r"|(?P<json>\{\s{0,4}\")"
    r"|(?P<logfmt>(?:time|ts|level|lvl|msg|at|timestamp)=\S"
    r"|[a-z_]{2,30}=[^\s=]{1,200}(?: [a-z_.]{1,40}=[^\s=]{0,300}){4})"
    r"|(?P<journal>__REALTIME_TIMESTAMP=\d)"
    r"|(?P<audit>type=[A-Z_]{3,30} msg=audit\(\d)"
    r"|(?P<network>1\d{9}\.\d{6}\t|\d{1,2} \d{12} eni-| {0,8}\d{1,7} {1,6}\d{1,7}\.\d{4,9} {1,20}[0-9a-f.:]{3,45} "
    r"|\d{2}:\d{2}:\d{2}\.\d{6} (?:IP6?|ARP) )"
    r"|(?P<stamp>(?:[DIWEFA], )?[\[(\"'<|]{0,2}(?:\d{4}[-/.]\d{2}[-/.]\d{2}(?:[T _]|, )\d{2}:\d{2}"
    r"|\d{2}/[A-Z][a-z]{2}/\d{4}[: ]"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}|[A-Z][a-z]{2} [ \d]\d,? (?:\d{4},? )?\d{1,2}:\d{2}:\d{2}"
    r"|\d{1,2}[/-]\d{1,2}[/-]\d{2,4},? \d{1,2}:\d{2}|\d{2}-[A-Z][a-z]{2}-\d{4} |\d{6} \d{6} |1\d{9}(?:\.\d{1,9}"
    r"|\d{3})?[\s\],]|\d{8}T\d{6}"
    r"|\d{2}:\d{2}:\d{2}(?:[.,]\d{1,6})?[\s\])|]|\d{4}-\d{2}-\d{2} ))"
    r"|(?P<level>[\[(<]?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|TRACE|NOTICE)[\])>:]{1,2}\s|(?:INFO|ERROR|WARN"
    r"|DEBUG)\s{1,4}[\[\w]"
    r"|[\w./-]{1,60}[ |]{1,4}[\[|(]?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}))"
)
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
    """Classes by what lines say: plain searches find candidates, an expression on the one line confirms."""
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
    """Levels, as tokens near the start of a line."""
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
    """Requests served, with their status."""
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
