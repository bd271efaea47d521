"""What a settings tree is: recognised by its keys in their places, never by its file name.

A dialect is a row of `dialects.toml`: the keys that a root must hold, and either what to count in it or the function
that reads it. The row or function answers whether the tree is really its own; the first that says so names it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

import msgspec

from plantwin.private.classify.readers.commands import image
from plantwin.private.classify.readers.draft import Draft
from plantwin.private.formats.values import Tree, strings, text_of, trees

_MAX_MEMBERS = 500
_MAX_ROWS = 200
"""Mappings of a list that are read."""
Reader = Callable[[Draft, Tree], bool]


class Dialect(msgspec.Struct, forbid_unknown_fields=True):
    """One row; its fields are explained at the top of the file."""

    keys: list[str]
    reader: str = ""
    present: list[str] = []
    mappings: list[str] = []
    shared: str = ""
    members: list[str] = []
    having: list[str] = []
    share: float = 0.0
    empty: bool = False
    count: str = ""
    least: int = 0
    when: dict[str, str] = {}
    add: dict[str, int] = {}
    sizes: dict[str, str] = {}
    counts: dict[str, str] = {}
    names: list[str] = []
    calls: list[str] = []
    headings: list[str] = []
    images: list[str] = []
    locks: list[str] = []
    files: dict[str, str] = {}
    member_files: dict[str, str] = {}

    def read(self, draft: Draft, tree: Tree) -> bool:
        """Read a tree that holds the keys; false where it is something else."""
        if self.reader:
            return function(self.reader)(draft, tree)
        if not self._accepts(tree):
            return False
        found = [member for path in self.members for member in mappings_at(tree, path)] if self.members else [tree]
        groups = [group.split() for group in self.having]
        members = [member for member in found if all(any(key in member for key in group) for group in groups)]
        if (not members and not self.empty) or len(members) < self.share * len(found):
            return False
        self._count(draft, tree, members)
        for key, reason in self.files.items():
            for target in strings(tree.get(key)):
                draft.refer_path(target, reason)
        for member in members[:_MAX_MEMBERS]:
            self._keep(draft, member)
        return True

    def _accepts(self, tree: Tree) -> bool:
        return (
            all(type(tree.get(key)) is dict for key in self.mappings)
            and all(any(True for _ in values_at(tree, path)) for path in self.present)
            and (not self.shared or len(tree.keys() & set(self.shared.split())) >= 2)
        )

    def _count(self, draft: Draft, tree: Tree, members: list[Tree]) -> None:
        for feature in self.count.split():
            draft.add(feature, max(len(members), self.least))
        for feature, key in self.when.items():
            draft.add(feature, sum(key in member for member in members))
        for feature, number in self.add.items():
            draft.add(feature, number)
        for feature, keys in self.sizes.items():
            draft.add(feature, sum(len(value) for key in keys.split() if type(value := tree.get(key)) is dict))
        for feature, path in self.counts.items():
            draft.add(feature, len(list(mappings_at(tree, path))))

    def _keep(self, draft: Draft, member: Tree) -> None:
        for paths in self.names:
            draft.name(first_text(member, paths))
        for paths in self.calls:
            draft.call(first_text(member, paths))
        for paths in self.headings:
            draft.heading(first_text(member, paths))
        for key in self.images:
            image(draft, member.get(key))
        for key, reason in self.member_files.items():
            draft.refer_path(member.get(key), reason)
        if self.locks:
            draft.lock(first_text(member, self.locks[0]), first_text(member, self.locks[1]))


def values_at(value: object, path: str) -> Iterable[object]:
    """Yield what stands at a path: `groups.*.rules.*`."""
    if not path:
        yield value
        return
    step, _, rest = path.partition(".")
    if step == "*" or (step == "[]" and type(value) is list):
        for member in trees(value):
            yield from values_at(member, rest)
    elif type(value) is dict and step in value:
        yield from values_at(value[step], rest)


def mappings_at(tree: Tree, path: str) -> Iterable[Tree]:
    """Yield the mappings that stand at a path."""
    return (value for value in values_at(tree, path) if type(value) is dict)


def first_text(tree: Tree, paths: str) -> str:
    """Return the first filled scalar at one of the paths."""
    for path in paths.split():
        for value in values_at(tree, path):
            if value:
                return text_of(value)
    return ""


@cache
def _rows() -> dict[str, list[Dialect]]:
    text = (Path(__file__).parent / "dialects.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, list[Dialect]])


@cache
def dialects() -> tuple[tuple[frozenset[str], Dialect], ...]:
    """Return the dialects of mappings in their order, each with the keys of one of its alternatives."""
    return tuple((frozenset(keys.split()), dialect) for dialect in _rows()["dialect"] for keys in dialect.keys)


@cache
def function(reader: str) -> Reader:
    """Return the function that a row names; its module is imported when such a file is first met."""
    module, _, name = reader.partition(".")
    found: Reader = getattr(import_module(f"plantwin.private.classify.readers.{module}"), name)
    return found


def read_mapping(draft: Draft, tree: Tree) -> bool:
    """Read a tree by the first dialect that accepts it."""
    keys = tree.keys()
    return any(required <= keys and dialect.read(draft, tree) for required, dialect in dialects())


def read_list(draft: Draft, rows: list[Tree]) -> bool:
    """Read the mappings of a list by the dialect that accepts the first of them."""
    for dialect in _rows()["list"]:
        if _read_row(dialect, draft, rows[0]):
            for row in rows[1:_MAX_ROWS]:
                _read_row(dialect, draft, row)
            return True
    return False


def _read_row(dialect: Dialect, draft: Draft, row: Tree) -> bool:
    held = not dialect.keys or any(row.keys() >= set(keys.split()) for keys in dialect.keys)
    return held and dialect.read(draft, row)
