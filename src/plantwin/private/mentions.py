"""Which objects a goal speaks of: by path, by file name, by what they are. Local: only ids cross."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from plantwin.boundary.goal import intents
from plantwin.private.records import Record
from plantwin.vocabulary import CapabilityName

MAX_GOAL = 4000
"""Characters of a goal that are looked at."""
GENERIC = frozenset(
    [
        "module",
        "file",
        "script",
        "config",
        "configuration",
        "record",
        "records",
        "document",
        "documents",
        "log",
        "logs",
        "data",
        "table",
        "code",
        "test",
        "tests",
        "component",
        "page",
        "spec",
        "source",
        "event",
        "model",
        "set",
        "general",
        "job",
        "tool",
        "build",
        "base",
        "example",
        "record",
        "access",
    ]
)
"""Words of class names that say too little by themselves to mean a class."""
COMMON = frozenset(
    [
        "index",
        "main",
        "init",
        "readme",
        "config",
        "setup",
        "utils",
        "util",
        "test",
        "tests",
        "data",
        "app",
        "types",
        "models",
        "model",
        "common",
        "base",
        "core",
        "compare",
        "review",
        "check",
        "with",
        "from",
        "this",
        "that",
        "what",
        "find",
        "look",
        "security",
        "payment",
        "report",
    ]
)
"""File stems that are ordinary words: they name a file only together with its suffix."""
PREFIX = 4
"""Letters that a goal's word must share with a class word: `auth` means `authentication`."""

_token = re.compile(r"[\w./*@+-]+")


class Mentioned(NamedTuple):
    """How much a goal speaks of each object (by number), and which of them it may not have meant."""

    weights: dict[int, int]
    ambiguous: frozenset[int]

    def __repr__(self) -> str:
        return "<Mentioned private>"


def mentions(goal: str, records: Sequence[Record]) -> Mentioned:
    """Objects that the goal names; a name that fits several makes all of them ambiguous."""
    tokens = [token.strip(".,-") for token in _token.findall(goal[:MAX_GOAL])]
    weights: dict[int, int] = {}
    unsure: set[int] = set()
    by_name: dict[str, list[Record]] = {}
    for record in records:
        path = PurePosixPath(record.path)
        for key in {path.name.lower(), *_stem(path)}:
            by_name.setdefault(key, []).append(record)
    for token in tokens:
        low = token.lower().rstrip("/")
        found = _by_path(low, records) if "/" in low else by_name.get(low, [])
        if found and "/" not in low and intents(low, frozenset(CapabilityName)):
            # It says what to do: a file is meant only where this is its whole name.
            found = [record for record in found if PurePosixPath(record.path).name.lower() == low]
        for record in found:
            weights[record.number] = max(weights.get(record.number, 0), 100)
        files = {record.path for record in found}
        if len(files) > 1 and not token.endswith("/") and "/" not in low:
            unsure |= {record.number for record in found}
    words = [token.lower() for token in tokens if token.isalpha()]
    meant = {leaf for leaf in {record.semantic_class for record in records} if _means(words, leaf)}
    for record in records:
        if record.semantic_class in meant:
            weights.setdefault(record.number, 60 if record.role == "production" else 20)
    return Mentioned(weights, frozenset(unsure))


def _stem(path: PurePosixPath) -> list[str]:
    stem = path.name.split(".")[0].lower()
    return [stem] if len(stem) >= PREFIX and stem not in COMMON else []


def _by_path(text: str, records: Sequence[Record]) -> list[Record]:
    """A path, the end of one, or a folder; also a longer one, as seen from outside the root."""
    wanted = "/" + text.removeprefix("./").strip("/")
    return [record for record in records if _leads(wanted, f"/{record.path.lower()}")]


def _leads(wanted: str, path: str) -> bool:
    return path.endswith(wanted) or f"{wanted}/" in path or wanted.endswith(path)


def _means(words: Sequence[str], leaf: str) -> bool:
    """Whether words of the goal mean a class: each of its telling words begins like one of them."""
    telling = [word for word in leaf.split("_") if word not in GENERIC]
    return bool(telling) and all(any(_alike(word, each) for word in words) for each in telling)


def _alike(word: str, of_class: str) -> bool:
    if word == of_class or word.rstrip("s") == of_class.rstrip("s"):
        return True
    short = min(len(word), len(of_class))
    return short >= PREFIX and (of_class.startswith(word) or word.startswith(of_class))
