"""The wire's JSON Schema, generated from the types, and how many bits each part can carry.

Capacity is an upper bound on what a field could tell about X if every value were possible and
independent. Ids are fresh random words and tell nothing by themselves; what they do tell is which
objects they join, and that is counted where they are used.
"""

from __future__ import annotations

from enum import StrEnum
from math import comb, log2
from typing import Any

import msgspec

from plantwin.lexicon import words
from plantwin.types.envelope import MAX_OBJECTS, MAX_OFFERS, MAX_TURNS, Envelope, Offer, Repair
from plantwin.types.goal import (
    ADDED,
    BLANKS,
    MARKS,
    MAX_ADDED,
    MAX_FAMILIES,
    MAX_INTENTS,
    MAX_MENTIONS,
    MAX_TOKENS,
    Goal,
)
from plantwin.types.outcome import Outcome
from plantwin.types.plan import MAX_STEPS
from plantwin.types.twin import MAX_GROUPS, OBJECT_ID, Group, TwinEdge, TwinObject
from plantwin.vocabulary import (
    MAX_CAUSES,
    MAX_EDGES,
    MAX_OUTCOME_TAGS,
    MAX_TAGS,
    Absence,
    Affordance,
    Amount,
    CapabilityName,
    Confidence,
    ContentTag,
    Count,
    EdgeReason,
    EdgeType,
    Family,
    Findings,
    Freshness,
    Kind,
    OutcomeTag,
    Readiness,
    ReadinessCause,
    RepairCode,
    ResultType,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    Severity,
    SizeBucket,
    StepStatus,
)


def _one(vocabulary: type[StrEnum], optional: bool = True) -> float:
    """One word, or its absence."""
    return log2(len(vocabulary) + optional)


def _some(vocabulary: type[StrEnum], most: int) -> float:
    """A set of at most so many words, or none."""
    return log2(sum(comb(len(vocabulary), size) for size in range(most + 1)))


OBJECT_BITS: dict[str, float] = {
    "object_id": 0.0,
    "kind": _one(Kind, optional=False),
    "semantic_class": _one(SemanticClass),
    "family": _one(Family),
    "role": _one(Role),
    "component": log2(MAX_OBJECTS + 1),
    "sensitivity": _one(Sensitivity),
    "sensitivity_causes": _some(SensitivityCause, MAX_CAUSES),
    "freshness": _one(Freshness),
    "size_bucket": _one(SizeBucket),
    "contains": _some(ContentTag, MAX_TAGS),
    "amounts": MAX_TAGS * log2(len(Amount) + 1),
    "usable_for": _some(Affordance, MAX_TAGS),
    "lacks": _some(Absence, MAX_TAGS),
    "readiness": _one(Readiness),
    "readiness_cause": _one(ReadinessCause),
    "confidence": _one(Confidence),
}
EDGE_BITS: dict[str, float] = {
    "source": 0.0,
    "edge": _one(EdgeType, optional=False),
    "target": log2(MAX_OBJECTS),
    "reason": _one(EdgeReason),
}
GROUP_BITS: dict[str, float] = {
    "group_id": 0.0,
    "kind": _one(Kind, optional=False),
    "family": _one(Family),
    "count": _one(Count, optional=False),
}

# A token is a word, a blank, a mark, one of the named objects, one of the words that the person added, or absent.
TOKEN_BITS: float = log2(len(words()) + len(BLANKS) + len(MARKS) + MAX_MENTIONS + MAX_ADDED + 1)
GOAL_BITS: dict[str, float] = {
    "mode": 1.0,
    "text": MAX_TOKENS * TOKEN_BITS,
    "intents": _some(CapabilityName, MAX_INTENTS),
    "families": _some(Family, MAX_FAMILIES),
    "objects": log2(sum(comb(MAX_OBJECTS, size) for size in range(MAX_MENTIONS + 1))),
}
OFFER_BITS: dict[str, float] = {
    "capability": 0.0,
    "like": _one(CapabilityName, optional=False),
    "kinds": log2(2 ** len(Kind) - 1),
    "returns": _one(ResultType, optional=False),
}
OUTCOME_BITS: dict[str, float] = {
    "status": _one(StepStatus, optional=False),
    "severity": _one(Severity),
    "count": _one(Findings),
    "tags": _some(OutcomeTag, MAX_OUTCOME_TAGS),
}
REPAIR_BITS: dict[str, float] = {"version": 0.0, "code": _one(RepairCode, optional=False)}


def capacity() -> dict[str, Any]:
    """Bits that each field, one object, its edges and one envelope can carry at most."""
    one_object = sum(OBJECT_BITS.values())
    one_edge = sum(EDGE_BITS.values())
    # Each group that an envelope has room for may also be absent.
    groups = MAX_GROUPS * log2(2 ** sum(GROUP_BITS.values()) + 1)
    # Each edge slot of an object may also stay empty.
    edges = MAX_EDGES * log2(2**one_edge + 1)
    outcome = sum(OUTCOME_BITS.values())
    goal = sum(GOAL_BITS.values())
    offer = sum(OFFER_BITS.values())
    offers = MAX_OFFERS * log2(2**offer + 1)
    graph = log2(MAX_OBJECTS + 1) + MAX_OBJECTS * (one_object + edges)
    # Each step of a plan may also have no result.
    results = log2(MAX_TURNS) + MAX_STEPS * log2(2**outcome + 1)
    return {
        "object": {"fields": dict(OBJECT_BITS), "total": one_object},
        "edge": {"fields": dict(EDGE_BITS), "total": one_edge},
        "group": {"fields": dict(GROUP_BITS), "total": sum(GROUP_BITS.values())},
        "goal": {"fields": dict(GOAL_BITS), "total": goal},
        "offer": {"fields": dict(OFFER_BITS), "total": offer},
        "outcome": {"fields": dict(OUTCOME_BITS), "total": outcome},
        "repair": sum(REPAIR_BITS.values()),
        "object_with_edges": one_object + edges,
        "registered_object": OBJECT_BITS["kind"],
        "registration": MAX_OBJECTS * log2(len(Kind) + 1) + groups,
        "listing": graph + groups,
        "request": goal + offers + graph,
        "results": results + graph,
        "envelope": graph + max(groups, goal + offers, results),
        "limits": {"objects": MAX_OBJECTS, "edges_per_object": MAX_EDGES, "tags_per_field": MAX_TAGS},
    }


def wire_schema() -> dict[str, Any]:
    """The JSON Schema of everything that can leave, with `x-capacity-bits` on every field."""
    schema = msgspec.json.schema(Envelope)
    definitions: dict[str, Any] = schema["$defs"]
    for name, bits in (
        ("TwinObject", OBJECT_BITS),
        ("TwinEdge", EDGE_BITS),
        ("Group", GROUP_BITS),
        ("Goal", GOAL_BITS),
        ("Offer", OFFER_BITS),
        ("Outcome", OUTCOME_BITS),
    ):
        for field, spec in definitions[name]["properties"].items():
            _annotate(spec, bits[field])
    text = definitions["Goal"]["properties"]["text"]
    text["items"] = _token()
    del text["uniqueItems"]  # a sentence says a word twice
    bits_of = capacity()
    definitions["TwinObject"]["x-capacity-bits"] = round(bits_of["object"]["total"], 2)
    definitions["TwinEdge"]["x-capacity-bits"] = round(bits_of["edge"]["total"], 2)
    definitions["Goal"]["x-capacity-bits"] = round(bits_of["goal"]["total"], 2)
    definitions["Offer"]["x-capacity-bits"] = round(bits_of["offer"]["total"], 2)
    definitions["Outcome"]["x-capacity-bits"] = round(bits_of["outcome"]["total"], 2)
    definitions["Registration"]["x-capacity-bits"] = round(bits_of["listing"], 2)
    definitions["Request"]["x-capacity-bits"] = round(bits_of["request"], 2)
    definitions["Repair"]["x-capacity-bits"] = round(bits_of["repair"], 2)
    definitions["Results"]["x-capacity-bits"] = round(bits_of["results"], 2)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _annotate(spec: dict[str, Any], bits: float) -> None:
    spec["x-capacity-bits"] = round(bits, 3)
    if spec.get("type") == "array":
        spec["uniqueItems"] = True


def _token() -> dict[str, Any]:
    """One token of a goal's text, closed: the types check words against the lexicon, which no pattern can state."""
    return {
        "anyOf": [
            {"enum": [*sorted(words()), *BLANKS, *MARKS]},
            {"type": "string", "pattern": OBJECT_ID, "maxLength": 17},
            {"type": "string", "pattern": rf"^\+{ADDED}$", "maxLength": 25},
        ]
    }


def undocumented() -> set[str]:
    """Fields of the wire whose capacity is not stated: must be empty."""
    stated = (
        (TwinObject, OBJECT_BITS),
        (TwinEdge, EDGE_BITS),
        (Group, GROUP_BITS),
        (Goal, GOAL_BITS),
        (Offer, OFFER_BITS),
        (Outcome, OUTCOME_BITS),
        (Repair, REPAIR_BITS),
    )
    return {field for type_, bits in stated for field in type_.__struct_fields__ if field not in bits}
