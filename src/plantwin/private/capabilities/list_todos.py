"""List notes of what is left to do, with their lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import failed
from plantwin.private.capabilities.engine.results import Examined, concluded, masked, table
from plantwin.private.capabilities.engine.secrets import detector_of, secret_lines
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.detect.summary import HIDDEN
from plantwin.private.formats import documents
from plantwin.private.formats.source_views import MASKS, views
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Notes of what is left to do"
LONGEST = 200
_MARK = re.compile(r"(?<![\w-])(?P<mark>TODO|FIXME|XXX|HACK|BUG|TBD|WIP)(?![\w-])(?P<rest>[^\n]{0,400})")
_LOWER = re.compile(
    r"(?:^|#|//|/\*|\*|--|<!--)\s{0,4}@?(?P<mark>todo|fixme)\b(?P<rest>\s*[:(][^\n]{0,400})", re.IGNORECASE
)
_BOX = re.compile(r"^\s{0,12}[-*+]\s+\[ \]\s+(?P<rest>\S[^\n]{0,400})")
_COMMENT = re.compile(r"#|//|/\*|^\s*\*|--|<!--|;|\"{3}|'{3}|\{#|\brem\b", re.IGNORECASE)
_DOCSTRING = re.compile(r"(?m)^[ \t]*[rR]?(\"{3}|'{3})(?:(?!\1).|\n){0,20000}?\1")
_TEMPLATE = re.compile(r"(?i)(?:^|/)(?:pull_request_template|issue_template|merge_request_templates?)[^/]*(?:/|$)")
"""Forms whose boxes somebody else ticks."""
_TRAIL = re.compile(r"(?<!\s)\s*+(?:\*/|-->|#\}|\"{3}|'{3}|%\})\s*+$")


def run(job: Job) -> Result:
    """List the notes of each input; what is no text is said to be unread."""
    sources = [source(given) for given in job.inputs if not given.is_result]
    read = [file for file in sources if not file.binary]
    if not read:
        return failed(TITLE, "No text to read.", [OutcomeTag.UNPARSABLE])
    detector = detector_of(job)
    examined: list[Examined] = []
    for file in read:
        notes = list(_notes(file))
        hidden = secret_lines(detector, file.data, file.input.name) if notes else frozenset()
        examined.append(Examined(file, [_finding(line, mark, said, line in hidden) for line, mark, said in notes]))
    state = [OutcomeTag.TRUNCATED] if any(file.truncated for file in read) else []
    state += [OutcomeTag.UNPARSABLE] if len(read) < len(sources) else []
    marks = Counter(finding.message.partition(":")[0] for _, findings, _ in examined for finding in findings)
    return concluded(
        job,
        TITLE,
        examined,
        tool="markers in comments and documents",
        state=state,
        notes=[f"Only the first {READ >> 20} MiB of a file are read."] if OutcomeTag.TRUNCATED in state else [],
        tables=table(["Marker", "Number"], [[mark, str(number)] for mark, number in marks.most_common()]),
        facts={"markers": dict(marks)},
        per_rule=500,
        quoted=False,
    )


def _finding(line: int, mark: str, said: str, hidden: bool) -> Finding:
    text = HIDDEN if hidden else masked(said)[:LONGEST]
    severity = Severity.MEDIUM if mark in ("FIXME", "BUG") else Severity.LOW
    return Finding(
        line=line,
        severity=severity.value,
        tag=OutcomeTag.OPEN_POINTS.value,
        message=f"{mark}: {text}" if text else mark,
    )


def _notes(read: Source) -> Iterator[tuple[int, str, str]]:
    """Yield line, marker and text of every note: in code only of those that stand in comments."""
    bare = _uncommented(read)
    document = read.format in documents.FORMATS
    for number, line in enumerate(read.text.split("\n"), start=1):
        line = line[:2000]
        box = _BOX.match(line) if document and not _TEMPLATE.search(read.label) else None
        if box is not None:
            yield number, "Open box", _said(box["rest"])
            continue
        match = _MARK.search(line) or _LOWER.search(line)
        if match is None:
            continue
        mark = match["mark"].upper()
        if bare is not None:
            kept = bare[number - 1] if number <= len(bare) else ""
            if kept[match.start("mark") : match.end("mark")].upper() == mark:
                continue  # it stands in code or in a string
        elif not document and _COMMENT.search(line[: match.start("mark")]) is None:
            continue
        elif document and mark in ("XXX", "BUG", "HACK", "WIP") and not match["rest"].startswith((":", "(")):
            continue  # ordinary words of a text
        yield number, mark, _said(match["rest"])


def _uncommented(read: Source) -> list[str] | None:
    """Return the lines of code without comments; nothing for what has no such view. Docstrings count as comments."""
    if read.format not in MASKS:
        return None
    full = views(read.format, read.data).full.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if read.format == "python":
        full = _DOCSTRING.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), full)
    return full.split("\n")


def _said(rest: str) -> str:
    return _TRAIL.sub("", rest).strip(" \t:-*#").strip()
