"""Content tags of an object with how many places, and what it can be used for; both the most telling first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from plantwin.private.facts import Outline
from plantwin.vocabulary import MAX_TAGS, ContentTag, SemanticClass, member

MAX_KEPT = 16
_MAX_COUNT = 1_000_000
_SYNTHETIC = frozenset(("test", "example", "template"))
_FEW_PRINTS = 3
_LEADING = 3
"""How many of a class's own affordances come before those that its tags suggest."""
_UNPARSED = frozenset(("model_binary", "private_key"))


@cache
def _table(name: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads(Path(__file__).with_name(f"{name}.json").read_bytes())
    return table


@cache
def _by_feature() -> dict[str, list[tuple[str, float, frozenset[str]]]]:
    table: dict[str, list[tuple[str, float, frozenset[str]]]] = {}
    for tag, weight, features, *kinds in _table("tags")["features"]:
        member(ContentTag, tag)
        for feature in features.split():
            table.setdefault(feature, []).append((tag, weight, frozenset(kinds[0].split() if kinds else ())))
    return table


def tags_of(
    outline: Outline, kind: str, role: str, findings: Sequence[tuple[str, str, str, int]]
) -> tuple[tuple[str, int], ...]:
    """Return tags with counts, in the order in which six would be disclosed."""
    counts: dict[str, int] = {}
    weights: dict[str, float] = {}
    table = _by_feature()
    features = outline.features
    for feature in features.keys() & table.keys():
        count = features[feature]
        for tag, weight, kinds in table[feature]:
            if count > 0 and (not kinds or kind in kinds):
                counts[tag] = counts.get(tag, 0) + count
                weights[tag] = weight
    for form, group, level, count in findings:
        if level == "low" or count <= 0:
            continue
        for part, tag, weight in _table("tags")["finding_types"]:
            if part in form:
                counts[tag] = counts.get(tag, 0) + count
                weights[tag] = weight
        for known, tag, weight in _table("tags")["finding_groups"]:
            if known == group:
                counts[tag] = counts.get(tag, 0) + count
                weights[tag] = max(weight, weights.get(tag, 0.0))
    _settle(features, role, counts, weights)
    ordered = sorted(counts, key=lambda tag: (-weights[tag], tag))
    return tuple((tag, min(counts[tag], _MAX_COUNT)) for tag in ordered[:MAX_KEPT])


def _settle(features: dict[str, int], role: str, counts: dict[str, int], weights: dict[str, float]) -> None:
    """Adjust what depends on several signs together."""
    people = features.get("person_field", 0)
    if people >= 2:
        counts["personal_data"] = max(counts.get("personal_data", 0), features.get("row", people))
        weights["personal_data"] = 9.4
    if role in _SYNTHETIC and ("personal_data" in counts or "credentials" in counts):
        counts["synthetic_data"] = 1
        weights["synthetic_data"] = 8.9
    if counts.get("debug_output", 0) < _FEW_PRINTS or features.keys() & {"cli_args", "bare_args"}:
        counts.pop("debug_output", None)
    if "log_line" in features and "time_field" not in features and counts.get("timestamps", 0) < 2:
        counts.pop("timestamps", None)


@cache
def _of_class(semantic_class: str) -> tuple[str, ...]:
    table = _table("affordances")
    family = member(SemanticClass, semantic_class).family.value
    return tuple((table["class"].get(semantic_class) or table["family"].get(family, "")).split())


def affordances(kind: str, semantic_class: str, tags: Iterable[str]) -> tuple[str, ...]:
    """Return the capabilities that an object can be used with, the most useful first, at most six."""
    table = _table("affordances")
    own = _of_class(semantic_class)
    found = dict.fromkeys(own[:_LEADING])
    if semantic_class not in _UNPARSED:
        present = set(tags)
        found.update(dict.fromkeys(affordance for tag, affordance in table["tag"].items() if tag in present))
        found.update(dict.fromkeys(own[_LEADING:]))
        found.update(dict.fromkeys(table["kind"].get(kind, "").split()))
    return tuple(found)[:MAX_TAGS]
