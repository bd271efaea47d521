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
from plantwin.private.relate.absences import absences
from plantwin.private.relate.components import components
from plantwin.private.relate.derivations import contracts, derive, order, stages, unresolved, values, versions
from plantwin.private.relate.edges import EDGES, KEPT, WEIGHTS, EdgeCollector, popularity, readable
from plantwin.private.relate.links import MASK, NAMED, REASONS, SHIFT, Links
from plantwin.private.relate.lookup import CONVENTIONS, Lookup, Node, Relations
from plantwin.private.relate.similarity import overlaps, similar, variants

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
