"""Where results go: JSON documents, exact bytes, or lines for a person."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

FORMAT = 1
"""Version of every JSON document; raised when a member is removed or changes its meaning."""


def write_json(command: str, members: Mapping[str, Any]) -> None:
    """One JSON document: `format`, `command` and the command's members."""
    document = {"format": FORMAT, "command": command, **members}
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def write_json_list(command: str, members: Mapping[str, Any], name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """One JSON document whose list is written as it comes, a row to a line, so memory stays bounded."""
    head = json.dumps({"format": FORMAT, "command": command, **members})
    sys.stdout.write(f'{head[:-1]}, "{name}": [')
    separator = "\n"
    for row in rows:
        sys.stdout.write(separator + json.dumps(row))
        separator = ",\n"
    sys.stdout.write("\n]}\n")


def write_bytes(data: bytes) -> None:
    """These bytes and nothing else."""
    sys.stdout.flush()
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:  # a stream that only takes text; what leaves is ASCII
        sys.stdout.write(data.decode("ascii"))
        return
    binary.write(data)
    binary.flush()


def write_line(line: str = "") -> None:
    """One line for a person."""
    sys.stdout.write(line + "\n")


def note(line: str) -> None:
    """A remark beside the result, on stderr."""
    sys.stderr.write(line + "\n")


def colourful(stream: Any = None) -> bool:
    """Colour only on a terminal, and not where NO_COLOR is set or the terminal is dumb."""
    stream = stream or sys.stdout
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def console() -> Console:
    """Rich's console on stdout, with colour only where it belongs and no markup ever."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    return Console(
        file=sys.stdout,
        force_terminal=terminal,
        color_system="auto" if colourful() else None,
        no_color=not colourful(),
        markup=False,
        emoji=False,
        highlight=False,
        width=None if terminal else 120,
    )
