"""What is asked before planning, and what follows from results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from plantwin.cloud.offline.choice import Choice
from plantwin.cloud.offline.hearing import CONSEQUENCES, Wanted
from plantwin.cloud.offline.language import Sentence, find
from plantwin.cloud.offline.sight import Sight, Thing, weighed
from plantwin.cloud.offline.tables import Concern
from plantwin.cloud.offline.understanding import asks, content, lists, titled
from plantwin.types.capability import Capability, parts_of
from plantwin.vocabulary import Affected, Dimension, Examined, Kind, OutcomeTag, Part, Severity, StepStatus
from plantwin.vocabulary import CapabilityName as Can

MOST: Final = 8
"""Objects that are asked about in one turn: each field of each has its price."""
MOST_SPLIT: Final = 2
"""Sets that are split in one turn."""
WORTH_SPLITTING: Final = 10
"""Members from which on a set can fall into parts that are large enough to be told."""
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
"""Share of what was shown with a known class from which on a vague goal can be planned without asking."""


def inquire(
    choice: Choice,
    unmet: Sequence[Wanted],
    sight: Sight,
    catalog: Mapping[str, Capability],
    asked: Collection[str],
) -> list[dict[str, Any]]:
    """Steps that ask, or none where enough is known. What was asked before is not asked again."""
    capabilities = [each for each in catalog.values() if any(each.name is wanted.can for wanted in unmet)]
    things = [each for each in sight.things.values() if not each.within]
    unknown = [each for each in sight.things.values() if each.leaf is None and each.source not in asked]
    single = [each for each in unknown if not each.several]
    wanted = [each for each in single if any(each.may_fit(capability) for capability in capabilities)]
    usual = {kind for each in capabilities for kind in USUAL.get(each.name, ())}
    wanted.sort(key=lambda each: each.kind not in usual)
    dark = choice.vague and weighed(each for each in things if each.leaf is not None) < KNOWN * weighed(things)
    if dark:
        wanted = _spread(single)
    if wanted and "describe" in catalog:
        # One by one: where a person would have to decide about one object, the others are told all the same.
        return [_asking(f"d{number}", "describe", each) for number, each in enumerate(wanted[:MOST], start=1)]
    if dark and "split" in catalog:
        large = [each for each in unknown if each.several and each.count >= WORTH_SPLITTING]
        large.sort(key=lambda each: -each.count)
        return [_split(f"d{number}", each) for number, each in enumerate(large[:MOST_SPLIT], start=1)]
    return []


def _asking(name: str, capability: str, thing: Thing) -> dict[str, Any]:
    return {"id": name, "capability": capability, "inputs": [thing.source], "output": "fields"}


def _split(name: str, thing: Thing) -> dict[str, Any]:
    """By class where the family is known, else by family: the next word that is not known yet."""
    by = Dimension.FAMILY if thing.family is None else Dimension.SEMANTIC_CLASS
    return {**_asking(name, "split", thing), "by": by.value}


def _spread(things: Sequence[Thing]) -> list[Thing]:
    """Objects of every kind in turn, so that a few show what there is."""
    by_kind: dict[str, list[Thing]] = {}
    for each in things:
        by_kind.setdefault(each.kind or "", []).append(each)
    rows = [by_kind[kind] for kind in sorted(by_kind)]
    longest = max(map(len, rows), default=0)
    return [row[position] for position in range(longest) for row in rows if position < len(row)]


GRAVE: Final = (Severity.HIGH.value, Severity.CRITICAL.value)
RAN: Final = (StepStatus.DONE.value, StepStatus.PARTIAL.value)
AUDITS: Final = frozenset(
    [
        Can.SECURITY_AUDIT, Can.AUDIT_INFRASTRUCTURE, Can.VALIDATE_CONFIG, Can.REVIEW_MIGRATIONS, Can.REVIEW_QUERIES,
        Can.CHECK_API_CONTRACT, Can.AUDIT_DEPENDENCIES, Can.LINT, Can.TRACE_ERRORS,
    ]
)  # fmt: skip


class Lead(NamedTuple):
    """A grave finding that calls for another step, on the part of the objects in which it was found."""

    found_by: frozenset[Can]
    tags: frozenset[str]
    """One of these, where there are any."""
    then: Can
    part: Part
    about: frozenset[Concern]
    """Vague goals that it helps with."""
    consequences: bool
    """Whether it also helps a goal that asks for consequences or an order."""


LEADS: Final = (
    Lead(
        frozenset([Can.ANALYZE_LOGS]),
        frozenset([OutcomeTag.ERRORS, OutcomeTag.NEW_PATTERN]),
        Can.TRACE_ERRORS,
        Part.AFFECTED,
        frozenset([Concern.INCIDENT]),
        consequences=False,
    ),
    Lead(
        frozenset([Can.SECRET_SCAN]),
        frozenset([OutcomeTag.HARDCODED_SECRET, OutcomeTag.PRIVATE_KEY]),
        Can.ASSESS_EXPOSURE,
        Part.AFFECTED,
        frozenset([Concern.SHARE, Concern.BREACH, Concern.INCIDENT, Concern.RISK]),
        consequences=True,
    ),
    Lead(AUDITS, frozenset(), Can.FIND_IMPACT, Part.WORST, frozenset(), consequences=True),
)


LISTS: Final = frozenset([Can.LIST_INVENTORY.value, Can.LIST_EXPOSED_PORTS.value, Can.LIST_ENVIRONMENT_VARIABLES.value])
"""What knows some ways of declaring things: what it does not find may be declared in another."""


def missed(
    sentence: Sentence, planned: Sequence[Mapping[str, Any]], results: Mapping[str, Any], asked: Collection[str]
) -> Can | None:
    """What may answer a question that got no answer from steps that examined nothing, failed, or know only some ways.

    Passages that speak of its words; where there is no text to find them in, the tables.
    """
    outcomes = [(planned[each["step"] - 1]["capability"], each["outcome"]) for each in results.get("steps", ())]
    nothing = bool(outcomes) and all(
        outcome["status"] == StepStatus.FAILED
        or outcome.get("examined") == Examined.NONE
        or (capability in LISTS and outcome.get("affected") == Affected.NONE)
        for capability, outcome in outcomes
    )
    compared = all(capability == Can.COMPARE.value for capability, _ in outcomes)
    if not nothing or not (compared or asks(sentence) or titled(sentence) or lists(sentence)) or not content(sentence):
        return None
    then = Can.QUERY_DATA if Can.FIND_CODE.value in asked else Can.FIND_CODE
    return None if then.value in asked else then


def follow(
    choice: Choice,
    sentence: Sentence,
    planned: Sequence[Mapping[str, Any]],
    results: Mapping[str, Any],
    catalog: Mapping[str, Capability],
    asked: Collection[str],
) -> list[dict[str, Any]]:
    """The step that a grave finding leads to, where the goal asks for what it tells; else none."""
    consequences = bool(find(sentence, CONSEQUENCES))
    for lead in LEADS:
        helps = (choice.vague and lead.about & choice.concerns.keys()) or (lead.consequences and consequences)
        if not helps or lead.then.value not in catalog or lead.then.value in asked:
            continue
        found = [each for result in results.get("steps", ()) if (each := _leads(lead, planned, result, catalog))]
        if found:
            capability = catalog[lead.then.value]
            step = {"id": "f1", "capability": capability.word, "inputs": found[: capability.most]}
            return [{**step, "output": capability.returns.value}, *_again(planned, catalog)]
    return []


def _leads(
    lead: Lead, planned: Sequence[Mapping[str, Any]], result: Mapping[str, Any], catalog: Mapping[str, Capability]
) -> str | None:
    """The part of a step's result that leads on."""
    number, outcome = result["step"], result["outcome"]
    if number > len(planned) or outcome["status"] not in RAN or outcome.get("severity") not in GRAVE:
        return None
    step = planned[number - 1]
    capability = catalog.get(step["capability"])
    if capability is None or capability.name not in lead.found_by or lead.part not in parts_of(capability.returns):
        return None
    if (lead.tags and not lead.tags & set(outcome.get("tags", ()))) or outcome.get("affected") == Affected.NONE:
        return None
    return f"{step['id']}.{lead.part.value}"


def _again(planned: Sequence[Mapping[str, Any]], catalog: Mapping[str, Capability]) -> list[dict[str, Any]]:
    """A report that was asked for, with what was found since."""
    report = next((each for each in planned if each["capability"] == Can.REPORT.value), None)
    if report is None:
        return []
    most = catalog[Can.REPORT.value].most
    return [{**report, "id": "f2", "inputs": [*report["inputs"][: most - 1], "f1"]}]
