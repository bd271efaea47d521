"""XML through expat: elements in order, with attributes, text and lines. Entities are never expanded.

A scan reads the elements as they come, and by their tags alone where the document declares entities or is broken.
Capabilities read them as nodes: elements that hold only text are keys with values.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.parsers import expat

from plantwin.private.formats.document import LIST, MAP, Document, Fault, Node
from plantwin.private.formats.ini import scalar
from plantwin.private.formats.text import decode

SCANNED = 20_000
"""Elements that a scan reads."""
MOST = 40_000
"""Elements that become nodes."""
_DEEPEST = 300
_TEXT = 20_000
_PARTS = 8

_TAG = re.compile(r"<([A-Za-z_][\w.:-]{0,100})((?:\s[^<>]{0,2000})?)/?>([^<]{0,200})")
_ATTRIBUTE = re.compile(r"([\w:.-]{1,60})\s{0,8}=\s{0,8}(?:\"([^\"<]{0,400})\"|'([^'<]{0,400})')")

Item = tuple[str, str, dict[str, str], str]
"""Parent, name, attributes, text; names without their prefix."""


class Place(NamedTuple):
    """Where an element stands: the number of its parent (-1 for the root), its full name, its line."""

    parent: int
    name: str
    line: int


class _EnoughError(Exception):
    """Stops the parser: the bound is reached, or the document declares entities."""


class Elements:
    """The elements of a document, bounded."""

    def __init__(self, most: int) -> None:
        self.items: list[Item] = []
        self.places: list[Place] = []
        self.whole = True
        """Whether all elements were read."""
        self.error: expat.ExpatError | ValueError | LookupError | None = None
        self.entity: Fault | None = None
        """The first entity that the document declares."""
        self._most = most
        self.unclosed: list[int] = []
        """The numbers of elements whose end was not reached."""
        self._texts: dict[int, list[str]] = {}
        self._parser = expat.ParserCreate()

    def parse(self, data: bytes, final: bool) -> None:
        """Read the elements of a text."""
        parser = self._parser
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.EntityDeclHandler = self._declare
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        try:
            parser.Parse(data, final)
        except _EnoughError:
            self.whole = False
        except (expat.ExpatError, ValueError, LookupError) as error:
            self.error = error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.items) >= self._most or len(self.unclosed) >= _DEEPEST:
            raise _EnoughError
        parent = self.unclosed[-1] if self.unclosed else -1
        self.unclosed.append(len(self.items))
        self.items.append((self.items[parent][1] if parent >= 0 else "", name.rpartition(":")[2], attributes, ""))
        self.places.append(Place(parent, name, self._parser.CurrentLineNumber))

    def _text(self, data: str) -> None:
        if self.unclosed:
            parts = self._texts.setdefault(self.unclosed[-1], [])
            if len(parts) < _PARTS:
                parts.append(data)

    def _end(self, _: str) -> None:
        number = self.unclosed.pop()
        parts = self._texts.pop(number, None)
        if parts:
            text = "".join(parts).strip()
            if text:
                parent, name, attributes, _ = self.items[number]
                self.items[number] = (parent, name, attributes, text[:_TEXT])

    def _declare(self, name: str, is_parameter: int, value: object, base: object, system: object, *_: object) -> None:
        what = "An entity reads another file or address" if system else "The file declares entities of its own"
        message = f"{what}; readers that expand them can be abused"
        self.entity = Fault(self._parser.CurrentLineNumber, message, "Remove it.", grave=False)
        raise _EnoughError


def load(data: bytes, whole: bool) -> tuple[list[Item], bool]:
    """Return the elements of a document, and whether it is well formed as far as it was read."""
    elements = Elements(SCANNED)
    elements.parse(data, whole)
    if elements.entity is None and (elements.error is None or (elements.items and not whole)):
        return elements.items, True
    return _by_tags(decode(data)), elements.entity is not None


def _by_tags(text: str) -> list[Item]:
    """Return names, attributes and short texts without nesting: nothing is ever expanded."""
    items: list[Item] = []
    previous = ""
    for match in _TAG.finditer(text):
        if len(items) >= SCANNED // 4:
            break
        name = match[1].rpartition(":")[2]
        attributes = {key: double or single for key, double, single in _ATTRIBUTE.findall(match[2])}
        items.append((previous, name, attributes, match[3].strip()))
        if not match[0].rstrip().endswith("/>"):
            previous = name
    return items


def read(document: Document) -> None:
    """Add the elements of a text as nodes."""
    root = Node(MAP, 1)
    document.roots.append(root)
    elements = Elements(MOST)
    elements.parse(_utf8(document.source.text), True)
    document.whole = elements.whole
    error = elements.error
    if elements.entity is not None:
        document.faults.append(elements.entity)
    elif isinstance(error, expat.ExpatError):
        if not document.source.truncated:
            document.faults.append(Fault(error.lineno, f"Not valid XML: {expat.ErrorString(error.code)}"))
    elif error is not None:
        document.faults.append(Fault(1, "It does not parse as XML"))
    _add_nodes(elements, root)


def _utf8(text: str) -> bytes:
    """Return the text in the one encoding that the parser is told."""
    head, found, rest = text[:200].partition("?>")
    if found and head.lstrip().startswith("<?xml"):
        text = re.sub(r"encoding\s*=\s*[\"'][^\"']{0,40}[\"']", 'encoding="utf-8"', head) + found + rest + text[200:]
    return text.encode("utf-8", "replace")


def _add_nodes(elements: Elements, root: Node) -> None:
    parents = {place.parent for place in elements.places}
    nodes: list[Node] = []
    for number, (place, item) in enumerate(zip(elements.places, elements.items, strict=True)):
        _, _, attributes, text = item
        if text and not attributes and number not in parents:
            made = scalar(text, place.line)
        else:
            made = Node(MAP, place.line)
            for key, value in attributes.items():
                made.map[f"@{key}"] = scalar(value, place.line)
                made.lines[f"@{key}"] = place.line
        nodes.append(made)
        _attach(nodes[place.parent] if place.parent >= 0 else root, place.name, made)


def _attach(holder: Node, name: str, made: Node) -> None:
    """Add an element to its parent; those of one name become a list."""
    known = holder.map.get(name)
    if known is None:
        holder.map[name] = made
        holder.lines[name] = made.line
    elif known.kind == LIST:
        known.items.append(made)
    else:
        holder.map[name] = Node(LIST, known.line, items=[known, made])
