"""Documents with their titles, and the releases that a changelog tells of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.list_inventory.links import Item
from plantwin.private.formats.documents import Section, passages, sections

_CHANGELOG = re.compile(r"(?i)(?:^|/)(?:changelog|changes|history|news|release[-_]?notes)(?:\.\w+)?$")
_TITLE = re.compile(r"(?m)\A---\s*\n(?:.*\n){0,40}?title:[ \t]*[\"']?(?P<title>[^\"'\n]+)")


def releases(file: Source) -> Iterator[Item]:
    """Yield the versions that a changelog tells of, in its order."""
    if not _CHANGELOG.search(file.label) or file.format not in ("markdown", "rst", "asciidoc", "text"):
        return
    parts = sections(file.format, file.text)
    for at, section in enumerate(parts):
        if re.search(r"\d+\.\d+", section.title):
            bodies = [section.body, *(f"{part.title}:\n{part.body}" for part in _below(parts, at))]
            lines = [line.strip(" -*#\t") for body in bodies for line in body.split("\n")]
            yield Item("release", section.title, " ".join(filter(None, lines))[:1500], file.label, section.line)


def _below(parts: Sequence[Section], at: int) -> Iterator[Section]:
    for part in parts[at + 1 :]:
        if part.level <= parts[at].level:
            return
        yield part


def documents(file: Source) -> Iterator[Item]:
    if file.format not in ("markdown", "rst", "asciidoc", "html"):
        return
    stated = _TITLE.search(file.text)
    titles = [passage.title for passage in passages(file.format, file.text) if passage.title]
    title = stated["title"] if stated else titles[0] if titles else file.label.rpartition("/")[2]
    yield Item("document", title, ", ".join(titles[:8]), file.label, 1)
