"""Trees of settings: their parts, and one bounded walk over their leaves."""

from __future__ import annotations

import re
from typing import TypeGuard

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.words import words

Tree = dict[str, object]

ENVIRONMENTS = words(
    "default local development dev test testing ci qa uat integration staging stage sandbox preprod preproduction "
    "production prod live canary dr"
)

_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

_TRUE = frozenset({"true", "yes", "on", "True", "TRUE", "enabled"})
_FALSE = frozenset({"false", "no", "off", "False", "FALSE", "disabled", "none", "None", "disable"})


def is_tree(value: object) -> TypeGuard[Tree]:
    """A mapping of a decoded document (its keys are always strings)."""
    return type(value) is dict


def trees(value: object) -> list[Tree]:
    """The mappings of a list, or a mapping's mappings."""
    if type(value) is list:
        return [each for each in value if type(each) is dict]
    if type(value) is dict:
        return [each for each in value.values() if type(each) is dict]
    return []


def strings(value: object) -> list[str]:
    """A string, or the strings of a list."""
    if type(value) is str:
        return [value]
    return [each for each in value if type(each) is str] if type(value) is list else []


def text_of(value: object) -> str:
    """A scalar as a file would write it; nothing for what is not a scalar."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[return-value]
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        return str(value) if kind is float or -(1 << 63) <= value < 1 << 64 else ""  # type: ignore[operator]
    return ""


def truth(value: object) -> bool | None:
    """True or false where a setting says so in any spelling."""
    if type(value) is bool:
        return value
    if type(value) is str:
        return True if value in _TRUE else False if value in _FALSE else None
    return None


def is_number(value: object) -> bool:
    """A number, or a short string that writes one."""
    kind = type(value)
    if kind is int or kind is float:
        return True
    return isinstance(value, str) and 0 < len(value) < 25 and _NUMBER.fullmatch(value) is not None


_plain: dict[str, str] = {}


def plain(key: str) -> str:
    """A key without case, dashes, dots and underscores."""
    known = _plain.get(key)
    if known is None:
        known = key.lower().replace("_", "").replace("-", "").replace(".", "")
        if len(_plain) < 4096 and len(key) < 64:
            _plain[key] = known
    return known


def environment_sections(draft: Draft, tree: Tree) -> None:
    """Count sections named after environments: two make a set."""
    for level in (tree, *trees(tree)[:20]):
        found = [key for key, value in level.items() if key.lower() in ENVIRONMENTS and type(value) is dict]
        if len(found) >= 2:
            draft.add("env_section", len(found))
            return
