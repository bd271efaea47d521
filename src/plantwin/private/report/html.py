"""Findings as one HTML file: nothing is loaded from elsewhere, and what it tells about cannot act in it."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from plantwin.private.report.model import ORDER, WORST_FIRST, Overview, Reported, rank
from plantwin.private.report.session import summary
from plantwin.private.report.wording import called, input_words, reason, state
from plantwin.text import plural, printable

if TYPE_CHECKING:
    from plantwin.run import Run

MOST_ROWS = 10_000
"""Findings in the table; more would make a browser slow."""

STYLE = """
:root{color-scheme:light dark;--line:#8884;--soft:#8882}
body{font:15px/1.45 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.3rem}h2{font-size:1.1rem;margin-top:2rem}
code{font-family:ui-monospace,monospace;unicode-bidi:isolate;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
th button{all:unset;cursor:pointer;font-weight:600}th button:focus-visible{outline:2px solid}
th[aria-sort=ascending] button::after{content:" \\2191"}th[aria-sort=descending] button::after{content:" \\2193"}
td{unicode-bidi:isolate;overflow-wrap:anywhere}td:first-child,td:nth-child(3){white-space:nowrap}
tr[hidden]{display:none}
.bar{display:flex;flex-wrap:wrap;gap:.5rem 1rem;position:sticky;top:0;background:Canvas;padding:.6rem 0}
.bar input[type=search]{flex:1 1 16rem;font:inherit;padding:.2rem .4rem}
.s{padding:0 .4rem;border-radius:.3rem;background:var(--soft);font-weight:600}
.critical{background:#b00020;color:#fff}.high{background:#d9480f;color:#fff}
.medium{background:#f2c037;color:#222}.low{background:#3b82c4;color:#fff}
.hint{opacity:.75}.undone{border-left:.3rem solid #d9480f;padding-left:.8rem}
"""

SCRIPT = """
"use strict";
const body=document.querySelector("tbody"),count=document.getElementById("count"),find=document.getElementById("find");
if(body){
const boxes=[...document.querySelectorAll(".bar input[type=checkbox]")],rows=[...body.rows];
const texts=rows.map(r=>r.textContent.toLowerCase());
const show=()=>{
const words=find.value.toLowerCase().split(/\\s+/).filter(Boolean);
const on=new Set(boxes.filter(b=>b.checked).map(b=>b.value));let n=0;
rows.forEach((r,i)=>{const ok=on.has(r.dataset.s)&&words.every(w=>texts[i].includes(w));r.hidden=!ok;n+=ok});
count.textContent=n+" shown"};
let timer;find.addEventListener("input",()=>{clearTimeout(timer);timer=setTimeout(show,120)});
boxes.forEach(b=>b.addEventListener("change",show));
const key=(r,c)=>c?r.cells[c].textContent:+r.dataset.r;
document.querySelectorAll("thead th").forEach((th,c)=>th.firstElementChild.addEventListener("click",()=>{
const up=th.getAttribute("aria-sort")!=="ascending",sign=up?1:-1;
document.querySelectorAll("thead th").forEach(o=>o.removeAttribute("aria-sort"));
th.setAttribute("aria-sort",up?"ascending":"descending");
const keyed=[...body.rows].map(r=>[key(r,c),+r.dataset.n,r]);
const order=new Intl.Collator(undefined,{numeric:true});
keyed.sort((a,b)=>sign*(c?order.compare(a[0],b[0]):a[0]-b[0])||a[1]-b[1]);
body.append(...keyed.map(k=>k[2]))}));
show()}
"""


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
