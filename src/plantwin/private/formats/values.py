"""Plain values of parsed files: mappings, lists and scalars, whatever the format spelled them in."""

from __future__ import annotations

import re
from typing import TypeGuard

Tree = dict[str, object]

_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*+(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d+)?")
_TRUE = frozenset({"true", "yes", "on", "True", "TRUE", "enabled"})
_FALSE = frozenset({"false", "no", "off", "False", "FALSE", "disabled", "none", "None", "disable"})


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set: word lists, written as people read them."""
    return frozenset(text.split())


def is_tree(value: object) -> TypeGuard[Tree]:
    """Return whether a value is a mapping of a decoded document (its keys are always strings)."""
    return type(value) is dict


def tree_of(value: object) -> Tree:
    """Return a mapping; an empty one for anything else."""
    return value if type(value) is dict else {}


def trees(value: object) -> list[Tree]:
    """Return the mappings of a list, or a mapping's mappings."""
    if type(value) is list:
        return [member for member in value if type(member) is dict]
    if type(value) is dict:
        return [member for member in value.values() if type(member) is dict]
    return []


def strings(value: object) -> list[str]:
    """Return a string, or the strings of a list."""
    if type(value) is str:
        return [value]
    return [member for member in value if type(member) is str] if type(value) is list else []


def text_of(value: object) -> str:
    """Return a scalar as a file would write it; nothing for what is not a scalar."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[return-value]
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        return str(value) if kind is float or -(1 << 63) <= value < 1 << 64 else ""  # type: ignore[operator]
    return ""


def truth(value: object) -> bool | None:
    """Return true or false where a setting says so in any spelling."""
    if type(value) is bool:
        return value
    if type(value) is str:
        return True if value in _TRUE else False if value in _FALSE else None
    return None


def is_number(value: object) -> bool:
    """Return whether a value is a number, or a short string that writes one."""
    kind = type(value)
    if kind is int or kind is float:
        return True
    return isinstance(value, str) and 0 < len(value) < 25 and _NUMBER.fullmatch(value) is not None


_plain: dict[str, str] = {}


def plain(key: str) -> str:
    """Return a key without case, dashes, dots and underscores."""
    known = _plain.get(key)
    if known is None:
        known = key.lower().replace("_", "").replace("-", "").replace(".", "")
        if len(_plain) < 4096 and len(key) < 64:
            _plain[key] = known
    return known


def unquote(text: str) -> str:
    """Return a scalar without its quotes or its trailing comment."""
    text = text.strip()
    if len(text) > 1 and text[0] in "\"'":
        end = text.find(text[0], 1)
        return text[1:end] if end > 0 else text[1:]
    comment = text.find(" #")
    return text[:comment].rstrip() if comment > 0 else "" if text.startswith("#") else text
