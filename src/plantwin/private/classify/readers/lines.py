"""Formats that are read line by line, each line by the first row of `lines.toml` that matches it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from plantwin.private.classify.readers.draft import Draft, image, script
from plantwin.private.facts import Sample
from plantwin.private.formats.text import head_text

_LONGEST = 4000


class Row(msgspec.Struct, forbid_unknown_fields=True):
    """A pattern; what its named groups hold is kept. The fields are explained at the top of the file."""

    pattern: str
    count: str = ""
    find: bool = False
    more: bool = False
    provide: str = ""
    setting: str = ""
    path: tuple[str, str] = ("", "")
    separator: str = "/"
    refer: tuple[str, str] = ("", "")
    script: str = "shell"

    def read(self, draft: Draft, line: str) -> bool:
        """Keep what the line holds; false where it does not match."""
        expression = _compiled(self.pattern)
        first = expression.match(line)
        matches = list(expression.finditer(line)) if self.find else [first] if first else []
        for match in matches:
            self._keep(draft, match.groupdict(""))
        return bool(matches)

    def _keep(self, draft: Draft, groups: dict[str, str]) -> None:
        for feature in self.count.split():
            draft.add(feature)
        draft.name(groups.get("name"))
        if self.provide:
            draft.provide(self.provide, groups.get("provided") or groups.get("name"))
        if "pin" in groups:
            draft.pin(groups["pin"], groups.get("version", "").strip(" '\",;()")[:60] or "*")
        if "value" in groups:
            draft.setting(groups.get("key") or self.setting, groups["value"].strip())
        if "path" in groups:
            draft.refer_path(groups["path"].replace(self.separator, "/"), self.path[1], self.path[0])
        if "target" in groups:
            draft.refer(self.refer[0], groups["target"], self.refer[1])
        if "script" in groups:
            script(draft, groups["script"], self.script)
        if "image" in groups:
            image(draft, groups["image"])


class Format(msgspec.Struct, forbid_unknown_fields=True):
    """A format with its rows."""

    names: str
    row: list[Row]
    comments: str = ""
    notes: str = ""
    lines: int = 8000
    parsed: str = ""
    unmatched: tuple[str, int] | None = None
    least: str = ""


@cache
def _formats() -> dict[str, Format]:
    text = (Path(__file__).parent / "lines.toml").read_text("utf-8")
    found = msgspec.convert(tomllib.loads(text)["format"], list[Format])
    return {name: format for format in found for name in format.names.split()}


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\n *", "", pattern))


def read_lines(sample: Sample, draft: Draft) -> None:
    """Read every line by the rows of its format."""
    format = _formats()[draft.outline.format]
    comments, notes = tuple(format.comments.split()), format.notes.split()
    telling = format.unmatched[0] if format.unmatched else ""
    unmatched = 0
    for line in head_text(sample).split("\n")[: format.lines]:
        body = line.lstrip()
        for mark in notes:
            at = line.find(mark)
            draft.add("todo", at >= 0 and ("TODO" in line[at:] or "FIXME" in line[at:]))
        if not body or body.startswith(comments):
            continue
        known = False
        for row in format.row:
            if row.read(draft, line[:_LONGEST]):
                known = known or not row.more or telling in row.count
                if not row.more:
                    break
        unmatched += not known
    _conclude(format, draft, unmatched)


def _conclude(format: Format, draft: Draft, unmatched: int) -> None:
    """Decide whether the text was one of the format."""
    outline = draft.outline
    if format.least:
        draft.features.setdefault(format.least, 1)
    if format.unmatched is not None:
        feature, factor = format.unmatched
        outline.parsed = unmatched <= factor * draft.features.get(feature, 0)
    if format.parsed:
        held = {"pins": outline.pins, "provides": outline.provides, "references": outline.references}
        held["names"] = outline.names
        found = any(draft.features.get(part) or held.get(part) for part in format.parsed.split())
        outline.parsed = outline.parsed and found
