"""Texts that make a regular expression look at the same characters again and again, made from the expression itself."""

from __future__ import annotations

import re
import re._constants as c
import re._parser as parser
from collections.abc import Iterator
from typing import Any

RUNS = (*" a1_\"'([{</\n", "a ", "a.", "\n ", "a_")
"""Run through as they are, whatever the expression."""
CANDIDATES = "a0 _\"'([{<\n\t.-,/\\`#*=:$@A;|!?)]}>~%&"
CATEGORIES = {
    c.CATEGORY_DIGIT: str.isdigit,
    c.CATEGORY_NOT_DIGIT: lambda char: not char.isdigit(),
    c.CATEGORY_SPACE: str.isspace,
    c.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    c.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    c.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}
REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)


def hostile(pattern: re.Pattern[Any], length: int) -> Iterator[Any]:
    """For each unbounded repetition what leads to it, then its body many times, then what fits nothing."""
    found: list[tuple[str, str]] = []
    whole = _example(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE), found, "")
    texts = [run * length for run in (*RUNS, whole)]
    for before, body in dict.fromkeys(found):
        texts += [before + body * length, (before + body) * length]
        texts += [before + run * length for run in (" ", "1")]
    for text in dict.fromkeys(text[:length] + "\x01" for text in texts):
        yield text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text


def _example(tree: Any, found: list[tuple[str, str]], text: str) -> str:
    """The text, and something that the expression matches after it; `found`: its repetitions with what is before."""
    for operator, value in tree:
        if operator is c.LITERAL:
            text += chr(value)
        elif operator in (c.NOT_LITERAL, c.ANY):
            text += "b" if value == ord("a") else "a"
        elif operator is c.IN:
            text += _member(value)
        elif operator is c.BRANCH:
            text, *_ = [_example(branch, found, text) for branch in value[1]]
        elif operator is c.SUBPATTERN:
            text = _example(value[3], found, text)
        elif operator is c.ATOMIC_GROUP:
            text = _example(value, found, text)
        elif operator in REPEATS:
            least, most, body = value
            once = _example(body, found, text)[len(text) :]
            if most > 20 and once:
                found.append((text, once))
            text += once * min(max(least, int(most > 20)), 20)
    return text


def _member(items: Any) -> str:
    """A character of a class."""
    negated = items[0][0] is c.NEGATE

    def within(char: str) -> bool:
        code = ord(char)
        return negated != any(
            code == value
            if operator is c.LITERAL
            else value[0] <= code <= value[1]
            if operator is c.RANGE
            else operator is c.CATEGORY and CATEGORIES[value](char)
            for operator, value in items
        )

    first = items[0][1] if items[0][0] is c.LITERAL else ord("z")
    return next(filter(within, CANDIDATES), chr(first))
