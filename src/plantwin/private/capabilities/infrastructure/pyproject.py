"""pyproject.toml: validity rules after PEP 440, 508, 518 and 621."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.keys import did_you_mean, known_keys
from plantwin.private.formats.document import Document
from plantwin.private.formats.node import LIST, MAP, TEXT, Node

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("pyproject")
PROJECT = known_keys("pyproject", "project")
_VERSION = re.compile(
    r"v?(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?(?:a|b|c|rc|alpha|beta|pre|preview)[._-]?\d*)?"
    r"(?:[._-]?(?:post|rev|r)[._-]?\d*|-\d+)?(?:[._-]?dev[._-]?\d*)?(?:\+[a-z0-9]+(?:[._-][a-z0-9]+)*)?",
    re.IGNORECASE,
)
_SPECIFIER = re.compile(r"\s*(?:(?:~=|==|!=|<=|>=|<|>|===)\s*v?\d[\w.!+*-]*\s*(?:,\s*|$))+")
_REQUIREMENT = re.compile(
    r"[A-Za-z0-9](?:[\w.-]{0,100}[A-Za-z0-9])?\s*(?:\[[\w\s,.-]{0,200}\])?"
    r"\s*(?:\(?\s*(?:~=|==|!=|<=|>=|<|>|===).{0,200}|@\s*\S.{0,400})?\s*(?:;.{0,400})?"
)
_ENTRY_POINT = re.compile(r"[\w.]{1,200}(?::[\w.]{1,200})?(?:\s*\[[\w, -]{1,80}\])?")


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a pyproject.toml."""
    root = document.root
    build, table = root.at("build-system"), root.at("project")
    if build is not None and "requires" not in build.map:
        yield RULES.found("PYPROJECT-REQUIRED-KEY", root.line_of("build-system"), table="build-system", key="requires")
    if table is None or table.kind != MAP:
        return
    dynamic = {item.text for item in table.entries("dynamic")}
    for key in ("name", "version"):
        if key not in table.map and not (key == "version" and key in dynamic):
            yield RULES.found("PYPROJECT-REQUIRED-KEY", root.line_of("project"), table="project", key=key)
    for key in table.map:
        if key not in PROJECT:
            suggestion = did_you_mean(key, PROJECT, 0.7, "Remove it.")
            yield RULES.found("PYPROJECT-UNKNOWN-KEY", table.line_of(key), key=key[:60], suggestion=suggestion)
    for key in dynamic & table.map.keys():
        yield RULES.found("PYPROJECT-DYNAMIC", table.line_of(key), key=key)
    version, python = table.at("version"), table.at("requires-python")
    if version is not None and version.kind == TEXT and not _VERSION.fullmatch(version.text[:200]):
        yield RULES.found("PYPROJECT-VERSION", table.line_of("version"))
    if python is not None and not _SPECIFIER.fullmatch(python.text[:200]):
        yield RULES.found("PYPROJECT-REQUIRES-PYTHON", table.line_of("requires-python"))
    yield from _validate_lists(table)
    readme = table.at("readme")
    path = "" if readme is None else readme.text if readme.kind == TEXT else readme.value("file")
    if path and project.folder.missing(document.name, path):
        yield RULES.found("PYPROJECT-README", table.line_of("readme"), path=path[:60])


def _validate_lists(table: Node) -> Iterator[Finding]:
    dependencies, extras = table.at("dependencies"), table.at("optional-dependencies")
    if dependencies is not None and dependencies.kind != LIST:
        yield RULES.found("PYPROJECT-DEPENDENCIES", table.line_of("dependencies"))
    for listed in [dependencies, *(extras.map.values() if extras is not None else ())]:
        for item in listed.items if listed is not None else []:
            if not _REQUIREMENT.fullmatch(item.text.strip()[:1000]):
                yield RULES.found("PYPROJECT-REQUIREMENT", item.line, requirement=item.text[:60])
    for key in ("scripts", "gui-scripts"):
        scripts = table.at(key) or Node(MAP, 1)
        for name, target in scripts.map.items():
            if not _ENTRY_POINT.fullmatch(target.text):
                yield RULES.found("PYPROJECT-SCRIPT", scripts.line_of(name), name=name)
