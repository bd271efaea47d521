"""conflicts_with: one key with different values across environments, one package at different versions."""

from __future__ import annotations

import re

from plantwin.private.relate.bonds import Bonds, readable
from plantwin.private.relate.derive import LOCKS
from plantwin.private.relate.tables import Tables

_COMPARED = 16
"""Siblings of one group that are compared with their main one."""
_SHOWN = 3
_EXACT = re.compile(r"(={1,3} ?)?v?([0-9][0-9A-Za-z.+!-]{0,60})")
_CARET_BY_DEFAULT = frozenset({"Cargo.toml", "pubspec.yaml", "pyproject.toml"})
"""Manifests in which a bare version means a range."""
_ECOSYSTEMS = {
    "package.json": "npm", "bower.json": "npm", "Cargo.toml": "cargo", "go.mod": "go", "Gemfile": "gem",
    "composer.json": "composer", "pom.xml": "maven", "build.gradle": "maven", "build.gradle.kts": "maven",
    "libs.versions.toml": "maven", "pyproject.toml": "pypi", "setup.py": "pypi", "setup.cfg": "pypi", "Pipfile": "pypi",
    "environment.yml": "pypi", "environment.yaml": "pypi", "pubspec.yaml": "pub", "mix.exs": "hex",
}  # fmt: skip
_PINNERS = 64
"""Manifests compared for one package."""


def values(tables: Tables, bonds: Bonds, groups: list[list[int]]) -> None:
    """In each group of environment configs, name the keys whose values differ. Values are digests here."""
    for members in groups:
        main, *others = members
        ours = dict(tables.facts[main].settings)
        if not ours:
            continue
        for other in others[:_COMPARED]:
            different = [key for key, digest in tables.facts[other].settings if ours.get(key, digest) != digest]
            if different:
                shown = ", ".join(readable(key, 40) for key in different[:_SHOWN])
                more = f" and {len(different) - _SHOWN} more" if len(different) > _SHOWN else ""
                verb = "differs" if len(different) == 1 else "differ"
                bonds.add(other, "value", main, f"key {shown}{more} {verb}")


def versions(tables: Tables, bonds: Bonds) -> None:
    """Manifests of one ecosystem that demand different exact versions of one package."""
    pinned: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for position, facts in enumerate(tables.facts):
        if not facts.pins or facts.role == "vendored":
            continue
        ecosystem = _ecosystem(tables, position)
        if not ecosystem:
            continue
        for package, version in _exact_pins(tables, position).items():
            pinned.setdefault((ecosystem, package), []).append((position, version))
    for (_, package), pins in pinned.items():
        last = pins[0]
        for pin in pins[1:_PINNERS]:
            if pin[1] != last[1]:
                bonds.add(pin[0], "version", last[0], f"package {readable(package, 60)} pinned differently")
            last = pin
    for position, held in list(bonds.of.items()):
        for reason, manifest, _ in list(held):
            if reason == "locked":
                _unlocked(tables, bonds, position, manifest)


def _unlocked(tables: Tables, bonds: Bonds, lock: int, manifest: int) -> None:
    """A lock file that holds another version than its manifest demands."""
    resolved = _exact_pins(tables, lock)
    for package, version in _exact_pins(tables, manifest).items():
        if resolved.get(package, version) != version:
            bonds.add(lock, "version", manifest, f"package {readable(package, 60)} locked at another version")
            return


def _ecosystem(tables: Tables, position: int) -> str:
    name = tables.names[position]
    if name in LOCKS and name != "requirements.txt":
        return ""
    known = _ECOSYSTEMS.get(name)
    if known is not None:
        return known
    return "pypi" if tables.facts[position].format == "requirements" else ""


def _exact_pins(tables: Tables, position: int) -> dict[str, str]:
    """Packages pinned to one version; a package that is named twice tells nothing."""
    strict = tables.names[position] in _CARET_BY_DEFAULT
    pins: dict[str, str] = {}
    twice: set[str] = set()
    for package, constraint in tables.facts[position].pins:
        found = _EXACT.fullmatch(constraint.strip()[:80])
        name = package.lower().replace("_", "-")
        if name in pins:
            twice.add(name)
        elif found is not None and (found[1] or not strict):
            pins[name] = found[2]
    return {name: version for name, version in pins.items() if name not in twice}
