"""The rule tables of `classes/`, turned once into lookups by feature, word and place."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

from plantwin.private.extract.evidence import ON, Row, plural
from plantwin.vocabulary import Kind, SemanticClass, member

FAMILIES = (
    "application",
    "interface",
    "library",
    "data_pipeline",
    "database",
    "dataset",
    "machine_learning",
    "infrastructure",
    "delivery",
    "dependencies",
    "configuration",
    "credentials",
    "testing",
    "contracts",
    "logs",
    "security",
    "guides",
    "agreements",
)
"""The tables, in the order of the vocabulary's families."""


class View(Protocol):
    """What conditions can ask about an object."""

    @property
    def features(self) -> Mapping[str, int]: ...
    @property
    def form(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def used(self) -> Container[str]:
        """Segments of imported and called names."""
        ...


Condition = Callable[[View, int], bool]
"""Of the object and of this row's own count."""


class Rule(NamedTuple):
    """A row, compiled."""

    target: str
    points: float
    kinds: frozenset[str]
    conditions: tuple[Condition, ...]


Lookup = dict[str, tuple[Rule, ...]]


class Rules(NamedTuple):
    """All rows by what they look at."""

    feature: Lookup
    imported: Lookup
    name: Lookup
    name_pairs: dict[str, frozenset[str]]
    """First words of two-word names, with their second words."""
    file: Lookup
    stem: Lookup
    folder: Lookup
    path: Lookup
    heading: Lookup
    heading_pairs: dict[str, frozenset[str]]
    text: Lookup
    text_pairs: dict[str, frozenset[str]]


@cache
def rules() -> Rules:
    """Load and compile every table; a row that names nothing known is a programming error."""
    tables: dict[str, dict[str, list[Rule]]] = {on: {} for on in ON}
    for family in FAMILIES:
        module = import_module(f"plantwin.private.extract.classes.{family}")
        kinds: dict[str, str] = module.KINDS
        rows: Iterable[Row] = module.ROWS
        for row in rows:
            _enter(tables[row.on], row, _kinds(row, kinds))
    merged = tables["feature"]
    for form, entries in tables["format"].items():
        merged.setdefault("format." + form, []).extend(entries)
    name, heading, text = (_frozen(tables[on]) for on in ("name", "heading", "text"))
    return Rules(
        feature=_frozen(merged),
        imported=_frozen(tables["import"]),
        name=name,
        name_pairs=_pairs(name),
        file=_frozen(tables["file"]),
        stem=_frozen(tables["stem"]),
        folder=_frozen(tables["folder"]),
        path=_frozen(tables["path"]),
        heading=heading,
        heading_pairs=_pairs(heading),
        text=text,
        text_pairs=_pairs(text),
    )


def _kinds(row: Row, kinds: Mapping[str, str]) -> frozenset[str]:
    """The kinds in which a class can occur at all: the first and strongest gate against claims."""
    member(SemanticClass, row.target)
    return frozenset(str(member(Kind, each)) for each in kinds[row.target].split())


def _enter(table: dict[str, list[Rule]], row: Row, kinds: frozenset[str]) -> None:
    rule = Rule(row.target, row.points, kinds, tuple(_condition(term) for term in row.when.split()))
    for word in row.words.split():
        table.setdefault(word, []).append(rule)
        if row.on in ("name", "path", "heading", "folder") and len(word) > 2:
            table.setdefault(plural(word), []).append(rule)


def _frozen(table: dict[str, list[Rule]]) -> Lookup:
    return {word: tuple(entries) for word, entries in table.items()}


def _pairs(lookup: Lookup) -> dict[str, frozenset[str]]:
    pairs: dict[str, set[str]] = {}
    for word in lookup:
        first, joined, second = word.partition("_")
        if joined:
            pairs.setdefault(first, set()).add(second)
    return {first: frozenset(seconds) for first, seconds in pairs.items()}


def _condition(term: str) -> Condition:
    """One term of `when`.

    `min=3` and `max=3` bound the row's own count; `share=class:0.5` compares it with another feature, `part=` too but
    that must be there; `atmost=column:4` bounds another; `has`, `all`, `no` ask for features, `uses` and `unused` for
    imported or called names, `format`, `notformat` and `kind` for what they say.
    """
    name, _, value = term.partition("=")
    words = value.split(",")
    match name:
        case "min":
            least = int(value)
            return lambda view, count: count >= least
        case "max":
            most = int(value)
            return lambda view, count: count <= most
        case "atmost":
            of, _, part = value.partition(":")
            bound = int(part)
            return lambda view, count: view.features.get(of, 0) <= bound
        case "share":
            of, _, part = value.partition(":")
            ratio = float(part)
            return lambda view, count: count >= ratio * view.features.get(of, 0)
        case "part":
            whole, _, part = value.partition(":")
            fraction = float(part)
            return lambda view, count: 0 < fraction * view.features.get(whole, 0) <= count
        case "has":
            return lambda view, count: any(word in view.features for word in words)
        case "all":
            return lambda view, count: all(word in view.features for word in words)
        case "no":
            return lambda view, count: not any(word in view.features for word in words)
        case "format":
            return lambda view, count: view.form in words
        case "notformat":
            return lambda view, count: view.form not in words
        case "uses":
            return lambda view, count: any(word in view.used for word in words)
        case "unused":
            return lambda view, count: not any(word in view.used for word in words)
        case "kind":
            return lambda view, count: view.kind in words
        case _:
            raise ValueError(f"unknown condition: {name}")
