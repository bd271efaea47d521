"""What is wrong with a list of packages, and with several beside each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

import msgspec

from plantwin.private.capabilities.audit_dependencies.advisories import Advisories
from plantwin.private.capabilities.audit_dependencies.manifest import (
    Manifest,
    Package,
    admits,
    exact_version,
    normalize,
)
from plantwin.private.capabilities.audit_dependencies.tables import end_of_life, package_names
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.vocabulary import Severity

RULES = Rules("dependencies")
MOST_NAMES = 5000
"""Names of one file that are compared with popular ones."""
_ANY_VERSION = re.compile(
    r"|[*x+]|latest(?:\..*)?|any|>= ?0|dev-.*|@dev|LATEST|RELEASE|.*(?:\.\+|-SNAPSHOT)", re.DOTALL
)
_BRANCH = re.compile(r"main|master|develop|dev|trunk|HEAD|latest")
_COPYLEFT = re.compile(r"\b(?:A?GPL|SSPL|BUSL|CC-BY-NC|Commons-Clause|EUPL)\b", re.IGNORECASE)
_RUNTIME_BOUND = re.compile(r"(>=|>|\^|~=|~>|~|==|=|<=|<|!=)?\s*v?(\d[\w.]*|[a-z]{4,})")
_WITH_LOCKS = ("npm", "rubygems", "packagist", "pypi", "cargo")


def findings(manifest: Manifest, advisories: Advisories, *, locked: bool, today: date) -> Iterator[Finding]:
    """Yield everything that can be said of one file alone. `locked`: whether a lock file stands beside it."""
    for line, rule in manifest.problems:
        yield RULES.found(rule, line)
    if manifest.kind not in ("lock", "sums"):
        yield from _unpinned(manifest, locked)
    yield from _sources(manifest)
    yield from _hashes(manifest)
    yield from _duplicates(manifest)
    yield from _lookalikes(manifest)
    yield from _development_tools(manifest)
    yield from _vulnerable(manifest, advisories)
    yield from _end_of_life(manifest, today)
    yield from _licenses(manifest)


def _unpinned(manifest: Manifest, locked: bool) -> Iterator[Finding]:
    ranges = 0
    pinned_elsewhere = locked or manifest.library
    for package in manifest.packages:
        version = package.version.strip()
        if package.source != "registry" or package.managed:
            continue
        if manifest.ecosystem == "images":
            if not package.hashed and version in ("", "latest"):
                yield RULES.found("DEP-IMAGE-LATEST", package.line, name=package.name)
        elif manifest.ecosystem == "actions":
            yield from _action(package)
        elif _ANY_VERSION.fullmatch(version):
            severity = Severity.LOW if pinned_elsewhere or package.dev else Severity.MEDIUM
            yield RULES.found("DEP-ANY-VERSION", package.line, severity=severity, name=package.name)
        elif manifest.ecosystem == "pypi" and ">" in version and not re.search(r"==|~=|<|\^|~", version):
            if not pinned_elsewhere:
                yield RULES.found("DEP-OPEN-RANGE", package.line, name=package.name)
            else:
                ranges += 1
        elif not exact_version(manifest, package):
            ranges += 1
    if ranges and not pinned_elsewhere and manifest.ecosystem in _WITH_LOCKS:
        count = "1 package has a range" if ranges == 1 else f"{ranges} packages have ranges"
        yield RULES.found("DEP-NO-LOCK", 0, count=count)


def _action(action: Package) -> Iterator[Finding]:
    official = action.name.startswith(("actions/", "github/"))
    if not action.version:
        yield RULES.found("DEP-ACTION-VERSION", action.line, name=action.name)
    elif _BRANCH.fullmatch(action.version):
        yield RULES.found("DEP-ACTION-BRANCH", action.line, name=action.name, branch=action.version)
    elif not action.fixed and not official:
        yield RULES.found("DEP-ACTION-TAG", action.line, name=action.name, tag=action.version)


def _sources(manifest: Manifest) -> Iterator[Finding]:
    rules = {"http": "DEP-HTTP-SOURCE", "other": "DEP-OTHER-SOURCE"}
    if manifest.kind != "lock":
        rules |= {"git": "DEP-GIT-SOURCE", "url": "DEP-URL-SOURCE"}
    for package in manifest.packages:
        if package.source not in rules:
            continue
        pinned = package.fixed and package.source in ("git", "url")
        severity = Severity.LOW if pinned else None
        finding = RULES.found(rules[package.source], package.line, severity=severity, name=package.name)
        # The address without what may be a password.
        address = re.sub(r"//[^/@\s]+@", "//…@", f"{package.name} {package.version}".strip())
        yield msgspec.structs.replace(finding, evidence=address[:160])


def _hashes(manifest: Manifest) -> Iterator[Finding]:
    if manifest.ecosystem in ("images", "actions"):
        return
    bare = [package for package in manifest.packages if package.hashed is False]
    if bare:
        count = f"{len(bare)} of {len(manifest.packages)}"
        names = _listed([package.name for package in bare], 5)
        yield RULES.found("DEP-NO-HASH", bare[0].line, count=count, names=names)


def _listed(names: Sequence[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _duplicates(manifest: Manifest) -> Iterator[Finding]:
    if manifest.kind != "manifest" or manifest.ecosystem in ("go", "maven"):
        return
    seen: dict[tuple[str, bool], Package] = {}
    for package in manifest.packages:
        first = seen.setdefault((normalize(manifest.ecosystem, package.name), package.dev), package)
        conditional = package.conditional or first.conditional or (manifest.ecosystem == "pypi" and package.dev)
        if first is package or package.source == "path" or conditional:
            continue
        if first.version == package.version:
            yield RULES.found("DEP-DUPLICATE", package.line, name=package.name, first=first.line)
        else:
            versions = f"{first.version or 'any'} and {package.version or 'any'}"
            yield RULES.found("DEP-CONFLICT", package.line, name=package.name, first=first.line, versions=versions)


def _lookalikes(manifest: Manifest) -> Iterator[Finding]:
    names = package_names()
    reported: set[str] = set()
    for package in manifest.packages[:MOST_NAMES]:
        if package.source != "registry" or package.name in reported:
            continue
        popular = names.lookalike(manifest.ecosystem, package.name)
        if popular:
            reported.add(package.name)
            squat = names.is_squat(manifest.ecosystem, package.name)
            severity = Severity.LOW if manifest.kind == "lock" and not squat else None
            detail = ", and is known for that" if squat else ""
            yield RULES.found(
                "DEP-LOOKALIKE", package.line, severity=severity, name=package.name, popular=popular, detail=detail
            )


def _development_tools(manifest: Manifest) -> Iterator[Finding]:
    names = package_names()
    tools = [
        package
        for package in manifest.packages
        if not package.dev and names.is_development(manifest.ecosystem, package.name)
    ]
    if tools and manifest.kind == "manifest":
        listed = ", ".join(package.name for package in tools[:8])
        yield RULES.found("DEP-DEV-TOOL", tools[0].line, names=listed)


def exact_versions(manifest: Manifest) -> list[tuple[Package, str]]:
    """Return the packages with one version that advisories can be asked about, and that version."""
    if manifest.kind == "sums":
        return []
    replaced = {each.name for each in manifest.packages if manifest.ecosystem == "go" and each.source != "registry"}
    others = (each for each in manifest.packages if each.name not in replaced and each.source != "path")
    pairs = ((each, exact_version(manifest, each)) for each in others)
    return [(package, version) for package, version in pairs if version]


def _vulnerable(manifest: Manifest, advisories: Advisories) -> Iterator[Finding]:
    extract = advisories.get(manifest.ecosystem)
    if extract is None:
        return
    reported: set[tuple[str, str, str]] = set()
    for package, version in exact_versions(manifest):
        for known in extract.of(manifest.ecosystem, package.name, version):
            if (package.name, version, known.id) in reported:
                continue
            reported.add((package.name, version, known.id))
            severity = known.severity
            if package.dev:
                severity = Severity.MEDIUM if severity == Severity.CRITICAL else Severity.LOW
            fixed = known.fixed(manifest.ecosystem, version)
            yield RULES.found(
                "DEP-VULNERABLE",
                package.line,
                severity=severity,
                package=f"{package.name} {version}",
                id=known.id,
                summary=known.summary,
                fix=f"Use {fixed} or later." if fixed else "No fixed version was published: replace it, or look it up.",
            )


def _end_of_life(manifest: Manifest, today: date) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for runtime in manifest.runtimes:
        bounds = _RUNTIME_BOUND.findall(runtime.version.partition("||")[0])
        lowest = next((number for operator, number in bounds if operator not in ("<", "<=", "!=")), "")
        ended = end_of_life().of(runtime.product, lowest) if lowest else None
        if ended is None or ended[1] > today or (runtime.product, ended[0]) in seen:
            continue
        seen.add((runtime.product, ended[0]))
        admitted = any(operator in (">=", ">", "^") and number == lowest for operator, number in bounds)
        yield RULES.found(
            "DEP-END-OF-LIFE",
            runtime.line,
            severity=Severity.LOW if admitted else None,
            release=f"{runtime.product} {ended[0]}",
            use="is still admitted" if admitted else "is used",
            end=ended[1].isoformat(),
        )


def _licenses(manifest: Manifest) -> Iterator[Finding]:
    names: dict[str, list[str]] = defaultdict(list)
    for package in manifest.packages:
        choice = " OR " in package.license or "LGPL" in package.license.upper()
        if not package.dev and not choice and _COPYLEFT.search(package.license):
            names[package.license].append(package.name)
    for license_, packages in sorted(names.items()):
        yield RULES.found("DEP-LICENSE", 0, license=license_, names=_listed(packages, 6))


def joint_findings(manifests: Sequence[Manifest]) -> Iterator[tuple[Manifest, Finding]]:
    """Yield what shows only when files are set beside each other: locks out of step, pins that differ."""
    for manifest in manifests:
        for lock in manifests:
            same = (lock.ecosystem, lock.folder) == (manifest.ecosystem, manifest.folder)
            if manifest.kind == "manifest" and lock.kind in ("lock", "sums") and same and lock.packages:
                for finding in _out_of_step(manifest, lock):
                    yield manifest, finding
    yield from _different_pins(manifests)


def _out_of_step(manifest: Manifest, lock: Manifest) -> Iterator[Finding]:
    versions: dict[str, list[str]] = defaultdict(list)
    for package in lock.packages:
        versions[normalize(lock.ecosystem, package.name)].append(package.version)
    for package in manifest.packages:
        indirect = manifest.ecosystem == "go" and package.dev
        if package.source != "registry" or package.managed:
            continue
        found = versions.get(normalize(manifest.ecosystem, package.name))
        if found is None:
            if not indirect:
                yield RULES.found("DEP-NOT-LOCKED", package.line, name=package.name, lock=lock.path)
        elif manifest.ecosystem != "go" and not any(
            admits(package.version, manifest.ecosystem, version) for version in found
        ):
            yield RULES.found(
                "DEP-LOCK-MISMATCH", package.line, name=package.name, locked=found[0], wanted=package.version
            )


def _different_pins(manifests: Sequence[Manifest]) -> Iterator[tuple[Manifest, Finding]]:
    """Yield packages that different manifests pin to different versions."""
    first_pins: dict[tuple[str, str], tuple[Manifest, str]] = {}
    reported: set[tuple[str, str]] = set()
    for manifest in manifests:
        if manifest.kind != "manifest" or manifest.ecosystem in ("images", "actions"):
            continue
        for package in manifest.packages:
            version = exact_version(manifest, package)
            if not version or package.source != "registry":
                continue
            key = (manifest.ecosystem, normalize(manifest.ecosystem, package.name))
            first, other = first_pins.setdefault(key, (manifest, version))
            if first is not manifest and other != version and key not in reported:
                reported.add(key)
                yield (
                    manifest,
                    RULES.found(
                        "DEP-PINS-DIFFER",
                        package.line,
                        name=package.name,
                        version=version,
                        other=other,
                        file=first.path,
                    ),
                )
