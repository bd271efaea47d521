"""XML through expat, with entities impossible: a document that declares any is read by its tags alone."""

from __future__ import annotations

import re
from xml.parsers import expat

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.judgement import judge
from plantwin.private.extract.formats.text import READ, complete, decode
from plantwin.private.extract.formats.xml_dialects import finish
from plantwin.private.facts import Sample

MAX_ELEMENTS = 20_000
_MAX_DEPTH = 300

_TAG = re.compile(r"<([A-Za-z_][\w.:-]{0,100})((?:\s[^<>]{0,2000})?)/?>([^<]{0,200})")
_ATTRIBUTE = re.compile(r"([\w:.-]{1,60})\s{0,8}=\s{0,8}(?:\"([^\"<]{0,400})\"|'([^'<]{0,400})')")


class EnoughError(Exception):
    """Stops the parser: the bound is reached, or the document declares entities."""


class Elements:
    """What passed by: paths of elements with their attributes and text, bounded."""

    def __init__(self) -> None:
        self.items: list[tuple[str, str, dict[str, str], str]] = []
        """Parent, name, attributes, text."""
        self._open: list[int] = []
        self._texts: dict[int, list[str]] = {}
        self.entities = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.items) >= MAX_ELEMENTS or len(self._open) >= _MAX_DEPTH:
            raise EnoughError
        parent = self.items[self._open[-1]][1] if self._open else ""
        self._open.append(len(self.items))
        self.items.append((parent, name.rpartition(":")[2], attributes, ""))

    def text(self, data: str) -> None:
        if self._open:
            parts = self._texts.setdefault(self._open[-1], [])
            if len(parts) < 8:
                parts.append(data[:400])

    def end(self, name: str) -> None:
        number = self._open.pop()
        parts = self._texts.pop(number, None)
        if parts:
            text = "".join(parts).strip()
            if text:
                parent, own, attributes, _ = self.items[number]
                self.items[number] = (parent, own, attributes, text[:500])

    def entity(self, *_: object) -> None:
        self.entities = True
        raise EnoughError


def parse(data: bytes, whole: bool) -> tuple[Elements, bool]:
    """The elements of a document, and whether it is well formed as far as it was read."""
    elements = Elements()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.EntityDeclHandler = elements.entity
    parser.StartElementHandler = elements.start
    parser.EndElementHandler = elements.end
    parser.CharacterDataHandler = elements.text
    try:
        parser.Parse(data, whole)
    except EnoughError:
        if not elements.entities:
            return elements, True
    except (expat.ExpatError, ValueError, LookupError):
        if elements.items and not whole:
            return elements, True
    else:
        return elements, True
    return _by_tags(decode(data), elements), elements.entities


def _by_tags(text: str, elements: Elements) -> Elements:
    """Names, attributes and short texts without nesting: nothing is ever expanded."""
    previous = ""
    elements.items.clear()
    for match in _TAG.finditer(text):
        if len(elements.items) >= MAX_ELEMENTS // 4:
            break
        attributes = {name: double or single for name, double, single in _ATTRIBUTE.findall(match[2])}
        elements.items.append((previous, match[1].rpartition(":")[2], attributes, match[3].strip()))
        previous = match[1].rpartition(":")[2] if not match[0].rstrip().endswith("/>") else previous
    return elements


def read_xml(sample: Sample, draft: Draft) -> None:
    """Elements, their attributes as settings, and what the root says the document is."""
    data = sample.head
    whole = complete(sample, READ)
    elements, sound = parse(data if whole else data[:READ], whole)
    items = elements.items
    draft.outline.parsed = sound and bool(items)
    if not items:
        return
    if finish(draft, items):
        return
    for parent, name, attributes, text in items[:4000]:
        draft.add("key", len(attributes) + bool(text))
        draft.name(name)
        if text:
            draft.setting(f"{parent}.{name}", text)
            judge(draft, name, text)
        for key, value in list(attributes.items())[:40]:
            draft.setting(f"{name}.{key}", value)
            judge(draft, key, value)
