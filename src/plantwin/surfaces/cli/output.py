"""Where results go: JSON documents, exact bytes, or lines for a person."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import TextIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO

from plantwin.errors import (
    ConfigError,
    ConsentError,
    InputError,
    LedgerError,
    PlanTwinError,
    PolicyError,
    RootError,
    StateError,
    VocabularyError,
    WireError,
)
from plantwin.surfaces.render.text import plural, printable

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


def warn_unsandboxed(reason: str) -> None:
    """Say before anything runs what is missing for a sandbox, where something is."""
    if reason:
        note(f"WARNING: no sandbox ({reason}).")
        note("Steps can read whatever you can, and nothing that runs code of this folder will run.")


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


_counted = re.compile(r"([\d,]+) objects")
"""How a scan counts what it does not name."""
MOST = 10
"""Warnings that are told."""
TIMES = "ages of files come from their times alone"
MEANINGS = {
    "folder_unreadable": "cannot be listed, so nothing in it was looked at: check its permissions",
    "folder_too_deep": "lies too deep, so nothing in it was looked at: start PlanTwin further down",
    "folder_moved": "was moved while it was read: run the command again",
    "file_unreadable": "cannot be read: check that it is a file, and its permissions",
    "ignore_unreadable": "cannot be read, so what it leaves out was looked at: check its permissions",
    "ignore_cut": "is too long for an ignore file, so its end was not used: shorten it",
    "ignore_bad_pattern": "has an invalid pattern: correct it; git does not use it either",
    "git_missing": f"git is not installed: {TIMES}",
    "git_foreign_owner": f"git refuses a repository of another owner: {TIMES}; run PlanTwin as its owner",
    "git_no_commit": f"the repository has no commit yet: {TIMES}",
    "git_timeout": f"git took too long: {TIMES}",
    "git_failed": f"git could not tell the history: {TIMES}; see what `git status` says",
    "git_output_cut": f"the history is too long: {TIMES}",
    "git_unknown_output": f"this version of git is not understood: {TIMES}",
    "eacces": "cannot be read: check its permissions",
    "eperm": "cannot be read: check its permissions",
    "enoent": "was gone when it was to be read: run the command again",
    "eio": "could not be read to the end: check the disk",
    "read_failed": "could not be read to the end: check its permissions and the disk",
    "parse_error": "could not be parsed, so less is known of it: check its syntax",
    "undecodable": "could not be decoded, so less is known of it: convert it to UTF-8",
    "timeout_or_crash": "took a parser too long or made it crash, so only its name is known: look at it by hand",
}
"""What each code means."""


def explained(warning: str) -> str:
    """`CODE: place` as a sentence about the place; what has no code stays as it is."""
    code, _, place = warning.partition(": ")
    meaning = MEANINGS.get(code)
    if meaning is None:
        return printable(warning)
    if counted := _counted.fullmatch(place):
        files = plural(int(counted[1].replace(",", "")), "file")
        return f"{files} {meaning.partition(',')[0]}; `plantwin scan` says which"
    if code.startswith("git_"):
        return meaning
    shown = printable(place) or "the folder itself"
    return f"an ignore file in {shown} {meaning}" if code.startswith("ignore_") else f"{shown} {meaning}"


def warn(warnings: Sequence[str], rest: str = "") -> None:
    """Tell the first warnings on stderr. `rest`: where the others are listed."""
    for warning in warnings[:MOST]:
        note(f"warning: {explained(warning)}")
    if len(warnings) > MOST:
        note(f"and {plural(len(warnings) - MOST, 'more warning')}{rest}")


NEXT_STEPS: tuple[tuple[type[PlanTwinError], str], ...] = (
    (RootError, "Give a folder that exists and that you may list, such as: plantwin scan ."),
    (ConfigError, "Correct that; nothing was done."),
    (
        ConsentError,
        "Run it at a terminal and answer there, or give --send. `plantwin preview` shows what would be sent.",
    ),
    (StateError, "Run `plantwin doctor` to see the state folder, or give another with --state."),
    (LedgerError, "Nothing was sent. Run `plantwin audit verify` to see whether the ledger is whole."),
    (PolicyError, "Nothing was sent and nothing ran. Run `plantwin policy check` to find the mistake."),
    (VocabularyError, "Nothing left this machine. Run `plantwin vocabulary` for the words that may."),
    (WireError, "Nothing left this machine. Run `plantwin schema` for what may."),
    (InputError, "See --help for what the command accepts."),
)

INTERRUPTED = 130


def exit_code(error: BaseException) -> int:
    """Tell the person what happened and return the exit code that says so."""
    if isinstance(error, BrokenPipeError):
        _silence(sys.stdout)
        return 0
    if os.environ.get("PLANTWIN_DEBUG") == "1":
        traceback.print_exception(error)
    if isinstance(error, KeyboardInterrupt):
        _say("plantwin: interrupted; what was already indexed is kept")
        return INTERRUPTED
    if isinstance(error, PlanTwinError):
        _say(f"plantwin: {printable(str(error))}")
        step = next((step for kind, step in NEXT_STEPS if isinstance(error, kind)), "Run `plantwin doctor`.")
        _say(printable(getattr(error, "hint", "")) or step)
        return error.exit_code
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        _silence(sys.stdout)
        _say(f"plantwin: cannot write the result: {error.strerror}")
        _say("Make room there, or write it elsewhere.")
        return 1
    # An error that nobody foresaw may quote what it choked on, so only its type and place are told.
    _say(f"plantwin: internal error: {type(error).__name__} at {_place(error)}; nothing further was sent")
    _say("Set PLANTWIN_DEBUG=1 for the traceback (it may show private content).")
    return 1


def _say(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write((_fitted(line) if sys.stderr.isatty() else line) + "\n")


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if f"{os.sep}plantwin{os.sep}" in frame.filename]
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "an unknown place"


def _silence(stream: object) -> None:
    """The reader went away: let the interpreter's last flush go nowhere."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[attr-defined]
        os.close(nowhere)
