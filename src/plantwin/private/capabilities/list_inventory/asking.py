"""Read which sorts of things a request asks for, and the words that say which of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from plantwin.private.capabilities.list_inventory.readers import TABLES, sort_of
from plantwin.private.facts import private
from plantwin.private.selection.words import POLITE, STOP

_OPEN = ("setting", "class", "function")
"""What a question that names no sort may ask for: what is called so."""
GENERAL = ("endpoint", "package", "store", "service", "resource", "table")
"""What is listed where there is no question."""
_TOKEN = re.compile(r"[a-z0-9][\w.+#@/-]*", re.IGNORECASE)
_WHETHER = re.compile(r"(?i)\W*(?:is|are|was|were|does|do|did|has|have|can)\b")
_DEPENDS = re.compile(r"(?i)\b(?:depends?|rely|relies) on\b")
_VERSION = frozenset(("version", "versions"))


@private
class Asked(NamedTuple):
    """What a request asks for."""

    sorts: tuple[str, ...]
    named: bool
    """Whether it names a sort."""
    words: tuple[str, ...]
    """Words that say which of them."""
    whether: bool
    versions: bool = False
    """Whether it asks for versions."""


@cache
def _sorts_by_word() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sort, row in TABLES["sort"].items():
        for word in row["words"].split():
            found.setdefault(word, set()).add(sort)
    return {word: frozenset(sorts) for word, sorts in found.items()}


def asked(request: str, *, named: bool = True) -> Asked:
    """Return which sorts a request names, and the words that say which of them: `API routes of the shop`.

    `named`: whether sorts are looked for; else every word says what a setting is called.
    """
    request = re.sub(r"(?i)\bcommand[- ]line\b", " ", request)
    tokens = [token.rstrip(".-/").lower() for token in _TOKEN.findall(request)]
    known = _sorts_by_word()
    whether = bool(_WHETHER.match(request))
    place = next((at for at, token in enumerate(tokens) if token in known), None) if named else None
    if place is None and named and _DEPENDS.search(request):
        return Asked(("package", "store"), True, tuple(_telling(tokens, "depend depends rely relies")), whether)
    if place is None:
        return Asked(_OPEN, False, tuple(_telling(tokens, "")), whether)
    run = [place]
    while run[-1] + 1 < len(tokens) and tokens[run[-1] + 1] in known:
        run.append(run[-1] + 1)
    sorts = known[tokens[run[-1]]]
    for at in reversed(run[:-1]):  # `provider versions`: versions of providers
        sorts = sorts & known[tokens[at]] or sorts
    version = not _VERSION.isdisjoint(tokens)  # of which language is what such a question asks
    light = "" if version else " ".join(str(sort_of(sort).get("light", "")) for sort in sorts)
    rest = [
        token
        for at, token in enumerate(tokens)
        if at not in run and not (known.get(token, sorts) & sorts and token in known)
    ]
    chosen = tuple(sort for sort in TABLES["sort"] if sort in sorts)
    return Asked(chosen, True, tuple(_telling(rest, light)), whether, version)


def _telling(tokens: Iterable[str], light: str) -> Iterator[str]:
    little = {*TABLES["light"].split(), *light.split()} | STOP | POLITE
    little -= {"go"} if not light else set()  # a language, where versions are asked for
    yield from dict.fromkeys(
        token for token in tokens if token not in little and len(token) > 1 and not token.isdigit()
    )
