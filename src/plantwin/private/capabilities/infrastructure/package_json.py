"""package.json: validity rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.document import Document
from plantwin.private.formats.node import BOOLEAN, LIST, MAP, TEXT, Node
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("package_json")
SEMVER = re.compile(r"v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.-]{1,60})?(?:\+[\w.-]{1,60})?")
_NAME = re.compile(r"(?:@[a-z0-9~-][\w.~-]{0,200}/)?[a-z0-9~-][\w.~-]{0,213}")
_TYPES: dict[str, tuple[str, ...]] = {
    "scripts": (MAP,), "dependencies": (MAP,), "devDependencies": (MAP,), "peerDependencies": (MAP,),
    "optionalDependencies": (MAP,), "engines": (MAP,), "files": (LIST,), "keywords": (LIST,), "private": (BOOLEAN,),
    "name": (TEXT,), "version": (TEXT,), "main": (TEXT,), "type": (TEXT,), "license": (TEXT, MAP),
    "workspaces": (LIST, MAP),
}  # fmt: skip
_RANGE = re.compile(
    r"(?:\*|latest|next|x|canary|beta|alpha|rc"
    r"|(?:workspace|npm|file|link|portal|git(?:\+\w+)?|https?|github|patch|catalog|jsr):.*|[\w-]+/[\w.-]+(?:#.*)?"
    r"|(?:[~^<>=v ]{0,4}\s*[\dxX*]+(?:\.[\dxX*]+){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?\s*(?:-|\|\||,)?\s*)+)"
)
_OTHER_PACKAGE = re.compile(r"--workspace| -w|--prefix|cd ")


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a package.json."""
    root = document.root
    for key, types in _TYPES.items():
        node = root.at(key)
        if node is not None and node.kind not in types:
            yield RULES.found("NPM-TYPE", root.line_of(key), key=key, types=" or ".join(types))
    private, name, version = root.at("private"), root.at("name"), root.at("version")
    published = name is not None and not (private is not None and private.true) and "workspaces" not in root.map
    if published and version is None:
        yield RULES.found("NPM-NO-VERSION", 1)
    if name is not None and name.kind == TEXT and not _NAME.fullmatch(name.text):
        yield RULES.found("NPM-NAME", root.line_of("name"))
    if version is not None and version.kind == TEXT and not SEMVER.fullmatch(version.text):
        yield RULES.found("NPM-VERSION", root.line_of("version"))
    if root.value("type") not in ("", "module", "commonjs"):
        yield RULES.found("NPM-MODULE-TYPE", root.line_of("type"))
    yield from _validate_dependencies(root)
    yield from _validate_scripts(root.at("scripts") or Node(MAP, 1))
    for key in ("main", "bin"):
        node = root.at(key)
        if node is not None and node.kind == TEXT and project.folder.missing(document.name, node.text):
            yield RULES.found("NPM-FILE", root.line_of(key), key=key, path=node.text[:60])


def _validate_dependencies(root: Node) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for key in ("dependencies", "devDependencies", "optionalDependencies"):
        section = root.at(key) or Node(MAP, 1)
        for package, wanted in section.map.items():
            line = section.line_of(package)
            if wanted.kind != TEXT or (wanted.text and not _RANGE.fullmatch(wanted.text.strip()[:200])):
                severity = Severity.HIGH if wanted.kind != TEXT else None
                yield RULES.found("NPM-RANGE", line, severity=severity, package=package)
            if seen.setdefault(package, key) != key:
                yield RULES.found("NPM-DUPLICATE", line, package=package, first=seen[package], second=key)


def _validate_scripts(scripts: Node) -> Iterator[Finding]:
    for name, command in scripts.map.items():
        if command.kind != TEXT:
            yield RULES.found("NPM-TYPE", scripts.line_of(name), key=f"scripts.{name}", types=TEXT)
        for called in re.findall(r"\bnpm run ([\w:.-]{1,80})", command.text):
            if called not in scripts.map and not _OTHER_PACKAGE.search(command.text):
                yield RULES.found("NPM-SCRIPT", scripts.line_of(name), script=name, called=called)
