"""XML with lines: elements that hold only text, as keys and values. Entities are never expanded."""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat

from plantwin.private.capabilities.placed.document import Document, Fault
from plantwin.private.capabilities.placed.node import LIST, MAP, Node
from plantwin.private.capabilities.placed.pairs import scalar

MOST = 40_000
DEPTH = 200


class _StopError(Exception):
    """There is more than is read."""


def read(document: Document) -> None:
    """The elements of a text."""
    root = Node(MAP, 1)
    document.roots.append(root)
    reader = _Reader(document, root)
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = reader.entity
    reader.parser = parser
    try:
        parser.Parse(_utf8(document.source.text), True)
    except expat.ExpatError as error:
        if not document.source.truncated:
            document.faults.append(Fault(error.lineno, f"Not valid XML: {expat.ErrorString(error.code)}"))
    except _StopError:
        document.whole = False
    except (ValueError, RecursionError):
        document.faults.append(Fault(1, "It does not parse as XML"))


def _utf8(text: str) -> bytes:
    """The text in the one encoding that the parser is told."""
    head, found, rest = text[:200].partition("?>")
    if found and head.lstrip().startswith("<?xml"):
        text = re.sub(r"encoding\s*=\s*[\"'][^\"']{0,40}[\"']", 'encoding="utf-8"', head) + found + rest + text[200:]
    return text.encode("utf-8", "replace")


class _Reader:
    """Elements to nodes."""

    def __init__(self, document: Document, root: Node) -> None:
        self.document = document
        self.stack = [root]
        self.words: list[list[str]] = [[]]
        self.left = MOST
        self.parser: Any = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.left -= 1
        if self.left < 0 or len(self.stack) > DEPTH:
            raise _StopError
        line = self.parser.CurrentLineNumber
        made = Node(MAP, line)
        for key, value in attributes.items():
            made.map[f"@{key}"] = scalar(value, line)
            made.lines[f"@{key}"] = line
        self.stack.append(made)
        self.words.append([])

    def end(self, name: str) -> None:
        made = self.stack.pop()
        words = "".join(self.words.pop()).strip()
        if not made.map and words:
            made = scalar(words[:20_000], made.line)
        holder = self.stack[-1]
        known = holder.map.get(name)
        if known is None:
            holder.map[name] = made
            holder.lines[name] = made.line
        elif known.kind == LIST:
            known.items.append(made)
        else:
            holder.map[name] = Node(LIST, known.line, items=[known, made])

    def text(self, data: str) -> None:
        if sum(map(len, self.words[-1][-1:])) < 20_000:
            self.words[-1].append(data)

    def entity(
        self, name: str, parameter: int, value: str | None, base: object, system: str | None, *_: object
    ) -> None:
        line = self.parser.CurrentLineNumber
        what = "An entity reads another file or address" if system else "The file declares entities of its own"
        self.document.faults.append(
            Fault(line, f"{what}; readers that expand them can be abused", "Remove it.", grave=False)
        )
        raise _StopError
