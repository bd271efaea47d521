"""Where results go: JSON documents, exact bytes, or lines for a person."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import TextIOBase
from typing import IO, TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import subprocess

    from rich.console import Console

NARROWEST = 40
"""Characters of a line that fit every terminal."""
_head = re.compile(r"\s*(?:[\w-]+(?: [\w-]+)?\s{2,})?")
"""An indent, and a label with the space behind it."""
remarks = True
"""Whether the person wants them."""
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


def write_line(line: str = "", *, exact: bool = False) -> None:
    """One line for a person, broken between words where the terminal is narrower. `exact`: as it is."""
    if not exact and len(line) > NARROWEST and sys.stdout.isatty():
        line = _fitted(line)
    sys.stdout.write(line + "\n")


def _fitted(line: str) -> str:
    """The line in several where it is too long; what follows stands below its text, beside the indent or label."""
    from shutil import get_terminal_size

    from plantwin.surfaces.render.text import width_of, wrapped

    columns = get_terminal_size().columns
    head = _head.match(line)[0]  # type: ignore[index]
    head = head if len(head) <= columns // 3 else ""
    words, room = line[len(head) :].split(), columns - len(head)
    if width_of(line) <= columns or "\x1b" in line or max(map(width_of, words), default=0) > room:
        return line
    return head + f"\n{' ' * len(head)}".join(wrapped(" ".join(words), room))


def note(line: str) -> None:
    """A remark beside the result, on stderr, unless the person wants none."""
    if remarks:
        sys.stderr.write((_fitted(line) if len(line) > NARROWEST and sys.stderr.isatty() else line) + "\n")


@contextmanager
def paged() -> Iterator[None]:
    """Show what is written through the person's pager, where stdout is a terminal and they have one."""
    command = os.environ.get("PAGER", "less").split()
    if not (sys.stdout.isatty() and sys.stdin.isatty()) or os.environ.get("TERM") == "dumb" or command in ([], ["cat"]):
        yield
        return
    screen = sys.stdout
    shown = sys.stdout = _Paged(command, screen)
    try:
        with suppress(BrokenPipeError):  # the person has seen enough
            yield
            shown.flush()
    finally:
        sys.stdout = screen
        shown.end()


class _Paged(TextIOBase):
    """A terminal whose pager starts with the first words: until then progress may be drawn."""

    def __init__(self, command: list[str], screen: TextIO) -> None:
        self._command, self._screen = command, screen
        self._pager: subprocess.Popen[str] | None = None
        self._pipe: IO[str] | None = None

    def isatty(self) -> bool:
        """Yes."""
        return True

    def fileno(self) -> int:
        """Of the terminal, whose width is asked for."""
        return self._screen.fileno()

    def write(self, text: str) -> int:
        """Hand it to the pager; where that does not start, to the terminal."""
        if self._pipe is None:
            import subprocess

            # As git does: what fits the screen is shown and left there, colours pass.
            settings = {"LESS": "FRX", "LESSCHARSET": "utf-8", **os.environ}
            try:
                self._pager = subprocess.Popen(
                    self._command, stdin=subprocess.PIPE, env=settings, encoding="utf-8", errors="backslashreplace"
                )
                self._pipe = self._pager.stdin
            except OSError:
                self._pipe = self._screen
        return (self._pipe or self._screen).write(text)

    def flush(self) -> None:
        """Hand over what waits."""
        if self._pipe is not None:
            self._pipe.flush()

    def end(self) -> None:
        """Wait until the person has read it."""
        if self._pager is not None and self._pipe is not None:
            with suppress(OSError):
                self._pipe.close()
            with suppress(KeyboardInterrupt):
                self._pager.wait()


def colourful(stream: Any = None) -> bool:
    """Colour only on a terminal, and not where NO_COLOR is set or the terminal is dumb."""
    stream = stream or sys.stdout
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def console() -> Console:
    """Rich's console on stdout, with colour only where it belongs and no markup ever."""
    from rich.console import Console

    class Screen(Console):
        """Says when its reader has gone; rich itself would end the program with 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    terminal = sys.stdout.isatty()
    return Screen(
        file=sys.stdout,
        force_terminal=terminal,
        color_system="auto" if colourful() else None,
        no_color=not colourful(),
        markup=False,
        emoji=False,
        highlight=False,
        width=None if terminal else 120,
    )
