"""Lookup tables over all objects: what resolution needs, and nothing of the files' content."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from plantwin.private.facts import Edge, Facts, Private, private

LONGEST = 1024
"""Longer targets are not paths that a person wrote."""
DEEPEST = 24
"""How many enclosing folders a search climbs."""


def join(folder: str, target: str) -> str | None:
    """The target as a path below the root, or None when it leaves the root."""
    if len(target) > LONGEST:
        return None
    if "/." not in target and "//" not in target and target[:1] != "." and target[-1:] != "/":
        return f"{folder}/{target}" if folder else target
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def below(folder: str, name: str) -> str:
    """`folder/name`, where the root is the empty string."""
    return f"{folder}/{name}" if folder else name


def parent(folder: str) -> str:
    """The enclosing folder; the root encloses itself."""
    return folder.rpartition("/")[0]


def enclosing(folder: str) -> Iterator[str]:
    """The folder, its parents from near to far, and the root; bounded for absurdly deep trees."""
    for _ in range(DEEPEST):
        if not folder:
            break
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def shared_depth(one: str, other: str) -> int:
    """How many leading folders two folders share."""
    if one == other:
        return one.count("/") + 1 if one else 0
    depth = 0
    for left, right in zip(one.split("/"), other.split("/"), strict=False):
        if left != right or not left:
            break
        depth += 1
    return depth


def nearest(candidates: Sequence[int], at: int, folders: Sequence[str]) -> int:
    """The candidate that shares most folders with position `at`, the shallower one first.

    Positions follow the order of paths, so whatever shares the longest prefix with `at` stands
    next to it among the sorted candidates: a look at a few neighbours replaces a search.
    """
    if len(candidates) == 1:
        return candidates[0]
    folder = folders[at]
    middle = bisect_left(candidates, at)
    best, best_score = candidates[0], (-1, 0)
    for candidate in candidates[max(0, middle - 3) : middle + 3]:
        other = folders[candidate]
        score = (shared_depth(folder, other), -other.count("/"))
        if score > best_score:
            best, best_score = candidate, score
    return best


@private
class Node(NamedTuple):
    """One object of the index: its number, its place, what is known of it, and when it last changed."""

    number: int
    path: str
    facts: Facts
    changed: float
    """Unix seconds."""


@private
class Relations(NamedTuple):
    """The graph over node numbers. The most useful edges of each source come first."""

    edges: list[Edge]
    components: dict[int, str]
    """Node number to the local name of its component."""
    lacks: dict[int, tuple[str, ...]]
    """`Absence` words for what one would expect beside a node."""


Index = dict[str, int | list[int]]

CONVENTIONS: dict[str, Any] = json.loads(Path(__file__).with_name("conventions.json").read_bytes())


def words(convention: str) -> list[str]:
    """Return the words of a list in `conventions.json`."""
    return " ".join(CONVENTIONS[convention]).split()


def by_word(convention: str) -> dict[str, str]:
    """Turn a table `key: words` of `conventions.json` into a lookup by word."""
    return {word: key for key, listed in CONVENTIONS[convention].items() for word in listed.split()}


_FACES: tuple[str, ...] = tuple(words("faces"))
"""The file that stands for a folder, the most telling first."""

_STANDING = 3


def put(index: Index, key: str, position: int) -> None:
    """Add to an index whose keys mostly have one position: a list only where there are more."""
    known = index.get(key)
    if known is None:
        index[key] = position
    elif isinstance(known, int):
        index[key] = [known, position]
    else:
        known.append(position)


def positions(found: int | list[int] | None) -> Sequence[int]:
    """The positions of one index entry, in the order of paths."""
    if found is None:
        return ()
    return (found,) if isinstance(found, int) else found


class Lookup(Private):
    """Nodes by position (the order of paths), and by path, name, folder and provision."""

    __slots__ = (
        "_children",
        "_declared",
        "_stems",
        "_tails",
        "at",
        "bare",
        "changed",
        "extensions",
        "facts",
        "folders",
        "inside",
        "named",
        "names",
        "numbers",
        "paths",
        "provided",
        "tree",
    )

    def __init__(self, nodes: Iterable[Node]) -> None:
        ordered = sorted(nodes, key=itemgetter(1))
        if any(one[1] == other[1] for one, other in pairwise(ordered)):
            # Only the tables of one database share a path.
            ordered.sort(key=lambda node: (node.path, node.facts.part, node.number))
        self.numbers: list[int] = [node.number for node in ordered]
        self.paths: list[str] = [node.path for node in ordered]
        self.facts: list[Facts] = [node.facts for node in ordered]
        self.changed: list[float] = [node.changed for node in ordered]
        self.folders: list[str] = []
        self.names: list[str] = []
        self.extensions: list[str] = []
        self.at: dict[str, int] = {}
        """Path to position; of a database file, its first table."""
        self.bare: Index = {}
        """Path without its last extension."""
        self.named: Index = {}
        """File name, without folders."""
        self.inside: dict[str, list[int]] = {}
        """Folder to the positions directly in it."""
        self.tree: set[str] = {""}
        """Every folder, also those that hold folders only."""
        self.provided: dict[tuple[str, str], list[int]] = {}
        self._children: dict[str, list[str]] | None = None
        self._declared: dict[tuple[str, str], dict[str, list[int]]] = {}
        self._stems: set[str] | None = None
        self._tails: Index | None = None
        self._place()
        self._collect_provisions()

    def _place(self) -> None:
        inside, at, bare, named = self.inside, self.at, self.bare, self.named
        shared: dict[str, str] = {}
        for position, path in enumerate(self.paths):
            folder, _, name = path.rpartition("/")
            folder = shared.setdefault(folder, folder)
            stem, dot, extension = path.rpartition(".")
            if not dot or len(extension) >= len(name) or "/" in extension:
                stem, extension = path, ""
            else:
                extension = extension.lower()
            self.folders.append(folder)
            name = shared.setdefault(name, name)
            self.names.append(name)
            self.extensions.append(shared.setdefault(extension, extension))
            siblings = inside.get(folder)
            if siblings is None:
                inside[folder] = [position]
                self._grow(folder)
            else:
                siblings.append(position)
            if at.setdefault(path, position) == position:
                put(bare, stem, position)
                put(named, name, position)

    def _grow(self, folder: str) -> None:
        tree = self.tree
        while folder not in tree:
            tree.add(folder)
            folder = folder.rpartition("/")[0]

    def _collect_provisions(self) -> None:
        provided = self.provided
        for position, facts in enumerate(self.facts):
            if facts.part:
                provided.setdefault(("table", facts.part.lower()), []).append(position)
            for how, name in facts.provides:
                if how == "table":
                    name = name.lower()
                holders = provided.setdefault((how, name), [])
                if not holders or holders[-1] != position:
                    holders.append(position)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def stems(self) -> set[str]:
        """File names without their last extension: a cheap test whether a search can succeed."""
        if self._stems is None:
            self._stems = {name.rpartition(".")[0] or name for name in self.named}
        return self._stems

    @property
    def children(self) -> dict[str, list[str]]:
        """Folder to the folders directly in it, in order."""
        if self._children is None:
            self._children = {}
            for folder in sorted(self.tree):
                if folder:
                    self._children.setdefault(folder.rpartition("/")[0], []).append(folder)
        return self._children

    def declared(self, how: str, namespace: str) -> dict[str, list[int]]:
        """Who declares a namespace, by file name without extension."""
        key = (how, namespace)
        known = self._declared.get(key)
        if known is None:
            known = {}
            for position in self.provided.get(key, ()):
                known.setdefault(self.stem(position), []).append(position)
            if known:
                self._declared[key] = known
        return known

    @property
    def tails(self) -> Index:
        """The last folder and the file name, `auth/Token.java`, to positions."""
        if self._tails is None:
            tails: Index = {}
            for position, folder in enumerate(self.folders):
                put(tails, f"{folder.rpartition('/')[2]}/{self.names[position]}", position)
            self._tails = tails
        return self._tails

    def semantic_class(self, position: int) -> str:
        """The best class of the node, or nothing."""
        ranking = self.facts[position].ranking
        return ranking[0][0] if ranking else ""

    def stem(self, position: int) -> str:
        """The file name without its last extension."""
        name = self.names[position]
        extension = self.extensions[position]
        return name[: -len(extension) - 1] if extension else name

    def nearest(self, candidates: Sequence[int], at: int) -> int:
        """The candidate closest by folder."""
        return nearest(candidates, at, self.folders)

    def ending(self, suffix: str, most: int = 64) -> list[int]:
        """Positions of paths that end in `suffix`, a relative path with at least one folder."""
        folder, _, name = suffix.rpartition("/")
        found = positions(self.tails.get(f"{folder.rpartition('/')[2]}/{name}"))
        whole = "/" + suffix
        paths = self.paths
        return [position for position in found[:most] if paths[position] == suffix or paths[position].endswith(whole)]

    def faces(self, folder: str) -> tuple[int, ...]:
        """What stands for a folder: the file that says what it is, or its largest few."""
        at = self.at
        for name in _FACES:
            found = at.get(below(folder, name))
            if found is not None:
                return (found,)
        direct = self.inside.get(folder)
        if direct:
            return tuple(self.largest(direct, _STANDING))
        first = bisect_left(self.paths, folder + "/") if folder else 0
        if first < len(self.paths) and self.paths[first].startswith(folder + "/"):
            return (first,)
        return ()

    def largest(self, members: Sequence[int], most: int) -> list[int]:
        """The members with most content: where several stand for one name, these say most."""
        if len(members) <= most:
            return list(members)
        facts = self.facts
        return sorted(sorted(members[:512], key=lambda position: (-facts[position].size.bit_length(), position))[:most])
