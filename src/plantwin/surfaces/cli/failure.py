"""How a command ends when it cannot finish: one clear line, a next step, never content of X."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from pathlib import Path

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
from plantwin.surfaces.render.text import printable

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
        _say(next((step for kind, step in NEXT_STEPS if isinstance(error, kind)), "Run `plantwin doctor`."))
        return error.exit_code
    # An error that nobody foresaw may quote what it choked on, so only its type and place are told.
    _say(f"plantwin: internal error: {type(error).__name__} at {_place(error)}; nothing further was sent")
    _say("Set PLANTWIN_DEBUG=1 for the traceback (it may show private content).")
    return 1


def _say(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(line + "\n")


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
