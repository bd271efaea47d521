"""Accessibility: the examples of W3C's ACT rules, by our rules and by axe-core in jsdom where node has both."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.capabilities.section import Section
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job

_EXAMPLE = re.compile(r"^#### (Passed|Failed|Inapplicable)[^\n]*\n(.*?)(?=^#{2,4} |\Z)", re.MULTILINE | re.DOTALL)
_HTML = re.compile(r"```html\n(.*?)```", re.DOTALL)
AXE = """
const fs = require('fs'), { JSDOM, VirtualConsole } = require('jsdom'), axe = require('axe-core');
(async () => {
  const pages = JSON.parse(fs.readFileSync(0, 'utf8')), flagged = [];
  for (const page of pages) {
    try {
      const dom = new JSDOM(page, { runScripts: 'outside-only', virtualConsole: new VirtualConsole() });
      dom.window.eval(axe.source);
      const said = await dom.window.axe.run(dom.window.document, { rules: { 'color-contrast': { enabled: false } } });
      flagged.push(said.violations.filter(v => v.tags.some(t => t.startsWith('wcag') || t == 'ACT')).length > 0);
    } catch (error) { flagged.push(false); }
  }
  console.log(JSON.stringify(flagged));
})();
"""


class Example(NamedTuple):
    """One page of a rule."""

    expected: str
    page: str


def examples(folder: Path) -> list[Example]:
    """Return the pages of all rules."""
    found = []
    for rule in sorted(folder.glob("*.md")):
        for expected, text in _EXAMPLE.findall(rule.read_text("utf-8")):
            found += [Example(expected, _whole(page)) for page in _HTML.findall(text)[:1]]
    return found


def _whole(page: str) -> str:
    """Return a page around a piece of one, so that what every page needs is there."""
    head = '<!DOCTYPE html><html lang="en"><head><title>Example</title></head><body><main><h1>Example</h1>'
    return page if "<html" in page.lower() else f"{head}{page}</main></body></html>"


def ours(pages: list[str]) -> list[bool]:
    """Return whether a page has a finding of medium severity or worse."""
    flagged = []
    for page in pages:
        job = Job(capability="check_accessibility", inputs=(Input(name="page.html", data=page.encode()),))
        found = function("check_accessibility")(job).findings
        flagged.append(any(finding.severity != "low" for finding in found))
    return flagged


def axe(pages: list[str], modules: Path) -> list[bool]:
    """Return whether axe-core reports something; empty where node lacks it."""
    node = shutil.which("node")
    if node is None or not (modules / "axe-core").is_dir() or not (modules / "jsdom").is_dir():
        return []
    words = [node, "--input-type=commonjs", "-e", AXE]
    environment = {"NODE_PATH": str(modules), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        words, input=json.dumps(pages).encode(), capture_output=True, env=environment, check=False, timeout=900
    )
    flagged: list[bool] = json.loads(done.stdout or b"[]")
    return flagged


def sections(data: Path | None) -> list[Section]:
    """Return what is measured: nothing without the rules."""
    if data is None or not (data / "act-rules" / "_rules").is_dir():
        return []
    every = examples(data / "act-rules" / "_rules")
    pages = [example.page for example in every]
    rows = []
    flags: dict[str, list[bool]] = {}
    for name, look in {"ours": ours, "axe-core": lambda pages: axe(pages, data / "node_modules")}.items():
        begun = time.perf_counter()
        flags[name] = look(pages)
        rows.append(_row(name, every, flags[name], f"{time.perf_counter() - begun:.1f} s"))
    if flags["axe-core"]:
        either = [one or two for one, two in zip(flags["ours"], flags["axe-core"], strict=True)]
        rows.append(_row("either", every, either, ""))
    text = "Pages of the W3C's ACT rules; axe-core in jsdom, which computes no layout and no contrast."
    return [
        Section("check_accessibility: ACT rules", text, ("", "failed pages flagged", "others flagged", "time"), rows)
    ]


def _row(name: str, every: list[Example], flags: list[bool], seconds: str) -> list[object]:
    if not flags:
        return [name, "not installed", "—", "—"]
    bad = [flag for example, flag in zip(every, flags, strict=True) if example.expected == "Failed"]
    good = [flag for example, flag in zip(every, flags, strict=True) if example.expected != "Failed"]
    return [name, f"{sum(bad)} of {len(bad)}", f"{sum(good)} of {len(good)}", seconds]
