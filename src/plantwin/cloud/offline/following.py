"""What leads on from what was found: few rules, for worries alone. What was refused leads nowhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from plantwin.cloud.offline.choice import Choice
from plantwin.cloud.offline.concerns import Concern
from plantwin.types.capability import Capability
from plantwin.types.twin import object_id_like
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import OutcomeTag, Severity

GRAVE: Final = (Severity.HIGH.value, Severity.CRITICAL.value)
MOST: Final = 4


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
        for each in list(dict.fromkeys(found))[:MOST]:
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
