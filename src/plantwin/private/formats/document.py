"""One object as trees with lines, whatever its syntax; with what is wrong with the syntax itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import NamedTuple, Protocol

from plantwin.private.facts import Private, private
from plantwin.private.formats.node import Node


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


TEMPLATES = (".j2", ".jinja", ".jinja2", ".erb", ".ejs", ".hbs", ".mustache", ".tpl", ".tmpl", ".tftpl")
"""Endings of files that only become their syntax once a tool fills them in."""


def read(source: Text) -> Document:
    """Read an object by its format."""
    document = Document(source, "" if source.binary else SYNTAXES.get(source.format, ""))
    module = _READERS.get(document.syntax)
    if module is not None:
        import_module(f"plantwin.private.formats.{module}").read(document)
        if source.name.lower().endswith(TEMPLATES):
            document.templated = True
            document.faults.clear()
        if document.cut and document.syntax != "yaml":
            # Nothing may be concluded from half a tree: what it lacks may stand in the rest.
            document.roots.clear()
            document.faults[:] = [] if source.truncated else document.faults
    return document
