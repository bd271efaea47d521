"""How a capability of the person's own is run: what a worker is told of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from plantwin.private.facts import Private


class Extension(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Python function, a command line, or a tool of an MCP server; or the question what a module declares."""

    sort: Literal["declare", "function", "command", "tool"]
    own: str = ""
    """The capability's own name."""
    file: str = ""
    """The Python file, where it is not an installed module."""
    module: str = ""
    command: tuple[str, ...] = ()
    """Words of the command line, or of the one that starts the server. `{input}` stands for a path."""
    exits: dict[str, tuple[str, ...]] = {}
    """Words of the outcome by exit code."""
    pattern: str = ""
    """What a line of output looks like that is a finding."""
    severities: dict[str, str] = {}
    """Words of the tool for severity, with ours."""
    severity: str = "medium"
    """Of a finding that states none."""
    tag: str = ""
    """Of every finding."""
    tool: str = ""
    """The tool's name at the server."""
    arguments: dict[str, str] = {}
    """The tool's arguments: `{input}`, `{text}`, or a fixed word."""
    shown: tuple[str, ...] = ()
    """Files and folders that the worker sees besides its inputs, read-only."""
