"""All relations of a set of nodes, in order: resolve, compare, group, then rank and keep the best.

(1) lookup tables over all nodes; (2) references resolved to links; (3) relations told by names, content, time and
order; (4) components from folders and links; (5) relations that need components; (6) what is absent;
(7) edges, the most useful first, `edges.KEPT` of one source and what weighs the same as the last of them.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from operator import itemgetter

from plantwin.private.facts import Edge
from plantwin.private.relate.components import ROOT, components
from plantwin.private.relate.derivations import (
    contracts,
    derive,
    locked,
    order,
    stages,
    unresolved,
    values,
    versions,
)
from plantwin.private.relate.edges import EDGES, KEPT, WEIGHTS, EdgeCollector, popularity, readable
from plantwin.private.relate.links import MASK, NAMED, REASONS, SHIFT, Links
from plantwin.private.relate.lookup import CONVENTIONS, Lookup, Node, Relations, below, enclosing, words
from plantwin.private.relate.similarity import overlaps, similar, variants
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
_FOLLOWED = frozenset(words("followed"))
"""Formats of code whose uses of each other are resolved: of others nobody knows what uses or tests them."""
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
        return {"tests": self.tested, "documents": self.documented}.get(reason, self.used)


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
        followed = facts.kind != "code_file" or _is_followed(facts.format, kind)
        if kind in _TESTABLE and facts.kind == "code_file" and followed and not use.tested[position]:
            words.append("tests")
        if kind in _DOCUMENTABLE and not use.documented[position] and not _covered(names[position], documented):
            words.append("documentation")
        if kind == "dependency_manifest" and facts.pins and not _is_locked(lookup, position):
            words.append("lock_file")
        if kind in _DATASETS and not facts.part and not _has_schema(lookup, position):
            words.append("schema")
        if kind in _PROJECT and licensed.isdisjoint(enclosing(lookup.folders[position])):
            words.append("license")
        consumed = (kind in _CONSUMED and followed) or kind in _DATASETS
        if consumed and not use.used[position] and not facts.part:
            words.append("consumers")
        if words:
            lacks[position] = tuple(words)
    return lacks


def _is_followed(format_: str, semantic_class: str) -> bool:
    """Whether what uses such code is resolved; of SQL models are, by their references, and macros are not."""
    return format_ in _FOLLOWED or (format_ == "sql" and _CLASSES[semantic_class].family is Family.DATA_PIPELINE)


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


_VERBS: dict[str, str] = CONVENTIONS["verbs"]
_weight_of = itemgetter(4)
_new = tuple.__new__


def relations(nodes: Sequence[Node]) -> Relations:
    """Relate the nodes."""
    # Nothing below makes cycles; collecting while millions of tuples grow would only walk them again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _relations(nodes)
    finally:
        if collecting:
            gc.enable()


def _relations(nodes: Sequence[Node]) -> Relations:
    lookup = Lookup(nodes)
    links = Links(lookup)
    collector = EdgeCollector()
    derive(lookup, collector)
    similar(lookup, collector)
    environments = variants(lookup, collector)
    overlaps(lookup, collector)
    order(lookup, collector)
    stages(lookup, links, collector)
    unresolved(lookup, links, collector)
    values(lookup, collector, environments)
    versions(lookup, collector)
    names = components(lookup, links)
    contracts(lookup, collector, names)
    collector.keep_strongest_likeness()
    lacks = absences(lookup, links, names)
    numbers = lookup.numbers
    return Relations(
        edges=_edges(lookup, links, collector, names),
        components=dict(zip(numbers, names, strict=True)),
        lacks={numbers[position]: words for position, words in lacks.items()},
    )


def _edges(lookup: Lookup, links: Links, collector: EdgeCollector, names: list[str]) -> list[Edge]:
    numbers, facts, packed, places = lookup.numbers, lookup.facts, links.packed, links.which
    popular = bytes([popularity(count) for count in links.incoming])
    weights = [WEIGHTS[reason] for reason in REASONS]
    evidences: dict[str, dict[str, str]] = {}
    edges: list[Edge] = []
    for position, number in enumerate(numbers):
        found: list[Edge] = []
        name, references = names[position], facts[position].references
        start, end = links.starts[position], links.ends[position]
        for link, place in zip(packed[start:end], places[start:end], strict=True):
            target, code = link >> SHIFT, link & MASK
            if place == NAMED:
                evidence = f"named after {readable(lookup.names[target])}"
            else:
                how, written, _ = references[place]
                told = evidences.get(how)
                if told is None:
                    told = evidences[how] = {}
                evidence = told.get(written, "")
                if not evidence:
                    evidence = told[written] = f"{_VERBS.get(how, how)} {readable(written)}"
            weight = weights[code][popular[target] if names[target] == name else popular[target] + 3]
            found.append(_new(Edge, (number, "depends_on", REASONS[code], numbers[target], weight, evidence)))
        for reason, target, evidence in collector.of.get(position, ()):
            weight = WEIGHTS[reason][3 if names[target] != name else 0]
            found.append(Edge(number, EDGES[reason], reason, numbers[target], weight, evidence))
        for need in facts[position].needs:
            if EDGES.get(need) == "requires_capability":
                found.append(Edge(number, "requires_capability", need, -1, WEIGHTS[need][0], "needed to use it"))
        if len(found) > 1:
            found.sort(key=_weight_of, reverse=True)
            if position in collector.of:
                found = _distinct(found)
            if len(found) > KEPT:
                # All of equal weight stay or go together: the order of lines must not choose among them.
                found = [edge for edge in found if edge.weight >= found[KEPT - 1].weight]
        edges += found
    return edges


def _distinct(found: list[Edge]) -> list[Edge]:
    """Each relation once, although a name and a reference may both tell it."""
    return list({(edge.reason, edge.target): edge for edge in reversed(found)}.values())[::-1]
