"""One entry of a log, whatever the log's format."""

from __future__ import annotations

import msgspec

from plantwin.private.facts import Private

LONGEST = 4000
"""Characters of one line that are looked at."""
ERRORS = frozenset(("error", "critical"))
_LEVELS = {
    "trace": "debug", "debug": "debug", "verbose": "debug", "fine": "debug", "d": "debug", "silly": "debug",
    "v": "debug",
    "info": "info", "information": "info", "notice": "info", "log": "info", "i": "info", "http": "info",
    "informational": "info", "default": "info", "statement": "info", "hint": "info", "detail": "info", "normal": "info",
    "warn": "warning", "warning": "warning", "w": "warning",
    "err": "error", "error": "error", "severe": "error", "e": "error", "exception": "error", "failed": "error",
    "crit": "critical", "critical": "critical", "fatal": "critical", "f": "critical", "panic": "critical",
    "emerg": "critical", "emergency": "critical", "alert": "critical",
}  # fmt: skip


class Entry(Private, msgspec.Struct):
    """What one record of a log says. Empty, zero or below zero where it does not say."""

    line: int
    time: float = -1.0
    """Unix seconds; see `moments` for those without a year or a date."""
    level: str = ""
    """debug, info, warning, error or critical."""
    text: str = ""
    """The message, without its time."""
    logger: str = ""
    """The program, unit, class or module that wrote it."""
    address: str = ""
    method: str = ""
    path: str = ""
    status: int = 0
    latency: float = -1.0
    """Milliseconds."""
    more: list[str] = []
    """Further lines that belong to it."""

    @property
    def timed(self) -> bool:
        """Whether it has a time."""
        return self.time >= 0

    @property
    def failed(self) -> bool:
        """Whether it tells of an error."""
        return self.level in ERRORS


def level_of(word: str) -> str:
    """A level as logs write it, to one of five words."""
    return _LEVELS.get(word.lower(), "")


def level_of_number(number: float) -> str:
    """Levels as numbers: 10 to 60 as Node loggers write them, 0 to 7 as the system log does."""
    if number >= 10:
        return ("debug", "debug", "info", "warning", "error", "critical")[min(max(int(number) // 10 - 1, 0), 5)]
    return ("critical", "critical", "critical", "error", "warning", "info", "info", "debug")[
        min(max(int(number), 0), 7)
    ]
