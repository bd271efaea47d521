"""What files declare, as things: blocks of HCL, named parts of maps and lists, and each file, documents by sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.facts import private
from plantwin.private.formats import hcl
from plantwin.private.formats.document import LIST, MAP, Document, Node, read, walk
from plantwin.private.formats.documents import FORMATS as PAGES
from plantwin.private.formats.documents import sections
from plantwin.private.formats.settings import Setting
from plantwin.private.selection.words import stem

FORMATS: Final = frozenset(("yaml", "hcl", "toml", "ini", "env", "systemd"))
"""Formats of settings whose parts are things: JSON mostly holds data."""
DEEPEST: Final = 6
"""How deep things lie in a file."""
LONGEST: Final = 300
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NAMES = ("name", "id", "alert", "record", "job_name", "title", "key", "repo", "hosts", "uses", "metadata.name")
_NAME_KINDS = {"alert": "alert", "record": "record", "repo": "repo", "hosts": "play"}
"""Keys by which an item of a list is called; some of them also say what it is."""


@private
class Thing(NamedTuple):
    """Something that a file declares, with what it sets: each setting as its path, its value and its line."""

    kinds: tuple[str, ...]
    name: str
    place: str
    line: int
    settings: tuple[Setting, ...]

    @property
    def words(self) -> frozenset[str]:
        """Words of its name and of where it stands."""
        return stems(f"{self.name} {self.place}")


def singular(word: str) -> str:
    """Return what one of several is called, roughly."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return re.sub(r"(?:(?<=ss)|(?<=x)|(?<=[cs]h))es$|(?<!s)s$", "", word) if len(word) > 3 else word


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, names in several words among them."""
    return frozenset(stem(piece.lower()) for piece in _WORDS.findall(text))


def things(file: Source) -> Iterator[Thing]:
    """Yield what a file declares, and the file itself."""
    every: list[Setting] = []
    if file.format in PAGES and file.format != "html":
        every = [Setting(each.title, "section", each.line) for each in sections(file.format, file.text) if each.title]
    elif file.format == "hcl":
        for block in hcl.blocks(Document(file, "hcl")).blocks:
            kinds = (block.type, *_pieces(block.labels[0])) if len(block.labels) > 1 else (block.type,)
            name = block.address if len(block.labels) > 1 else (block.labels or [block.type])[0]
            own = tuple(_of_block(block, ""))
            every += own
            yield Thing(tuple(map(singular, kinds)), name, file.label, block.line, own)
    elif file.format in FORMATS:
        document = read(file)
        for root in document.roots:
            every += list(_of(root))
            kind = root.value("kind")
            if kind and root.at("metadata") is not None:
                words = [word.lower() for word in _WORDS.findall(kind)]
                kinds = ("object", "workload", "manifest", *map(singular, words))
                name = root.value("metadata", "name") or file.label
                yield Thing(kinds, f"{kind} {name}", file.label, root.line, tuple(_of(root)))
            yield from _parts(root, _pieces(file.label.rpartition("/")[2].partition(".")[0]), file.label, 0)
    folder, _, name = file.label.rpartition("/")
    named = [*_pieces(folder), *_pieces(name)]
    yield Thing((*map(singular, named), "file"), file.label, file.label, 1, tuple(every))


def _pieces(text: str) -> list[str]:
    return [piece for piece in re.split(r"[\W_]+", text.lower()) if piece]


def _parts(node: Node, outer: Sequence[str], place: str, depth: int) -> Iterator[Thing]:
    """Yield the named parts of a tree: those of a map whose values are maps, and items of a list that have a name."""
    if depth > DEEPEST:
        return
    if node.kind == MAP:
        for key, child in node.map.items():
            under = [each for each in child.map.values() if each.kind == MAP]
            if child.kind == MAP and under and 2 * len(under) >= len(child.map):
                for name, each in child.map.items():
                    settings = tuple(_of(each))
                    yield Thing((singular(key.lower()),), name, place, child.line_of(name), settings)
            yield from _parts(child, [key], place, depth + 1)
    elif node.kind == LIST:
        maps = [item for item in node.items if item.kind == MAP]
        names = [next((name for name in _NAMES if item.value(*name.split("."))), "") for item in maps]
        mostly = 2 * sum(map(bool, names)) >= len(maps)
        for item, name in zip(maps, names, strict=True):
            if mostly:  # those without a name among them
                kinds = [*outer[-1:], *(_NAME_KINDS[key] for key in _NAME_KINDS if item.value(key))]
                called = item.value(*name.split(".")) if name else next(iter(item.map), "")
                yield Thing(tuple(singular(kind.lower()) for kind in kinds), called, place, item.line, tuple(_of(item)))
            yield from _parts(item, outer, place, depth + 1)


def _of(node: Node) -> Iterator[Setting]:
    for path, at, child in walk(node):
        if path and child.kind not in (MAP, LIST):
            yield Setting(".".join(part for part in path if not part.isdigit()), child.text[:LONGEST], at)
        elif path and not child.map and not child.items:
            yield Setting(".".join(path), "{}", at)


def _of_block(block: hcl.Block, path: str) -> Iterator[Setting]:
    for key, node in block.attributes.items():
        if node.kind in (MAP, LIST):
            yield from (setting._replace(path=f"{path}{key}.{setting.path}") for setting in _of(node))
            yield Setting(f"{path}{key}", ", ".join(item.text for item in node.items)[:LONGEST] or "set", node.line)
        else:
            yield Setting(f"{path}{key}", node.text[:LONGEST], node.line)
    for inner in block.blocks:
        yield Setting(f"{path}{inner.type}", "set", inner.line)
        yield from _of_block(inner, f"{path}{inner.type}.")
