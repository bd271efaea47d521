"""What is asked before planning: fields of objects whose class is not told, and further objects of a group."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from plantwin.cloud.offline.choice import Choice
from plantwin.cloud.offline.hearing import Wanted
from plantwin.cloud.offline.sight import Sight, Thing
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Kind

MOST: Final = 8
"""Objects that are asked about in one turn: each field of each has its price."""
MOST_GROUPS: Final = 2
USUAL: Final = {
    Can.COMPARE_METRICS: (Kind.STRUCTURED_RECORD,), Can.DETECT_DRIFT: (Kind.STRUCTURED_RECORD,),
    Can.PROFILE_DATA: (Kind.STRUCTURED_RECORD,), Can.CHECK_DATA_QUALITY: (Kind.STRUCTURED_RECORD,),
    Can.VALIDATE_SCHEMA: (Kind.STRUCTURED_RECORD, Kind.CONFIG), Can.REVIEW_QUERIES: (Kind.CODE_FILE,),
    Can.REVIEW_MIGRATIONS: (Kind.CODE_FILE,), Can.CHECK_ACCESSIBILITY: (Kind.CODE_FILE,),
    Can.CHECK_API_CONTRACT: (Kind.CONFIG, Kind.CODE_FILE), Can.VALIDATE_CONFIG: (Kind.CONFIG,),
    Can.COMPARE_ENVIRONMENTS: (Kind.CONFIG,), Can.AUDIT_INFRASTRUCTURE: (Kind.CONFIG,),
    Can.AUDIT_DEPENDENCIES: (Kind.CONFIG,),
}  # fmt: skip
"""Of the kinds that a capability accepts, those that its inputs mostly are."""
KNOWN: Final = 0.5
"""Share of objects with a known class from which on a vague goal can be planned without asking."""


def inquire(
    choice: Choice,
    unmet: Sequence[Wanted],
    sight: Sight,
    catalog: Mapping[str, Capability],
    asked: Collection[str],
) -> list[dict[str, Any]]:
    """Steps that ask, or none where enough is known. What was asked before is not asked again."""
    capabilities = [each for each in catalog.values() if any(each.name is wanted.can for wanted in unmet)]
    unknown = [each for each in sight.things.values() if each.leaf is None and each.id not in asked]
    wanted = [each for each in unknown if any(each.may_fit(capability) for capability in capabilities)]
    usual = {kind for each in capabilities for kind in USUAL.get(each.name, ())}
    wanted.sort(key=lambda each: each.kind not in usual)
    told = sum(each.leaf is not None for each in sight.things.values())
    if choice.vague and told < KNOWN * len(sight.things):
        wanted = _spread(unknown)
    steps: list[dict[str, Any]] = []
    if wanted and "describe" in catalog:
        # One by one: where a person would have to decide about one object, the others are told all the same.
        for number, each in enumerate(wanted[:MOST], start=1):
            steps.append({"id": f"d{number}", "capability": "describe", "inputs": [each.id], "output": "fields"})
    if not wanted and "expand" in catalog:
        groups = [each for each in sight.groups.values() if each.id not in asked]
        holding = [each for each in groups if any(each.may_hold(capability) for capability in capabilities)]
        holding.sort(key=lambda each: (each.family is None, each.kind, each.family or ""))
        for number, group in enumerate(holding[:MOST_GROUPS], start=1):
            steps.append({"id": f"e{number}", "capability": "expand", "inputs": [group.id], "output": "fields"})
    return steps


def _spread(things: Sequence[Thing]) -> list[Thing]:
    """Objects of every kind in turn, so that a few show what there is."""
    by_kind: dict[str, list[Thing]] = {}
    for each in things:
        by_kind.setdefault(each.kind, []).append(each)
    rows = [by_kind[kind] for kind in sorted(by_kind)]
    longest = max(map(len, rows), default=0)
    return [row[position] for position in range(longest) for row in rows if position < len(row)]
