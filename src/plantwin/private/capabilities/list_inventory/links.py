"""One thing that a file declares; and links between files, which may lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import unquote

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.facts import private

_LINK = re.compile(
    r"(?<!!)\[[^\]\n]{0,300}\]\(([^()\s]{1,300})(?:\s++[\"'][^\n]{0,300}?[\"'])?\)"
    r"|^\[[^\]\n^]{1,100}\]:[ \t]*(\S{1,300})"
    r"|<a\s[^>\n]{0,200}?href=[\"']([^\"'\s]{1,300})[\"']|!\[[^\]\n]{0,300}\]\(([^()\s]{1,300})\)",
    re.MULTILINE,
)
_ELSEWHERE = re.compile(
    r"(?i)[a-z][a-z0-9+.-]*:|/|#|.*[{}$%<]|mailto|\d+$|.*\.(?:png|jpe?g|gif|svg|webp|ico|pdf|zip|gz|mp4|woff2?)(?:[?#]|$)"
)
"""Targets that are no text of the folder: other hosts, paths of a site, images, what a template fills in."""


@private
class Item(NamedTuple):
    """One thing that a file declares."""

    sort: str
    name: str
    detail: str
    place: str
    line: int
    aside: bool = False
    """Whether it is for development, or exact where another file asks for a range."""
    about: str = ""
    """What the comment beside it says."""


def links(file: Source) -> Iterator[Item]:
    """Yield links to other files, by what they lead to; those to other hosts are not looked up."""
    if file.format not in ("markdown", "html", "rst", "asciidoc") or (file.rehearsal and file.format == "html"):
        return
    fenced = re.compile(r"(?ms)^(```|~~~).*?(?:^\1|\Z)|`[^`\n]++`|<!--.*?(?:-->|\Z)")
    text = fenced.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), file.text)
    for match in _LINK.finditer(text):
        target = next(filter(None, match.groups()), "").strip("<> ")
        if target and not _ELSEWHERE.match(target):
            yield Item("link", target, "", file.label, text.count("\n", 0, match.start()) + 1)


def leads_nowhere(item: Item, known: frozenset[str]) -> bool:
    """Return whether no file or folder of the folder is what a link leads to; sites may add or leave out an ending."""
    target = unquote(re.split(r"[?#]", item.name, maxsplit=1)[0]).strip()
    if not target:
        return False
    path = normpath(f"{item.place.rpartition('/')[0]}/{target}".lstrip("/"))
    bare = re.sub(r"\.(?:html?|md)$", "", path)
    near = bare.rpartition("/")[2].lower()
    return not (
        path.startswith("..")
        or {path, bare, f"{bare}/index", f"{bare}/readme"} & known
        or (near and f"*{near}" in known)
    )


def known_places(labels: Iterable[str]) -> frozenset[str]:
    """Return what links may lead to: files, their folders, and files without an ending; `*` and the last part alone."""
    found: set[str] = {"."}
    for label in labels:
        bare = re.sub(r"\.\w+$", "", label)
        folders = [label[:at] for at, letter in enumerate(label) if letter == "/"]
        found |= {label, bare, bare.lower(), *folders, f"*{bare.rpartition('/')[2].lower()}"}
        found |= {f"*{folder.rpartition('/')[2].lower()}" for folder in folders}
    return frozenset(found)
