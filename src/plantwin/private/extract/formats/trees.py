"""JSON, YAML and TOML: parsed to trees, then named by what their structure says they are."""

from __future__ import annotations

import re

from plantwin.private.extract.formats import json_loader, yaml_loader
from plantwin.private.extract.formats.dialects import recognise
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.headers import are_headers, read_headers
from plantwin.private.extract.formats.leaves import Tree
from plantwin.private.extract.formats.text import LIMIT, READ, complete, head_text
from plantwin.private.facts import Sample

_TOML_WHOLE = 16 << 10
"""Larger TOML is read by lines: the parser is slow and quadratic on dotted keys."""
_MAX_DOTS = 100


def read_json(sample: Sample, draft: Draft) -> None:
    """One JSON value, or one per line."""
    text = head_text(sample, LIMIT)
    value, draft.outline.parsed = json_loader.load(text, complete(sample, LIMIT))
    if value is None and text.lstrip().startswith("{") and "\n{" in text:
        from plantwin.private.extract.formats.tables import read_jsonl

        draft.outline.parsed = True
        read_jsonl(sample, draft)
    else:
        recognise(draft, [value])


def read_yaml(sample: Sample, draft: Draft) -> None:
    """YAML documents, templates of them included."""
    text = head_text(sample, LIMIT)
    documents, sound = yaml_loader.load(text)
    if are_headers(text) and (not sound or text.startswith(("Source:", "Package:", "Metadata-Version:"))):
        read_headers(text, draft)
        return
    if not sound:
        # What parses is not a template, even where its strings hold expressions for a later tool.
        draft.add("template_tag", text.count("{{") - text.count("${{") + text.count("{%"))
    draft.outline.parsed = sound or "template_tag" in draft.features or len(text) > yaml_loader.WHOLE
    for line in _comments(text):
        if "TODO" in line or "FIXME" in line:
            draft.add("todo")
    recognise(draft, documents)


def read_toml(sample: Sample, draft: Draft) -> None:
    """TOML, lock files by lines."""
    if sample.head.count(b"\n[[package]]\n", 0, READ) >= 2:
        from plantwin.private.extract.formats.locks import read_lock

        read_lock(sample, draft)
        return
    text = head_text(sample, READ)
    tree: Tree | None = None
    if complete(sample, _TOML_WHOLE) and all(line.count(".") < _MAX_DOTS for line in text.split("\n")):
        import tomllib

        try:
            tree = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError):
            draft.outline.parsed = False
    for line in _comments(text):
        if "TODO" in line or "FIXME" in line:
            draft.add("todo")
    recognise(draft, [_toml_lines(text) if tree is None else tree])


_COMMENT = re.compile(r"(?:^|\s)#[^\n]{0,200}")


def _comments(text: str) -> list[str]:
    return _COMMENT.findall(text[:READ], 0) if "TODO" in text or "FIXME" in text else []


_HEADER = re.compile(r"\s{0,40}\[(\[?)\s{0,10}([^\[\]\n]{1,200}?)\s{0,10}\]\]?\s{0,40}(?:#.*)?$")
_PAIR = re.compile(r"\s{0,40}([\w.\"'-]{1,200}?)\s{0,20}=\s{0,20}(.{0,4000})")
_ITEM = re.compile(r"\"([^\"\n]{0,400})\"|'([^'\n]{0,400})'")


def _toml_lines(text: str) -> Tree:
    """Tables, keys and simple values by lines: for what is too large or broken for the parser."""
    root: Tree = {}
    table: Tree = root
    array: list[object] | None = None
    for line in text.split("\n"):
        if array is not None:
            array.extend(a or b for a, b in _ITEM.findall(line[:4000]))
            if "]" in line.rsplit('"', 1)[-1]:
                array = None
            continue
        header = _HEADER.match(line)
        if header:
            table = _open_table(root, header[2], bool(header[1]))
            continue
        pair = _PAIR.match(line)
        if pair is None:
            continue
        key, value = pair[1].strip("\"'"), pair[2].strip()
        if value.startswith("["):
            items: list[object] = [a or b for a, b in _ITEM.findall(value)]
            table[key] = items
            array = None if "]" in value.rsplit('"', 1)[-1] else items
        else:
            table[key] = yaml_loader.unquote(value)
    return root


def _open_table(root: Tree, name: str, repeated: bool) -> Tree:
    parts = [part.strip("\"' ") for part in name.split(".")][:12]
    here = root
    for part in parts[:-1]:
        below = here.get(part)
        if type(below) is list and below and type(below[-1]) is dict:
            below = below[-1]
        if type(below) is not dict:
            below = here[part] = {}
        here = below
    fresh: Tree = {}
    if repeated:
        rows = here.get(parts[-1])
        if type(rows) is not list:
            rows = here[parts[-1]] = []
        rows.append(fresh)
        return fresh
    known = here.get(parts[-1])
    if type(known) is dict:
        return known
    here[parts[-1]] = fresh
    return fresh
