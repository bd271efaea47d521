"""Sentences about one thing that were written for several."""

from __future__ import annotations

import re

_VERBS = {"are": "is", "have": "has", "do": "does", "repeat": "repeats", "appear": "appears", "lie": "lies"}
_ONE = re.compile(rf"(?<![\d.,])1 (value|date|row|text|measure)s(?: ({'|'.join(_VERBS)})\b)?")
_PLACE = re.compile(r"\((line|row)s (\d+)\)")


def agreed(text: str) -> str:
    """`1 dates do not exist (lines 3)` as one says it."""
    text = _ONE.sub(lambda match: f"1 {match[1]}" + (f" {_VERBS[match[2]]}" if match[2] else ""), text)
    return _PLACE.sub(r"(\1 \2)", text)
