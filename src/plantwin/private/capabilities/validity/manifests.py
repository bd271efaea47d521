"""Manifests of packages and charts: package.json, pyproject.toml, Chart.yaml."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import BOOLEAN, LIST, MAP, NUMBER, TEXT, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity.place import Place
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_SEMVER = re.compile(r"v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.-]{1,60})?(?:\+[\w.-]{1,60})?")
_PEP440 = re.compile(
    r"v?(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?(?:a|b|c|rc|alpha|beta|pre|preview)[._-]?\d*)?(?:[._-]?(?:post|rev|r)[._-]?\d*|-\d+)?(?:[._-]?dev[._-]?\d*)?(?:\+[a-z0-9]+(?:[._-][a-z0-9]+)*)?",
    re.IGNORECASE,
)
_SPECIFIER = re.compile(r"\s*(?:(?:~=|==|!=|<=|>=|<|>|===)\s*v?\d[\w.!+*-]*\s*(?:,\s*|$))+")
_REQUIREMENT = re.compile(
    r"[A-Za-z0-9](?:[\w.-]{0,100}[A-Za-z0-9])?\s*(?:\[[\w\s,.-]{0,200}\])?\s*(?:\(?\s*(?:~=|==|!=|<=|>=|<|>|===).{0,200}|@\s*\S.{0,400})?\s*(?:;.{0,400})?"
)
_ENTRY = re.compile(r"[\w.]{1,200}(?::[\w.]{1,200})?(?:\s*\[[\w, -]{1,80}\])?")
_PROJECT = words(
    "name version description readme requires-python license license-files authors maintainers keywords classifiers urls "
    "dependencies optional-dependencies scripts gui-scripts entry-points dynamic import-names import-namespaces"
)
_NPM_NAME = re.compile(r"(?:@[a-z0-9~-][\w.~-]{0,200}/)?[a-z0-9~-][\w.~-]{0,213}")
_NPM_KINDS: dict[str, tuple[str, ...]] = {
    "scripts": (MAP,), "dependencies": (MAP,), "devDependencies": (MAP,), "peerDependencies": (MAP,),
    "optionalDependencies": (MAP,), "engines": (MAP,), "files": (LIST,), "keywords": (LIST,), "private": (BOOLEAN,),
    "name": (TEXT,), "version": (TEXT,), "main": (TEXT,), "type": (TEXT,), "license": (TEXT, MAP), "workspaces": (LIST, MAP),
}  # fmt: skip
_RANGE = re.compile(
    r"(?:\*|latest|next|x|canary|beta|alpha|rc|(?:workspace|npm|file|link|portal|git(?:\+\w+)?|https?|github|patch|catalog|jsr):.*|[\w-]+/[\w.-]+(?:#.*)?"
    r"|(?:[~^<>=v ]{0,4}\s*[\dxX*]+(?:\.[\dxX*]+){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?\s*(?:-|\|\||,)?\s*)+)"
)


def npm(document: Document, place: Place) -> Iterator[Issue]:
    """A package.json."""
    root = document.root
    if root.kind != MAP:
        return
    for key, kinds in _NPM_KINDS.items():
        node = root.at(key)
        if node is not None and node.kind not in kinds:
            yield Issue(
                root.line_of(key),
                _S.HIGH,
                _T.INVALID_VALUES,
                "npm/type",
                f"`{key}` must be a {' or '.join(kinds)}",
                "Correct it.",
            )
    private = root.at("private")
    if (
        not (private is not None and private.true)
        and "name" in root.map
        and "version" not in root.map
        and "workspaces" not in root.map
    ):
        yield Issue(
            1,
            _S.LOW,
            _T.MISSING_PART,
            "npm/version",
            "A package without a version cannot be published",
            "Add it, or set private.",
        )
    name, version = root.at("name"), root.at("version")
    if name is not None and name.kind == TEXT and not _NPM_NAME.fullmatch(name.text):
        yield Issue(
            root.line_of("name"),
            _S.MEDIUM,
            _T.INVALID_VALUES,
            "npm/name",
            "The name of the package is not allowed",
            "Small letters, digits, `-`, `_`, `.`.",
        )
    if version is not None and version.kind == TEXT and not _SEMVER.fullmatch(version.text):
        yield Issue(
            root.line_of("version"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "npm/version",
            "The version is not of the form 1.2.3",
            "Correct it.",
        )
    if root.value("type") not in ("", "module", "commonjs"):
        yield Issue(
            root.line_of("type"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "npm/type",
            "`type` is neither module nor commonjs",
            "Correct it.",
        )
    seen: dict[str, str] = {}
    for key in ("dependencies", "devDependencies", "optionalDependencies"):
        holder = root.at(key)
        for package, wanted in holder.map.items() if holder is not None else ():
            line = holder.line_of(package) if holder is not None else 1
            if wanted.kind != TEXT:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "npm/range",
                    f"The version of `{package}` must be text",
                    "Quote it.",
                )
            elif wanted.text and not _RANGE.fullmatch(wanted.text.strip()[:200]):
                yield Issue(
                    line,
                    _S.MEDIUM,
                    _T.INVALID_VALUES,
                    "npm/range",
                    f"The version of `{package}` is no range",
                    "Correct it.",
                )
            if seen.setdefault(package, key) != key:
                yield Issue(
                    line,
                    _S.LOW,
                    _T.DUPLICATION,
                    "npm/duplicate",
                    f"`{package}` is in {seen[package]} and in {key}",
                    "Keep one of them.",
                )
    scripts = root.at("scripts")
    for script, command in scripts.map.items() if scripts is not None else ():
        if command.kind != TEXT and scripts is not None:
            yield Issue(
                scripts.line_of(script),
                _S.HIGH,
                _T.INVALID_VALUES,
                "npm/script",
                f"Script `{script}` must be text",
                "Correct it.",
            )
        for called in re.findall(r"\bnpm run ([\w:.-]{1,80})", command.text):
            if (
                scripts is not None
                and called not in scripts.map
                and "--workspace" not in command.text
                and " -w" not in command.text
                and "--prefix" not in command.text
                and "cd " not in command.text
            ):
                yield Issue(
                    scripts.line_of(script),
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "npm/script",
                    f"Script `{script}` runs `{called}`, which does not exist",
                    "Correct the name.",
                )
    for key in ("main", "bin"):
        node = root.at(key)
        if node is not None and node.kind == TEXT and place.missing(document.name, node.text):
            yield Issue(
                root.line_of(key),
                _S.MEDIUM,
                _T.BROKEN_REFERENCE,
                "npm/file",
                f"`{key}` names a file that is not there",
                "Correct the path.",
            )


def pyproject(document: Document, place: Place) -> Iterator[Issue]:
    """A pyproject.toml."""
    root = document.root
    project = root.at("project")
    build = root.at("build-system")
    if build is not None and "requires" not in build.map:
        yield Issue(
            root.line_of("build-system"),
            _S.HIGH,
            _T.MISSING_PART,
            "pyproject/build",
            "build-system has no requires",
            "Add it.",
        )
    if project is None or project.kind != MAP:
        return
    line = root.line_of("project")
    dynamic = {each.text for each in project.entries("dynamic")}
    for key in project.map:
        if key not in _PROJECT:
            near = difflib.get_close_matches(key, _PROJECT, 1, 0.7)
            yield Issue(
                project.line_of(key),
                _S.HIGH,
                _T.INVALID_VALUES,
                "pyproject/unknown-key",
                f"`{key[:60]}` is no key of [project]",
                f"Did you mean `{near[0]}`?" if near else "Remove it.",
            )
    if "name" not in project.map:
        yield Issue(line, _S.HIGH, _T.MISSING_PART, "pyproject/name", "[project] has no name", "Add it.")
    if "version" not in project.map and "version" not in dynamic:
        yield Issue(
            line,
            _S.HIGH,
            _T.MISSING_PART,
            "pyproject/version",
            "[project] has no version",
            "Add it, or list it as dynamic.",
        )
    for key in dynamic & project.map.keys():
        yield Issue(
            project.line_of(key),
            _S.HIGH,
            _T.INVALID_VALUES,
            "pyproject/dynamic",
            f"`{key}` is given and listed as dynamic",
            "Keep one of the two.",
        )
    version, python = project.at("version"), project.at("requires-python")
    if version is not None and version.kind == TEXT and not _PEP440.fullmatch(version.text[:200]):
        yield Issue(
            project.line_of("version"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "pyproject/version",
            "The version is none by PEP 440",
            "Correct it.",
        )
    if python is not None and not _SPECIFIER.fullmatch(python.text[:200]):
        yield Issue(
            project.line_of("requires-python"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "pyproject/requires-python",
            "requires-python is no condition on versions",
            "Write >=3.11.",
        )
    extras = project.at("optional-dependencies")
    lists = [project.at("dependencies"), *(extras.map.values() if extras is not None else ())]
    for holder in lists:
        for each in holder.items if holder is not None else []:
            if not _REQUIREMENT.fullmatch(each.text.strip()[:1000]):
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "pyproject/dependency",
                    f"`{each.text[:60]}` is no requirement by PEP 508",
                    "Correct it.",
                )
    dependencies = project.at("dependencies")
    if dependencies is not None and dependencies.kind != LIST:
        yield Issue(
            project.line_of("dependencies"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "pyproject/dependencies",
            "dependencies must be a list",
            "Write them as a list of texts.",
        )
    for table in ("scripts", "gui-scripts"):
        scripts = project.at(table)
        for name, target in scripts.map.items() if scripts is not None else ():
            if scripts is not None and not _ENTRY.fullmatch(target.text):
                yield Issue(
                    scripts.line_of(name),
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "pyproject/script",
                    f"Script `{name}` does not name a module and a function",
                    "Write package.module:function.",
                )
    readme = project.at("readme")
    file = (
        readme.text
        if readme is not None and readme.kind == TEXT
        else readme.value("file")
        if readme is not None
        else ""
    )
    if file and place.missing(document.name, file):
        yield Issue(
            project.line_of("readme"),
            _S.HIGH,
            _T.BROKEN_REFERENCE,
            "pyproject/readme",
            f"The readme `{file[:60]}` is not there",
            "Correct the path.",
        )


def chart(document: Document) -> Iterator[Issue]:
    """A Chart.yaml."""
    root = document.root
    for key in ("apiVersion", "name", "version"):
        if key not in root.map:
            yield Issue(1, _S.HIGH, _T.MISSING_PART, "helm/chart", f"The chart has no {key}", "Add it.")
    version = root.at("version")
    if version is not None and version.scalar and not _SEMVER.fullmatch(version.text):
        yield Issue(
            root.line_of("version"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "helm/version",
            "The version is not of the form 1.2.3",
            "Correct it.",
        )
    app = root.at("appVersion")
    if app is not None and app.kind == NUMBER:
        yield Issue(
            root.line_of("appVersion"),
            _S.MEDIUM,
            _T.INVALID_VALUES,
            "helm/appVersion",
            "appVersion is read as a number",
            "Quote it.",
        )
    for each in root.entries("dependencies"):
        if each.kind == MAP:
            yield from _dependency(each)


def _dependency(each: Node) -> Iterator[Issue]:
    for key in ("name", "version"):
        if key not in each.map:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.MISSING_PART,
                "helm/dependency",
                f"A dependency of the chart has no {key}",
                "Add it.",
            )
