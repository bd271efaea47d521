"""JSON, YAML and TOML: parsed to trees, then named by what their structure says they are."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.dialects import function, read_list, read_mapping
from plantwin.private.classify.readers.draft import Draft
from plantwin.private.classify.readers.logs import event_list
from plantwin.private.classify.readers.settings import environment_sections, survey
from plantwin.private.classify.readers.tables import describe_records
from plantwin.private.facts import Sample
from plantwin.private.formats import json as json_format
from plantwin.private.formats import toml as toml_format
from plantwin.private.formats import yaml as yaml_format
from plantwin.private.formats.text import LIMIT, READ, complete, head_text
from plantwin.private.formats.values import Tree, is_tree, trees

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
