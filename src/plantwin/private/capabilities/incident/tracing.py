"""Errors followed to the code that raised them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from plantwin.private.capabilities.audit.views import MASKS
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
from plantwin.private.capabilities.common.source import Source, source
from plantwin.private.capabilities.incident.moments import shown, times
from plantwin.private.capabilities.incident.reading import Log, read, share
from plantwin.private.capabilities.incident.signs import cause_of
from plantwin.private.capabilities.incident.suspects import Folder, Ranking, Suspect
from plantwin.private.capabilities.incident.templates import ANY
from plantwin.private.capabilities.incident.traces import Trace, traces, traces_of
from plantwin.private.capabilities.incident.veil import Veil
from plantwin.private.capabilities.job import Finding, Input, Job, Result
from plantwin.vocabulary import OutcomeTag, Severity

TOOL = "stack traces of Python, Java, JavaScript, Go, Ruby, C#, PHP, Rust and native code"
LISTED = 10
LITERAL = 10
"""Characters of a message that have to stand in the code as they are."""
_PIECES = re.compile(re.escape(ANY))


class Group:
    """Traces that are alike."""

    def __init__(self, first: Trace) -> None:
        self.first = first
        self.traces = [first]
        self.named: list[str] = []

    def __repr__(self) -> str:
        return "<Group private>"


def trace_errors(job: Job) -> Result:
    """Traces of the logs and documents, grouped, each with the objects that its frames name."""
    veil = Veil(job)
    codes: dict[str, Source] = {}
    logs: list[Log] = []
    found: list[Trace] = []
    truncated: list[str] = []
    for given in job.inputs:
        if given.is_result:
            found += _handed(given)
            continue
        each = source(given)
        if given.kind == "code_file" or (given.kind == "" and each.format in MASKS and each.format != "log"):
            codes[given.name] = each
            continue
        log = read(given, share(len(job.inputs)))
        logs.append(log)
        if log.truncated:
            truncated.append(log.label)
        mine = traces_of(log)
        if not mine and given.kind != "log_stream":
            # A document quotes a trace without being a log.
            mine = traces(each.text.split("\n"), each.label)
        found += mine
    errors = sum(kind.failed for log in logs for kind in log.miner.templates)
    if not logs and not found:
        return failed("Errors traced", "A log, a document with a trace, or an analysis of logs is needed.")
    folder = Folder(job.surroundings, codes)
    ranking = Ranking(folder)
    groups = grouped(found)
    for group in groups.values():
        group.named = ranking.trace(group.first.fingerprint, group.first.own or group.first.frames, len(group.traces))
    _mentions(logs, folder, ranking, codes)
    suspects = ranking.ranked()
    listed = [*_raised(groups, veil), *_accused(suspects, folder, codes, veil)]
    state = [OutcomeTag.TRUNCATED.value] if truncated else []
    return Result(
        outcome=outcome(listed, total=len(groups) or errors, state=state, partial=bool(truncated)),
        title="Errors traced",
        findings=ordered(listed)[:MOST_FINDINGS],
        facts={
            "tool": TOOL,
            "examined": [given.label for given in job.inputs if not given.is_result],
            "groups": [_stated(print_, group, veil) for print_, group in groups.items()][:100],
            "suspects": [
                {"name": each.name, "score": round(each.score, 2), "tests": each.tests[:20], "recent": each.recent}
                for each in suspects[:50]
            ],
            "events": [
                {
                    "time": each.time,
                    "source": each.source,
                    "line": each.line,
                    "kind": "error",
                    "text": veil(_said(each)),
                }
                for each in found[:200]
                if each.time >= 0
            ],
        },
        text=_text(groups, suspects, folder, veil, listed, truncated),
    )


def grouped(found: list[Trace]) -> dict[str, Group]:
    """Traces by fingerprint, the most frequent first."""
    groups: dict[str, Group] = {}
    for each in found:
        if each.fingerprint in groups:
            groups[each.fingerprint].traces.append(each)
        else:
            groups[each.fingerprint] = Group(each)
    return dict(sorted(groups.items(), key=lambda pair: -len(pair[1].traces)))


def _handed(given: Input) -> list[Trace]:
    """Traces that an earlier analysis found."""
    facts = (given.result or {}).get("facts")
    stated = facts.get("traces") if isinstance(facts, dict) else None
    found: list[Trace] = []
    for each in stated[:400] if isinstance(stated, list) else ():
        if isinstance(each, dict) and isinstance(each.get("text"), str):
            line, time = each.get("line"), each.get("time")
            for made in traces(each["text"].split("\n"), str(each.get("source", given.name))):
                made.line = line if isinstance(line, int) else 0
                made.time = float(time) if isinstance(time, (int, float)) else -1.0
                made.context = str(each.get("context", ""))[:400]
                found.append(made)
    return found


def _mentions(logs: list[Log], folder: Folder, ranking: Ranking, codes: Mapping[str, Source]) -> None:
    """Errors without a trace: by the name of their logger, and by their words where the code is given."""
    for log in logs:
        seen: set[int] = set()
        for entry, kind in zip(log.entries, log.kinds, strict=True):
            if not kind.failed or kind.number in seen:
                continue
            seen.add(kind.number)
            group = f"{log.label}:{kind.line}"
            name = (folder.logger(entry.logger) or folder.path(entry.logger)) if entry.logger else ""
            places = [(found, line) for found, each in codes.items() if (line := written(kind.text, each.text))]
            if name and name not in dict(places):
                ranking.mention(name, group, kind.count)
            for found, line in places[:3]:
                ranking.mention(found, group, kind.count * 2, line)


def written(template: str, text: str) -> int:
    """The line of the code that writes a message: all its longer pieces stand near each other there; zero if none."""
    pieces = sorted((each.strip(" :=,.\"'()[]") for each in _PIECES.split(template)), key=len, reverse=True)
    pieces = [_message(each) for each in pieces]
    best = next((each for each in pieces if len(each) >= LITERAL and " " in each), "")
    at = text.find(best) if best else -1
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


def _message(piece: str) -> str:
    """Without the level and logger in front."""
    words = piece.split(" ")
    while len(words) > 2 and (words[0].isupper() or "." in words[0] or words[0].startswith("[")):
        words = words[1:]
    return " ".join(words)


def _said(each: Trace) -> str:
    return f"{each.type or 'error'}: {each.message}" if each.message else each.type or each.context or "error"


def _raised(groups: Mapping[str, Group], veil: Veil) -> list[Finding]:
    found: list[Finding] = []
    for group in list(groups.values())[:100]:
        each = group.first
        count = len(group.traces)
        grave = count >= 10 or "CRITICAL" in each.context or "FATAL" in each.context or each.type == "panic"
        origin = next((frame for frame in each.frames if not frame.library), None)
        where = f" in {origin.function or origin.path} ({origin.path}:{origin.line})" if origin is not None else ""
        root = f", caused by {each.root}" if each.root and each.root != each.type else ""
        found.append(
            Finding(
                name=each.source,
                line=each.line,
                severity=(Severity.HIGH if grave else Severity.MEDIUM).value,
                tag=cause_of(f"{each.root} {each.type} {each.message}").value,
                message=f"{each.type or 'Error'}{root}, {times(count, 'time')}{where}",
                evidence=veil(each.message or each.context),
            )
        )
    return found


def _accused(suspects: list[Suspect], folder: Folder, codes: Mapping[str, Source], veil: Veil) -> list[Finding]:
    found: list[Finding] = []
    for number, each in enumerate(suspects[:LISTED]):
        place = max(each.places, key=lambda one: each.places[one], default=(0, ""))
        given = codes.get(each.name)
        lines = given.text.split("\n") if given is not None else []
        shown_line = lines[place[0] - 1].strip() if 0 < place[0] <= len(lines) else ""
        hint = f"Tests: {', '.join(each.tests[:5])}." if each.tests else ""
        found.append(
            Finding(
                name=each.name,
                line=place[0],
                severity=(Severity.MEDIUM if number == 0 and each.score >= 0.5 else Severity.LOW).value,
                tag=OutcomeTag.SUSPECT_FOUND.value,
                message=f"Suspect {number + 1}: {times(len(each.groups), 'kind')} of errors "
                f"{'pass through' if each.places else 'come from'} it" + (f", most in {place[1]}" if place[1] else ""),
                hint=hint,
                evidence=veil(shown_line) if shown_line else "",
            )
        )
        if folder.known and not each.tests and number < 3:
            found.append(
                Finding(
                    name=each.name,
                    severity=Severity.LOW.value,
                    tag=OutcomeTag.UNTESTED.value,
                    message="No test exercises this suspect",
                    hint="Write one that fails in this way before changing it.",
                )
            )
        if each.recent:
            found.append(
                Finding(
                    name=each.name,
                    severity=Severity.LOW.value,
                    tag=OutcomeTag.RECENT_CHANGE.value,
                    message="This suspect changed lately, where most of the folder did not",
                )
            )
    return found


def _stated(print_: str, group: Group, veil: Veil) -> dict[str, object]:
    each = group.first
    return {
        "fingerprint": print_,
        "language": each.language,
        "type": each.type,
        "root": each.root,
        "count": len(group.traces),
        "message": veil(each.message),
        "frames": [f"{frame.path}:{frame.line} {frame.function}".strip() for frame in each.frames[:20]],
        "objects": group.named,
    }


def _text(
    groups: Mapping[str, Group],
    suspects: list[Suspect],
    folder: Folder,
    veil: Veil,
    found: list[Finding],
    truncated: list[str],
) -> str:
    number = sum(len(group.traces) for group in groups.values())
    lines = [
        f"{times(number, 'trace')} of {times(len(groups), 'kind')}; {times(len(suspects), 'suspect')}: "
        f"{counted(found)}.",
        "",
    ]
    if suspects:
        lines += ["| suspect | score | errors | where | tests |", "|---|---:|---:|---|---|"]
        for each in suspects[:LISTED]:
            where = ", ".join(f"{name or 'line'}:{line}" for line, name in list(each.places)[:3])
            tests = ", ".join(code(test) for test in each.tests[:3]) or ("none" if folder.known else "")
            lines.append(f"| {code(each.name)} | {each.score:.2f} | {len(each.groups)} | {plain(where)} | {tests} |")
        lines.append("")
    for print_, group in list(groups.items())[:LISTED]:
        first = group.first
        dates = [each.time for each in group.traces if each.time >= 0]
        when = (
            f", {shown(min(dates))} to {shown(max(dates))}"
            if len(dates) > 1
            else f", {shown(dates[0])}"
            if dates
            else ""
        )
        lines += [
            f"#### {plain(first.type or 'Error')} ({first.language}, "
            f"{times(len(group.traces), 'time')}{when}, {print_})",
            "",
        ]
        lines += [plain(veil(first.message), 300), ""] if first.message else []
        for frame in first.frames[:12]:
            name = folder.path(frame.path) if not frame.library else ""
            mark = "**" if name else ""
            lines.append(
                f"- {mark}{code(f'{name or frame.path}:{frame.line}')}{mark} {plain(frame.function, 80)}".rstrip()
            )
        lines.append("")
    if not groups:
        lines += [findings_text(ordered(found)[:25], len(found)), ""]
    if truncated:
        lines.append(f"Not examined to the end: {', '.join(code(name) for name in truncated)}.")
    return "\n".join(lines).strip() + "\n"
