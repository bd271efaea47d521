"""List licences: of the project by its licence files and manifests, of packages by what lock files state."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.audit_dependencies import reader_of
from plantwin.private.capabilities.audit_dependencies.manifest import Manifest
from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain
from plantwin.private.capabilities.engine.results import concluded_by_object, finding, table
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.private.formats.lexicon import beside
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Licences"
READ = 8 << 20
LICENSE_FILE = re.compile(r"(?:^|/)(?:licen[cs]e|copying|unlicense|copyright|notice)[^/]{0,40}$", re.IGNORECASE)
"""Names of files that hold the text of a licence."""
_TABLES = beside(__file__, "list_licenses.toml")
_KNOWN = [(row["name"], row["terms"], re.compile(row["pattern"], re.IGNORECASE)) for row in _TABLES["license"]]
_STRICT = re.compile(r"(?<!L)\bA?GPL|SSPL|BUSL|CC-BY-NC|CC-BY-SA|commons clause|proprietary|UNLICENSED", re.IGNORECASE)
"""Licences whose terms reach a product that includes the package, or that forbid use."""
_WEAK = re.compile(r"LGPL|MPL|EPL|CDDL", re.IGNORECASE)


class Stated(NamedTuple):
    """A licence that a file of the project states."""

    name: str
    where: str
    how: str


class Terms(NamedTuple):
    """A licence in short. It is an overview and no legal advice."""

    name: str
    permits: Sequence[str] = ()
    demands: Sequence[str] = ()
    excludes: Sequence[str] = ()


def license_of(text: str) -> str:
    """Return the SPDX id of the licence whose text this is; empty where it is none that is known."""
    terms = terms_of(text)
    return terms.name if terms is not None else ""


def terms_of(text: str) -> Terms | None:
    """Return the licence whose text this is, with its terms."""
    head = " ".join(text[:20_000].split())
    # What comes first counts: others are mentioned further down, or are those of parts.
    found = [(match.start(), name, terms) for name, terms, pattern in _KNOWN if (match := pattern.search(head))]
    if not found:
        return None
    _, name, terms = min(found, key=lambda place: place[0])
    return Terms(name, **_TABLES["terms"][terms])


def run(job: Job) -> Result:
    """List the licences of the project and of its packages."""
    stated: list[Stated] = []
    manifests: list[Manifest] = []
    unread: list[str] = []
    unknown: list[str] = []
    read: list[str] = []
    for given in job.inputs:
        if not _concerns(given):
            continue
        file = source(given, READ)
        if file.binary or not file.data:
            unread.append(file.label)
            continue
        read.append(file.label)
        if LICENSE_FILE.search(given.name) and "notice" not in given.name.lower():
            name = license_of(file.text)
            stated += [Stated(name or "a text of its own", file.label, "its text")]
            unknown += [] if name else [file.label]
        else:
            manifests += _manifest(file)
    stated += [Stated(manifest.license, manifest.path, "the manifest") for manifest in manifests if manifest.license]
    if not read:
        return failed(TITLE, "There is no licence file and no manifest among these inputs.", [OutcomeTag.UNPARSABLE])
    packages = _packages(manifests)
    silent = sorted(name for name, licenses in packages.items() if not licenses)
    found = [*_strict(manifests), *_missing(stated, manifests)]
    notes = []
    if silent:
        names = ", ".join(map(plain, silent[:12])) + (" …" if len(silent) > 12 else "")
        notes.append(f"Of {plural(len(silent), 'package')} no file here states the licence: {names}.")
    notes += [f"Not read: {', '.join(map(code, unread[:8]))}."] if unread else []
    notes += [f"No known licence text: {', '.join(map(code, unknown[:8]))}."] if unknown else []
    return concluded_by_object(
        job, TITLE, found, tool="licence texts, manifests and lock files", examined=read,
        state=[OutcomeTag.TRUNCATED] if unread or silent else [], notes=notes, tables=_tables(stated, packages),
        facts={
            "project": [{"license": statement.name, "file": statement.where} for statement in stated],
            "packages": dict(Counter(name for licenses in packages.values() for name in licenses)),
            "unstated": len(silent),
        },
    )  # fmt: skip


def _concerns(given: Input) -> bool:
    """Tell whether a file may state a licence: by its name, so that nothing else is read."""
    if given.is_result or given.part:
        return False
    return bool(LICENSE_FILE.search(given.name)) or reader_of(given.name, "", "") is not None


def _manifest(file: Source) -> list[Manifest]:
    reader = reader_of(file.input.name, file.format, file.text)
    manifest = reader(file.input.name, file.text) if reader is not None else None
    return [manifest] if manifest is not None and manifest.kind in ("manifest", "lock") else []


def _packages(manifests: list[Manifest]) -> dict[str, set[str]]:
    """Return every package with the licences that are stated of it."""
    packages: dict[str, set[str]] = defaultdict(set)
    for manifest in manifests:
        for package in manifest.packages:
            packages[package.name].update([package.license] if package.license else [])
    return dict(packages)


def _strict(manifests: list[Manifest]) -> Iterator[Finding]:
    for manifest in manifests:
        for package in manifest.packages:
            strict, weak = _STRICT.search(package.license), _WEAK.search(package.license)
            if (strict or weak) and " or " not in package.license.lower():
                severity = Severity.MEDIUM if strict and not package.dev else Severity.LOW
                yield finding(
                    manifest.path, package.line, severity, OutcomeTag.OBLIGATIONS,
                    f"{package.name} is licensed under {package.license}{' (development)' if package.dev else ''}",
                    hint="Check that its terms fit how the product is passed on.",
                )  # fmt: skip


def _missing(stated: list[Stated], manifests: list[Manifest]) -> Iterator[Finding]:
    if not stated and manifests:
        yield finding(
            manifests[0].path, 0, Severity.LOW, OutcomeTag.MISSING_PART,
            "The project states no licence: nobody may use it without asking", hint="Add a LICENSE file.",
        )  # fmt: skip


def _tables(stated: list[Stated], packages: dict[str, set[str]]) -> list[str]:
    lines = table(
        ["The project", "Stated in"], [[plain(statement.name), code(statement.where)] for statement in stated], 40
    )
    by_license: dict[str, list[str]] = defaultdict(list)
    for name, licenses in sorted(packages.items()):
        for license in licenses or {"(not stated here)"}:
            by_license[license].append(name)
    ranked = sorted(by_license.items(), key=lambda item: -len(item[1]))
    rows = [
        [plain(name), str(len(held)), plain(", ".join(held[:8]) + (" …" if len(held) > 8 else ""))]
        for name, held in ranked
    ]
    return [*lines, *table(["Licence of packages", "Packages", "Which"], rows, 40)]
