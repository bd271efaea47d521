"""blocks and specifies: what must come before what, and the contract that a handler implements."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from plantwin.private.relate.edges import EdgeCollector, readable
from plantwin.private.relate.links import NAMED, Links
from plantwin.private.relate.lookup import Lookup
from plantwin.vocabulary import Family, SemanticClass

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
