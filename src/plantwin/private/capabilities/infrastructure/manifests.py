"""package.json, pyproject.toml (PEP 440, 508, 518 and 621) and Chart.yaml of Helm: validity rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.keys import did_you_mean, known_keys
from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NUMBER, TEXT, Document, Node
from plantwin.private.formats.lexicon import Lexicon
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

_LEXICON = Lexicon(__file__)
NPM = Rules("package_json")
SEMVER = re.compile(r"v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.-]{1,60})?(?:\+[\w.-]{1,60})?")
_NPM_NAME = re.compile(r"(?:@[a-z0-9~-][\w.~-]{0,200}/)?[a-z0-9~-][\w.~-]{0,213}")
_NPM_TYPES: dict[str, tuple[str, ...]] = {
    "scripts": (MAP,), "dependencies": (MAP,), "devDependencies": (MAP,), "peerDependencies": (MAP,),
    "optionalDependencies": (MAP,), "engines": (MAP,), "files": (LIST,), "keywords": (LIST,), "private": (BOOLEAN,),
    "name": (TEXT,), "version": (TEXT,), "main": (TEXT,), "type": (TEXT,), "license": (TEXT, MAP),
    "workspaces": (LIST, MAP),
}  # fmt: skip
_NPM_RANGE = _LEXICON.pattern("npm_range")
_OTHER_PACKAGE = re.compile(r"--workspace| -w|--prefix|cd ")


def validate_package_json(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a package.json."""
    root = document.root
    for key, types in _NPM_TYPES.items():
        node = root.at(key)
        if node is not None and node.kind not in types:
            yield NPM.found("NPM-TYPE", root.line_of(key), key=key, types=" or ".join(types))
    private, name, version = root.at("private"), root.at("name"), root.at("version")
    published = name is not None and not (private is not None and private.true) and "workspaces" not in root.map
    if published and version is None:
        yield NPM.found("NPM-NO-VERSION", 1)
    if name is not None and name.kind == TEXT and not _NPM_NAME.fullmatch(name.text):
        yield NPM.found("NPM-NAME", root.line_of("name"))
    if version is not None and version.kind == TEXT and not SEMVER.fullmatch(version.text):
        yield NPM.found("NPM-VERSION", root.line_of("version"))
    if root.value("type") not in ("", "module", "commonjs"):
        yield NPM.found("NPM-MODULE-TYPE", root.line_of("type"))
    yield from _npm_dependencies(root)
    yield from _npm_scripts(root.at("scripts") or Node(MAP, 1))
    for key in ("main", "bin"):
        node = root.at(key)
        if node is not None and node.kind == TEXT and project.folder.missing(document.name, node.text):
            yield NPM.found("NPM-FILE", root.line_of(key), key=key, path=node.text[:60])


def _npm_dependencies(root: Node) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for key in ("dependencies", "devDependencies", "optionalDependencies"):
        section = root.at(key) or Node(MAP, 1)
        for package, wanted in section.map.items():
            line = section.line_of(package)
            if wanted.kind != TEXT or (wanted.text and not _NPM_RANGE.fullmatch(wanted.text.strip()[:200])):
                severity = Severity.HIGH if wanted.kind != TEXT else None
                yield NPM.found("NPM-RANGE", line, severity=severity, package=package)
            if seen.setdefault(package, key) != key:
                yield NPM.found("NPM-DUPLICATE", line, package=package, first=seen[package], second=key)


def _npm_scripts(scripts: Node) -> Iterator[Finding]:
    for name, command in scripts.map.items():
        if command.kind != TEXT:
            yield NPM.found("NPM-TYPE", scripts.line_of(name), key=f"scripts.{name}", types=TEXT)
        for called in re.findall(r"\bnpm run ([\w:.-]{1,80})", command.text):
            if called not in scripts.map and not _OTHER_PACKAGE.search(command.text):
                yield NPM.found("NPM-SCRIPT", scripts.line_of(name), script=name, called=called)


PYPROJECT = Rules("pyproject")
PROJECT = known_keys("pyproject", "project")
_PYTHON_VERSION = _LEXICON.pattern("python_version")
_SPECIFIER = re.compile(r"\s*(?:(?:~=|==|!=|<=|>=|<|>|===)\s*v?\d[\w.!+*-]*\s*(?:,\s*|$))+")
_REQUIREMENT = _LEXICON.pattern("requirement")
_ENTRY_POINT = re.compile(r"[\w.]{1,200}(?::[\w.]{1,200})?(?:\s*\[[\w, -]{1,80}\])?")


def validate_pyproject(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a pyproject.toml."""
    root = document.root
    build, table = root.at("build-system"), root.at("project")
    if build is not None and "requires" not in build.map:
        yield PYPROJECT.found(
            "PYPROJECT-REQUIRED-KEY", root.line_of("build-system"), table="build-system", key="requires"
        )
    if table is None or table.kind != MAP:
        return
    dynamic = {item.text for item in table.entries("dynamic")}
    for key in ("name", "version"):
        if key not in table.map and not (key == "version" and key in dynamic):
            yield PYPROJECT.found("PYPROJECT-REQUIRED-KEY", root.line_of("project"), table="project", key=key)
    for key in table.map:
        if key not in PROJECT:
            suggestion = did_you_mean(key, PROJECT, 0.7, "Remove it.")
            yield PYPROJECT.found("PYPROJECT-UNKNOWN-KEY", table.line_of(key), key=key[:60], suggestion=suggestion)
    for key in dynamic & table.map.keys():
        yield PYPROJECT.found("PYPROJECT-DYNAMIC", table.line_of(key), key=key)
    version, python = table.at("version"), table.at("requires-python")
    if version is not None and version.kind == TEXT and not _PYTHON_VERSION.fullmatch(version.text[:200]):
        yield PYPROJECT.found("PYPROJECT-VERSION", table.line_of("version"))
    if python is not None and not _SPECIFIER.fullmatch(python.text[:200]):
        yield PYPROJECT.found("PYPROJECT-REQUIRES-PYTHON", table.line_of("requires-python"))
    yield from _pyproject_lists(table)
    readme = table.at("readme")
    path = "" if readme is None else readme.text if readme.kind == TEXT else readme.value("file")
    if path and project.folder.missing(document.name, path):
        yield PYPROJECT.found("PYPROJECT-README", table.line_of("readme"), path=path[:60])


def _pyproject_lists(table: Node) -> Iterator[Finding]:
    dependencies, extras = table.at("dependencies"), table.at("optional-dependencies")
    if dependencies is not None and dependencies.kind != LIST:
        yield PYPROJECT.found("PYPROJECT-DEPENDENCIES", table.line_of("dependencies"))
    for listed in [dependencies, *(extras.map.values() if extras is not None else ())]:
        for item in listed.items if listed is not None else []:
            if not _REQUIREMENT.fullmatch(item.text.strip()[:1000]):
                yield PYPROJECT.found("PYPROJECT-REQUIREMENT", item.line, requirement=item.text[:60])
    for key in ("scripts", "gui-scripts"):
        scripts = table.at(key) or Node(MAP, 1)
        for name, target in scripts.map.items():
            if not _ENTRY_POINT.fullmatch(target.text):
                yield PYPROJECT.found("PYPROJECT-SCRIPT", scripts.line_of(name), name=name)


HELM = Rules("helm")


def validate_chart(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a Chart.yaml."""
    root = document.root
    for key in {"apiVersion", "name", "version"} - root.map.keys():
        yield HELM.found("HELM-REQUIRED-KEY", 1, holder="The chart", key=key)
    version, app = root.at("version"), root.at("appVersion")
    if version is not None and version.scalar and not SEMVER.fullmatch(version.text):
        yield HELM.found("HELM-VERSION", root.line_of("version"))
    if app is not None and app.kind == NUMBER:
        yield HELM.found("HELM-APP-VERSION", root.line_of("appVersion"))
    for dependency in root.entries("dependencies"):
        for key in {"name", "version"} - dependency.map.keys() if dependency.kind == MAP else ():
            yield HELM.found("HELM-REQUIRED-KEY", dependency.line, holder="A dependency", key=key)
