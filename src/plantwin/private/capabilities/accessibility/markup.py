"""HTML and templates of it, read as browsers do: whatever is wrong with it, there are elements with lines."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import html
import re

from plantwin.private.capabilities.accessibility.element import DYNAMIC, MOST, Element, Page
from plantwin.private.extract.formats.words import words

VOID = words("area base br col embed hr img input link meta param source track wbr")
_RAW = words("script style textarea title xmp noscript")
_CLOSES = {
    "li": words("li"), "dt": words("dt dd"), "dd": words("dt dd"), "tr": words("tr td th"), "td": words("td th"),
    "th": words("td th"), "option": words("option"), "optgroup": words("option optgroup"), "thead": words("tbody tfoot"),
    "tbody": words("thead tbody tfoot tr td th"), "tfoot": words("tbody tr td th"),
}  # fmt: skip
_STOPS = words("ul ol table dl select template body html div section article")
_BLOCKS = words(
    "address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul"
)
_TEMPLATE = re.compile(
    r"<%--(?:(?!<%).){0,100000}?--%>|<%(?:(?!<%|%>).){0,20000}%>|<\?(?:php|=)(?:(?!<\?(?:php|=)|\?>).){0,100000}(?:\?>|\Z)"
    r"|\{\{!--(?:(?!\{\{).){0,20000}?--\}\}|\{\{\{?(?:(?!\{\{|\}\}).){0,2000}\}?\}\}|\{%(?:(?!\{%|%\}).){0,4000}%\}"
    r"|\{#(?!if|each|await|key|snippet)(?:(?!\{#|#\}).){0,4000}#\}",
    re.DOTALL,
)
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<![^<>]{0,2000}>|<\?[^<>]{0,2000}>|</([A-Za-z][^\s<>/]{0,100})[^<>]{0,2000}>|<([A-Za-z][^\s>/<\"'=]{0,100})",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"\s*(?:/(?!>)\s*)?([^\s\"'<>/={][^\s\"'>/={]{0,120})(?:\s*=\s*(?:\"([^\"]{0,20000})\"|'([^']{0,20000})'|\{|([^\s\"'>]{1,2000})))?"
)
_COMMENTED = re.compile(r"\{%-?\s*comment\b(?:(?!\{%-?\s*comment).){0,20000}?endcomment\s*-?%\}", re.DOTALL)
_SPREAD = re.compile(r"\s*\{(?:\.\.\.)?|\s*v-bind\s*=|\s*\*\w+")
LONGEST_BRACES = 4000
DEEPEST = 400
"""Elements within each other; deeper ones stand side by side."""


def page(text: str, *, braces: bool = False) -> Page:
    """Read a page. `braces` says that attributes may be `{expressions}` (Svelte, Astro)."""
    template = braces or bool(_TEMPLATE.search(text[:200_000])) or "v-" in text[:50_000]
    text = _COMMENTED.sub(lambda match: "\n" * match[0].count("\n"), text)
    text = _TEMPLATE.sub(_blank, text)
    reader = _Reader(text, braces)
    reader.read()
    return Page(reader.root, reader.styles, reader.whole, True, template)


def _blank(match: re.Match[str]) -> str:
    """A value for what prints one, nothing for what steers; lines stay what they are."""
    piece = match[0]
    prints = (
        piece.startswith("{{") and not re.match(r"\{\{[#/!^>~]?\s*(?:#|/|!|else|end|if|range|with|define|block)", piece)
    ) or re.match(r"<%[=-]|<\?=|<\?php\s+echo", piece)
    renders = re.match(r"\{%-?\s*(?:include|block|yield|trans|url|static|csrf|render|component|slot)|\{\{>", piece)
    return (DYNAMIC if prints or renders else "") + "\n" * piece.count("\n")


class _Reader:
    """Tags to a tree, with the elements that are open."""

    def __init__(self, text: str, braces: bool) -> None:
        self.text = text
        self.braces = braces
        self.root = Element("", 1)
        self.stack = [self.root]
        self.styles: list[tuple[str, int]] = []
        self.whole = True
        self.line = 1
        self.counted = 0

    def _at(self, offset: int) -> int:
        self.line += self.text.count("\n", self.counted, offset)
        self.counted = offset
        return self.line

    def read(self) -> None:
        text, at, left = self.text, 0, MOST
        while True:
            match = _TAG.search(text, at)
            self._words(text[at : match.start() if match is not None else len(text)])
            if match is None:
                return
            line = self._at(match.start())
            at = match.end()
            if match[1]:
                self._close(match[1].lower())
            elif match[2]:
                left -= 1
                if left < 0:
                    self.whole = False
                    return
                at = self._open(match[2], line, at)

    def _words(self, text: str) -> None:
        if text and not text.isspace():
            if self.braces:
                text = re.sub(r"\{[#/:@][^{}]{0,1000}\}", "", text)
                text = re.sub(r"\{[^{}]{0,1000}\}", DYNAMIC, text)
            self.stack[-1].children.append(html.unescape(text) if "&" in text else text)

    def _open(self, name: str, line: int, at: int) -> int:
        tag = name.lower()
        made = Element(
            tag, line, component=name[0].isupper() or ("-" in tag and tag != "annotation-xml") or "." in name
        )
        at, closed = self._attributes(made, at)
        if "slot" in tag and tag == "slot":
            made.component = True
        self._imply(tag)
        made.parent = self.stack[-1]
        self.stack[-1].children.append(made)
        if tag in _RAW and not (closed and made.component):
            end = re.compile(rf"</{tag}\b[^>]{{0,200}}>", re.IGNORECASE).search(self.text, at)
            stop = end.start() if end is not None else len(self.text)
            inside = self.text[at:stop]
            if tag == "noscript":
                return at
            if tag == "style":
                self.styles.append((inside, self._at(at)))
            elif tag != "script" and inside.strip():
                made.children.append(html.unescape(inside))
            return end.end() if end is not None else len(self.text)
        if tag not in VOID and not (closed and (made.component or self.braces or self._in_svg())):
            if len(self.stack) < DEEPEST:
                self.stack.append(made)
            else:
                self.whole = False
        return at

    def _in_svg(self) -> bool:
        return any(each.tag in ("svg", "math") for each in self.stack[-6:])

    def _imply(self, tag: str) -> None:
        """Close what the new element ends."""
        if tag in _BLOCKS and self.stack[-1].tag == "p":
            self.stack.pop()
        closes = _CLOSES.get(tag)
        if closes is None:
            return
        for depth in range(len(self.stack) - 1, max(0, len(self.stack) - 12), -1):
            open_ = self.stack[depth].tag
            if open_ in closes:
                del self.stack[depth:]
                if tag not in ("tr", "tbody", "tfoot", "optgroup"):
                    return
                self._imply(tag)
                return
            if open_ in _STOPS:
                return

    def _close(self, tag: str) -> None:
        for depth in range(len(self.stack) - 1, max(0, len(self.stack) - 200), -1):
            if self.stack[depth].tag == tag:
                del self.stack[depth:]
                return

    def _attributes(self, made: Element, at: int) -> tuple[int, bool]:
        """Read the attributes; where the tag ends, and whether it closes itself."""
        text = self.text
        for _ in range(300):
            while at < len(text) and text[at] in " \t\n\r\f" + DYNAMIC:
                made.spread = made.spread or text[at] == DYNAMIC
                at += 1
            if at >= len(text):
                return at, False
            if text[at] == ">":
                return at + 1, False
            if text.startswith("/>", at):
                return at + 2, True
            if text[at] == "{":
                made.spread = True
                at = self._braced(at)
                continue
            match = _ATTRIBUTE.match(text, at)
            if match is None or match.end() == at:
                at += 1
                continue
            name = match[1].lower()
            value = match[2] if match[2] is not None else match[3] if match[3] is not None else match[4] or ""
            at = match.end()
            if match[0].endswith("{") and match[2] is None and match[3] is None and match[4] is None:
                at = self._braced(at - 1)
                value = DYNAMIC
            self._put(made, name, html.unescape(value) if "&" in value else value)
        end = text.find(">", at)
        return (end + 1 if end >= 0 else len(text)), False

    def _put(self, made: Element, name: str, value: str) -> None:
        """An attribute; bindings of Vue, Angular and Svelte stand for the attribute that they bind."""
        if name in ("v-bind", "v-on") or name.startswith("v-bind=") or name == "v-html" or name == "v-text":
            if name in ("v-html", "v-text"):
                made.children.append(DYNAMIC)
            else:
                made.spread = True
            return
        for mark in (":", "v-bind:", "[attr.", "[", "bind:"):
            if name.startswith(mark):
                made.attributes[name.removeprefix(mark).rstrip("]").split(".")[0]] = DYNAMIC
                return
        for mark in ("@", "v-on:", "on:", "("):
            if name.startswith(mark):
                made.attributes["on" + re.split(r"[.|)]", name.removeprefix(mark))[0]] = DYNAMIC
                return
        if name in made.attributes:
            return
        made.attributes[name] = DYNAMIC if DYNAMIC in value and value.strip() == DYNAMIC else value

    def _braced(self, at: int) -> int:
        depth = 0
        for offset in range(at, min(len(self.text), at + LONGEST_BRACES)):
            depth += (self.text[offset] == "{") - (self.text[offset] == "}")
            if depth == 0:
                return offset + 1
        return at + 1
