"""One object as trees with lines, whatever its syntax; with what is wrong with the syntax itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import NamedTuple, Protocol

from plantwin.private.facts import Private, private

MAP, LIST, TEXT, NUMBER, BOOLEAN, NULL, EXPRESSION = "map", "list", "text", "number", "boolean", "null", "expression"
MOST = 40_000
"""Parts of one tree that are walked: aliases may make a tree far larger than its text."""
DEEPEST = 40
_TRUE = frozenset(("true", "yes", "on", "y", "1", "enabled"))
_FALSE = frozenset(("false", "no", "off", "n", "0", "disabled"))
_NUMBER = re.compile(r"[-+]?\d[\d_]{0,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?")


@dataclass(slots=True, repr=False, eq=False)
class Node(Private):
    """A map, a list or a scalar; an `expression` is what only a later tool can evaluate."""

    kind: str
    line: int
    text: str = ""
    """A scalar as it is written, without its quotes."""
    map: dict[str, Node] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    """The lines of a map's keys."""
    quoted: bool = False
    tag: str = ""
    """A tag that the text gives it: `!Ref`."""

    def at(self, *path: str | int) -> Node | None:
        """Return what stands below, step by step."""
        here: Node | None = self
        for step in path:
            if here is None:
                return None
            if isinstance(step, int):
                here = here.items[step] if 0 <= step < len(here.items) else None
            else:
                here = here.map.get(step)
        return here

    def value(self, *path: str | int) -> str:
        """Return the text of what stands below; empty where there is none."""
        found = self.at(*path)
        return found.text if found is not None and found.kind not in (MAP, LIST) else ""

    def line_of(self, key: str) -> int:
        """Return the line of a key, or of the map itself."""
        return self.lines.get(key, self.line)

    def entries(self, *path: str | int) -> list[Node]:
        """Return the items of a list below, or the node that stands in its place."""
        found = self.at(*path)
        if found is None:
            return []
        return found.items if found.kind == LIST else [found]

    @property
    def scalar(self) -> bool:
        """Whether it is a single value that is known."""
        return self.kind in (TEXT, NUMBER, BOOLEAN)

    @property
    def true(self) -> bool:
        """Whether it says yes."""
        return self.scalar and self.text.strip().lower() in _TRUE

    @property
    def false(self) -> bool:
        """Whether it says no."""
        return self.scalar and self.text.strip().lower() in _FALSE

    @property
    def number(self) -> float | None:
        """Its value as a number, where it is one."""
        text = self.text.strip()
        return float(text.replace("_", "")) if self.scalar and _NUMBER.fullmatch(text[:80]) else None


def walk(root: Node) -> Iterator[tuple[tuple[str, ...], int, Node]]:
    """Yield every part with its path and the line of its key, in order, bounded."""
    stack: list[tuple[tuple[str, ...], int, Node]] = [((), root.line, root)]
    left = MOST
    while stack and left:
        left -= 1
        path, line, node = stack.pop()
        yield path, line, node
        if len(path) >= DEEPEST or len(stack) > MOST:
            continue
        if node.kind == MAP:
            stack += [((*path, key), node.line_of(key), child) for key, child in reversed(node.map.items())]
        elif node.kind == LIST:
            stack += [((*path, str(at)), child.line, child) for at, child in reversed(list(enumerate(node.items)))]


def dotted(path: tuple[str, ...]) -> str:
    """Return a path as it is shown."""
    return ".".join(path)


class Text(Protocol):
    """What a document is read from."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def data(self) -> bytes: ...
    @property
    def text(self) -> str: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def binary(self) -> bool: ...


@private
class Fault(NamedTuple):
    """Something wrong with the syntax."""

    line: int
    message: str
    hint: str = ""
    grave: bool = True
    """Whether nothing can read the text; else it is read, but not as meant."""
    repeated: bool = False
    """Whether a key is stated twice."""


@dataclass(slots=True, repr=False)
class Document(Private):
    """An object that was read."""

    source: Text
    syntax: str
    roots: list[Node] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    templated: bool = False
    """Only becomes this syntax once a tool fills it in."""
    whole: bool = True
    """Whether all of the text was read."""

    @property
    def name(self) -> str:
        """The path of the object."""
        return self.source.name

    @property
    def root(self) -> Node:
        """The first tree, or an empty one."""
        return self.roots[0] if self.roots else Node("null", 1)

    @property
    def cut(self) -> bool:
        """Whether its end was not read. Then it has only trees that are complete, if any."""
        return self.source.truncated or not self.whole

    @property
    def sound(self) -> bool:
        """Whether the text parses."""
        return not any(fault.grave for fault in self.faults)

    def repeated(self, key: str, line: int, first: int, effect: str, most: int) -> None:
        """Note a key that is stated twice, unless that many faults are known already."""
        if len(self.faults) < most:
            message = f"`{key[:80]}` is stated twice (first on line {first}); {effect}"
            self.faults.append(Fault(line, message, "Keep one of them.", grave=False, repeated=True))


SYNTAXES = {
    "yaml": "yaml", "json": "json", "toml": "toml", "ini": "ini", "env": "env", "properties": "properties",
    "systemd": "systemd", "editorconfig": "ini", "xml": "xml", "hcl": "hcl", "dockerfile": "dockerfile",
    "nginx": "nginx", "crontab": "crontab", "notebook": "json",
}  # fmt: skip
"""How each format is read; formats that are missing here are not settings."""


_READERS = {"ini": "ini", "env": "ini", "properties": "ini", "systemd": "ini"} | {
    syntax: syntax for syntax in ("yaml", "json", "toml", "xml", "hcl")
}
"""The module that reads each syntax; Dockerfiles, nginx and crontabs are read by their users."""


TEMPLATES = (".j2", ".jinja", ".jinja2", ".erb", ".ejs", ".hbs", ".mustache", ".tpl", ".tmpl", ".tftpl", ".template")
"""Endings of files that only become their syntax once a tool fills them in."""
_CONTROL = re.compile(
    r"(?:\{%[-+~]?|<%[-=]?)\s*(?:if|for|else|end|set|unless|include)|\{\{[#/]?-?\s*(?:if|each|range|end)\b"
)
"""Branches and loops of templates, whatever the ending."""


def read(source: Text) -> Document:
    """Read an object by its format."""
    document = Document(source, "" if source.binary else SYNTAXES.get(source.format, ""))
    if document.syntax == "xml" and source.text.strip()[:1] != "<" and not source.name.lower().endswith(".xml"):
        document.syntax = ""  # `.config`, `.ui` and others are endings of many formats
    module = _READERS.get(document.syntax)
    if module is not None:
        import_module(f"plantwin.private.formats.{module}").read(document)
    if source.name.lower().endswith(TEMPLATES) or (module is None and _CONTROL.search(source.text)):
        document.templated = True
        document.faults.clear()
    if module is not None and document.cut and document.syntax != "yaml":
        # Nothing may be concluded from half a tree: what it lacks may stand in the rest.
        document.roots.clear()
        document.faults[:] = [] if source.truncated else document.faults
    return document
