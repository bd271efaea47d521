"""One object as trees with lines, whatever its syntax; with what is wrong with the syntax itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from plantwin.private.capabilities.common.source import Source
from plantwin.private.capabilities.placed.node import Node


class Fault(NamedTuple):
    """Something wrong with the syntax."""

    line: int
    message: str
    hint: str = ""
    grave: bool = True
    """Whether nothing can read the text; else it is read, but not as meant."""
    repeated: bool = False
    """Whether a key is stated twice."""

    def __repr__(self) -> str:
        return "<Fault private>"


@dataclass(slots=True, repr=False)
class Document:
    """An object that was read."""

    source: Source
    syntax: str
    roots: list[Node] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    templated: bool = False
    """Only becomes this syntax once a tool fills it in."""
    whole: bool = True
    """Whether all of the text was read."""

    def __repr__(self) -> str:
        return "<Document private>"

    @property
    def name(self) -> str:
        """The path of the object."""
        return self.source.input.name

    @property
    def root(self) -> Node:
        """The first tree, or an empty one."""
        return self.roots[0] if self.roots else Node("null", 1)

    @property
    def sound(self) -> bool:
        """Whether the text parses."""
        return not any(fault.grave for fault in self.faults)


SYNTAXES = {
    "yaml": "yaml", "json": "json", "toml": "toml", "ini": "ini", "env": "env", "properties": "properties",
    "systemd": "systemd", "editorconfig": "ini", "xml": "xml", "hcl": "hcl", "dockerfile": "dockerfile",
    "nginx": "nginx", "crontab": "crontab", "notebook": "json",
}  # fmt: skip
"""How each format is read; formats that are missing here are not settings."""


def read(source: Source) -> Document:
    """Read an object by its format. Blocks and instructions have readers of their own."""
    syntax = SYNTAXES.get(source.format, "")
    document = Document(source, syntax)
    if source.binary:
        document.syntax = ""
    elif syntax == "yaml":
        from plantwin.private.capabilities.placed import yaml_tree

        yaml_tree.read(document)
    elif syntax == "json":
        from plantwin.private.capabilities.placed import json_tree

        json_tree.read(document)
    elif syntax == "toml":
        from plantwin.private.capabilities.placed import toml_tree

        toml_tree.read(document)
    elif syntax in ("ini", "env", "properties", "systemd"):
        from plantwin.private.capabilities.placed import pairs

        pairs.read(document)
    elif syntax == "xml":
        from plantwin.private.capabilities.placed import xml_tree

        xml_tree.read(document)
    elif syntax == "hcl":
        from plantwin.private.capabilities.placed import hcl_tree

        hcl_tree.read(document)
    return document
