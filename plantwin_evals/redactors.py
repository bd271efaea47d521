"""Redaction as others do it: files as text, with what a detector finds replaced. Ours, and peers where installed.

A mode names a redactor. A new one is one class with a line in `REDACTORS`, its line in the docs and a test.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple, Protocol

from plantwin.errors import InputError
from plantwin_evals.presidio import Presidio


class Redactor(Protocol):
    """Finds and replaces. It never sends or fetches anything."""

    def absent(self) -> str:
        """Why it cannot be run here; empty where it can."""
        ...

    def described(self) -> str:
        """What it is made of here: names and versions."""
        ...

    def redact(self, text: str, path: str) -> str:
        """A text without what it finds. `path`: the name of the file, where there is one."""
        ...


class Own:
    """Our stage 2, with typed placeholders."""

    def absent(self) -> str:
        """It is always there."""
        return ""

    def described(self) -> str:
        """Ours, as shipped."""
        return "plantwin's detection"

    def redact(self, text: str, path: str) -> str:
        """A text without what stage 2 finds in it."""
        from plantwin.private.detect import detector
        from plantwin.private.detect.redaction import Redaction
        from plantwin.private.detect.stream import blocks

        pieces = Redaction().run(blocks(detector(), iter([text.encode()]), path))
        return b"".join(pieces).decode("utf-8", "replace")


REDACTORS: Final[dict[str, Callable[[], Redactor]]] = {"redacted": Own, "redacted-presidio": Presidio}
"""By mode."""


class Redacted(NamedTuple):
    """What a planner of such a mode sees."""

    texts: dict[str, str]
    goal: str
    history: str
    seconds: float
    """What redacting took; of texts that were redacted before, what it took then."""


@cache
def redactor(mode: str) -> Redactor:
    """The redactor of a mode, made once: a peer takes seconds to load."""
    made = REDACTORS[mode]()
    if why := made.absent():
        raise InputError(f"{mode} is not run: {why}")
    return made


def absent(mode: str) -> str:
    """Why a mode cannot be run here; empty where it can."""
    return REDACTORS[mode]().absent() if mode in REDACTORS else ""


def redacted(mode: str, texts: Mapping[str, str], goal: str, history: str) -> Redacted:
    """Everything with what the mode's redactor finds replaced. Names of files stay, as with such tools."""
    done = {path: _once(mode, text, path) for path, text in texts.items()}
    said, logged = _once(mode, goal, ""), _once(mode, history, "history.txt")
    seconds = sum(taken for _, taken in (*done.values(), said, logged))
    return Redacted({path: text for path, (text, _) in done.items()}, said[0], logged[0], seconds)


@cache
def _once(mode: str, text: str, path: str) -> tuple[str, float]:
    """One text and how long it took: all tasks of a workspace have the same files."""
    by = redactor(mode)
    began = time.perf_counter()
    found = by.redact(text, path)
    return found, time.perf_counter() - began
