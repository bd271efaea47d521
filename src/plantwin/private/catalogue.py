"""Facts to records: the vocabulary values of each object, and their counts (stage 3 applied)."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import msgspec

from plantwin import vocabulary
from plantwin.private import generalize
from plantwin.private.extract.affordances import affordances
from plantwin.private.facts import Edge, Facts
from plantwin.private.index import Related
from plantwin.private.records import Record
from plantwin.private.redact import sensitivity
from plantwin.vocabulary import MAX_CAUSES, MAX_TAGS

LAYOUT = 1
"""Raised whenever the index's tables or the facts' fields change."""

VERSIONED = ("code_file", "config", "document")
"""Kinds that one expects under version control where there is one."""

CORRECTED = "corrected by you"

__all__ = ["Counts", "Facts", "record", "version"]


@functools.cache
def version() -> str:
    """Names everything that cached facts depend on: layout, vocabulary, extraction and detection rules."""
    from plantwin.private.extract.extraction import VERSION
    from plantwin.private.redact import RULES_VERSION

    return f"{LAYOUT}/{vocabulary.VERSION}/{VERSION}/{RULES_VERSION}"


def semantic_class(facts: Facts, corrected: str | None) -> str:
    """The person's word, or the best ranked class."""
    return corrected or facts.ranking[0][0]


def record(
    number: int,
    path: str,
    facts: Facts,
    related: Related,
    changed: float,
    now: float,
    corrected: str | None,
    untracked: bool,
) -> Record:
    """One object with its vocabulary values."""
    leaf = semantic_class(facts, corrected)
    level, causes = sensitivity(facts.findings, facts.kind)
    if facts.readiness_cause == "unreadable":
        level, causes = "high", ("unreadable",)
    lacks = dict.fromkeys((*facts.lacks, *related.lacks))
    if untracked and facts.kind in VERSIONED:
        lacks["change_history"] = None
    tags = facts.tags[:MAX_TAGS]
    return Record(
        number=number,
        path=path,
        part=facts.part,
        kind=facts.kind,
        semantic_class=leaf,
        family=generalize.family(leaf),
        role=facts.role,
        sensitivity=level,
        sensitivity_causes=tuple(causes)[:MAX_CAUSES],
        freshness=generalize.freshness(changed, now),
        size_bucket=generalize.size_bucket(facts.size),
        contains=tuple((tag, generalize.amount(places, facts.lines)) for tag, places in tags),
        usable_for=affordances(facts.kind, leaf, tuple(tag for tag, _ in tags))[:MAX_TAGS],
        lacks=tuple(lacks)[:MAX_TAGS],
        readiness=facts.readiness,
        readiness_cause=facts.readiness_cause,
        confidence="high" if corrected else facts.confidence,
        component=related.component,
        why=(CORRECTED,) if corrected else facts.why,
        warnings=facts.warnings,
    )


class Counts(msgspec.Struct):
    """Counts over all objects, kept with the relations so that an unchanged scan need not load them."""

    objects: int = 0
    files: int = 0
    components: int = 0
    kinds: dict[str, int] = {}
    families: dict[str, int] = {}
    sensitivities: dict[str, int] = {}
    confidences: dict[str, int] = {}
    edges: dict[str, int] = {}
    warnings: list[str] = []

    def add(self, facts: Facts, corrected: str | None, edges: Sequence[Edge]) -> None:
        """Count one object and its edges."""
        self.objects += 1
        level = "high" if facts.readiness_cause == "unreadable" else sensitivity(facts.findings, facts.kind)[0]
        _count(self.kinds, facts.kind)
        _count(self.families, generalize.family(semantic_class(facts, corrected)))
        _count(self.sensitivities, level)
        _count(self.confidences, "high" if corrected else facts.confidence)
        for edge in edges:
            _count(self.edges, edge.edge)


def _count(counts: dict[str, int], key: str) -> None:
    counts[key] = counts.get(key, 0) + 1
