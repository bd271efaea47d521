"""Findings as one HTML file: nothing is loaded from elsewhere, and what it tells about cannot act in it."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.private.report.model import ORDER, WORST_FIRST, Overview, Reported, rank
from plantwin.private.report.session import summary
from plantwin.private.report.wording import called, input_words, reason, state
from plantwin.text import plural, printable

if TYPE_CHECKING:
    from plantwin.run import Run

MOST_ROWS = 10_000
"""Findings in the table; more would make a browser slow."""

STYLE = Path(__file__).with_name("html.css").read_text("utf-8")

SCRIPT = Path(__file__).with_name("html.js").read_text("utf-8")


def html(run: Run, overview: Overview) -> bytes:
    """The session as a page."""
    return "\n".join(_page(run, overview)).encode("utf-8", "backslashreplace") + b"\n"


def policy() -> str:
    """The content security policy: this very style and script, and nothing else at all."""
    return (
        f"default-src 'none'; style-src 'sha256-{_digest(STYLE)}'; script-src 'sha256-{_digest(SCRIPT)}';"
        " base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _page(run: Run, overview: Overview) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(policy())}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>PlanTwin report</title>\n<style>{STYLE}</style>\n</head>\n<body>"
    yield "<h1>PlanTwin report</h1>"
    yield "<p><em>It holds real names and real findings. Do not share it as it is.</em></p>"
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started))
    yield f"<p>{_text(run.goal)}<br><code>{_text(str(run.root or ''))}</code>, {day}</p>"
    yield from _undone(run, overview)
    yield "<ul>"
    yield from (f"<li>{_text(line)}</li>" for line in summary(run, overview))
    yield "</ul>"
    yield from _left_out(overview)
    if overview.findings:
        yield from _table(run, overview)
    yield f"<script>{SCRIPT}</script>\n</body>\n</html>"


def _undone(run: Run, overview: Overview) -> Iterator[str]:
    undone = [*overview.failed, *overview.refused, *overview.missed]
    if not undone:
        return
    yield '<div class="undone"><h2>Not done</h2>\n<ul>'
    for step in undone:
        on = ", ".join(f"<code>{_text(input_words(name, run.names))}</code>" for name in step.step.inputs)
        why = reason(step.verdict, run.names) if step.verdict is not None else ""
        became = state(step.verdict) + (f": {why}" if why else "")
        yield f"<li>{_text(step.step.id)} {_text(called(step.step.capability, run.names))} {on}: {_text(became)}</li>"
    yield "</ul></div>"


def _left_out(overview: Overview) -> Iterator[str]:
    for step in overview.steps:
        for part in step.coverage.left_out if step.coverage else ():
            said = f"Not examined by {step.step.id}, {part.reason}: {part.count:,}"
            names = "".join(f"<li><code>{_text(name)}</code></li>" for name in part.names)
            yield f"<details><summary>{_text(said)}</summary>\n<ul>{names}</ul></details>"


def _table(run: Run, overview: Overview) -> Iterator[str]:
    yield '<h2>Findings</h2>\n<div class="bar">'
    yield '<input type="search" id="find" placeholder="filter by words" aria-label="filter by words">'
    for word in WORST_FIRST:
        if number := overview.severities[word]:
            yield f'<label><input type="checkbox" value="{word}" checked> {word} ({number:,})</label>'
    yield '<span id="count" role="status"></span></div>'
    if len(overview.findings) > MOST_ROWS:
        more = plural(len(overview.findings) - MOST_ROWS, "further finding")
        yield f"<p>{more}, in the JSON file beside the report.</p>"
    heads = "".join(
        f'<th scope="col"><button type="button">{head}</button></th>' for head in ("severity", "place", "rule", "what")
    )
    yield f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>"
    for number, one in enumerate(overview.findings[:MOST_ROWS]):
        yield _row(run, number, one)
    yield "</tbody>\n</table>"


def _row(run: Run, number: int, one: Reported) -> str:
    finding = one.finding
    worst = rank(finding.severity)
    severity = ORDER[worst]
    by = " and ".join(called(capability, run.names) for capability in one.by)
    more = " ".join(filter(None, (finding.hint, f"({finding.reference})" if finding.reference else "", f"[{by}]")))
    evidence = f"<br><code>{_text(finding.evidence)}</code>" if finding.evidence else ""
    return (
        f'<tr data-n="{number}" data-r="{len(ORDER) - worst}" data-s="{severity}">'
        f'<td><span class="s {severity}">{severity}</span></td>'
        f"<td><code>{_text(one.place)}</code></td><td>{_text(one.sort)}</td>"
        f'<td>{_text(finding.message)}{evidence}<br><span class="hint">{_text(more)}</span></td></tr>'
    )


def _text(text: str) -> str:
    """Text on one line that is nothing but text."""
    return escape(printable(text).replace("\\\\", "\\"))
