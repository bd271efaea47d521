"""A regular expression that the person writes for a tool's output: bounded, so that no output can make it hang."""

from __future__ import annotations

import re
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as grammar  # type: ignore[attr-defined]
from typing import Any

LONGEST = 500
LINE = 1_000
"""Characters of a line that are looked at."""
MOST_REPEATS = 6
"""Parts of open length. On a line this short they can be slow at worst, and a step has its time."""
GROUPS = frozenset(("line", "severity", "message", "file"))

_OPEN = 16
"""A repeat of up to so many is as good as written out."""


def problem(pattern: str) -> str:
    """Why a pattern is refused; empty for one that is fine."""
    if len(pattern) > LONGEST:
        return f"at most {LONGEST} characters"
    try:
        compiled = re.compile(pattern)
        tree = grammar.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return "not a valid regular expression"
    if not set(compiled.groupindex) <= GROUPS or "message" not in compiled.groupindex:
        return "needs the named group message, and may have line, severity and file"
    try:
        repeats = _repeats(tree, False)
    except ValueError as error:
        return str(error)
    return f"at most {MOST_REPEATS} repeats of open length" if repeats > MOST_REPEATS else ""


def _repeats(tree: Any, inside: bool) -> int:
    """How many parts of open length there are; `ValueError` for one inside another, or for what looks around."""
    number = 0
    for operation, value in tree:
        if operation in (names.GROUPREF, names.GROUPREF_EXISTS, names.ASSERT, names.ASSERT_NOT):
            raise ValueError("no references back and nothing that looks around")
        if operation in (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT):
            _, most, body = value
            open_ = most is names.MAXREPEAT or most > _OPEN
            if inside and most > 1:
                raise ValueError("no repeat inside a repeat")
            number += open_ + _repeats(body, inside or most > 1)
        elif operation is names.SUBPATTERN:
            number += _repeats(value[-1], inside)
        elif operation is names.ATOMIC_GROUP:
            number += _repeats(value, inside)
        elif operation is names.BRANCH:
            number += sum(_repeats(each, inside) for each in value[1])
    return number
