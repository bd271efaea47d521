"""Accessibility: the examples of W3C's ACT rules, by our rules, by axe-core, and by both."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.capabilities.section import ABSENT, Section, sampled
from plantwin.private.capabilities import function
from plantwin.private.capabilities.adapters.examine import Found, examine
from plantwin.private.capabilities.adapters.installed import find
from plantwin.private.capabilities.adapters.process import Copy
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.capabilities.engine.source import source

_EXAMPLE = re.compile(r"^#### (Passed|Failed|Inapplicable)[^\n]*\n(.*?)(?=^#{2,4} |\Z)", re.MULTILINE | re.DOTALL)
MOST = 300
"""Pages: axe-core takes about half a second for each."""
_HTML = re.compile(r"```html\n(.*?)```", re.DOTALL)


_LANGUAGE = re.compile(r"<html\b[^>]*\slang=", re.IGNORECASE)
_SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)
_OPENING = re.compile(r"<html\b[^>]*>(?:\s*<head[^>]*>)?", re.IGNORECASE)


class Example(NamedTuple):
    """One page of a rule."""

    expected: str
    page: str


def examples(folder: Path) -> list[Example]:
    """Return the pages of all rules."""
    found = []
    for rule in sorted(folder.glob("*.md")):
        for expected, text in _EXAMPLE.findall(rule.read_text("utf-8")):
            found += [Example(expected, _whole(page, rule.stem)) for page in _HTML.findall(text)[:1]]
    return found


def _whole(page: str, rule: str) -> str:
    """Return a page with what every page needs, save what its rule is about: a page is labelled for one rule alone."""
    if "<html" not in page.lower():
        page = (
            f'<!DOCTYPE html><html lang="en"><body>{page if "<main" in page else f"<main>{page}</main>"}</body></html>'
        )
    if "lang" not in rule and not _LANGUAGE.search(page):
        page = re.sub(r"<html\b", '<html lang="en"', page, count=1, flags=re.IGNORECASE)
    if "title" not in rule and "<title" not in _SVG.sub("", page.lower()):
        page = _OPENING.sub(r"\g<0><title>Example</title>", page, count=1)
    return page


def flagged(pages: list[str], options: dict[str, object]) -> list[bool]:
    """Return whether a page has a finding of medium severity or worse; 32 pages to a call, as a session has them."""
    found: set[str] = set()
    for start in range(0, len(pages), 32):
        inputs = tuple(
            Input(name=f"{start + number}.html", data=page.encode())
            for number, page in enumerate(pages[start : start + 32])
        )
        result = function("check_accessibility")(Job(capability="check_accessibility", inputs=inputs, options=options))
        found |= {finding.name for finding in result.findings if finding.severity != "low"}
    return [f"{number}.html" in found for number in range(len(pages))]


def axe(pages: list[str]) -> list[bool]:
    """Return the same of axe-core alone; empty where it is not installed."""
    engine = find("axe")
    if engine is None:
        return []
    sources = [source(Input(name=f"{number}.html", data=page.encode())) for number, page in enumerate(pages)]
    found: dict[str, list[Found]] = {}
    for start in range(0, len(pages), 32):
        found |= examine(engine, [Copy(file, file.text) for file in sources[start : start + 32]]).found
    return [any(report.severity != "low" for report, _ in found.get(file.label, ())) for file in sources]


def sections(data: Path | None) -> list[Section]:
    """Return what is measured: nothing without the rules."""
    if data is None or not (data / "act-rules" / "_rules").is_dir():
        return []
    every = sampled(examples(data / "act-rules" / "_rules"), MOST)
    pages = [example.page for example in every]
    looks: dict[str, Callable[[], list[bool]]] = {
        "our own rules": lambda: flagged(pages, {"engines": {}}),
        "axe-core alone": lambda: axe(pages),
        "together": lambda: flagged(pages, {}) if find("axe") else [],
    }
    rows = []
    for name, look in looks.items():
        begun = time.perf_counter()
        flags = look()
        rows.append(_row(name, every, flags, f"{time.perf_counter() - begun:.1f} s"))
    text = (
        f"{len(every)} pages of W3C's ACT rules, evenly chosen, flagged with medium severity or worse. A page is "
        "labelled for one rule: it is given a title and a language where that rule is about something else, and may "
        "have another fault. Ours were written with these pages at hand. axe-core in jsdom, which has no layout."
    )
    return [
        Section("check_accessibility: ACT rules", text, ("", "failed pages flagged", "others flagged", "time"), rows)
    ]


def _row(name: str, every: list[Example], flags: list[bool], seconds: str) -> list[object]:
    if not flags:
        return [name, ABSENT, "—", "—"]
    bad = [flag for example, flag in zip(every, flags, strict=True) if example.expected == "Failed"]
    good = [flag for example, flag in zip(every, flags, strict=True) if example.expected != "Failed"]
    return [name, f"{sum(bad)} of {len(bad)}", f"{sum(good)} of {len(good)}", seconds]
