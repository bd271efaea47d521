"""What an XML document is, by its root and the elements under it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.words import words

Item = tuple[str, str, dict[str, str], str]

_MAX = 2000


def finish(draft: Draft, items: list[Item]) -> bool:
    """Read a known dialect; True where its elements are content and not settings."""
    root = items[0][1]
    reader = _ROOTS.get(root)
    if reader:
        return reader(draft, items)
    return _rows(draft, items)


def _pom(draft: Draft, items: list[Item]) -> bool:
    """Maven."""
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


def _project(draft: Draft, items: list[Item]) -> bool:
    """Maven by its model, Ant by its targets, MSBuild by its item groups."""
    names = {name for _, name, _, _ in items[:_MAX]}
    if "modelVersion" in names or "artifactId" in names:
        return _pom(draft, items)
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


def _schema(draft: Draft, items: list[Item]) -> bool:
    """XML Schema."""
    for _, name, attributes, _ in items[:_MAX]:
        if name in ("complexType", "simpleType", "element", "attribute", "define"):
            draft.add("column" if name in ("element", "attribute") else "schema_def")
            draft.name(attributes.get("name", ""))
        elif name in ("import", "include"):
            draft.refer_path(attributes.get("schemaLocation", ""), "specifies")
    draft.features.setdefault("schema_def", 1)
    return True


def _service(draft: Draft, items: list[Item]) -> bool:
    """WSDL and WADL."""
    for _, name, attributes, _ in items[:_MAX]:
        if name in ("operation", "method", "resource"):
            draft.add("api_path")
            draft.name(attributes.get("name") or attributes.get("path", ""))
        draft.add("schema_def", name in ("message", "complexType"))
    return True


def _tests(draft: Draft, items: list[Item]) -> bool:
    """Results of a test run: a record per case."""
    names = Counter(name for _, name, _, _ in items)
    draft.add("log_build", names["testcase"] or names["test"])
    draft.add("log_line", names["testcase"] or names["test"])
    draft.add("log_error", names["failure"] + names["error"])
    draft.add("generated_marker")
    return True


def _coverage(draft: Draft, items: list[Item]) -> bool:
    """Coverage reports."""
    draft.add(
        "metric_field", sum("line-rate" in attributes or "covered" in attributes for _, _, attributes, _ in items)
    )
    draft.add("generated_marker")
    return True


def _findings(draft: Draft, items: list[Item]) -> bool:
    """Reports of scanners."""
    wanted = {
        "error",
        "alertitem",
        "vulnerability",
        "ReportItem",
        "BugInstance",
        "issue",
        "finding",
        "violation",
        "host",
    }
    found = [item for item in items if item[1] in wanted]
    for _, _, attributes, _ in found[:200]:
        draft.name(attributes.get("pluginName") or attributes.get("type") or attributes.get("id", ""))
    draft.add("finding_record", len(found) or 1)
    return True


def _hosts(draft: Draft, items: list[Item]) -> bool:
    """A scan of hosts and ports."""
    names = Counter(name for _, name, _, _ in items)
    draft.add("finding_record", names["port"] or names["host"] or 1)
    draft.add("log_network", names["host"])
    return True


def _strings(draft: Draft, items: list[Item]) -> bool:
    """Message catalogs: Android resources, XLIFF, Qt, .NET resx."""
    messages = [item for item in items if item[1] in ("string", "trans-unit", "message", "unit", "data", "plurals")]
    if items[0][1] == "root" and not any(item[1] == "resheader" for item in items):
        return _rows(draft, items)
    if items[0][1] == "resources" and not messages:
        return False
    draft.add("translation", len(messages))
    for _, _, attributes, _ in messages[:200]:
        draft.name(attributes.get("name") or attributes.get("id", ""))
    return bool(messages)


def _settings(draft: Draft, items: list[Item]) -> bool:
    """.NET, Spring, logging and server settings."""
    for _, name, attributes, _ in items[:_MAX]:
        key = attributes.get("key") or attributes.get("name")
        if name in ("add", "property", "entry", "setting") and key:
            draft.setting(key, attributes.get("value", ""))
        draft.add("server_directive", name in _SERVER)
        draft.refer_path(attributes.get("configSource", ""), "configures")
    return False


def _changes(draft: Draft, items: list[Item]) -> bool:
    """Liquibase."""
    for _, name, attributes, _ in items[:_MAX]:
        draft.add("migration_op", name == "changeSet")
        draft.add("create_table", name == "createTable")
        draft.add("alter", name in ("addColumn", "dropTable", "dropColumn", "renameColumn", "modifyDataType"))
        draft.add("foreign_key", name == "addForeignKeyConstraint")
        draft.add("index", name == "createIndex")
        if name == "createTable":
            draft.provide("table", attributes.get("tableName", ""))
            draft.name(attributes.get("tableName", ""))
        elif name in ("include", "includeAll"):
            draft.refer_path(attributes.get("file") or attributes.get("path", ""), "configures", "root_path")
    return True


def _picture(draft: Draft, items: list[Item]) -> bool:
    draft.add("markup", len(items))
    return True


def _feed(draft: Draft, items: list[Item]) -> bool:
    draft.add("row", sum(name in ("item", "entry", "url", "sitemap") for _, name, _, _ in items))
    return True


def _layout(draft: Draft, items: list[Item]) -> bool:
    """Android layouts and XAML."""
    draft.add("component")
    draft.add("markup", len(items))
    draft.add("form", any("EditText" in name or "TextBox" in name for _, name, _, _ in items))
    draft.add(
        "image_without_text",
        sum(n == "ImageView" and not any("contentDescription" in k for k in a) for _, n, a, _ in items),
    )
    return True


def _android(draft: Draft, items: list[Item]) -> bool:
    for _, name, attributes, _ in items[:_MAX]:
        draft.add("infra_access", name == "uses-permission")
        for key, value in attributes.items():
            draft.add("public_exposure", key.endswith("exported") and value == "true")
        draft.add("build_step", name in ("activity", "service", "receiver", "provider", "application"))
    return False


def _nuget(draft: Draft, items: list[Item]) -> bool:
    for _, name, attributes, _ in items[:_MAX]:
        if name == "package":
            draft.pin(attributes.get("id", ""), attributes.get("version", ""))
    return False


def _annotated(draft: Draft, items: list[Item]) -> bool:
    """Labelled examples: objects in a picture, spans in a text."""
    draft.add(
        "row", sum(name in ("object", "box", "polygon", "image", "T", "P", "doc") for _, name, _, _ in items) or 1
    )
    draft.add("annotation")
    for _, name, _, _ in items[:40]:
        draft.name(name)
    return True


_SERVER = words("Connector Engine Host Valve appender root logger handlers rewrite binding site bindings")
_ROOTS: dict[str, Callable[[Draft, list[Item]], bool]] = {
    "project": _project,
    "Project": _project,
    "schema": _schema,
    "definitions": _service,
    "application": _service,
    "testsuites": _tests,
    "testsuite": _tests,
    "TestRun": _tests,
    "coverage": _coverage,
    "OWASPZAPReport": _findings,
    "NessusClientData_v2": _findings,
    "BugCollection": _findings,
    "checkstyle": _findings,
    "analysis": _findings,
    "results": _findings,
    "nmaprun": _hosts,
    "resources": _strings,
    "xliff": _strings,
    "TS": _strings,
    "root": _strings,
    "configuration": _settings,
    "beans": _settings,
    "Server": _settings,
    "web-app": _settings,
    "persistence": _settings,
    "log4j:configuration": _settings,
    "databaseChangeLog": _changes,
    "svg": _picture,
    "rss": _feed,
    "feed": _feed,
    "urlset": _feed,
    "LinearLayout": _layout,
    "RelativeLayout": _layout,
    "ConstraintLayout": _layout,
    "FrameLayout": _layout,
    "Window": _layout,
    "UserControl": _layout,
    "manifest": _android,
    "packages": _nuget,
    "annotation": _annotated,
    "annotations": _annotated,
    "grammar": _schema,
}

_ATOM = re.compile(r"[\w.-]{1,60}")


def _rows(draft: Draft, items: list[Item]) -> bool:
    """Records: one element repeated under the root, with fields below or as attributes."""
    from plantwin.private.extract.formats.records import describe_records

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
