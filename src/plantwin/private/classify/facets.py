"""Environment, provider, ecosystem and database dialect of one object: public words that tell objects apart.

What a file is for is said by its name, its folders and words that it holds. The word with most evidence wins; a file
of which nothing is known has none. Rows are in `facets.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("facets.toml").read_text())
LOOKED_AT = 1 << 16
"""Bytes in which words are counted."""


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: name for name, words in table.items() for word in words.split()}


_ENVIRONMENTS = _by_word(TABLES["environments"])
_SURE = frozenset(TABLES["environment"]["sure"].split())
_CONTAINERS = frozenset(TABLES["environment"]["containers"].split())
_ECOSYSTEMS = _by_word(TABLES["ecosystems"])
_ECOSYSTEM_NAMES = _by_word(TABLES["ecosystem_names"])
_ECOSYSTEM_ENDS = _by_word(TABLES["ecosystem_ends"])
_PROVIDER_NAMES = _by_word(TABLES["provider_names"])
_PROVIDER_FOLDERS = {name: word for name, word in _PROVIDER_NAMES.items() if name.endswith("/")}

Needles = tuple[tuple[str, tuple[bytes, ...]], ...]


def _needles(table: Mapping[str, Sequence[str]]) -> Needles:
    return tuple((word, tuple(each.encode() for each in written)) for word, written in table.items())


_PROVIDERS = {form: _needles(rows) for form, rows in TABLES["providers"].items()}
_DIALECTS = {form: _needles(rows) for form, rows in TABLES["dialects"].items()}
_SEPARATOR = re.compile(r"[._\- ]+")
_PAGES = frozenset(
    {"html", "css", "markdown", "rst", "asciidoc", "text", "license", "lock", "log", "csv", "tsv", "jsonl"}
)
"""Formats whose words speak of things and are not written for them."""
_SETTINGS = frozenset({"config", "secret_container"})
_MANIFEST = re.compile(rb"^apiVersion:[ \t]*[\"']?[\w./-]+", re.MULTILINE)


class Facets(NamedTuple):
    """Words of the vocabulary, or nothing."""

    environment: str = ""
    provider: str = ""
    ecosystem: str = ""
    dialect: str = ""


def facets_of(path: str, form: str, kind: str, head: bytes) -> Facets:
    """What an object is for, as far as its path and words say."""
    lower = path.lower()
    return Facets(
        _environment(lower) if kind in _SETTINGS or form == "hcl" else "",
        _provider(lower, form, head[:LOOKED_AT]),
        _ecosystem(lower, form),
        _dialect(form, head[:LOOKED_AT]),
    )


def _environment(path: str) -> str:
    """The word nearest to the end of the path; one that may mean something else only beside what makes it clear."""
    folder, _, name = path.rpartition("/")
    clear = not _CONTAINERS.isdisjoint(folder.split("/"))
    parts = _SEPARATOR.split(name)
    settled = clear or len(parts) > 2
    for part in reversed(parts):
        found = _ENVIRONMENTS.get(part)
        if found and (part in _SURE or (settled if found != "shared" else clear)):
            return found
    return _folder_environment(folder)


@lru_cache(1 << 14)
def _folder_environment(folder: str) -> str:
    parts = folder.split("/")
    for place in range(len(parts) - 1, -1, -1):
        clear = not _CONTAINERS.isdisjoint(parts[:place])
        for part in (parts[place], *reversed(_SEPARATOR.split(parts[place]))):
            found = _ENVIRONMENTS.get(part)
            if found and (part in _SURE or clear) and part not in _CONTAINERS:
                return found
    return ""


def _ecosystem(path: str, form: str) -> str:
    name = path.rpartition("/")[2]
    found = _ECOSYSTEM_NAMES.get(name) or _ECOSYSTEMS.get(form)
    return found or next((word for end, word in _ECOSYSTEM_ENDS.items() if name.endswith(end)), "")


def _provider(path: str, form: str, head: bytes) -> str:
    known = _PROVIDER_NAMES.get(path.rpartition("/")[2])
    if known:
        return known
    for folder, word in _PROVIDER_FOLDERS.items():
        if path.startswith(folder) or f"/{folder}" in path:
            return word
    if form in _PAGES:
        return ""
    found = _most(_PROVIDERS.get(form, _PROVIDERS["text"]), head)
    if not found and form in ("yaml", "template") and _MANIFEST.search(head):
        return "kubernetes"
    return found


def _dialect(form: str, head: bytes) -> str:
    if form.startswith("sqlite"):
        return "sqlite"
    if form in _PAGES:
        return ""
    if form == "sql":
        return _most(_DIALECTS["sql"], head.upper())
    return _most(_DIALECTS["text"], head)


def _most(needles: Needles, text: bytes) -> str:
    """The word of which most is written; of equals the first of the table."""
    best, most = "", 0
    for word, written in needles:
        count = sum(map(text.count, written))
        if count > most:
            best, most = word, count
    return best
