"""derived_from and conflicts_with: lock files, generated code, templates, exports, differing values and versions."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from plantwin.private.relate.edges import EdgeCollector, readable
from plantwin.private.relate.links import NAMED, Links
from plantwin.private.relate.lookup import CONVENTIONS, Lookup, below, by_word, enclosing, positions
from plantwin.vocabulary import Family, SemanticClass

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


_NUMBERED = re.compile(r"(?:V(?P<flyway>[0-9]{1,14}(?:[._][0-9]{1,6}){0,2})__|(?P<plain>[0-9]{1,17})[_.-])")
_UNDO = (".down.sql", "_down.sql", ".undo.sql", "_rollback.sql", ".rollback.sql")
_MIGRATION_FOLDERS = frozenset({"migrations", "migrate", "migration", "versions", "changelogs", "schema_migrations"})
_STEPS = frozenset({"python", "r", "sql", "notebook", "shell", "julia", "scala"})
_PIPELINE = frozenset(
    member.value for member in SemanticClass if member.family in (Family.DATA_PIPELINE, Family.MACHINE_LEARNING)
)
_MODELLED = frozenset({"sql", "yaml"})
"""Formats that refer to models."""
_STRICT = frozenset({"json", "yaml", "toml", "xml", "ini"})
_DEPENDANTS = 24
_SHARED_NAMES = 8
"""Writers and readers of one name that are joined; a name that everyone uses tells nothing."""


def order(lookup: Lookup, collector: EdgeCollector) -> None:
    """Migrations, and numbered steps of one folder: each blocks the next."""
    for folder, members in lookup.inside.items():
        if len(members) < 2:
            continue
        special = folder.rpartition("/")[2].lower() in _MIGRATION_FOLDERS
        steps: dict[str, list[tuple[tuple[int, ...], str, int]]] = {}
        for position in members:
            name = lookup.names[position]
            found = _NUMBERED.match(name)
            if found is None or name.endswith(_UNDO):
                continue
            facts = lookup.facts[position]
            migrates = lookup.semantic_class(position) == "database_migration" or (
                special and facts.kind == "code_file"
            )
            if migrates or (facts.format in _STEPS and facts.role != "test"):
                number = tuple(int(part) for part in re.split("[._]", found["flyway"] or found["plain"]))
                steps.setdefault("migration" if migrates else facts.format, []).append((number, name, position))
        for kind, numbered in steps.items():
            if len(numbered) < 2 or (
                kind != "migration" and len({number for number, _, _ in numbered}) < len(numbered)
            ):
                continue
            numbered.sort()
            for (_, name, before), (_, _, after) in pairwise(numbered):
                collector.add(before, "order", after, f"{readable(name)} comes first")


def stages(lookup: Lookup, links: Links, collector: EdgeCollector) -> None:
    """A model blocks those built on it; in a pipeline, who writes a name blocks who reads it."""
    writers: dict[tuple[str, str], list[int]] = {}
    readers: dict[tuple[str, str], list[int]] = {}
    for position, facts in enumerate(lookup.facts):
        if not facts.references:
            continue
        runs = facts.kind == "code_file" or facts.format == "notebook"
        piped = runs and lookup.semantic_class(position) in _PIPELINE
        if not piped and facts.format not in _MODELLED:
            continue
        modelled = False
        for how, target, reason in facts.references:
            if how == "dbt" and reason != "documents":
                modelled = True
            elif piped and how in ("table", "path") and reason in ("reads", "writes"):
                (writers if reason == "writes" else readers).setdefault((how, target.lower()), []).append(position)
        if modelled:
            for earlier, _, place in links.of(position):
                reference = facts.references[place] if place != NAMED else None
                if reference is not None and reference.how == "dbt" and reference.reason != "documents":
                    collector.add(earlier, "stage", position, f"ref {readable(reference.target)}")
    for key, sources in writers.items():
        targets = readers.get(key, [])
        if len(sources) <= _SHARED_NAMES and len(targets) <= _SHARED_NAMES:
            for source in sources:
                for reader in targets:
                    collector.add(source, "stage", reader, f"{key[0]} {readable(key[1])}")


def unresolved(lookup: Lookup, links: Links, collector: EdgeCollector) -> None:
    """What holds merge markers blocks what depends on it; so do settings that do not parse.

    Code is left out: a parser that stumbles over it is weak evidence that it does not run.
    """
    stuck = {
        position
        for position, facts in enumerate(lookup.facts)
        if facts.readiness == "blocked"
        and (
            facts.readiness_cause == "merge_conflict"
            or (facts.readiness_cause == "parse_error" and facts.format in _STRICT)
        )
    }
    if not stuck:
        return
    told = dict.fromkeys(stuck, 0)
    for position in range(len(lookup)):
        for target, _, _ in links.of(position):
            if target in stuck and told[target] < _DEPENDANTS:
                cause = lookup.facts[target].readiness_cause.replace("_", " ")
                told[target] += collector.add(target, "unresolved", position, cause)


_MAX_HANDLERS = 24
"""Handlers joined to one contract."""


def contracts(lookup: Lookup, collector: EdgeCollector, names: list[str]) -> None:
    """Join handlers to the only API contract of their component, or to the only one there is."""
    found: dict[str, list[int]] = {}
    handlers: list[int] = []
    for position, facts in enumerate(lookup.facts):
        kind = lookup.semantic_class(position)
        if facts.role in ("production", "template") and kind == "api_contract":
            found.setdefault(names[position], []).append(position)
        elif facts.role == "production" and kind == "api_handler" and facts.confidence != "low":
            handlers.append(position)
    every = [position for group in found.values() for position in group]
    joined: Counter[int] = Counter()
    for handler in handlers:
        own = found.get(names[handler], every)
        if len(own) == 1 and joined[own[0]] < _MAX_HANDLERS:
            where = "of the same component" if names[handler] in found else "of this project"
            joined[own[0]] += collector.add(handler, "specifies", own[0], f"the only contract {where}")
