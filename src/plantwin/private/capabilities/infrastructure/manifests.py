"""package.json, pyproject.toml (PEP 508 and 621) and Chart.yaml of Helm: validity rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.keys import did_you_mean, known_keys
from plantwin.private.formats.document import MAP, TEXT, Document, Node

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

NPM = Rules("package_json")
_OTHER_PACKAGE = re.compile(r"--workspace| -w|--prefix|cd ")


def validate_package_json(document: Document, project: Project) -> Iterator[Finding]:
    """Return scripts and files that a package.json names and that are not there, and dependencies that stand twice."""
    root = document.root
    seen: dict[str, str] = {}
    for key in ("dependencies", "devDependencies", "optionalDependencies"):
        section = root.at(key) or Node(MAP, 1)
        for package in section.map:
            if seen.setdefault(package, key) != key:
                line = section.line_of(package)
                yield NPM.found("NPM-DUPLICATE", line, package=package, first=seen[package], second=key)
    scripts = root.at("scripts") or Node(MAP, 1)
    for name, command in scripts.map.items():
        for called in re.findall(r"\bnpm run ([\w:.-]{1,80})", command.text):
            if called not in scripts.map and not _OTHER_PACKAGE.search(command.text):
                yield NPM.found("NPM-SCRIPT", scripts.line_of(name), script=name, called=called)
    for key in ("main", "bin"):
        node = root.at(key)
        if node is not None and node.kind == TEXT and project.folder.missing(document.name, node.text):
            yield NPM.found("NPM-FILE", root.line_of(key), key=key, path=node.text[:60])


PYPROJECT = Rules("pyproject")
PROJECT = known_keys("pyproject", "project")


def validate_pyproject(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with the project table of a pyproject.toml."""
    root = document.root
    table = root.at("project")
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
    extras = table.at("optional-dependencies")
    for listed in [table.at("dependencies"), *(extras.map.values() if extras is not None else ())]:
        for item in listed.items if listed is not None else []:
            try:
                Requirement(item.text)
            except InvalidRequirement:
                yield PYPROJECT.found("PYPROJECT-REQUIREMENT", item.line, requirement=item.text[:60])
    readme = table.at("readme")
    path = "" if readme is None else readme.text if readme.kind == TEXT else readme.value("file")
    if path and project.folder.missing(document.name, path):
        yield PYPROJECT.found("PYPROJECT-README", table.line_of("readme"), path=path[:60])


HELM = Rules("helm")


def validate_chart(document: Document, project: Project) -> Iterator[Finding]:
    """Return the keys that a Chart.yaml lacks."""
    for key in {"apiVersion", "name", "version"} - document.root.map.keys():
        yield HELM.found("HELM-REQUIRED-KEY", 1, holder="The chart", key=key)
    for dependency in document.root.entries("dependencies"):
        for key in {"name", "version"} - dependency.map.keys() if dependency.kind == MAP else ():
            yield HELM.found("HELM-REQUIRED-KEY", dependency.line, holder="A dependency", key=key)
