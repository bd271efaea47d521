"""Logs of any origin: records recognised by how lines start, classes counted by line over sampled windows."""

from __future__ import annotations

import re

import msgspec

from plantwin.private.extract.formats.clock import YEAR_KNOWN, when
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree
from plantwin.private.extract.formats.log_records import count_records, looks_like_log
from plantwin.private.extract.formats.log_words import ACCESS, CONFIRM, LEVELS, LITERALS
from plantwin.private.extract.formats.text import decode
from plantwin.private.facts import Sample

_HEAD = 128 << 10
_WINDOW = 32 << 10
_MAX_LINES = 2000
_MAX_LINE = 2000

START = re.compile(
    r"(?:(?P<system><\d{1,3}>(?:1 )?|(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}(?: \d{4})? [\w.:-]{1,100} "
    r"[\w./ ()-]{1,60}(?:\[\d{1,8}\])?: |\[ {0,8}\d{1,7}\.\d{6}\] "
    r"|\d{4}-\d\d-\d\dT[\d:.]{8,15}[+-]\d\d:\d\d [\w.-]{1,80} "
    r"[\w./-]{1,60}(?:\[\d{1,8}\])?: )"
    r"|(?P<access>\S{1,100} \S{1,60} \S{1,100} \[\d{2}/[A-Z][a-z]{2}/\d{4}:)"
    r"|(?P<klog>[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d)"
    r"|(?P<json>\{\s{0,4}\")"
    r"|(?P<logfmt>(?:time|ts|level|lvl|msg|at|timestamp)=\S)"
    r"|(?P<network>1\d{9}\.\d{6}\t|\d{1,2} \d{12} eni-|\d{2}:\d{2}:\d{2}\.\d{6} (?:IP6?|ARP) )"
    r"|(?P<stamp>[\[(\"'<|]{0,2}(?:\d{4}[-/.]\d{2}[-/.]\d{2}(?:[T _]|, )\d{2}:\d{2}|\d{2}/[A-Z][a-z]{2}/\d{4}[: ]"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}|[A-Z][a-z]{2} [ \d]\d,? (?:\d{4},? )?\d{1,2}:\d{2}:\d{2}"
    r"|\d{2}[/-]\d{2}[/-]\d{2,4},? \d{2}:\d{2}|\d{2}-[A-Z][a-z]{2}-\d{4} |\d{6} \d{6} |1\d{9}(?:\.\d{1,9}"
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


def read_log(sample: Sample, draft: Draft) -> None:
    """Count lines by class, and find the span."""
    texts = _texts(sample)
    times: list[int] = []
    for text in texts:
        lines = text.split("\n")[:_MAX_LINES]
        _count_starts(draft, lines)
        _count_words(draft, text)
        times.extend(time for line in (*lines[:12], *lines[-12:]) if (time := when(line)) is not None)
    if any(time > YEAR_KNOWN for time in times):
        times = [time for time in times if time > YEAR_KNOWN]
    if times and "log_line" in draft.features:
        draft.outline.span = (min(times), max(times))
    # Builds and plain servers write records without a time: their lines are records all the same.
    records = max(draft.features.get(kind, 0) for kind in ("log_line", "log_build", "log_access"))
    if records:
        draft.features["log_line"] = records


def _count_starts(draft: Draft, lines: list[str]) -> None:
    """How lines begin: that makes them records, whatever they say."""
    records: list[Tree] = []
    counts: dict[str, int] = {}
    match_start = START.match
    for line in lines:
        match = match_start(line[:300])
        if match is None:
            continue
        kind = match.lastgroup or ""
        counts[kind] = counts.get(kind, 0) + 1
        if kind == "json" and len(line) < 64 << 10:
            try:
                value = msgspec.json.decode(line)
            except (msgspec.DecodeError, ValueError, RecursionError):
                continue
            if type(value) is dict:
                records.append(value)
        elif kind == "klog":
            draft.add("log_error", line[0] in "EF")
            draft.add("log_warning", line[0] == "W")
            draft.add("log_system")
    if records and looks_like_log(records):
        counts.pop("json", None)
        count_records(draft, records)
    draft.add("log_line", sum(counts.values()))
    draft.add("log_system", counts.get("system", 0))
    draft.add("log_network", counts.get("network", 0))


_LITERALS = tuple((feature, word) for feature, words in LITERALS.items() for word in words)


def _line_of(text: str, at: int) -> tuple[int, int]:
    start = text.rfind("\n", max(at - _MAX_LINE, 0), at) + 1
    end = text.find("\n", at, at + _MAX_LINE)
    return start, end if end >= 0 else min(len(text), at + _MAX_LINE)


def _count_words(draft: Draft, text: str) -> None:
    """Classes by what lines say: plain searches find candidates, an expression on the one line confirms."""
    lowered = text.lower()
    seen: dict[str, set[int]] = {}
    for feature, literal in _LITERALS:
        at = lowered.find(literal)
        hits = seen.setdefault(feature, set())
        confirm = CONFIRM.get(feature)
        while at >= 0 and len(hits) < _MAX_LINES:
            start, end = _line_of(lowered, at)
            if start not in hits and (confirm is None or confirm.search(lowered, start, end)):
                hits.add(start)
            at = lowered.find(literal, end)
    for feature, words in LEVELS.items():
        hits = seen.setdefault(feature, set())
        for literal, confirm in words:
            at = text.find(literal)
            while at >= 0 and len(hits) < _MAX_LINES:
                start, end = _line_of(text, at)
                if (
                    start not in hits
                    and at - start < 160
                    and confirm.search(text, max(start, at - 12), min(end, at + len(literal) + 2))
                ):
                    hits.add(start)
                at = text.find(literal, at + len(literal))
    _count_requests(draft, text)
    for feature, hits in seen.items():
        draft.add(feature, len(hits))
    traces = lowered.count("traceback (most recent call last)") + lowered.count("\ngoroutine ")
    if "\tat " in text or "  at " in text:
        traces += sum(1 for _ in _TRACE.finditer(text))
    draft.add("stack_trace", traces)


def _count_requests(draft: Draft, text: str) -> None:
    """Requests served, with their status."""
    for method in ("GET /", "POST /", "PUT /", "DELETE /", "HEAD /", "PATCH /", "OPTIONS /", "GET http", "POST http"):
        at = text.find(method)
        while at >= 0:
            _, end = _line_of(text, at)
            match = ACCESS.search(text, at, end)
            if match:
                status = match[1] or match[2] or ""
                draft.add("log_access")
                draft.add("log_error", status[:1] == "5")
                draft.add("log_auth_failure", status in ("401", "403"))
            at = text.find(method, end)
