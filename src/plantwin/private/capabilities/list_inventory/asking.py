"""Read which sorts of things a request asks for, and the words that say which of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from plantwin.private.capabilities.list_inventory.readers import TABLES, sort_of
from plantwin.private.facts import private
from plantwin.private.formats.values import words
from plantwin.private.selection.words import POLITE, STOP

_OPEN = ("setting", "class", "function")
"""What a question that names no sort may ask for: what is called so."""
GENERAL = ("endpoint", "package", "store", "service", "resource", "table")
"""What is listed where there is no question."""
_TOKEN = re.compile(r"[a-z0-9][\w.+#@/-]*", re.IGNORECASE)
_WHETHER = re.compile(r"(?i)\W*(?:is|are|was|were|does|do|did|has|have|can)\b")
_DEPENDS = re.compile(r"(?i)\b(?:depends?|rely|relies) on\b")
_TALKS = re.compile(r"(?i)\bdo(?:es)?\b.{0,60}\b(?:talk|connect|communicate|speak|integrate)s?\s+(?:to|with)\b")
_FOREIGN = re.compile(
    r"(?i)\b(?:external|third[- ]party|outside|remote|upstream|other)\s+(?:apis?|services?|systems?|hosts?|urls?)\b"
)
_OWN = re.compile(
    r"(?i)\b(?:which|what)\s+version\s+(?:is|of)\s+(?:this|it|the (?:project|app|software|code)).{0,30}$|\bversion\W*$"
)
_CLAUSE = re.compile(
    r"(?i)[,;?.]?\s+(?:and|but)\s+(?=(?:where|how|what|which|who|when|why|is|are|do|does|can)\b)|[;?]\s+(?=\w)"
)
"""Between two questions in one request."""
_KINDS = re.compile(
    r"(?i)\W*(?:which|what|how many)\b.{0,80}"
    r"\b(?:there|exists?|supported|available|supports?|have|has|offer|(?:kind|type)s|(?:kind|type)\s+of|all)\b"
    r"|\W*(?:list|show)\b"
)
DOCUMENTED = re.compile(r"(?i)\b(?:un)?document(?:s|ed|ation)?\b|\bdocs?\b|\breadme\b|\bman(?:ual)?(?: page)?\b")
"""Whether what is there is told of in documents: `is every option documented`."""
_NAMING = frozenset(("which", "what", "list", "name", "show", "how"))
_VERSION = frozenset(("version", "versions"))
PRODUCTS = words("node nodejs npm pnpm yarn bun python ruby java go golang php rust dotnet net terraform")
"""What has a version of its own that a project needs, whatever packages are called after it."""

_PAIR = re.compile(r"([a-z][\w.+#-]*)\s*(?:\band\b|&|,|\+)\s*([a-z][\w.+#-]*)")
"""Two things that are asked for at once: `ruby and rails version`."""


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
    whether = bool(_WHETHER.match(request))
    parts = [list(_tokens(part)) for part in _CLAUSE.split(request)] if named else [list(_tokens(request))]
    known = _sorts_by_word()
    named_in = [part for part in parts if any(token in known for token in part)]
    # `are they pinned, and which version do I need`: the part that asks for things by their names.
    tokens = next((part for part in named_in if part and part[0] in _NAMING), (named_in or parts)[0])
    whether = whether and not (len(parts) > 1 and tokens and tokens[0] in _NAMING)
    framed = _framed(request, tokens) if named else None
    if framed is not None:
        return framed._replace(whether=whether)
    place = next((at for at, token in enumerate(tokens) if token in known), None) if named else None
    if place is None:
        return Asked(_OPEN, False, tuple(_telling(tokens, "")), whether)
    run = [place]
    while run[-1] + 1 < len(tokens) and tokens[run[-1] + 1] in known:
        run.append(run[-1] + 1)
    sorts = known[tokens[run[-1]]]
    for at in reversed(run[:-1]):  # `provider versions`: versions of providers
        sorts = sorts & known[tokens[at]] or sorts
    for token in tokens[run[-1] + 1 :]:  # `which jobs run in CI`
        sorts = sorts & known.get(token, sorts) or sorts
    version = not _VERSION.isdisjoint(tokens)  # of which language is what such a question asks
    light = "" if version else " ".join(str(sort_of(sort).get("light", "")) for sort in sorts)
    rest = [
        token
        for at, token in enumerate(tokens)
        if at not in run and not (known.get(token, sorts) & sorts and token in known)
    ]
    which = tuple(_telling(rest, light))
    if version and not PRODUCTS.isdisjoint(which):
        beside = [word for pair in _PAIR.findall(request.lower()) if not PRODUCTS.isdisjoint(pair) for word in pair]
        others = [word for word in which if word in beside and word not in PRODUCTS]
        which = tuple(word for word in which if word in PRODUCTS or word in others)
        sorts = frozenset(["runtime", "package", "provider"] if others else ["runtime"])
    chosen = tuple(sort for sort in TABLES["sort"] if sort in sorts)
    return Asked(chosen, True, which, whether, version)


def kinds(request: str) -> bool:
    """Return whether a request asks for all of a kind that has no word here: `what kinds of agents are there`."""
    return bool(_KINDS.match(request))


def _tokens(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        yield token.rstrip(".-/").lower()


def _framed(request: str, tokens: list[str]) -> Asked | None:
    """Return what is asked for by a turn of speech rather than by the name of a sort."""
    light = str(sort_of("address")["light"])
    stores = any(_sorts_by_word().get(token) == frozenset(["store"]) for token in tokens)
    known = _sorts_by_word()
    if DOCUMENTED.search(request) and any("option" in known.get(token, ()) for token in tokens):
        return Asked(("option",), True, (), False)
    if _FOREIGN.search(request):
        return Asked(("store", "address"), True, tuple(_telling(tokens, light)), False)
    if _TALKS.search(request) and not stores:
        return Asked(("service", "store", "address"), True, tuple(_telling(tokens, light)), False)
    if _OWN.search(request) and PRODUCTS.isdisjoint(tokens):
        which = tuple(_telling(tokens, str(sort_of("own")["light"])))
        return None if which else Asked(("own",), True, (), False)
    if _DEPENDS.search(request) and not any(token in _sorts_by_word() for token in tokens):
        return Asked(("package", "store"), True, tuple(_telling(tokens, "depend depends rely relies")), False)
    return None


def _telling(tokens: Iterable[str], light: str) -> Iterator[str]:
    little = {*TABLES["light"].split(), *light.split()} | STOP | POLITE
    little -= {"go", "often"} if not light else {"often"}  # a language, where versions are asked for; an interval
    yield from dict.fromkeys(
        token for token in tokens if token not in little and len(token) > 1 and not token.isdigit()
    )
