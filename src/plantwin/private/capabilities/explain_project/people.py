"""Who maintains a project, by what its files say of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence

import msgspec

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.formats.values import Tree, strings, tree_of

_FILES = re.compile(r"(?i)(?:^|/)(?:maintainers|authors|codeowners|owners)(?:\.(?:md|txt|rst))?$")
_LINE = re.compile(r"\S*[A-Za-z@]{2}[^\n]{0,160}")
_STATED = re.compile(r"(?m)^(?:Maintainer|Uploaders):[ \t]*(?P<name>[^\n]{3,120})")
"""A line of a Debian control file."""
_GEM = re.compile(r"(?m)\.authors?\s*=\s*(?P<name>[^\n]{3,160})")
_DEVELOPER = re.compile(r"<developer>.{0,400}?<name>(?P<name>[^<\n]{2,80})</name>", re.DOTALL)
_TITLE = re.compile(r"(?i)^\W*(?:maintainers?|authors?|code ?owners?|owners?|emeritus.*)\W*$")
LISTED = 8


def maintainers(texts: Sequence[Source]) -> Iterator[tuple[str, str]]:
    """Yield whom files name as maintainers, owners or authors, and which file does; those at the top first."""
    for each in sorted(texts, key=lambda each: (not _FILES.search(each.label), each.label.count("/"), each.label)):
        if each.label.count("/") < 3 and not each.rehearsal:
            for name in dict.fromkeys(filter(str.strip, _named(each))):
                yield name, each.label


def _named(file: Source) -> Iterator[str]:
    name = file.label.rpartition("/")[2]
    if _FILES.search(file.label):
        lines = [line.strip(" -*|\t") for line in file.text.split("\n") if not line.lstrip().startswith(("#", "//"))]
        yield from [line for line in lines if _LINE.match(line) and not _TITLE.match(line)][:LISTED]
    elif name in ("package.json", "composer.json"):
        yield from _declared(_json(file.text))
    elif name in ("pyproject.toml", "Cargo.toml"):
        found = _toml(file.text)
        for tree in (found.get("project"), tree_of(found.get("tool")).get("poetry"), found.get("package")):
            yield from _declared(tree_of(tree))
    elif name == "control":
        yield from _STATED.findall(file.text)
    elif name.endswith(".gemspec"):
        yield from (" ".join(re.findall(r"[\"']([^\"']+)[\"']", match)) or "" for match in _GEM.findall(file.text))
    elif name == "pom.xml":
        yield from _DEVELOPER.findall(file.text[:100_000])


def _declared(tree: Tree) -> Iterator[str]:
    for key in ("maintainers", "author", "authors"):
        value = tree.get(key)
        for one in value if isinstance(value, list) else [value]:
            yield from strings(one)
            parts = [str(part) for part in (tree_of(one).get("name"), tree_of(one).get("email")) if part]
            yield from [" ".join(parts)] if parts else []


def _json(text: str) -> Tree:
    try:
        return tree_of(msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}


def _toml(text: str) -> Tree:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
