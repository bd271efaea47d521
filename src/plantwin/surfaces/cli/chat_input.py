"""What a person types into a chat, or a program writes to it: a goal or a command at a time."""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
import termios
from pathlib import Path
from typing import Final, Protocol

from plantwin.errors import InputError
from plantwin.surfaces.cli.output import write_line
from plantwin.surfaces.cli.sessions import MAX_GOAL

PROMPT: Final = "plantwin> "
LONG: Final = MAX_GOAL + 200
"""Characters of one entry that are kept: enough to see that a goal is too long."""
PASTE: Final = 0.05
"""Seconds within which a further line belongs to what was pasted."""
REMEMBERED: Final = 500
"""Entries of the history."""
LEAVING = "Ctrl-D or /quit leaves."


class Source(Protocol):
    """Where entries come from."""

    def read(self) -> str | None:
        """The next entry, without white space around it; None when there are no more."""
        ...


class Piped:
    """One entry to a line."""

    def __init__(self) -> None:
        _forgiving()

    def read(self) -> str | None:
        """The next line that is not empty."""
        while line := sys.stdin.readline(LONG) if sys.stdin is not None else "":
            rest = line
            while rest and not rest.endswith("\n"):
                rest = sys.stdin.readline(1 << 16)
            if line := line.strip():
                return line
        return None


class Typed:
    """A prompt with line editing. What is pasted is one entry, however many lines it has."""

    def __init__(self, history: Path | None = None) -> None:
        """`history`: a file that keeps entries for the next chat; without one they are in memory alone."""
        import readline

        _forgiving()
        self._readline = readline
        self._history = history
        # Answers to questions are not entries.
        readline.set_auto_history(False)
        for entry in _entries(history):
            readline.add_history(entry)

    def read(self) -> str | None:
        """What is entered; Ctrl-C throws the line away."""
        while True:
            try:
                entry = (input(PROMPT) + _pasted()).strip()
            except EOFError:
                write_line()
                return None
            except KeyboardInterrupt:
                write_line()
                write_line(LEAVING)
                continue
            if entry:
                self._keep(" ".join(entry.split())[:LONG])
                return entry[:LONG]

    def _keep(self, entry: str) -> None:
        self._readline.add_history(entry)
        if self._history is None:
            return
        # A history that cannot be written is not worth ending a chat for.
        with contextlib.suppress(OSError), os.fdopen(_private(self._history, os.O_APPEND), "a") as file:
            file.write(json.dumps(entry) + "\n")


def _pasted() -> str:
    """The lines that came together with the first one. All are taken, so that none is left to answer a question."""
    lines = [""]
    held = 0
    with contextlib.suppress(EOFError):
        while select.select([sys.stdin], [], [], PASTE)[0]:
            line = input()
            held += len(line)
            if held < LONG:
                lines.append(line)
    return "\n".join(lines)


def discard() -> None:
    """Forget what was typed before a question was shown: it cannot be the answer to it."""
    with contextlib.suppress(OSError, ValueError, termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def history_file(folder: Path) -> Path:
    """The history in this folder, readable by its owner alone, and not longer than it need be."""
    path = folder / "history"
    kept = _entries(path)
    try:
        with os.fdopen(_private(path, os.O_TRUNC), "w") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in kept)
    except OSError as error:
        raise InputError(f"the history cannot be kept ({error.strerror}): leave --history out") from None
    return path


def _private(path: Path, flag: int) -> int:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | flag, 0o600)
    os.fchmod(handle, 0o600)
    return handle


def _entries(path: Path | None) -> list[str]:
    """The last entries of a history; what is damaged in it is left out."""
    found: list[str] = []
    if path is None:
        return found
    with contextlib.suppress(OSError), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - REMEMBERED * LONG))
        for line in file:
            with contextlib.suppress(ValueError, RecursionError):
                entry = json.loads(line)
                if isinstance(entry, str) and entry.isprintable():
                    found.append(entry[:LONG])
    return found[-REMEMBERED:]


def _forgiving() -> None:
    """Bytes that are no text become a mark, not a crash."""
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")
