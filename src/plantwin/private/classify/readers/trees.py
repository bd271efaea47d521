"""JSON, YAML and TOML: parsed to trees, then named by what their structure says they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

import msgspec

from plantwin.private.classify.readers.draft import Draft, image
from plantwin.private.classify.readers.logs import event_list
from plantwin.private.classify.readers.settings import environment_sections, survey
from plantwin.private.classify.readers.tables import describe_records
from plantwin.private.facts import Sample
from plantwin.private.formats import json as json_format
from plantwin.private.formats import toml as toml_format
from plantwin.private.formats import yaml as yaml_format
from plantwin.private.formats.text import LIMIT, READ, complete, head_text
from plantwin.private.formats.values import Tree, is_tree, strings, text_of, trees

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


_HEADER = re.compile(r"([A-Z][A-Za-z0-9-]{1,40}):(?: (.{0,2000})|$)")
_MAX_HEADERS = 2000


def are_headers(text: str) -> bool:
    """Return whether the text starts with at least three headers, and only continued lines among them."""
    found = 0
    for line in text[:4000].split("\n")[:12]:
        if not line:
            break
        if line[0] in " \t":
            continue
        if _HEADER.match(line) is None:
            return False
        found += 1
    return found >= 3


def read_headers(text: str, draft: Draft) -> None:
    """Read headers as settings; a package's name and what it requires."""
    from plantwin.private.classify.readers.packages import requirement

    package = text.startswith(("Metadata-Version:", "Package:", "Source:"))
    for line in text.split("\n")[:_MAX_HEADERS]:
        match = _HEADER.match(line)
        if match is None:
            if not line and text.startswith("Metadata-Version:"):
                return  # What follows is the package's own description.
            continue
        name, value = match[1], (match[2] or "").strip()
        draft.add("key")
        draft.name(name)
        draft.setting(name, value)
        if package and name in ("Name", "Package", "Source"):
            draft.provide("package", value)
        elif package and name == "Requires-Dist":
            requirement(draft, value)
        elif package and name in ("Depends", "Build-Depends"):
            for wanted in value.split(",")[:100]:
                requirement(draft, wanted)


def recognise(draft: Draft, documents: list[object]) -> None:
    """Outline decoded documents: by the dialect of each, as data, or as plain settings."""
    for document in documents:
        if is_tree(document):
            _recognise_tree(draft, document)
        elif type(document) is list:
            _recognise_list(draft, document)
        elif type(document) is str and document and len(documents) == 1:
            # A lone scalar is what YAML makes of prose.
            draft.outline.parsed = draft.outline.parsed and draft.outline.format == "json"


def _recognise_tree(draft: Draft, tree: Tree) -> None:
    if not (
        read_mapping(draft, tree) or function("builds.known")(draft, tree) or function("pipelines.gitlab")(draft, tree)
    ):
        environment_sections(draft, tree)
        if function("catalogs.plain_catalog")(draft, tree):
            return
    survey(draft, tree)


def _recognise_list(draft: Draft, items: list[object]) -> None:
    rows = trees(items)
    if not rows or read_list(draft, rows):
        survey(draft, items)
    elif not function("security.finding_list")(draft, {"": items}):
        event_list(draft, rows)
        describe_records(draft, rows, total=len(items))


def read_json(sample: Sample, draft: Draft) -> None:
    """Read one JSON value, or one per line."""
    text = head_text(sample, LIMIT)
    value, draft.outline.parsed = json_format.load(text, complete(sample, LIMIT))
    if value is None and text.lstrip().startswith("{") and "\n{" in text:
        from plantwin.private.classify.readers.tables import read_jsonl

        draft.outline.parsed = True
        read_jsonl(sample, draft)
    else:
        recognise(draft, [value])


def read_yaml(sample: Sample, draft: Draft) -> None:
    """Read YAML documents, templates of them included."""
    text = head_text(sample, LIMIT)
    documents, sound = yaml_format.load(text)
    if are_headers(text) and (not sound or text.startswith(("Source:", "Package:", "Metadata-Version:"))):
        read_headers(text, draft)
        return
    if not sound:
        # What parses is not a template, even where its strings hold expressions for a later tool.
        draft.add("template_tag", text.count("{{") - text.count("${{") + text.count("{%"))
    draft.outline.parsed = sound or "template_tag" in draft.features or len(text) > yaml_format.WHOLE
    for line in _comments(text):
        if "TODO" in line or "FIXME" in line:
            draft.add("todo")
    recognise(draft, documents)


def read_toml(sample: Sample, draft: Draft) -> None:
    """Read TOML, lock files by lines."""
    if sample.head.count(b"\n[[package]]\n", 0, READ) >= 2:
        from plantwin.private.classify.readers.packages import read_lock

        read_lock(sample, draft)
        return
    text = head_text(sample, READ)
    tree, draft.outline.parsed = toml_format.load(text, complete(sample, toml_format.SCANNED))
    for line in _comments(text):
        if "TODO" in line or "FIXME" in line:
            draft.add("todo")
    recognise(draft, [tree])


_COMMENT = re.compile(r"(?:^|\s)#[^\n]{0,200}")


def _comments(text: str) -> list[str]:
    return _COMMENT.findall(text[:READ], 0) if "TODO" in text or "FIXME" in text else []
