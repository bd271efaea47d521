"""What one would expect beside an object, and is not there."""

from __future__ import annotations

from plantwin.private.relate.components import ROOT
from plantwin.private.relate.derivations import locked
from plantwin.private.relate.links import MASK, REASONS, SHIFT, Links
from plantwin.private.relate.lookup import Lookup, below, enclosing, words
from plantwin.vocabulary import Family, SemanticClass

_CLASSES = {member.value: member for member in SemanticClass}
_TESTABLE = frozenset(
    name
    for name, member in _CLASSES.items()
    if member.family in (Family.APPLICATION, Family.LIBRARY, Family.DATA_PIPELINE)
    and name not in ("example_script", "package_entrypoint", "base_classes", "data_source_spec", "data_quality_check")
)
_DOCUMENTABLE = frozenset({"app_entrypoint", "package_entrypoint", "api_handler", "cli_tool", "dependency_manifest"})
_CONSUMED = frozenset(words("consumed"))
_DATASETS = frozenset(name for name, member in _CLASSES.items() if member.family is Family.DATASET)
_SCHEMA_ENDS = (".schema.json", ".avsc", ".xsd", ".schema.yaml", ".schema.yml", ".sql")
_WHOLE_FOLDER = frozenset({"go", "hcl", "java", "kotlin", "scala", "csharp"})
"""Formats in which a reference reaches every file of a folder."""
_PROJECT = frozenset({"dependency_manifest", "build_manifest"})
_GUIDES = frozenset({"readme", "user_guide", "design_document", "runbook", "general_document"})


class Use:
    """Which positions are tested, documented and used, from all relations."""

    def __init__(self, lookup: Lookup, links: Links) -> None:
        size = len(lookup)
        self.tested, self.documented, self.used = bytearray(size), bytearray(size), bytearray(size)
        flags = [self._flags(reason) for reason in REASONS]
        for link in links.packed:
            flags[link & MASK][link >> SHIFT] = 1
        for members in lookup.inside.values():
            together = [position for position in members if lookup.facts[position].format in _WHOLE_FOLDER]
            for reached in (self.used, self.tested) if together else ():
                if any(reached[position] for position in together):
                    for position in together:
                        reached[position] = 1

    def _flags(self, reason: str) -> bytearray:
        if reason == "tests":
            return self.tested
        return self.documented if reason == "documents" else self.used


def absences(lookup: Lookup, links: Links, names: list[str]) -> dict[int, tuple[str, ...]]:
    """Position to its `Absence` words, the most telling first."""
    use = Use(lookup, links)
    documented = {names[position] for position in range(len(lookup)) if lookup.semantic_class(position) in _GUIDES}
    licensed = {
        lookup.folders[position] for position in range(len(lookup)) if lookup.semantic_class(position) == "license"
    }
    lacks: dict[int, tuple[str, ...]] = {}
    for position, facts in enumerate(lookup.facts):
        if facts.role not in ("production", "legacy") or not facts.ranking:
            continue
        kind = facts.ranking[0][0]
        words = []
        if kind in _TESTABLE and facts.kind == "code_file" and not use.tested[position]:
            words.append("tests")
        if kind in _DOCUMENTABLE and not use.documented[position] and not _covered(names[position], documented):
            words.append("documentation")
        if kind == "dependency_manifest" and facts.pins and not _is_locked(lookup, position):
            words.append("lock_file")
        if kind in _DATASETS and not facts.part and not _has_schema(lookup, position):
            words.append("schema")
        if kind in _PROJECT and licensed.isdisjoint(enclosing(lookup.folders[position])):
            words.append("license")
        if (kind in _CONSUMED or kind in _DATASETS) and not use.used[position] and not facts.part:
            words.append("consumers")
        if words:
            lacks[position] = tuple(words)
    return lacks


def _covered(name: str, documented: set[str]) -> bool:
    """Whether a guide belongs to the component, or to one around it."""
    return ROOT in documented or any(outer in documented for outer in enclosing(name))


def _is_locked(lookup: Lookup, position: int) -> bool:
    """A lock file beside it or above, or nothing but exact versions."""
    if lookup.facts[position].format == "requirements":
        exact = all(constraint.startswith("==") for _, constraint in lookup.facts[position].pins)
        return exact or locked(lookup, position)
    return locked(lookup, position)


def _has_schema(lookup: Lookup, position: int) -> bool:
    stem = below(lookup.folders[position], lookup.stem(position))
    if any(stem + end in lookup.at for end in _SCHEMA_ENDS):
        return True
    return ("table", lookup.stem(position).lower()) in lookup.provided
