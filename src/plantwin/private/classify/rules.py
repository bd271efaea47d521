"""Rules that give points to classes, from `classes/<family>.json`: one line each.

A rule is `[looked at, words, points, conditions]`. The words are alternatives; all conditions must hold:

    min=3  max=3            bound the rule's own count
    share=class:0.5         at least half as often as `class`; `part=` demands in addition that `class` occurs
    atmost=column:4         bounds another feature
    has= all= no=           features, any, all or none of them
    uses= unused=           imported or called names
    format= notformat= kind=

`{name}` in words or conditions stands for an entry of the file's `lists`.

Points are capped per source of evidence. The caps are the defence against content that lies: no path and no prose
can reach what one decisive structural feature is worth (`DECISIVE`).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from plantwin.vocabulary import Family, Kind, SemanticClass, member

SOURCES = ("structure", "imports", "names", "manifest", "path", "prose")
STRUCTURE, IMPORTS, NAMES, MANIFEST, PATH, PROSE = range(6)
CAPS = (14.0, 6.0, 5.0, 6.0, 3.0, 4.5)
"""Most points that one class can get from each source."""
DECISIVE = 5.0
"""What a structural feature that decides alone is worth at least."""
LOOKED_AT = ("feature", "format", "import", "name", "file", "stem", "folder", "path", "heading", "text")
_INFLECTED = frozenset(("name", "path", "heading", "folder"))
"""Where a word stands for its plural as well."""
_BESIDE = Path(__file__).parent


class Subject(NamedTuple):
    """What conditions can ask about an object."""

    features: Mapping[str, int]
    format: str
    kind: str
    used: Container[str]
    """Segments of imported and called names."""


Condition = Callable[[Subject, int], bool]
"""Of the object and of this rule's own count."""


class Rule(NamedTuple):
    """One rule, compiled."""

    target: str
    points: float
    kinds: frozenset[str]
    """The kinds in which the class can occur at all: the first and strongest gate against false claims."""
    conditions: tuple[Condition, ...]


Lookup = dict[str, tuple[Rule, ...]]
Pairs = dict[str, frozenset[str]]
"""First words of two-word names, with their second words."""


class Rules(NamedTuple):
    """All rules by what they look at; formats stand among the features as `format.python`."""

    feature: Lookup
    imported: Lookup
    name: Lookup
    name_pairs: Pairs
    file: Lookup
    stem: Lookup
    folder: Lookup
    path: Lookup
    heading: Lookup
    heading_pairs: Pairs
    text: Lookup
    text_pairs: Pairs


@cache
def rules() -> Rules:
    """Load and compile every rule; one that names nothing known is a programming error."""
    tables: dict[str, dict[str, list[Rule]]] = {looked_at: {} for looked_at in LOOKED_AT}
    for family in Family:
        document = json.loads((_BESIDE / "classes" / f"{family.value}.json").read_bytes())
        lists: dict[str, str] = document.get("lists", {})
        for target, entry in document["classes"].items():
            member(SemanticClass, target)
            kinds = frozenset(str(member(Kind, kind)) for kind in entry["kinds"].split())
            for looked_at, words, points, *when in entry["rules"]:
                conditions = tuple(map(_condition, _filled(when[0], lists).split())) if when else ()
                rule = Rule(target, points, kinds, conditions)
                for word in _filled(words, lists).split():
                    tables[looked_at].setdefault(word, []).append(rule)
                    if looked_at in _INFLECTED and len(word) > 2:
                        tables[looked_at].setdefault(plural(word), []).append(rule)
    for form, entries in tables.pop("format").items():
        tables["feature"].setdefault("format." + form, []).extend(entries)
    frozen = {
        looked_at: {word: tuple(entries) for word, entries in table.items()} for looked_at, table in tables.items()
    }
    frozen["imported"] = frozen.pop("import")
    return Rules(
        **frozen,
        name_pairs=_pairs(frozen["name"]),
        heading_pairs=_pairs(frozen["heading"]),
        text_pairs=_pairs(frozen["text"]),
    )


def _filled(text: str, lists: Mapping[str, str]) -> str:
    """Replace `{name}` by the list of that name."""
    if "{" in text:
        for name, words in lists.items():
            text = text.replace(f"{{{name}}}", words)
    return text


def _pairs(lookup: Lookup) -> Pairs:
    pairs: dict[str, set[str]] = {}
    for word in lookup:
        first, joined, second = word.partition("_")
        if joined:
            pairs.setdefault(first, set()).add(second)
    return {first: frozenset(seconds) for first, seconds in pairs.items()}


def _condition(term: str) -> Condition:
    """Compile one condition; the docstring of this module lists them."""
    name, _, value = term.partition("=")
    words = value.split(",")
    other, _, number = value.partition(":")
    match name:
        case "min":
            least = int(value)
            return lambda subject, count: count >= least
        case "max":
            most = int(value)
            return lambda subject, count: count <= most
        case "atmost":
            bound = int(number)
            return lambda subject, count: subject.features.get(other, 0) <= bound
        case "share":
            ratio = float(number)
            return lambda subject, count: count >= ratio * subject.features.get(other, 0)
        case "part":
            fraction = float(number)
            return lambda subject, count: 0 < fraction * subject.features.get(other, 0) <= count
        case "has":
            return lambda subject, count: any(word in subject.features for word in words)
        case "all":
            return lambda subject, count: all(word in subject.features for word in words)
        case "no":
            return lambda subject, count: not any(word in subject.features for word in words)
        case "format":
            return lambda subject, count: subject.format in words
        case "notformat":
            return lambda subject, count: subject.format not in words
        case "uses":
            return lambda subject, count: any(word in subject.used for word in words)
        case "unused":
            return lambda subject, count: not any(word in subject.used for word in words)
        case "kind":
            return lambda subject, count: subject.kind in words
        case _:
            raise ValueError(f"unknown condition: {name}")


class Match(NamedTuple):
    """A rule that a path triggers."""

    rule: Rule
    points: float
    source: int
    detail: str


_NUMBERED = re.compile(r"v?\d{1,14}(?:[._]\d{1,4})?_{1,2}|v?\d{2,14}-")
"""A place in a fixed order, as migrations have."""
_NEAR, _FAR = 0.7, 0.4


@lru_cache(maxsize=4096)
def match_folder(folder: str) -> tuple[Match, ...]:
    """Return the rules that the folders of a path trigger, the nearest folders counting most."""
    table = rules()
    found: list[Match] = []
    parts = folder[-400:].split("/")[-8:]
    for distance, part in enumerate(reversed(parts)):
        weight = _NEAR if distance < 2 else _FAR
        lower = part.lower()
        for rule in table.folder.get(lower, ()):
            found.append(Match(rule, rule.points * (1.0 if distance < 3 else _FAR), MANIFEST, lower + "/"))
        for word in _path_words(part):
            found += [Match(rule, rule.points * weight, PATH, word) for rule in table.path.get(word, ())]
    for first, second in pairwise(parts):
        pair = f"{first}/{second}".lower()
        found += [Match(rule, rule.points, MANIFEST, pair + "/") for rule in table.folder.get(pair, ())]
    return tuple(found)


def match_file_name(name: str) -> list[Match]:
    """Return the rules that a file's own name triggers."""
    table = rules()
    lower = name[:200].lower()
    stem, dot, ending = lower.lstrip(".").partition(".")
    found = [Match(rule, rule.points, MANIFEST, lower) for rule in table.file.get(lower, ())]
    found += [Match(rule, rule.points, MANIFEST, stem) for rule in table.stem.get(stem, ())]
    if dot:
        found += [Match(rule, rule.points, MANIFEST, "." + ending) for rule in table.file.get("*." + ending, ())]
    words = _path_words(name.rpartition(".")[0] or name)
    if _NUMBERED.match(lower):
        words.append("#numbered")
    for word in dict.fromkeys(words):
        found += [Match(rule, rule.points, PATH, word) for rule in table.path.get(word, ())]
    return found


_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\n")
_SEPARATORS = re.compile(r"[^a-z0-9_\-\n]+")


def _path_words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name[:200].replace("\n", " "))]


def split_words(names: Iterable[str]) -> list[str]:
    """Return identifiers as lower-case words in order, a line end between two identifiers."""
    return list(map(str.lower, _WORDS.findall("\n".join(names))))


def segments(calls: Iterable[str]) -> list[str]:
    """Return the parts of dotted, scoped or slashed names, lower case, a line end between two names."""
    return _SEPARATORS.sub(" ", "\n".join(calls).lower()).replace("\n", " \n ").split(" ")


def plural(word: str) -> str:
    """Return the usual plural, so that tables need the singular alone."""
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


_LONGEST = 400
"""Characters of a path, from its end, that are looked at."""


class Convention(NamedTuple):
    """One row."""

    semantic_class: str
    kind: str
    path: re.Pattern[str]
    formats: frozenset[str]
    """Empty where any will do."""
    examples: tuple[str, ...]


@cache
def conventions() -> tuple[Convention, ...]:
    """Read the rows; a word that is none of the vocabulary is a programming error."""
    rows = tomllib.loads(_BESIDE.joinpath("conventions.toml").read_text("utf-8"))["convention"]
    return tuple(
        Convention(
            str(member(SemanticClass, row["class"])),
            str(member(Kind, row["kind"])),
            re.compile(row["path"]),
            frozenset(row.get("format", "").split()),
            tuple(row["example"]),
        )
        for row in rows
    )


@cache
def _any() -> re.Pattern[str]:
    """Most paths follow no convention: one look tells."""
    return re.compile("|".join(f"(?:{row.path.pattern})" for row in conventions()))


def convention_of(path: str, format_: str) -> Convention | None:
    """Return the first convention that this path follows, with content of a format that it allows."""
    lower = f"/{path[-_LONGEST:].lower()}"
    if not _any().search(lower):
        return None
    return next(
        (row for row in conventions() if row.path.search(lower) and (not row.formats or format_ in row.formats)), None
    )


FEATURES: dict[str, str] = tomllib.loads(_BESIDE.joinpath("features.toml").read_text("utf-8"))
