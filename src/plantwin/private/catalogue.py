"""Facts to records: the vocabulary values of each object, and their counts (stage 3 applied)."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from plantwin import __version__, vocabulary
from plantwin.private import generalize
from plantwin.private.classify.status import affordances
from plantwin.private.detect.summary import NOTE, sensitivity
from plantwin.private.facts import PROGRAMS, Edge, Facts, Record, Related
from plantwin.private.index import DamageError
from plantwin.vocabulary import MAX_CAUSES, MAX_TAGS

LAYOUT = 3
"""Raised whenever the index's tables or the facts' fields change."""

VERSIONED = ("code_file", "config", "document")
"""Kinds that one expects under version control where there is one."""

_UNKNOWN = ("unreadable", "parse_error")
"""Causes for which an object that seems to hold nothing may hold anything."""
_RUNNERS = {"node": "node", "go": "go", "rust": "cargo"}
"""Programs that run the tests of an ecosystem. Those of Python run in this program's own, those of others nowhere."""

CORRECTED = "corrected by you"

__all__ = ["Counts", "Facts", "record", "version"]


def version(config: str = "") -> str:
    """Names everything that cached facts depend on, the configuration's digest included."""
    return f"{_made()}/{config}" if config else _made()


@functools.cache
def _made() -> str:
    """Names layout, vocabulary, and all code and rules that make facts."""
    made = hashlib.sha256(f"{LAYOUT}/{vocabulary.VERSION}/{__version__}".encode())
    for folder, folders, names in os.walk(Path(__file__).parent):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".py", ".toml", ".json")):
                found = (Path(folder) / name).stat()
                made.update(f"{name}/{found.st_size}/{found.st_mtime_ns}\n".encode())
    return made.hexdigest()


def semantic_class(facts: Facts, corrected: str | None) -> str:
    """The person's word, or the best ranked class."""
    return corrected or facts.ranking[0][0]


def sensitivity_of(facts: Facts) -> tuple[str, tuple[str, ...]]:
    """Level and causes; of what could not be read, the worst is assumed."""
    if facts.readiness_cause == "unreadable":
        return "high", ("unreadable",)
    return _level(facts.findings, facts.kind)


@functools.lru_cache(4096)
def _level(findings: tuple[tuple[str, str, str, int], ...], kind: str) -> tuple[str, tuple[str, ...]]:
    """Level and causes of what was found; most objects of a folder hold the same few things."""
    level, causes = sensitivity(findings, kind)
    return str(level), tuple(str(cause) for cause in causes)


class Times(NamedTuple):
    """When an object changed and where it stands in time; empty where that is not known."""

    freshness: str
    age: str


def record(
    number: int,
    path: str,
    facts: Facts,
    related: Related,
    times: Times,
    corrected: str | None,
    untracked: bool,
) -> Record:
    """One object with its vocabulary values."""
    leaf = semantic_class(facts, corrected)
    level, causes = sensitivity_of(facts)
    lacks = dict.fromkeys((*_unusable(facts, leaf), *facts.lacks, *related.lacks))
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
        freshness=times.freshness,
        age=times.age,
        environment=facts.environment,
        provider=facts.provider,
        ecosystem=facts.ecosystem,
        dialect=facts.dialect,
        size_bucket=generalize.size_bucket(facts.size),
        contains=tuple((tag, generalize.amount(places, facts.lines)) for tag, places in tags),
        usable_for=affordances(facts.kind, leaf, tuple(tag for tag, _ in tags))[:MAX_TAGS],
        lacks=tuple(lacks)[:MAX_TAGS],
        readiness=facts.readiness,
        readiness_cause=facts.readiness_cause,
        confidence="high" if corrected else facts.confidence,
        component=related.component,
        alternatives=tuple(each for each, _ in facts.ranking if each != leaf),
        why=(CORRECTED,) if corrected else facts.why,
        warnings=facts.warnings,
    )


def _unusable(facts: Facts, leaf: str) -> list[str]:
    """What keeps a plan from working on it, whatever else it lacks."""
    lacks = ["readable_content"] if facts.readiness_cause in _UNKNOWN else []
    if leaf == "test_suite" and facts.kind == "code_file" and not _can_run(facts.ecosystem):
        lacks.append("test_runner")
    return lacks


@functools.cache
def _can_run(ecosystem: str) -> bool:
    """Whether `run_tests` finds a program for tests of this ecosystem."""
    return ecosystem == "python" or shutil.which(_RUNNERS.get(ecosystem, ""), path=PROGRAMS) is not None


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
    warnings: dict[str, int] = {}
    """Codes of what went wrong while files were read."""
    allowed: dict[str, int] = {}
    """Findings that somebody allows, by the type of their note, and, as `…_objects`, objects that hold some."""

    def add(self, facts: Facts, corrected: str | None, edges: Sequence[Edge]) -> None:
        """Count one object and its edges."""
        self.objects += 1
        level, _ = sensitivity_of(facts)
        _count(self.kinds, facts.kind)
        _count(self.families, generalize.family(semantic_class(facts, corrected)))
        _count(self.sensitivities, level)
        _count(self.confidences, "high" if corrected else facts.confidence)
        for code in facts.warnings:
            _count(self.warnings, code)
        self._allow(facts, 1)
        for edge in edges:
            _count(self.edges, edge.edge)

    def recount(self, before: Facts, after: Facts, corrected: str | None) -> None:
        """Count one object anew whose edges stay as they are."""
        for facts, step in ((before, -1), (after, 1)):
            _count(self.kinds, facts.kind, step)
            _count(self.families, generalize.family(semantic_class(facts, corrected)), step)
            _count(self.sensitivities, sensitivity_of(facts)[0], step)
            _count(self.confidences, "high" if corrected else facts.confidence, step)
            for code in facts.warnings:
                _count(self.warnings, code, step)
            self._allow(facts, step)

    def _allow(self, facts: Facts, step: int) -> None:
        for type_, group, _confidence, many in facts.findings:
            if group == NOTE:
                _count(self.allowed, type_, step * many)
                _count(self.allowed, f"{type_}_objects", step)


def counted(blob: bytes) -> Counts:
    """Kept counts, read back."""
    try:
        return msgspec.json.decode(blob, type=Counts)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise DamageError from None


def _count(counts: dict[str, int], key: str, step: int = 1) -> None:
    counts[key] = counts.get(key, 0) + step
    if not counts[key]:
        del counts[key]
