"""JSON into plain trees: strict first, then with comments and trailing commas, then as far as it is whole."""

from __future__ import annotations

import json
import re

import msgspec

_TOKEN = re.compile(r"\"[^\"\\]*(?:\\.[^\"\\]*)*(?:\"|\\?\Z)|[\[\]{},]", re.DOTALL)
_NOISE = re.compile(r"(\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*(?:\"|\\?$))|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL | re.MULTILINE)
_TRAILING = re.compile(r"(\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*(?:\"|\\?$))|,(?=[ \t\n]{0,200}[\]}])", re.MULTILINE)
_MAX_DEPTH = 100


def load(text: str, whole: bool) -> tuple[object, bool]:
    """The value of a text, and whether the text is sound. What is not JSON at all is `None`."""
    try:
        return msgspec.json.decode(text), True
    except (msgspec.DecodeError, RecursionError, ValueError):
        pass
    if whole:
        value = _relaxed(text)
        if value is not None:
            return value, True
    return _salvage(text), not whole


def _relaxed(text: str) -> object:
    """With comments, trailing commas or NaN, as many tools accept it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    bare = _TRAILING.sub(_keep_string, _NOISE.sub(_keep_string, text))
    try:
        return msgspec.json.decode(bare)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def _keep_string(match: re.Match[str]) -> str:
    return match[1] or ""


def _salvage(text: str) -> object:
    """The longest prefix that closes: cut at its last comma, with every open bracket closed."""
    closers: list[str] = []
    cut, tail = 0, ""
    for match in _TOKEN.finditer(text):
        mark = match[0]
        if mark in "[{":
            if len(closers) >= _MAX_DEPTH:
                break
            closers.append("]" if mark == "[" else "}")
        elif mark in "]}":
            if not closers or closers.pop() != mark:
                break
        elif mark == "," and closers:
            cut, tail = match.start(), "".join(reversed(closers))
    if not cut:
        return None
    try:
        value: object = msgspec.json.decode(text[:cut] + tail)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None
    return value
