"""What names in source code tell, from `meanings.json`: calls, packages, decorators, base classes, resource types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MEMO_LIMIT = 20_000


class Package(NamedTuple):
    """What a package is known for."""

    feature: str
    """Empty when only its methods tell something."""
    group: str
    """The methods and marks that it switches on; empty for none."""


_tables: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_suffix(".json").read_bytes())


def _rows(table: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the keys of a table with their words."""
    for key, lines in _tables[table].items():
        if key != "about":
            yield key, " ".join(lines).split()


def _by_word(table: str) -> dict[str, str]:
    return {word: key for key, words in _rows(table) for word in words}


def _packages() -> dict[str, Package]:
    packages: dict[str, Package] = {}
    for key, names in _rows("packages"):
        feature, _, group = key.partition(" ")
        package = Package("" if feature == "-" else feature, group)
        packages.update(dict.fromkeys(names, package))
    return packages


def _grouped(table: str) -> dict[str, dict[str, str]]:
    """Return name to feature by group; the first row of a group wins."""
    grouped: dict[str, dict[str, str]] = {}
    for key, names in _rows(table):
        group, _, feature = key.partition(" ")
        for name in names:
            grouped.setdefault(name, {}).setdefault(group, feature)
    return grouped


CALLS = _by_word("calls")
METHODS = _by_word("methods")
GROUPED_METHODS = _grouped("grouped_methods")
DECORATORS = _by_word("decorators")
BASES = _by_word("bases")
GROUPED_MARKS = _grouped("grouped_marks")
OPENERS = {name.encode(): reason for name, reason in _by_word("openers").items()}
"""The last part of a call that takes a path -> why it refers to it."""
RESOURCES = _by_word("resources")
PACKAGES = _packages()
TEST_CALLS = frozenset(_by_word("test_calls"))
ROUTERS, VERBS, LOGGERS, LEVELS = (frozenset(words) for _, words in _rows("receivers"))

_tail = re.compile(r"(?:[./\\]|::?)[^./\\:]*$")
_version = re.compile(r"/v\d+(?=/|$)")
_memo: dict[tuple[str, str], Package | None] = {}


def package(ecosystem: str, name: str) -> Package | None:
    """Return what the package, or the nearest prefix of its name, is known for."""
    key = (ecosystem, name)
    if key in _memo:
        return _memo[key]
    if len(_memo) > MEMO_LIMIT:
        _memo.clear()
    found = None
    rest = _version.sub("", name[:200]).replace("\\", ".")
    for _ in range(8):
        found = PACKAGES.get(rest) or PACKAGES.get(f"{ecosystem}:{rest}")
        shorter = _tail.sub("", rest)
        if found or shorter == rest:
            break
        rest = shorter
    _memo[key] = found
    return found


def resource_feature(resource: str) -> str:
    """Return the feature of a declared resource type such as `aws_db_instance`; empty when no word tells."""
    words = resource.lower().split("_")
    words = words[1:] or words
    for position, word in enumerate(words):
        feature = RESOURCES.get("_".join(words[position : position + 2])) or RESOURCES.get(word)
        if feature:
            return feature
    return ""
