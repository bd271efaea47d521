"""Content tags of an object, with how many places, the most telling first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from plantwin.private.extract.classes.tag_rows import FEATURE_TAGS, FINDING_TAGS, GROUP_TAGS
from plantwin.private.facts import Outline
from plantwin.vocabulary import ContentTag, member

MAX_KEPT = 16
_COUNT = 1_000_000
_SYNTHETIC = frozenset(("test", "example", "template"))
_FEW_PRINTS = 3


@cache
def _by_feature() -> dict[str, tuple[tuple[str, float, frozenset[str]], ...]]:
    table: dict[str, list[tuple[str, float, frozenset[str]]]] = {}
    for row in FEATURE_TAGS:
        member(ContentTag, row.tag)
        for feature in row.features.split():
            table.setdefault(feature, []).append((row.tag, row.weight, frozenset(row.kinds.split())))
    return {feature: tuple(rows) for feature, rows in table.items()}


def tags_of(
    outline: Outline, kind: str, role: str, findings: Sequence[tuple[str, str, str, int]]
) -> tuple[tuple[str, int], ...]:
    """Tags with counts, in the order in which six would be disclosed."""
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
        for part, tag, weight in FINDING_TAGS:
            if part in form:
                counts[tag] = counts.get(tag, 0) + count
                weights[tag] = weight
        named = GROUP_TAGS.get(group)
        if named:
            tag, weight = named
            counts[tag] = counts.get(tag, 0) + count
            weights[tag] = max(weight, weights.get(tag, 0.0))
    _settle(features, role, counts, weights)
    ordered = sorted(counts, key=lambda tag: (-weights[tag], tag))
    return tuple((tag, min(counts[tag], _COUNT)) for tag in ordered[:MAX_KEPT])


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
