"""HTML and templates of it, read as browsers do: whatever is wrong with it, there are elements with lines."""

from __future__ import annotations

import html
import re

from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, MOST_ELEMENTS, Element, Page
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.values import words

_LEXICON = Lexicon(__file__)
_VOID = words("area base br col embed hr img input link meta param source track wbr")
_RAW_TEXT = words("script style textarea title xmp")
_CLOSES = {
    tag: words(closed)
    for tag, closed in {
        "li": "li",
        "dt": "dt dd",
        "dd": "dt dd",
        "tr": "tr td th",
        "td": "td th",
        "th": "td th",
        "option": "option",
        "optgroup": "option optgroup",
        "thead": "tbody tfoot",
        "tbody": "thead tbody tfoot tr td th",
        "tfoot": "tbody tr td th",
    }.items()
}
"""Elements that end when one of these begins; the HTML standard calls it an implied end tag."""
_CLOSES_SEVERAL = ("tr", "tbody", "tfoot", "optgroup")
_SCOPES = words("ul ol table dl select template body html div section article")
_CLOSES_PARAGRAPH = words(
    "address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav"
    " ol p pre section table ul"
)
_TEMPLATE = _LEXICON.pattern("template")
_TEMPLATE_COMMENT = re.compile(r"\{%-?\s*comment\b(?:(?!\{%-?\s*comment).){0,20000}?endcomment\s*-?%\}", re.DOTALL)
_STEERS = re.compile(r"\{\{[#/!^>~]?\s*(?:#|/|!|else|end|if|range|with|define|block)")
_PRINTS = _LEXICON.pattern("prints")
_TAG = _LEXICON.pattern("tag")
_ATTRIBUTE = _LEXICON.pattern("attribute")
_BINDING = re.compile(r"(?::|v-bind:|x-bind:|\[attr\.|\[|bind:|th:|data-th-|ng-attr-)(?P<name>[^.\]]*)")
_CONTENT = re.compile(r"(?:v|x)-(?:html|text)|ng-bind(?:-html)?|(?:th:|data-th-)(?:u?text|replace|insert|include)")
_LISTENER = re.compile(r"(?:@|v-on:|on:|\()(?P<name>[^.|)]*)")
LONGEST_BRACES = 4000
DEEPEST = 400
"""Elements within each other; deeper ones stand side by side."""
MOST_ATTRIBUTES = 300


def page(text: str, *, braces: bool = False) -> Page:
    """Read a page. `braces` says that attributes may be `{expressions}` (Svelte, Astro)."""
    template = (
        braces or bool(_TEMPLATE.search(text[:200_000])) or bool(re.search(r"\b(?:v-|th:|ng-|x-data)", text[:50_000]))
    )
    text = _TEMPLATE_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    reader = _Reader(_TEMPLATE.sub(_without_template, text), braces)
    reader.read()
    return Page(reader.root, reader.styles, whole=reader.whole, template=template)


def _without_template(match: re.Match[str]) -> str:
    """Return a value for what prints one, nothing for what steers; lines stay what they are."""
    piece = match[0]
    prints = _PRINTS.match(piece) or (piece.startswith("{{") and not _STEERS.match(piece))
    return (DYNAMIC if prints else "") + "\n" * piece.count("\n")


class _Reader:
    """From tags to a tree, with the elements that are open."""

    def __init__(self, text: str, braces: bool) -> None:
        self.text = text
        self.braces = braces
        self.root = Element("", 1)
        self.open = [self.root]
        self.styles: list[tuple[str, int]] = []
        self.whole = True
        self.line = 1
        self.counted = 0

    def _line_at(self, offset: int) -> int:
        self.line += self.text.count("\n", self.counted, offset)
        self.counted = offset
        return self.line

    def read(self) -> None:
        """Read the whole text, or as many elements as are examined."""
        at, left = 0, MOST_ELEMENTS
        while match := _TAG.search(self.text, at):
            self._add_text(self.text[at : match.start()])
            line = self._line_at(match.start())
            at = match.end()
            if match["closed"]:
                self._close(match["closed"].lower())
            elif match["opened"]:
                left -= 1
                if left < 0:
                    self.whole = False
                    return
                at = self._open(match["opened"], line, at)
        self._add_text(self.text[at:])

    def _add_text(self, text: str) -> None:
        if not text or text.isspace():
            return
        if self.braces:
            text = re.sub(r"\{[#/:@][^{}]{0,1000}\}", "", text)
            text = re.sub(r"\{[^{}]{0,1000}\}", DYNAMIC, text)
        self.open[-1].children.append(html.unescape(text))

    def _open(self, name: str, line: int, at: int) -> int:
        """Add an element; return where its content begins, or where it ends if that is raw text."""
        tag = name.lower()
        custom = name[0].isupper() or ("-" in tag and tag != "annotation-xml") or "." in name or tag == "slot"
        element = Element(tag, line, component=custom)
        at, self_closing = self._read_attributes(element, at)
        self._close_implied(tag)
        element.parent = self.open[-1]
        self.open[-1].children.append(element)
        if tag in _RAW_TEXT and not (self_closing and custom):
            return self._raw_text(element, at)
        in_svg = any(outer.tag in ("svg", "math") for outer in self.open[-6:])
        if tag not in _VOID and not (self_closing and (custom or self.braces or in_svg)):
            if len(self.open) < DEEPEST:
                self.open.append(element)
            else:
                self.whole = False
        return at

    def _raw_text(self, element: Element, at: int) -> int:
        end = re.compile(rf"</{element.tag}\b[^>]{{0,200}}>", re.IGNORECASE).search(self.text, at)
        inside = self.text[at : end.start() if end is not None else len(self.text)]
        if element.tag == "style":
            self.styles.append((inside, self._line_at(at)))
        elif element.tag != "script" and inside.strip():
            element.children.append(html.unescape(inside))
        return end.end() if end is not None else len(self.text)

    def _close_implied(self, tag: str) -> None:
        """Close what the new element ends."""
        if tag in _CLOSES_PARAGRAPH and self.open[-1].tag == "p":
            self.open.pop()
        closes = _CLOSES.get(tag, frozenset())
        for depth in range(len(self.open) - 1, max(0, len(self.open) - 12), -1):
            outer = self.open[depth].tag
            if outer in closes:
                del self.open[depth:]
                if tag in _CLOSES_SEVERAL:
                    self._close_implied(tag)
                return
            if outer in _SCOPES:
                return

    def _close(self, tag: str) -> None:
        for depth in range(len(self.open) - 1, max(0, len(self.open) - 200), -1):
            if self.open[depth].tag == tag:
                del self.open[depth:]
                return

    def _read_attributes(self, element: Element, at: int) -> tuple[int, bool]:
        """Read the attributes; return where the tag ends, and whether it closes itself."""
        text = self.text
        for _ in range(MOST_ATTRIBUTES):
            while at < len(text) and text[at] in " \t\n\r\f" + DYNAMIC:
                element.spread = element.spread or text[at] == DYNAMIC
                at += 1
            if at >= len(text):
                return at, False
            if text[at] == ">":
                return at + 1, False
            if text.startswith("/>", at):
                return at + 2, True
            if text[at] == "{":
                element.spread = True
                at = self._end_of_braces(at)
                continue
            match = _ATTRIBUTE.match(text, at)
            if match is None:
                at += 1
                continue
            at = match.end()
            value = match["double"] or match["single"] or match["bare"] or ""
            if match["brace"]:
                at = self._end_of_braces(at - 1)
                value = DYNAMIC
            _add_attribute(element, match["name"].lower(), html.unescape(value))
        end = text.find(">", at)
        return (end + 1 if end >= 0 else len(text)), False

    def _end_of_braces(self, at: int) -> int:
        depth = 0
        for offset in range(at, min(len(self.text), at + LONGEST_BRACES)):
            depth += (self.text[offset] == "{") - (self.text[offset] == "}")
            if depth == 0:
                return offset + 1
        return at + 1


def _add_attribute(element: Element, name: str, value: str) -> None:
    """Add an attribute; bindings of Vue, Angular, Thymeleaf and others stand for the attribute that they bind."""
    if _CONTENT.fullmatch(name):
        element.children.append(DYNAMIC)
    elif name in ("data-l10n-id", "data-i18n", "data-i18n-key"):  # a script writes its text or its name
        element.children.append(DYNAMIC)
        element.spread = True
    elif name in ("v-bind", "v-on", "is"):  # `is`: a script makes more of the element
        element.spread = True
    elif binding := _BINDING.match(name):
        element.attributes[binding["name"]] = DYNAMIC
    elif listener := _LISTENER.match(name):
        element.attributes["on" + listener["name"]] = DYNAMIC
    else:
        element.attributes.setdefault(name, DYNAMIC if value.strip() == DYNAMIC else value)
