"""Follow errors to the code that raised them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, plain
from plantwin.private.capabilities.engine.results import Mask, concluded_by_object, finding, table
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.private.capabilities.logs.log import ANY, Log, cause_of, read, share
from plantwin.private.capabilities.trace_errors.traces import Folder, Ranking, Suspect, Trace, traces, traces_of
from plantwin.private.facts import private
from plantwin.private.formats.source_views import MASKS
from plantwin.private.formats.timestamps import shown
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Errors traced"
TOOL = "stack traces of Python, Java, JavaScript, Go, Ruby, C#, PHP, Rust and native code"
LISTED = 10
LITERAL = 10
"""Characters of a message that have to stand in the code as they are."""


@private
class Group(NamedTuple):
    """Traces that are alike, and the objects that their frames name."""

    fingerprint: str
    traces: list[Trace]
    objects: list[str]


def run(job: Job) -> Result:
    """Group the traces of logs and documents, each with the objects that its frames name."""
    mask = Mask(job)
    codes: dict[str, Source] = {}
    logs: list[Log] = []
    found: list[Trace] = []
    without: list[str] = []
    """Inputs that hold neither lines of a log nor a trace."""
    for given in job.inputs:
        if given.is_result:
            found += _handed_on(given)
            continue
        read_source = source(given)
        format = read_source.format
        if given.kind == "code_file" or (given.kind == "" and format in MASKS and format != "log"):
            codes[given.name] = read_source
            continue
        log = read(given, share(len(job.inputs)))
        mine = traces_of(log)
        if not mine and given.kind != "log_stream":
            # A document quotes a trace without being a log.
            mine = traces(read_source.text.split("\n"), read_source.label)
        if not mine and not log.telling:
            without.append(given.label)
            continue
        logs.append(log)
        found += mine
    if not logs and not found:
        needed = "A log, a document with a trace, or an analysis of logs is needed."
        return failed(TITLE, needed, [OutcomeTag.UNPARSABLE] if without else [])
    folder = Folder(job.surroundings, codes)
    ranking = Ranking(folder)
    groups = _grouped(found, ranking)
    _count_mentions(logs, folder, ranking, codes)
    suspects = ranking.ranked()
    truncated = [code(log.label) for log in logs if log.truncated]
    result = concluded_by_object(
        job, TITLE, [*_raised(groups, mask), *_accused(suspects, folder, codes, mask)], tool=TOOL,
        examined=[given.label for given in job.inputs if not given.is_result and given.label not in without],
        state=[*([OutcomeTag.TRUNCATED] if truncated else []), *([OutcomeTag.UNPARSABLE] if without else [])],
        notes=[
            *([f"Not examined to the end: {', '.join(truncated)}."] if truncated else []),
            *([f"Neither lines of a log nor a trace: {', '.join(map(code, without))}."] if without else []),
        ],
        tables=[*_suspects_table(suspects, folder), *_groups_text(groups, folder, mask)],
        facts={
            "objects": [suspect.name for suspect in suspects[:LISTED]],
            "groups": [_group_facts(group, mask) for group in groups[:100]],
            "suspects": [
                {
                    "name": suspect.name, "score": round(suspect.score, 2), "tests": suspect.tests[:20],
                    "recent": suspect.recent,
                }
                for suspect in suspects[:50]
            ],
            "events": [
                {
                    "time": trace.time, "source": trace.source, "line": trace.line, "kind": "error",
                    "text": mask(_said(trace)),
                }
                for trace in found[:200]
                if trace.time >= 0
            ],
        },
    )  # fmt: skip
    errors = len(groups) or sum(template.failed for log in logs for template in log.templates)
    return msgspec.structs.replace(result, outcome={**result.outcome, "count": str(bucket(errors))})


def _grouped(found: list[Trace], ranking: Ranking) -> list[Group]:
    """Group traces by fingerprint, the most frequent first, and count them against suspects."""
    alike: dict[str, list[Trace]] = {}
    for trace in found:
        alike.setdefault(trace.fingerprint, []).append(trace)
    return [
        Group(fingerprint, same, ranking.trace(fingerprint, same[0].own or same[0].frames, len(same)))
        for fingerprint, same in sorted(alike.items(), key=lambda pair: -len(pair[1]))
    ]


def _handed_on(given: Input) -> list[Trace]:
    """Return the traces that an earlier analysis found."""
    facts = (given.result or {}).get("facts")
    stated = facts.get("traces") if isinstance(facts, dict) else None
    found: list[Trace] = []
    for stated_trace in stated[:400] if isinstance(stated, list) else ():
        if isinstance(stated_trace, dict) and isinstance(stated_trace.get("text"), str):
            line, time = stated_trace.get("line"), stated_trace.get("time")
            for trace in traces(stated_trace["text"].split("\n"), str(stated_trace.get("source", given.name))):
                trace.line = line if isinstance(line, int) else 0
                trace.time = float(time) if isinstance(time, (int, float)) else -1.0
                trace.context = str(stated_trace.get("context", ""))[:400]
                found.append(trace)
    return found


def _count_mentions(logs: list[Log], folder: Folder, ranking: Ranking, codes: Mapping[str, Source]) -> None:
    """Count errors without a trace: by the name of their logger, and by their words where the code is given."""
    for log in logs:
        seen: set[int] = set()
        for entry, template in log.matched:
            if not template.failed or template.number in seen:
                continue
            seen.add(template.number)
            group = f"{log.label}:{template.line}"
            name = (folder.logger(entry.logger) or folder.path(entry.logger)) if entry.logger else ""
            places = {file: line for file, read in codes.items() if (line := _written_at(template.text, read.text))}
            if name and name not in places:
                ranking.mention(name, group, template.count)
            for file, line in list(places.items())[:3]:
                ranking.mention(file, group, template.count * 2, line)


def _written_at(template: str, text: str) -> int:
    """Return the line of the code that has the longest fixed piece of a message; zero if none."""
    pieces = sorted((piece.strip(" :=,.\"'()[]") for piece in template.split(ANY)), key=len, reverse=True)
    messages = map(_without_prefix, pieces)
    best = next((message for message in messages if len(message) >= LITERAL and " " in message), "")
    at = text.find(best) if best else -1
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


def _without_prefix(piece: str) -> str:
    """Drop the level and logger in front of a message."""
    words = piece.split(" ")
    while len(words) > 2 and (words[0].isupper() or "." in words[0] or words[0].startswith("[")):
        words = words[1:]
    return " ".join(words)


def _said(trace: Trace) -> str:
    return f"{trace.type or 'error'}: {trace.message}" if trace.message else trace.type or trace.context or "error"


def _raised(groups: list[Group], mask: Mask) -> Iterator[Finding]:
    for group in groups[:100]:
        trace, count = group.traces[0], len(group.traces)
        grave = count >= 10 or trace.type == "panic" or "CRITICAL" in trace.context or "FATAL" in trace.context
        where = "".join(f" in {frame.function or frame.path} ({frame.path}:{frame.line})" for frame in trace.own[:1])
        root = f", caused by {trace.root}" if trace.root and trace.root != trace.type else ""
        yield finding(
            trace.source, trace.line, Severity.HIGH if grave else Severity.MEDIUM,
            cause_of(f"{trace.root} {trace.type} {trace.message}"),
            f"{trace.type or 'Error'}{root}, {plural(count, 'time')}{where}",
            evidence=mask(trace.message or trace.context),
        )  # fmt: skip


def _accused(suspects: list[Suspect], folder: Folder, codes: Mapping[str, Source], mask: Mask) -> Iterator[Finding]:
    for number, suspect in enumerate(suspects[:LISTED]):
        line, function = max(suspect.places, key=lambda place: suspect.places[place], default=(0, ""))
        lines = codes[suspect.name].text.split("\n") if suspect.name in codes else []
        shown_line = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        how = f"{'pass through' if suspect.places else 'come from'} it" + (f", most in {function}" if function else "")
        yield finding(
            suspect.name, line, Severity.MEDIUM if number == 0 and suspect.score >= 0.5 else Severity.LOW,
            OutcomeTag.SUSPECT_FOUND, f"Suspect {number + 1}: {plural(len(suspect.groups), 'kind')} of errors {how}",
            hint=f"Tests: {', '.join(suspect.tests[:5])}." if suspect.tests else "",
            evidence=mask(shown_line) if shown_line else "",
        )  # fmt: skip
        if folder.known and not suspect.tests and number < 3:
            hint = "Write one that fails in this way before changing it."
            message = "No test exercises this suspect"
            yield finding(suspect.name, 0, Severity.LOW, OutcomeTag.UNTESTED, message, hint=hint)
        if suspect.recent:
            message = "This suspect changed lately, where most of the folder did not"
            yield finding(suspect.name, 0, Severity.LOW, OutcomeTag.RECENT_CHANGE, message)


def _group_facts(group: Group, mask: Mask) -> dict[str, object]:
    trace = group.traces[0]
    return {
        "fingerprint": group.fingerprint, "language": trace.language, "type": trace.type, "root": trace.root,
        "count": len(group.traces), "message": mask(trace.message), "objects": group.objects,
        "frames": [f"{frame.path}:{frame.line} {frame.function}".strip() for frame in trace.frames[:20]],
    }  # fmt: skip


def _suspects_table(suspects: list[Suspect], folder: Folder) -> list[str]:
    rows = []
    for suspect in suspects[:LISTED]:
        where = ", ".join(f"{name or 'line'}:{line}" for line, name in list(suspect.places)[:3])
        tests = ", ".join(code(test) for test in suspect.tests[:3]) or ("none" if folder.known else "")
        rows.append((code(suspect.name), f"{suspect.score:.2f}", str(len(suspect.groups)), plain(where), tests))
    return table(("suspect", "score", "errors", "where", "tests"), rows)


def _groups_text(groups: list[Group], folder: Folder, mask: Mask) -> list[str]:
    count = sum(len(group.traces) for group in groups)
    lines = [f"{plural(count, 'trace')} of {plural(len(groups), 'kind')}.", ""]
    for group in groups[:LISTED]:
        first = group.traces[0]
        dates = sorted(trace.time for trace in group.traces if trace.time >= 0)
        when = f", {shown(dates[0])}" + (f" to {shown(dates[-1])}" if len(dates) > 1 else "") if dates else ""
        how = f"{first.language}, {plural(len(group.traces), 'time')}{when}, {group.fingerprint}"
        lines += [f"#### {plain(first.type or 'Error')} ({how})", ""]
        lines += [plain(mask(first.message), 300), ""] if first.message else []
        for frame in first.frames[:12]:
            name = folder.path(frame.path) if not frame.library else ""
            bold = "**" if name else ""
            place = code(f"{name or frame.path}:{frame.line}")
            lines.append(f"- {bold}{place}{bold} {plain(frame.function, 80)}".rstrip())
        lines.append("")
    return lines
