"""YAML into plain trees: libyaml where the text is sane, a line reader where it is templated, broken or huge.

Scalars stay strings, tags are ignored, aliases share one object, so a bomb costs what its text costs.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

WHOLE = 512 << 10
"""Larger texts are read by lines."""
MAX_DOCUMENTS = 200
_MAX_FLOW = 60
_MAX_MERGES = 500

_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STAIRS = re.compile(r"(?:[-?] {1,8}){9}")
_TOO_FAR = "\n" + " " * 201
_TEMPLATE = re.compile(
    r"\{%[-+]? |<%|\{\{-|-\}\}"
    r"|(?<!\$)\{\{ ?(?:\.Values|\.Release|\.Chart|include |template |if |range |end\b|with |toYaml|define |\$)"
)


def templated(text: str) -> bool:
    """Whether the text is a template that only becomes YAML (Helm, Jinja, ERB)."""
    return ("{{" in text or "{%" in text or "<%" in text) and _TEMPLATE.search(text) is not None


def load(text: str) -> tuple[list[object], bool]:
    """The documents of a text, and whether all of it is sound YAML."""
    if len(text) <= WHOLE and not templated(text) and shallow(text):
        documents = _parse(text)
        if documents is not None:
            return documents, True
    return [read_lines(text)], False


def shallow(text: str) -> bool:
    """Whether nesting stays far from what a recursive parser could overflow on."""
    if text.count("[") + text.count("{") > _MAX_FLOW:
        brackets = text.encode("utf-8", "replace").translate(None, _NOT_BRACKETS)
        for _ in range(_MAX_FLOW):
            # Each pass removes the innermost level, wherever it is.
            shorter = brackets.replace(b"[]", b"").replace(b"{}", b"")
            if len(shorter) == len(brackets):
                break
            brackets = shorter
        if brackets.count(b"[") + brackets.count(b"{") > _MAX_FLOW:
            return False
    return _TOO_FAR not in text and _STAIRS.search(text) is None


@cache
def _library() -> tuple[Any, Any, Any, Any]:
    import yaml

    try:
        from yaml._yaml import CParser
    except ImportError:
        return None, yaml.YAMLError, yaml.ScalarNode, yaml.MappingNode

    class Composer(CParser):
        """libyaml's composer without the resolver: types of scalars are decided where they matter."""

        def resolve(self, kind: object, value: object, implicit: object) -> str:
            return ""

        def descend_resolver(self, node: object, index: object) -> None:
            pass

        def ascend_resolver(self) -> None:
            pass

    return Composer, yaml.YAMLError, yaml.ScalarNode, yaml.MappingNode


def _parse(text: str) -> list[object] | None:
    composer, error, *_ = _library()
    if composer is None:
        return None
    documents: list[object] = []
    try:
        parser = composer(text)
        while len(documents) < MAX_DOCUMENTS and parser.check_node():
            documents.append(_Builder().build(parser.get_node()))
    except (error, ValueError, RecursionError, AttributeError, TypeError):
        return None
    return documents


class _Builder:
    """Nodes to plain objects; a node that is met again is the same object."""

    def __init__(self) -> None:
        self.known: dict[int, object] = {}
        self.merges = 0
        *_, self.scalar, self.mapping = _library()

    def build(self, node: Any) -> object:
        if type(node) is self.scalar:
            return node.value
        known = self.known.get(id(node))
        if known is not None:
            return known
        if type(node) is self.mapping:
            return self._mapping(node)
        items: list[object] = []
        self.known[id(node)] = items
        items.extend([self.build(child) for child in node.value])
        return items

    def _mapping(self, node: Any) -> dict[str, object]:
        tree: dict[str, object] = {}
        self.known[id(node)] = tree
        merged: dict[str, object] = {}
        for key, value in node.value:
            name = key.value if type(key) is self.scalar else "?"
            child = self.build(value)
            if name == "<<" and self.merges < _MAX_MERGES:
                self.merges += 1
                for each in child if type(child) is list else [child]:
                    if type(each) is dict and len(each) < 1000:
                        merged.update(each)
            else:
                tree[name] = child
        for name, child in merged.items():
            tree.setdefault(name, child)
        return tree


_LINE = re.compile(
    r"(?P<indent> *)(?P<dashes>(?:- +)*)(?:(?P<key>\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s\-#{}\[\]:,&*!"
    r"|>%@`\"'][^\n:#]{0,200}?)"
    r" *:(?: +|$))?(?P<value>.*)"
)
_ACTION = re.compile(r"\{\{-?\s*/?[^{}]{0,300}\}\}\s*$|\{%.*%\}\s*$|<%.*%>\s*$")


def read_lines(text: str) -> object:
    """A best effort over block style: indentation and keys only. Never fails, linear."""
    lines = _Lines()
    for line in text[:WHOLE].split("\n"):
        lines.read(line[:4000])
    return lines.root


class _Lines:
    """Containers that are open, each with the column of its entries; and the key that waits for children."""

    def __init__(self) -> None:
        self.root: Any = None
        self.stack: list[tuple[int, Any]] = []
        self.pending: tuple[Any, str, int] | None = None
        self.block = -1

    def read(self, line: str) -> None:
        body = line.strip()
        if not body or body[0] in "#%" or body in ("---", "...") or _ACTION.match(body):
            return
        match = _LINE.match(line)
        if match is None:
            return
        column = len(match["indent"])
        if self.block >= 0:
            if column > self.block:
                return
            self.block = -1
        dashes = 1 if body == "-" else match["dashes"].count("-")
        if column > 200 or dashes > 8:
            return
        if self.root is None:
            self.root = [] if dashes else {}
            self.stack.append((column, self.root))
        self._place(column, dashes, match)
        if match["value"][:1] in ("|", ">") and len(match["value"]) < 6:
            self.block = column

    def _place(self, column: int, dashes: int, match: re.Match[str]) -> None:
        """Put one line where its indentation says."""
        stack = self.stack
        while len(stack) > 1 and (
            stack[-1][0] > column or (not dashes and stack[-1][0] == column and type(stack[-1][1]) is list)
        ):
            stack.pop()
        top = stack[-1][1]
        if self.pending is not None:
            holder, waiting, at = self.pending
            if holder is top and (column > at or (dashes and column == at)):
                top = holder[waiting] = [] if dashes else {}
                stack.append((column, top))
            self.pending = None
        value = "" if match["value"].strip() == "-" else unquote(match["value"])
        for number in range(dashes):
            if type(top) is not list:
                return
            last = number == dashes - 1
            if last and match["key"] is None:
                if value:
                    top.append(value)
                return
            inner: Any = {} if last else []
            top.append(inner)
            column = column + 2 if not last else len(match["indent"]) + len(match["dashes"])
            stack.append((column, inner))
            top = inner
        if match["key"] is None or type(top) is not dict:
            return
        name = unquote(match["key"])
        top[name] = value
        if not value:
            self.pending = (top, name, column)


def unquote(text: str) -> str:
    """A scalar without its quotes or its trailing comment."""
    text = text.strip()
    if len(text) > 1 and text[0] in "\"'":
        end = text.find(text[0], 1)
        return text[1:end] if end > 0 else text[1:]
    comment = text.find(" #")
    return text[:comment].rstrip() if comment > 0 else "" if text.startswith("#") else text
