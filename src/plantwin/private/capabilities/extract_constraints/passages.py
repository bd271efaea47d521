"""Read texts as sentences with their lines: paragraphs put together, markup and code left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats.documents import sections
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.source_views import MASKS, views

MOST_LINES = 60_000
MOST_DOCSTRINGS = 5000
LONGEST = 4000
"""Characters of a paragraph that are read."""

_PATTERNS = {name: re.compile(pattern) for name, pattern in beside(__file__, "passages.toml").items()}
_ITEM = _PATTERNS["item"]
_ROW = _PATTERNS["row"]
_RULE = _PATTERNS["rule"]
_MARKUP = _PATTERNS["markup"]
_FENCE = _PATTERNS["fence"]
_DIRECTIVE = _PATTERNS["directive"]
_QUOTE = _PATTERNS["quote"]
_TAG = _PATTERNS["tag"]
_BLOCK = _PATTERNS["block"]
_HIDDEN = _PATTERNS["hidden"]
_LATEX = _PATTERNS["latex"]
_ENTITY = {"&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&rsquo;": "'"}
_END = _PATTERNS["end"]
_ABBREVIATION = _PATTERNS["abbreviation"]
_RUNS_ON = _PATTERNS["runs_on"]
_DOCSTRING = _PATTERNS["docstring"]
_COMMENT_MARK = _PATTERNS["comment_mark"]


@private
class Passage(NamedTuple):
    """One sentence."""

    text: str
    line: int
    item: bool
    """Whether it begins an item of a list."""
    block: int
    """Sentences of one paragraph or list have the same number."""


class _Paragraph:
    def __init__(self, item: bool) -> None:
        self.item = item
        self.parts: list[str] = []
        self.offsets: list[int] = []
        self.lines: list[int] = []
        self.length = 0

    def add(self, text: str, line: int) -> None:
        self.offsets.append(self.length)
        self.lines.append(line)
        self.parts.append(text)
        self.length += len(text) + 1


def of_document(format: str, text: str) -> list[Passage]:
    """Return the sentences of a document."""
    if format == "html":
        text = _HIDDEN.sub(lambda found: "\n" * found[0].count("\n"), text)
    titles = {section.line for section in sections(format, text) if section.title}
    paragraphs = enumerate(_paragraphs(format, text, titles))
    return [passage for number, paragraph in paragraphs for passage in _sentences(paragraph, number)]


def of_code(format: str, text: str) -> list[Passage]:
    """Return the sentences of comments, and in Python of docstrings."""
    if format not in MASKS:
        return []
    found = [
        passage
        for number, paragraph in enumerate(_comment_blocks(format, text), start=1)
        for passage in _sentences(paragraph, number)
    ]
    above = at = 0
    for match in islice(_DOCSTRING.finditer(text), MOST_DOCSTRINGS) if format == "python" else ():
        above, at = above + text.count("\n", at, match.start()), match.start()
        inner = of_document("rst", match[1] or match[2] or "")
        found += [
            passage._replace(line=passage.line + above, block=passage.block + 100_000 + above) for passage in inner
        ]
    return sorted(found, key=lambda passage: passage.line)


def _comment_blocks(format: str, text: str) -> Iterator[_Paragraph]:
    """Yield comments on lines next to each other as one paragraph, each item of a list as its own."""
    data = text.encode("utf-8", "replace")
    bare = views(format, data).full.split(b"\n")
    block: _Paragraph | None = None
    for line, (before, after) in enumerate(zip(data.split(b"\n")[:MOST_LINES], bare, strict=False), start=1):
        comment = _comment(before, after)
        item = _ITEM.match(comment)
        if block is not None and (not comment or item):
            yield block
            block = None
        if comment:
            block = block or _Paragraph(item is not None)
            block.add(comment[item.end() :] if item is not None else comment, line)
    if block is not None:
        yield block


def _comment(before: bytes, after: bytes) -> str:
    """Return what a line has that its copy without comments has not."""
    if before == after or not before.strip():
        return ""
    kept = len(after.rstrip())
    return _COMMENT_MARK.sub("", before[kept:].decode("utf-8", "replace").strip()).strip()


def _paragraphs(format: str, text: str, titles: set[int]) -> Iterator[_Paragraph]:
    current: _Paragraph | None = None
    fenced = blank = False
    literal = -1
    for number, raw in enumerate(text.split("\n")[:MOST_LINES], start=1):
        line = raw[:LONGEST]
        indent = len(line) - len(line.lstrip())
        if format in ("markdown", "asciidoc", "text") and _FENCE.match(line):
            fenced = not fenced if format != "text" else False
        if literal >= 0 and line.strip() and indent <= literal:
            literal = -1
        skipped = fenced or number in titles or literal >= 0 or _RULE.match(line) is not None
        if format == "markdown" and indent >= 4 and blank and (current is None or not current.item):
            skipped = True
        if format == "rst" and (_DIRECTIVE.match(line) or line.rstrip().endswith("::")):
            literal = indent
            skipped = skipped or _DIRECTIVE.match(line) is not None
        blank = not line.strip() or (blank and skipped)
        if skipped or not line.strip():
            if current is not None and current.parts:
                yield current
                # An item may go on after an empty line.
                current = _Paragraph(True) if current.item and not skipped else None
            continue
        for piece in _pieces(format, line):
            item = _ITEM.match(piece)
            if item is not None and current is not None and current.parts and _RUNS_ON.search(current.parts[-1]):
                item = None  # `section` at the end of a line, its number on the next
            starts = item is not None or _ROW.match(line) is not None or "\x1e" in piece
            if current is None or starts or current.length > LONGEST:
                if current is not None and current.parts:
                    yield current
                current = _Paragraph(item is not None)
            elif not current.parts and indent < 2:
                current.item = False
            shown = _plain(format, piece[item.end() :] if item is not None else piece)
            if shown:
                current.add(shown, number)
    if current is not None and current.parts:
        yield current


def _pieces(format: str, line: str) -> list[str]:
    if format != "html":
        return [line]
    marked = _BLOCK.sub(lambda found: "\x1e" + found[0], line)
    return [f"\x1e{piece}" if number else piece for number, piece in enumerate(marked.split("\x1e"))]


def _plain(format: str, text: str) -> str:
    text = text.replace("\x1e", "")
    if format == "html":
        text = _TAG.sub(" ", text)
        for name, value in _ENTITY.items():
            text = text.replace(name, value)
    elif format == "latex":
        text = _LATEX.sub(" ", text.split(" %", 1)[0])
    else:
        text = _MARKUP.sub(lambda found: found[1] or "", _QUOTE.sub("", text, count=1))
        if text.lstrip().startswith("|"):
            text = ": ".join(cell.strip() for cell in text.strip().strip("|").split("|") if cell.strip())
    return " ".join(text.split())


def _sentences(paragraph: _Paragraph, block: int) -> Iterator[Passage]:
    text = " ".join(paragraph.parts)[:LONGEST]
    start = 0
    first = True
    for match in [*_END.finditer(text), None]:
        end = len(text) if match is None else match.start()
        piece = text[start:end]
        if match is not None and (_ABBREVIATION.search(piece) or len(piece) < 4):
            continue
        if piece.strip():
            line = paragraph.lines[bisect_right(paragraph.offsets, start) - 1]
            yield Passage(piece.strip(), line, paragraph.item and first, block)
        first = False
        start = end if match is None else match.end()
