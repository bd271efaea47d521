"""Markdown: blocks first, then what the prose between them says."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.links import describe_commands, describe_links
from plantwin.private.extract.formats.sentences import describe_licence, describe_prose, is_version
from plantwin.private.extract.formats.text import DOCUMENT, head_text
from plantwin.private.facts import Sample

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.{1,300}?)[ \t#]*$")
_ITEM = re.compile(r"[ \t]{0,20}(?:[-*+]|(\d{1,4})[.)])[ \t]+\S")
_FENCE = re.compile(r"[ \t]{0,12}(`{3,}|~{3,})[ \t]{0,4}\{?\.?([\w+-]{0,30})")
_RULE = re.compile(r"[ \t]{0,3}\|?[ \t]{0,8}:?-{2,200}:?[ \t]{0,8}(?:\|[ \t:|-]{0,1000})?$")
_UNDERLINE = re.compile(r" {0,3}(?:={3,}|-{3,})[ \t]*$")
_MARKS = re.compile(r"[*_`\[\]]|\([^()\n]{0,200}\)")
_DECISIONS = frozenset(
    {"decision", "decisions", "decision outcome", "considered options", "decision drivers", "consequences"}
)
_TIMES = frozenset({"timeline", "chronology", "sequence of events", "incident timeline"})
_FIELDS = frozenset({"column", "field", "variable", "feature", "attribute", "name"})
_MEANINGS = frozenset({"meaning", "description", "unit", "units", "definition", "explanation", "notes"})
_OPERATION = re.compile(r"\[(?:GET|POST|PUT|PATCH|DELETE|HEAD)(?:\]| /)|\[/[\w{}/?,-]{0,120}\]")
_MAX_LINES = 20_000


def add_heading(draft: Draft, text: str) -> None:
    """Count a heading, and what its form alone tells."""
    text = text.strip()
    draft.add("heading")
    draft.heading(text)
    bare = text.strip("*_` ")
    if is_version(bare) or is_version(_MARKS.sub("", bare)):
        draft.add("version_heading")
    word = bare.rstrip(":").lower().lstrip("0123456789. ")
    draft.add("decision", word in _DECISIONS)
    draft.add("timeline", word in _TIMES)
    draft.add("api_path", "[" in text and _OPERATION.search(text) is not None)


def read_markdown(sample: Sample, draft: Draft) -> None:
    """Markdown and its dialects."""
    lines = head_text(sample, DOCUMENT).split("\n")[:_MAX_LINES]
    prose = _Blocks(draft).read(lines[_front_matter(draft, lines) :])
    text = "\n".join(prose)
    describe_links(draft, text)
    describe_prose(draft, text)
    describe_licence(draft, text)


def _front_matter(draft: Draft, lines: list[str]) -> int:
    """Keys between the first two rules; returns where the body starts."""
    if not lines or lines[0].strip() not in ("---", "+++"):
        return 0
    for number, line in enumerate(lines[1:200], 1):
        if line.strip() == lines[0].strip():
            return number + 1
        key, mark, _ = line.partition(":" if lines[0][0] == "-" else "=")
        if mark and key.strip().replace("_", "").replace("-", "").isalnum() and line[0] not in " -":
            draft.heading(key.strip())
            draft.add("key")
    return 0


class _Blocks:
    """One pass over lines; what is not code is handed back as prose."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.prose: list[str] = []
        self.paragraph = ""

    def read(self, lines: list[str]) -> list[str]:
        fence, language = "", ""
        code: list[str] = []
        table = False
        for line in lines:
            if fence:
                if line.strip().startswith(fence):
                    describe_commands(self.draft, language, code)
                    fence = ""
                elif len(code) < 400:
                    code.append(line)
                continue
            opened = _FENCE.match(line) if "```" in line or "~~~" in line else None
            if opened:
                fence, language, code = opened[1], opened[2], []
                self.draft.add("code_block")
                self._end()
                continue
            if "|" in line and _RULE.match(line) and self.paragraph.count("|") >= 1:
                self.draft.add("table")
                cells = {cell.strip(" *`_").lower() for cell in self.paragraph.rpartition("\n")[2].split("|")}
                self.draft.add("field_table", bool(cells & _FIELDS and cells & _MEANINGS))
                self.paragraph = ""
                table = True
                continue
            if table and "|" in line:
                self.prose.append(line)
                continue
            table = False
            self._line(line)
        self._end()
        return self.prose

    def _line(self, line: str) -> None:
        body = line.strip()
        if not body:
            self._end()
            self.prose.append("")
            return
        if len(line) > 5000:
            line = line[:5000]
        first = body[0]
        if first == "#" and (heading := _HEADING.match(line)):
            self._end()
            add_heading(self.draft, heading[1])
            return
        if first in "=-" and self.paragraph and "\n" not in self.paragraph and _UNDERLINE.match(line):
            add_heading(self.draft, self.paragraph)
            self.prose.pop()
            self.paragraph = ""
            return
        if (first in "-*+" or first.isdigit()) and (item := _ITEM.match(line)):
            self._end()
            self.draft.add("numbered_step" if item[1] else "list_item")
        elif line.startswith(("    ", "\t")) and not self.paragraph:
            if not self.prose or not self.prose[-1]:
                self.draft.add("code_block")
            describe_commands(self.draft, "", [body])
            return
        else:
            self.paragraph = f"{self.paragraph}\n{body}" if self.paragraph else body
        self.prose.append(line)

    def _end(self) -> None:
        if self.paragraph:
            self.draft.add("paragraph")
            self.paragraph = ""
