"""Whole pages through axe-core in jsdom, where node has both: the name of a control as a browser computes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from plantwin.private.capabilities.adapters.examine import Reported, finding
from plantwin.private.capabilities.adapters.installed import Installed
from plantwin.private.capabilities.adapters.process import Checkout, run

SECONDS = 60.0
SCRIPT = Path(__file__).with_name("axe.js")
# WebAssembly would reserve more addresses than a worker may have.
NODE = ("--disable-wasm-trap-handler", "--max-old-space-size=700", "--input-type=commonjs")


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One element that breaks one rule."""

    rule: str
    line: int
    impact: str
    help: str
    url: str
    criterion: str
    """`wcag111` for success criterion 1.1.1."""


class Page(msgspec.Struct, frozen=True):
    """What `axe.js` prints of one page."""

    path: str
    failed: bool
    rows: list[Row]


def axe(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Check pages. `engine.path` is node, `engine.rules` the folder of its packages."""
    words = [engine.path, *NODE, "-e", SCRIPT.read_text("utf-8"), *files.names]
    answer = run(words, files.folder, seconds=SECONDS, fine=(0,), more={"NODE_PATH": engine.rules})
    for line in answer.splitlines():
        page = msgspec.json.decode(line, type=Page)
        if page.failed:
            yield Reported(page.path, None)
        for row in page.rows:
            digits = row.criterion.removeprefix("wcag")
            criterion = f"WCAG {digits[0]}.{digits[1]}.{digits[2:]}" if digits else "ACT"
            made = finding("axe", row.rule, row.line, row.help, level=row.impact, reference=f"{criterion}, {row.url}")
            yield Reported(page.path, made)
