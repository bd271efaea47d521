"""How well a made-up folder says what its twin says: every field of every object, and every relation."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from plantwin.private.environment import Environment
from plantwin.private.project import projection
from plantwin.private.scan import Scan
from plantwin.synth import synth
from plantwin.synth.folder import write_folder
from plantwin.types.twin import Twin, TwinObject

SINGLE = (
    "kind", "semantic_class", "family", "role", "sensitivity", "freshness", "age", "environment", "provider",
    "ecosystem", "dialect", "size_bucket", "readiness", "readiness_cause", "confidence",
)  # fmt: skip
SEVERAL = ("sensitivity_causes", "contains", "amounts", "usable_for", "lacks")


class Agreement(NamedTuple):
    """Of one field: values that both have, and values that either has."""

    both: int
    either: int

    @property
    def share(self) -> float:
        """Values that came back, of all."""
        return self.both / self.either if self.either else 1.0


class RoundTrip(NamedTuple):
    """Agreement by field, and what differed how often."""

    fields: dict[str, Agreement]
    differences: Counter[tuple[str, str, str]]

    @property
    def share(self) -> float:
        """Over all fields."""
        both = sum(field.both for field in self.fields.values())
        return both / max(1, sum(field.either for field in self.fields.values()))


def round_trip(scan: Scan, folder: Path, state: Path, seed: int = 0) -> RoundTrip:
    """Make a folder from the twin of a scan, project it, and compare: each object with the file made for it."""
    before = projection(scan).twin
    written = write_folder(synth(msgspec.json.encode(before), seed), folder)
    environment = Environment(folder, state=state)
    try:
        after = projection(environment.scan())
    finally:
        environment.close()
    ids = {record.path: object_id for object_id, record in after.objects.items()}
    return compared(before, after.twin, {old: ids.get(path, "") for old, path in written.items()})


def compared(before: Twin, after: Twin, became: dict[str, str]) -> RoundTrip:
    """Agreement of two twins, object by object."""
    both: Counter[str] = Counter()
    either: Counter[str] = Counter()
    differences: Counter[tuple[str, str, str]] = Counter()

    def count(field: str, ours: set[str], theirs: set[str]) -> None:
        both[field] += len(ours & theirs)
        either[field] += len(ours | theirs)
        for value in ours ^ theirs:
            differences[field, value if value in ours else "", value if value in theirs else ""] += 1

    found = {one.object_id: one for one in after.objects}
    groups = _components(before, found, became)
    for one in before.objects:
        other = found.get(became.get(one.object_id, ""))
        for field in SINGLE:
            ours, theirs = _single(one, field), _single(other, field)
            both[field] += ours == theirs != ""
            either[field] += bool(ours or theirs)
            if ours != theirs:
                differences[field, ours, theirs] += 1
        for field in SEVERAL:
            count(field, _several(one, field), _several(other, field))
        if one.component is not UNSET:
            either["component"] += 1
            both["component"] += other is not None and groups.get(one.component) == other.component
    relations = {
        (became.get(edge.source, ""), str(edge.reason), "" if edge.target is UNSET else became.get(edge.target, "?"))
        for edge in before.edges
    }
    again = {(edge.source, str(edge.reason), "" if edge.target is UNSET else edge.target) for edge in after.edges}
    both["relations"], either["relations"] = len(relations & again), len(relations | again)
    for relation in relations ^ again:
        known = relation in relations
        differences["relations", relation[1] if known else "", "" if known else relation[1]] += 1
    return RoundTrip({field: Agreement(both[field], either[field]) for field in either}, differences)


def _single(one: TwinObject | None, field: str) -> str:
    value = UNSET if one is None else getattr(one, field)
    return "" if value is UNSET else str(value)


def _several(one: TwinObject | None, field: str) -> set[str]:
    values = UNSET if one is None else getattr(one, field)
    if values is UNSET:
        return set()
    if field == "amounts":
        return {f"{value.tag} {value.amount}" for value in values}
    return {str(value) for value in values}


def _components(before: Twin, found: dict[str, TwinObject], became: dict[str, str]) -> dict[str, str]:
    """Which component of the made-up folder each one became: that of most of its objects, each taken once."""
    votes: Counter[tuple[str, str]] = Counter()
    for one in before.objects:
        other = found.get(became.get(one.object_id, ""))
        if other is not None and one.component is not UNSET and other.component is not UNSET:
            votes[one.component, other.component] += 1
    groups: dict[str, str] = {}
    for (old, new), _ in votes.most_common():
        if old not in groups and new not in groups.values():
            groups[old] = new
    return groups
