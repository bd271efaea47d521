"""Documents: their sections, and the sentences that carry most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats import documents
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.values import words

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


FORMATS = frozenset(("markdown", "rst", "asciidoc", "text", "latex", "license", "html"))
MOST = 2000
"""Sentences that are weighed."""
MOST_LINES = 100_000

_PATTERNS = {name: re.compile(pattern) for name, pattern in beside(__file__, "documents.toml").items()}
_TAG, _WORD, _DUTY = _PATTERNS["tag"], _PATTERNS["word"], _PATTERNS["duty"]
_COMMON = words(
    "the and for are was were with that this from have has had not but you your our they their will shall "
    "can may into out its all any one two when which who what how where then than there here been being "
    "also each other more most such only under over about after before between during through would could "
    "should must does did done use used using per via "
)


@private
class Section(NamedTuple):
    """A heading and what stands below it."""

    level: int
    title: str
    line: int
    body: str


def sections(format: str, text: str) -> list[Section]:
    """Return the sections of a document in order; what stands before the first heading has an empty title."""
    heads: list[tuple[int, int, str]] = []
    lines = text.split("\n")[:MOST_LINES]
    fenced = False
    for number, line in enumerate(lines):
        bare = line[:400].rstrip()
        if format == "markdown" and bare.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or not bare:
            continue
        head = _heading(format, bare, lines[number + 1][:400] if number + 1 < len(lines) else "")
        if head is not None:
            heads.append((number, *head))
    ends = [number for number, _, _ in heads] + [len(lines)]
    opening = "\n".join(lines[: ends[0]])
    found = [Section(0, "", 1, opening)] if opening.strip() else []
    for (number, level, title), end in zip(heads, ends[1:], strict=True):
        found.append(Section(level, title, number + 1, "\n".join(lines[number + 1 : end])))
    return found


def _heading(format: str, line: str, following: str) -> tuple[int, str] | None:
    """Return the level and title of a line that is a heading."""
    if format in ("markdown", "asciidoc") and (match := _PATTERNS[format].match(line)) is not None:
        return len(match[1]), match[2]
    if format == "markdown":
        plain = not line.startswith((" ", "-", "|", ">"))
        return (1, line.strip()) if plain and re.fullmatch(r"={3,}\s*", following) else None
    if format == "rst":
        underline = _PATTERNS["underline"]
        underlined = underline.match(following) and not underline.match(line)
        return (1, line.strip()) if underlined and len(following.rstrip()) >= len(line) else None
    if format == "latex" and (match := _PATTERNS["latex"].search(line)) is not None:
        return 1 + line.count("sub"), match[1]
    if format == "html" and (match := _PATTERNS["html"].search(line)) is not None:
        return int(match[1]), _TAG.sub("", match[2]).strip()
    return None


def telling(sentences: Sequence[str], most: int = 5) -> list[str]:
    """Return the sentences that carry most, in their order: those whose words the whole speaks of, and duties."""
    # What ends with a colon says nothing without what follows it.
    whole = (sentence for sentence in sentences if 20 <= len(sentence) <= 600 and not sentence.rstrip().endswith(":"))
    found = [" ".join(sentence.split()) for sentence in whole][:MOST]
    said = [[word for word in _WORD.findall(sentence.lower()) if word not in _COMMON] for sentence in found]
    spoken = Counter(word for named in said for word in set(named))
    weights: dict[int, float] = {}
    for number, sentence in enumerate(found):
        if len(said[number]) >= 4:
            named = set(said[number])
            weights[number] = sum(spoken[word] for word in named) / (len(named) + 6)
            weights[number] += (1.5 if _DUTY.search(sentence) else 0) + (1.0 if number < 2 else 0)
    kept: list[int] = []
    for number in sorted(weights, key=lambda number: (-weights[number], number))[: most * 3]:
        mine = set(_WORD.findall(found[number].lower()))
        if all(len(mine & set(_WORD.findall(found[other].lower()))) < 0.7 * len(mine) for other in kept):
            kept.append(number)
    return [found[number] for number in sorted(kept[:most])]


class Moods(NamedTuple):
    """How many lines state what must be done, by when, and what is undecided."""

    duties: int
    deadlines: int
    open_points: int


def moods(text: str) -> Moods:
    """Count lines by what they state."""
    lines = [line[:1000] for line in text.split("\n")[:MOST_LINES]]
    patterns = (_DUTY, _PATTERNS["deadline"], _PATTERNS["open"])
    return Moods(*(sum(map(bool, map(pattern.search, lines))) for pattern in patterns))


READ = 1 << 20
"""Characters of a document that are read."""
MOST_PASSAGES = 4000
"""Sections and paragraphs of one document."""
_ELEMENT = re.compile(r"<[^<>]{0,2000}>")
_UNSHOWN = re.compile(r"<(?:(script|style|head)\b|!--)", re.IGNORECASE)
"""Where a part of a page begins that nobody reads."""
_FRONT = re.compile(r"\A---\s*\n.{0,20000}?\n---\s*\n", re.DOTALL)
_TEMPLATE_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\(\{\{[^{}\n]{0,200}\}\}[^\s()]{0,100}\)")
"""A link whose target a site generator fills in: `[text]({{< ref "page" >}})`."""
_ENTITY = re.compile(r"&(?:nbsp|amp|lt|gt|quot|#\d{1,6});")
_ATTRIBUTES = re.compile(r"\{:? ?[.#][^{}\n]{1,100}\}")
_ADMONITION = re.compile(r"^\s*(?:\[!\w+\]|:{3,}.*|\.\. \w+::.*|!!! .*)\s*")
_RST_ROLE = re.compile(
    r":[\w:-]{1,40}:`([^`<]{1,200})(?:\s*<[^>]{0,300}>)?`|`([^`<]{1,200})\s*<[^>]{0,300}>`__?"
    r"|``([^`]{1,200})``|\|([\w -]{1,60})\|"
)
_ADDRESS = re.compile(r"(?:https?|ftp)://\S+|\bwww\.\S+|[\w./-]+\.(?:svg|png|gif|jpe?g)\b")
_SHOUT = re.compile(r"^[\W\d_]*$")
_END = re.compile(r"(?<=[.!?])[\"')\]]{0,2}\s+(?=[\"'(\[]?[A-Z0-9À-Þ`])|(?<=[。！？])")
_SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|Mr|Mrs|Dr|St|No|Fig|v|ca|bzw|z\.B)\.|\b[A-Z]\.)$")


@private
class Passage(NamedTuple):
    """A section of a document: its prose, its list items, and what it shows as code."""

    level: int
    title: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]
    blocks: tuple[tuple[str, str], ...]
    """Language and text of each block of code."""


class _Builder:
    """Collects the parts of one section after another."""

    def __init__(self) -> None:
        self.found: list[Passage] = []
        self._start(0, "")

    def _start(self, level: int, title: str) -> None:
        self._level, self._title = level, title
        self.paragraphs: list[str] = []
        self.items: list[str] = []
        self.blocks: list[tuple[str, str]] = []

    def head(self, level: int, title: str) -> None:
        """Begin a section."""
        self.end()
        self._start(level, title)

    def end(self) -> None:
        """Close the section."""
        if self._title or self.paragraphs or self.items or self.blocks:
            parts = (tuple(self.paragraphs), tuple(self.items), tuple(self.blocks))
            self.found.append(Passage(self._level, self._title, *parts))


def passages(format: str, text: str) -> list[Passage]:
    """Return the sections of a document in order."""
    text = text[:READ]
    found = _markdown(text) if format == "markdown" else _lines(format, text)
    return found[:MOST_PASSAGES]


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph."""
    found: list[str] = []
    for piece in _END.split(paragraph):
        piece = piece.strip()
        if found and _SHORT.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece:
            found.append(piece)
    return found


def is_prose(text: str) -> bool:
    """Return whether a text says something in words: no list of names, addresses or signs."""
    words = [word for word in text.split() if not _SHOUT.match(word)]
    letters = sum(character.isalpha() for character in text)
    wide = any(ord(character) > 0x2E80 for character in text)
    return (len(words) >= 4 or (wide and letters >= 8)) and letters >= 0.6 * len(text.replace(" ", ""))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable("table")


def _markdown(text: str) -> list[Passage]:
    builder = _Builder()
    listed = quoted = 0
    tokens = _parser().parse(_TEMPLATE_LINK.sub(r"\1", _FRONT.sub("", text)))
    for number, token in enumerate(tokens[: MOST_PASSAGES * 20]):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            listed += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            listed -= 1
        elif token.type in ("table_open", "table_close"):
            quoted += 1 if token.type == "table_open" else -1
        elif token.type in ("fence", "code_block"):
            builder.blocks.append((token.info.strip().split(" ")[0].lower(), token.content))
        elif token.type == "html_block":
            _html_block(builder, token.content)
        elif token.type == "inline" and not quoted:
            opened = tokens[number - 1]
            said = _inline(token)
            if opened.type == "heading_open":
                builder.head(int(opened.tag[1]), said)
            elif said:
                (builder.items if listed else builder.paragraphs).append(said)
    builder.end()
    return builder.found


def _html_block(builder: _Builder, text: str) -> None:
    """Take headings and paragraphs of HTML inside Markdown: many a README begins with them."""
    head = re.search(r"<h([1-3])\b[^>]{0,300}>(.{0,2000}?)</h\1>", text, re.DOTALL | re.IGNORECASE)
    if head is not None and (title := _clean(_ELEMENT.sub(" ", head[2]))):
        builder.head(int(head[1]), title)
        text = text[head.end() :]
    for piece in re.split(r"</?(?:p|div|br|li|td|tr)\b[^>]{0,300}>", text, flags=re.IGNORECASE):
        said = _clean(
            _ELEMENT.sub(
                " ",
                re.sub(r"(?is)<(script|style|a)\b.*?</\1>", " ", piece)
                if "<a" not in piece or _linked(piece)
                else piece,
            )
        )
        if is_prose(said):
            builder.paragraphs.append(said)


def _linked(piece: str) -> bool:
    """Return whether nearly all words of a piece of HTML are links: a row of badges or a menu."""
    inside = " ".join(re.findall(r"(?is)<a\b[^>]*>(.*?)</a>", piece))
    return 2 * len(_ELEMENT.sub("", inside).split()) > len(_ELEMENT.sub("", piece).split())


def _inline(token: Token) -> str:
    """Return the words of a paragraph: of links their text, of images nothing."""
    parts: list[str] = []
    pictures = 0
    for child in token.children or []:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            pictures += 1
        elif child.type == "html_inline" and child.content.lower().startswith(("<br", "<img")):
            parts.append(" ")
    said = _clean("".join(parts))
    return "" if pictures and not is_prose(said) else said


def _clean(text: str) -> str:
    """Return text on one line without entities, addresses that stand alone, and what marks a note."""
    text = _ATTRIBUTES.sub("", _ADMONITION.sub("", _ENTITY.sub(" ", text)))
    text = _ADDRESS.sub(lambda match: "" if match.start() == 0 else match[0], text)
    return " ".join(text.split()).strip(" |·•*_")


def _lines(format: str, text: str) -> list[Passage]:
    """Read other formats section by section and line by line."""
    builder = _Builder()
    for section in documents.sections(format, text):
        builder.head(section.level, _marked(format, section.title))
        literal = False
        for block in re.split(r"\n[ \t]*(?=\n)", section.body):
            literal = format == "rst" and _is_literal(block, literal)
            _block(builder, format, block, literal=literal and block.strip("\n").startswith((" ", "\t", ">>>")))
    builder.end()
    return builder.found


_NOTE = re.compile(r"\.\. (?:note|warning|tip|important|attention|hint|caution|danger|epigraph|topic|admonition)::")


def _is_literal(block: str, before: bool) -> bool:
    """Tell whether what is indented in or below a block of reStructuredText is code, a picture or options."""
    text = block.strip("\n")
    if text.startswith(">>>") or (before and text.startswith((" ", "\t"))):
        return True
    return text.rstrip().endswith("::") if not text.startswith("..") else _NOTE.match(text) is None


def _block(builder: _Builder, format: str, block: str, *, literal: bool) -> None:
    lines = [line for line in block.split("\n") if line.strip()]
    if not lines:
        return
    indented = all(line.startswith(("    ", "\t")) or not line.strip() for line in lines)
    if literal or (format in ("rst", "text", "asciidoc") and (indented or lines[0].startswith(("----", "$ ")))):
        builder.blocks.append(("", "\n".join(line.strip() for line in lines)))
        return
    if (
        lines[0]
        .lstrip()
        .startswith((".. image", ".. |", ".. _", ":target:", ".. toctree", ".. contents", "image::", ":toc"))
    ) or (format == "rst" and lines[0].startswith(".. ") and not _NOTE.match(lines[0])):
        return
    items = [line for line in lines if re.match(r"\s*(?:[-*+]|\d+[.)])\s", line)]
    if items and len(items) * 2 >= len(lines):
        builder.items += [_marked(format, re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", item)) for item in items]
        return
    said = _marked(format, " ".join(lines))
    if said:
        builder.paragraphs.append(said)


def _shown(text: str) -> str:
    """Return a page without scripts, styles, its head and comments; what is never closed goes on to the end."""
    kept, at = [], 0
    while begin := _UNSHOWN.search(text, at):
        kept.append(text[at : begin.start()])
        end = re.compile(f"</{begin[1]}" if begin[1] else "-->", re.IGNORECASE).search(text, begin.end())
        if end is None:
            return " ".join(kept)
        at = end.start() if begin[1] else end.end()
    return " ".join([*kept, text[at:]])


def _marked(format: str, text: str) -> str:
    """Return text without the markup of its format."""
    if format == "html":
        text = _ELEMENT.sub(" ", _shown(text))
    elif format == "rst":
        text = _RST_ROLE.sub(lambda match: next(filter(None, match.groups())), text)
    elif format == "latex":
        text = re.sub(r"\\\w+\*?(?:\[[^\]]{0,200}\])?\{([^{}]{0,400})\}", r"\1", text)
    elif format == "asciidoc":
        text = re.sub(r"(?:link|https?|image|xref):[^\s\[]{0,400}\[([^\]]{0,200})\]", r"\1", text)
    return _clean(re.sub(r"(?<!\w)[*_]{1,2}([^*_\n]{1,200})[*_]{1,2}(?!\w)", r"\1", text))


def statements(found: Sequence[Passage]) -> list[str]:
    """Return the sentences of a document's paragraphs and list items that say something in words."""
    spoken = [piece for passage in found for piece in (*passage.paragraphs, *passage.items)]
    return [sentence for piece in spoken for sentence in sentences(piece) if is_prose(sentence)]
