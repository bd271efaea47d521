"""derived_from and conflicts_with: lock files, generated code, templates, exports, differing values and versions."""

from __future__ import annotations

import re

from plantwin.private.relate.edges import EdgeCollector, readable
from plantwin.private.relate.lookup import CONVENTIONS, Lookup, by_word, positions
from plantwin.private.relate.paths import below, enclosing

LOCKS: dict[str, list[str]] = {lock: manifests.split() for lock, manifests in CONVENTIONS["locks"].items()}
"""Lock file to the manifests that it resolves, the likeliest first."""

Derivation = tuple[str, list[str], str]
"""End of a name, ends of what it is made from, reason."""
_DERIVATIONS: dict[str, list[Derivation]] = {}
for _end, _sources, _reason in CONVENTIONS["generated"]:
    _DERIVATIONS.setdefault(_end.rpartition(".")[2].lower(), []).append((_end, _sources.split(), _reason))

_EXAMPLES = (".example", ".sample", ".template", ".dist", ".tmpl", "-example", "-sample", ".tpl", "_example")
_TEMPLATES = (".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".erb", ".in", ".mustache", ".hbs", ".gotmpl")
_EXAMPLE_WORDS = frozenset({"example", "sample", "template", "dist"})


def derive(lookup: Lookup, collector: EdgeCollector) -> None:
    """Add every derived_from relation."""
    for position, name in enumerate(lookup.names):
        manifests = LOCKS.get(name)
        if manifests is not None:
            _lock(lookup, collector, position, manifests)
        rows = _DERIVATIONS.get(lookup.extensions[position])
        if rows is not None:
            _made(lookup, collector, position, rows)
        _filled(lookup, collector, position, name)


def _lock(lookup: Lookup, collector: EdgeCollector, position: int, manifests: list[str]) -> None:
    folder = lookup.folders[position]
    for manifest in manifests:
        hit = lookup.at.get(below(folder, manifest))
        if hit is not None:
            collector.add(position, "locked", hit, f"lock of {manifest}")
            return


def _made(lookup: Lookup, collector: EdgeCollector, position: int, rows: list[Derivation]) -> None:
    folder, name = lookup.folders[position], lookup.names[position]
    for end, sources, reason in rows:
        if not name.endswith(end) or len(name) == len(end):
            continue
        stem = name[: -len(end)]
        for source in sources:
            hit = lookup.at.get(below(folder, stem + source))
            if hit is None and source == ".proto":
                # Stubs often live apart from their contract.
                found = positions(lookup.named.get(stem + source))
                hit = lookup.nearest(found, position) if found else None
            if hit is not None and hit != position:
                collector.add(position, reason, hit, f"{reason} from {readable(lookup.names[hit])}")
                return
        return


def _filled(lookup: Lookup, collector: EdgeCollector, position: int, name: str) -> None:
    """The template knows its output: both stand in one folder and differ in one marker."""
    if lookup.extensions[position] in _MARKERS or "ample" in name or "templat" in name or ".dist." in name:
        output, reason = _output(name)
        hit = lookup.at.get(below(lookup.folders[position], output)) if output else None
        if hit is not None:
            collector.add(hit, reason, position, f"{reason} of {readable(name)}")


def _output(name: str) -> tuple[str, str]:
    """What a template's name says it is filled into, and how."""
    for end in _EXAMPLES:
        if name.endswith(end) and len(name) > len(end):
            return name[: -len(end)], "instance"
    for end in _TEMPLATES:
        if name.endswith(end) and len(name) > len(end):
            return name[: -len(end)], "compiled"
    parts = name.split(".")
    kept = [part for part in parts if part not in _EXAMPLE_WORDS]
    return (".".join(kept), "instance") if kept and len(kept) < len(parts) else ("", "")


_MARKERS = frozenset(end[1:] for end in (*_EXAMPLES, *_TEMPLATES) if end[0] == ".")


def locked(lookup: Lookup, position: int) -> bool:
    """Whether a lock file stands beside a manifest or at the top of its workspace."""
    name = lookup.names[position]
    for folder in enclosing(lookup.folders[position]):
        for lock, manifests in LOCKS.items():
            if name in manifests and below(folder, lock) in lookup.at:
                return True
    return False


_COMPARED = 16
"""Siblings of one group that are compared with their main one."""
_SHOWN = 3
_EXACT = re.compile(r"(={1,3} ?)?v?([0-9][0-9A-Za-z.+!-]{0,60})")
_CARET_BY_DEFAULT = frozenset({"Cargo.toml", "pubspec.yaml", "pyproject.toml"})
"""Manifests in which a bare version means a range."""
_ECOSYSTEMS = by_word("ecosystems")
_PINNERS = 64
"""Manifests compared for one package."""


def values(lookup: Lookup, collector: EdgeCollector, groups: list[list[int]]) -> None:
    """In each group of environment configs, name the keys whose values differ. Values are digests here."""
    for members in groups:
        main, *others = members
        ours = dict(lookup.facts[main].settings)
        if not ours:
            continue
        for other in others[:_COMPARED]:
            different = [key for key, digest in lookup.facts[other].settings if ours.get(key, digest) != digest]
            if different:
                shown = ", ".join(readable(key, 40) for key in different[:_SHOWN])
                more = f" and {len(different) - _SHOWN} more" if len(different) > _SHOWN else ""
                verb = "differs" if len(different) == 1 else "differ"
                collector.add(other, "value", main, f"key {shown}{more} {verb}")


def versions(lookup: Lookup, collector: EdgeCollector) -> None:
    """Manifests of one ecosystem that demand different exact versions of one package."""
    pinned: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for position, facts in enumerate(lookup.facts):
        if not facts.pins or facts.role == "vendored":
            continue
        ecosystem = _ecosystem(lookup, position)
        if not ecosystem:
            continue
        for package, version in _exact_pins(lookup, position).items():
            pinned.setdefault((ecosystem, package), []).append((position, version))
    for (_, package), pins in pinned.items():
        last = pins[0]
        for pin in pins[1:_PINNERS]:
            if pin[1] != last[1]:
                collector.add(pin[0], "version", last[0], f"package {readable(package, 60)} pinned differently")
            last = pin
    for position, held in list(collector.of.items()):
        for reason, manifest, _ in list(held):
            if reason == "locked":
                _unlocked(lookup, collector, position, manifest)


def _unlocked(lookup: Lookup, collector: EdgeCollector, lock: int, manifest: int) -> None:
    """A lock file that holds another version than its manifest demands."""
    resolved = _exact_pins(lookup, lock)
    for package, version in _exact_pins(lookup, manifest).items():
        if resolved.get(package, version) != version:
            collector.add(lock, "version", manifest, f"package {readable(package, 60)} locked at another version")
            return


def _ecosystem(lookup: Lookup, position: int) -> str:
    name = lookup.names[position]
    if name in LOCKS and name != "requirements.txt":
        return ""
    known = _ECOSYSTEMS.get(name)
    if known is not None:
        return known
    return "pypi" if lookup.facts[position].format == "requirements" else ""


def _exact_pins(lookup: Lookup, position: int) -> dict[str, str]:
    """Packages pinned to one version; a package that is named twice tells nothing."""
    strict = lookup.names[position] in _CARET_BY_DEFAULT
    pins: dict[str, str] = {}
    twice: set[str] = set()
    for package, constraint in lookup.facts[position].pins:
        found = _EXACT.fullmatch(constraint.strip()[:80])
        name = package.lower().replace("_", "-")
        if name in pins:
            twice.add(name)
        elif found is not None and (found[1] or not strict):
            pins[name] = found[2]
    return {name: version for name, version in pins.items() if name not in twice}
