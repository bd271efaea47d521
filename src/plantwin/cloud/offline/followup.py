"""What is asked before planning, and what follows from results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from plantwin.cloud.offline.choice import Choice
from plantwin.cloud.offline.hearing import Wanted
from plantwin.cloud.offline.sight import Sight, Thing
from plantwin.cloud.offline.tables import Concern
from plantwin.types.capability import Capability
from plantwin.types.twin import object_id_like
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Kind, OutcomeTag, Severity

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


GRAVE: Final = (Severity.HIGH.value, Severity.CRITICAL.value)
MOST_FOLLOWING: Final = 4


class Lead(NamedTuple):
    """A finding that calls for another step on the same objects."""

    found_by: Can
    tags: frozenset[str]
    then: Can
    about: frozenset[Concern]


LEADS: Final = (
    Lead(
        Can.ANALYZE_LOGS,
        frozenset([OutcomeTag.ERRORS, OutcomeTag.NEW_PATTERN]),
        Can.TRACE_ERRORS,
        frozenset([Concern.INCIDENT]),
    ),
    Lead(
        Can.SECRET_SCAN,
        frozenset([OutcomeTag.HARDCODED_SECRET, OutcomeTag.PRIVATE_KEY]),
        Can.ASSESS_EXPOSURE,
        frozenset([Concern.SHARE, Concern.BREACH, Concern.INCIDENT, Concern.RISK]),
    ),
)


def follow(
    choice: Choice,
    planned: Sequence[Mapping[str, Any]],
    results: Mapping[str, Any],
    catalog: Mapping[str, Capability],
    asked: Collection[str],
) -> list[dict[str, Any]]:
    """Steps that grave findings lead to; none after a goal that named its steps."""
    if not choice.vague:
        return []
    steps: list[dict[str, Any]] = []
    for lead in LEADS:
        if lead.then.value not in catalog or lead.then.value in asked or not lead.about & choice.concerns.keys():
            continue
        found = [
            each
            for result in results.get("steps", ())
            if _leads(lead, planned, result)
            for each in planned[result["step"] - 1]["inputs"]
            if object_id_like(each)
        ]
        for each in list(dict.fromkeys(found))[:MOST_FOLLOWING]:
            capability = catalog[lead.then.value]
            step = {"id": f"f{len(steps) + 1}", "capability": capability.word, "inputs": [each]}
            steps.append({**step, "output": capability.returns.value})
    return steps


def _leads(lead: Lead, planned: Sequence[Mapping[str, Any]], result: Mapping[str, Any]) -> bool:
    number, outcome = result["step"], result["outcome"]
    return bool(
        number <= len(planned)
        and planned[number - 1]["capability"] == lead.found_by
        and outcome.get("severity") in GRAVE
        and lead.tags & set(outcome.get("tags", ()))
    )
