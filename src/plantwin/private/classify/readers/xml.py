"""XML: elements with attributes as settings, and what the root and the elements under it say the document is."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import msgspec

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.classify.readers.settings import judge
from plantwin.private.classify.readers.tables import describe_records
from plantwin.private.facts import Sample
from plantwin.private.formats.text import READ, complete
from plantwin.private.formats.values import words
from plantwin.private.formats.xml import Item, load

_MAX = 2000
_MAX_NAMES = 200
_SETTING = 500
"""Characters of an element's text that are judged as a setting."""
_SERVER = words("Connector Engine Host Valve appender root logger handlers rewrite binding site bindings")
_ATOM = re.compile(r"[\w.-]{1,60}")


def read_xml(sample: Sample, draft: Draft) -> None:
    """Read elements, their attributes as settings, and what the root says the document is."""
    data = sample.head
    whole = complete(sample, READ)
    items, sound = load(data if whole else data[:READ], whole)
    draft.outline.parsed = sound and bool(items)
    if not items:
        return
    dialect = _dialects().get(items[0][1])
    if dialect.read(draft, items) if dialect is not None else _rows(draft, items):
        return
    for parent, name, attributes, text in items[:4000]:
        draft.add("key", len(attributes) + bool(text))
        draft.name(name)
        if text:
            draft.setting(f"{parent}.{name}", text)
            judge(draft, name, text[:_SETTING])
        for key, value in list(attributes.items())[:40]:
            draft.setting(f"{name}.{key}", value)
            judge(draft, key, value)


class Dialect(msgspec.Struct, forbid_unknown_fields=True):
    """One row of `xml.toml`; its fields are explained at the top of the file."""

    roots: str
    reader: str = ""
    content: bool = False
    add: dict[str, int] = {}
    least: list[str] = []
    count: dict[str, str] = {}
    holding: dict[str, str] = {}
    names: dict[str, str] = {}
    tables: dict[str, str] = {}
    pins: dict[str, tuple[str, str]] = {}
    files: dict[str, tuple[str, str, str]] = {}

    def read(self, draft: Draft, items: list[Item]) -> bool:
        """Read the elements; true where they are content and not settings."""
        if self.reader:
            return bool(globals()[self.reader](draft, items))
        for feature, number in self.add.items():
            draft.add(feature, number)
        tally = Counter(name for _, name, _, _ in items)
        for feature, elements in self.count.items():
            draft.add(feature, len(items) if elements == "*" else sum(tally[name] for name in elements.split()))
        for feature, keys in self.holding.items():
            draft.add(feature, sum(not attributes.keys().isdisjoint(keys.split()) for _, _, attributes, _ in items))
        for feature in self.least:
            draft.features.setdefault(feature, 1)
        for elements, keys in self.names.items():
            for name, attributes in _chosen(items, elements)[:_MAX_NAMES]:
                draft.name(_attribute(attributes, keys) if keys else name)
        for elements, key in self.tables.items():
            for _, attributes in _chosen(items, elements):
                draft.provide("table", attributes.get(key, ""))
        for elements, (package, version) in self.pins.items():
            for _, attributes in _chosen(items, elements):
                draft.pin(attributes.get(package, ""), attributes.get(version, ""))
        for elements, (keys, how, reason) in self.files.items():
            for _, attributes in _chosen(items, elements):
                draft.refer_path(_attribute(attributes, keys), reason, how)
        return self.content


def _chosen(items: list[Item], elements: str) -> list[tuple[str, dict[str, str]]]:
    """Return the elements of these names with their attributes."""
    wanted = elements.split()
    return [(name, attributes) for _, name, attributes, _ in items[:_MAX] if elements == "*" or name in wanted]


def _attribute(attributes: dict[str, str], keys: str) -> str:
    """Return the first of these attributes that is filled."""
    return next((attributes[key] for key in keys.split() if attributes.get(key)), "")


@cache
def _dialects() -> dict[str, Dialect]:
    text = (Path(__file__).parent / "xml.toml").read_text("utf-8")
    found = msgspec.convert(tomllib.loads(text)["dialect"], list[Dialect])
    return {root: dialect for dialect in found for root in dialect.roots.split()}


def _maven(draft: Draft, items: list[Item]) -> bool:
    """Read a Maven project: its name, modules, dependencies and plugins."""
    artifact = version = ""
    draft.add("build_step")
    for parent, name, _, text in items[:_MAX]:
        if name == "dependency" or name == "plugin":
            if artifact:
                draft.pin(artifact, version or "*")
            artifact = version = ""
            draft.add("build_step", name == "plugin")
        elif parent in ("dependency", "plugin"):
            artifact = text if name == "artifactId" else artifact
            version = text if name == "version" and "${" not in text else version
        elif parent == "project" and name == "artifactId":
            draft.provide("package", text)
            draft.name(text)
        elif name == "module":
            draft.refer_path(text, "builds")
    if artifact:
        draft.pin(artifact, version or "*")
    return False


def project(draft: Draft, items: list[Item]) -> bool:
    """Read Maven by its model, Ant by its targets, MSBuild by its item groups."""
    names = {name for _, name, _, _ in items[:_MAX]}
    if "modelVersion" in names or "artifactId" in names:
        return _maven(draft, items)
    draft.add("build_step")
    for _, name, attributes, _ in items[:_MAX]:
        if name == "PackageReference":
            draft.pin(attributes.get("Include", ""), attributes.get("Version", "") or "*")
        elif name == "ProjectReference":
            draft.refer_path(attributes.get("Include", "").replace("\\", "/"), "imports")
        elif name == "target":
            draft.add("task")
            draft.name(attributes.get("name", ""))
    return False


def messages(draft: Draft, items: list[Item]) -> bool:
    """Read message catalogs: Android resources, XLIFF, Qt, .NET resx."""
    messages = [item for item in items if item[1] in ("string", "trans-unit", "message", "unit", "data", "plurals")]
    if items[0][1] == "root" and not any(item[1] == "resheader" for item in items):
        return _rows(draft, items)
    if items[0][1] == "resources" and not messages:
        return False
    draft.add("translation", len(messages))
    for _, _, attributes, _ in messages[:200]:
        draft.name(attributes.get("name") or attributes.get("id", ""))
    return bool(messages)


def server_settings(draft: Draft, items: list[Item]) -> bool:
    """Read .NET, Spring, logging and server settings."""
    for _, name, attributes, _ in items[:_MAX]:
        key = attributes.get("key") or attributes.get("name")
        if name in ("add", "property", "entry", "setting") and key:
            draft.setting(key, attributes.get("value", ""))
        draft.add("server_directive", name in _SERVER)
        draft.refer_path(attributes.get("configSource", ""), "configures")
    return False


def layout(draft: Draft, items: list[Item]) -> bool:
    """Read Android layouts and XAML."""
    draft.add("component")
    draft.add("markup", len(items))
    draft.add("form", any("EditText" in name or "TextBox" in name for _, name, _, _ in items))
    draft.add(
        "image_without_text",
        sum(n == "ImageView" and not any("contentDescription" in k for k in a) for _, n, a, _ in items),
    )
    return True


def android_manifest(draft: Draft, items: list[Item]) -> bool:
    for _, name, attributes, _ in items[:_MAX]:
        draft.add("infra_access", name == "uses-permission")
        for key, value in attributes.items():
            draft.add("public_exposure", key.endswith("exported") and value == "true")
        draft.add("build_step", name in ("activity", "service", "receiver", "provider", "application"))
    return False


def _rows(draft: Draft, items: list[Item]) -> bool:
    """Read records: one element repeated under the root, with fields below or as attributes."""
    root = items[0][1]
    repeated = Counter(name for parent, name, _, _ in items if parent == root)
    if not repeated:
        return False
    record, count = repeated.most_common(1)[0]
    if count < 3 or count * 2 < sum(repeated.values()):
        return False
    rows: list[dict[str, object]] = []
    for parent, name, attributes, text in items:
        if name == record and parent == root:
            rows.append(dict(attributes))
        elif rows and parent == record and text and _ATOM.fullmatch(name):
            rows[-1][name] = text
    if sum(len(row) >= 2 for row in rows) * 2 < len(rows):
        return False
    describe_records(draft, rows, total=count)
    return True
