"""Texts as sentences with their lines: paragraphs put together, markup and code left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plantwin.private.capabilities.audit.views import MASKS, views
from plantwin.private.capabilities.common.documents import sections

MOST_LINES = 60_000
MOST_DOCSTRINGS = 5000
LONGEST = 4000
"""Characters of a paragraph that are read."""

_ITEM = re.compile(
    r"\s{0,40}(?:[-*+•–]|o(?=\s{2})|\(?(?:\d{1,3}(?:\.\d{1,3}){0,3}|[a-z]|[ivx]{1,5}|[A-Z])[.):]|\d{1,3}(?:\.\d{1,3}){1,3})\s+(?=\S)"
)
_ROW = re.compile(r"\s{0,20}\|.{1,2000}\|\s*$")
_RULE = re.compile(r"\s{0,40}[-=~*_+|:.#^\s]{3,}$")
_MARKUP = re.compile(
    r"!?\[([^\]\n]{0,300})\]\([^)\s]{0,500}\)|[*_]{2}|`{1,2}|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|</?\w[^<>]{0,200}>"
)
_FENCE = re.compile(r"\s{0,12}(?:```|~~~|----$|\.\.\.\.$)")
_DIRECTIVE = re.compile(
    r"\s{0,20}\.\. (?:code|code-block|sourcecode|parsed-literal|math|image|figure|toctree|literalinclude)"
)
_QUOTE = re.compile(r"\s{0,12}(?:>\s?)+")
_TAG = re.compile(r"<[^<>]{0,1000}>")
_BLOCK = re.compile(
    r"</?(?:p|li|ul|ol|div|br|h[1-6]|tr|td|th|table|section|dd|dt|article|header|footer)\b", re.IGNORECASE
)
_HIDDEN = re.compile(r"<(script|style|pre|head)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_LATEX = re.compile(r"\\(?:[a-zA-Z]{1,30}\*?(?:\[[^\]\n]{0,200}\])?|[&%$#_])|[{}~]")
_ENTITY = {"&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&rsquo;": "'"}
_END = re.compile(r"(?<=[.!?])[\"”’)\]*]{0,3}\s+(?=[\"“‘(\[]{0,2}[A-ZÄÖÜÉÈÀÁÍÓÚÑ¿¡0-9§])|;\s+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|No|Nos|Art|Sec|Sect|Inc|Ltd|Corp|Co|Mr|Mrs|Ms|Dr|St|approx|resp|incl|max|min|ca|bzw"
    r"|z\. ?B|d\. ?h|u\. ?a|Abs|Nr|Ziff|vgl|p|pp|fig|vol|ed|al|art|n°|núm|Sr|Sra|U\.S)|\b[A-Z]|^\d{1,3})\.$"
)
_RUNS_ON = re.compile(
    r"\b(?:sections?|clauses?|versions?|articles?|paragraphs?|and|or|the|of|to|Abschnitt|Ziffer|article)$",
    re.IGNORECASE,
)
_DOCSTRING = re.compile(r'"""(.{0,20000}?)"""|\'\'\'(.{0,20000}?)\'\'\'', re.DOTALL)
_COMMENT_MARK = re.compile(r"^\s{0,60}(?:///?!?|#+!?|--+|/\*+|\*+/?|;+|<!--|%+)\s?|\s*(?:\*+/|-->)\s*$")


class Passage(NamedTuple):
    """One sentence."""

    text: str
    line: int
    section: str
    item: bool
    """Whether it begins an item of a list."""
    block: int
    """Sentences of one paragraph or list have the same number."""

    def __repr__(self) -> str:
        return "<Passage private>"


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
    """The sentences of a document."""
    if format == "html":
        text = _HIDDEN.sub(lambda found: "\n" * found[0].count("\n"), text)
    starts = [(each.line, each.title) for each in sections(format, text)]
    titles = {line for line, title in starts if title}
    found: list[Passage] = []
    places = [line for line, _ in starts]
    for number, paragraph in enumerate(_paragraphs(format, text, titles)):
        at = bisect_right(places, paragraph.lines[0]) - 1
        found += _sentences(paragraph, starts[at][1] if at >= 0 else "", number)
    return found


def of_code(format: str, text: str) -> list[Passage]:
    """The sentences of comments, and in Python of docstrings."""
    if format not in MASKS:
        return []
    data = text.encode("utf-8", "replace")
    full = views(format, data).full.split(b"\n")
    found: list[Passage] = []
    block: _Paragraph | None = None
    number = 0
    for line, (before, after) in enumerate(zip(data.split(b"\n")[:MOST_LINES], full, strict=False), start=1):
        comment = _comment(before, after)
        if comment:
            if block is None or _ITEM.match(comment):
                if block is not None:
                    found += _sentences(block, "", number)
                block, number = _Paragraph(bool(_ITEM.match(comment))), number + 1
            item = _ITEM.match(comment)
            block.add(comment[item.end() :] if item is not None else comment, line)
        elif block is not None:
            found += _sentences(block, "", number)
            block = None
    if block is not None:
        found += _sentences(block, "", number)
    if format == "python":
        above = at = 0
        for match in islice(_DOCSTRING.finditer(text), MOST_DOCSTRINGS):
            above, at = above + text.count("\n", at, match.start()), match.start()
            inner = of_document("rst", match[1] or match[2] or "")
            found += [each._replace(line=each.line + above, block=each.block + 100_000 + above) for each in inner]
    return sorted(found, key=lambda each: each.line)


def _comment(before: bytes, after: bytes) -> str:
    """What a line has that its copy without comments has not."""
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
            if current is not None and current.parts and not (blank and not skipped and current.item):
                yield current
                current = None
            elif current is not None and current.parts:
                yield current
                current = _Paragraph(True)  # an item may go on after an empty line
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
    return [f"\x1e{each}" if number else each for number, each in enumerate(marked.split("\x1e"))]


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
            text = ": ".join(each.strip() for each in text.strip().strip("|").split("|") if each.strip())
    return " ".join(text.split())


def _sentences(paragraph: _Paragraph, section: str, block: int) -> Iterator[Passage]:
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
            yield Passage(piece.strip(), line, section, paragraph.item and first, block)
        first = False
        start = end if match is None else match.end()
