"""The wire's JSON Schema, generated from the types, and how many bits each part can carry.

Capacity is an upper bound on what a field could tell about X if every value were possible and
independent. Ids are fresh random words and tell nothing by themselves; what they do tell is which
objects and sets they join, and that is counted where they are used.
"""

from __future__ import annotations

from enum import StrEnum
from math import comb, log2
from typing import Any

import msgspec

from plantwin.lexicon import words
from plantwin.types.envelope import (
    MAX_OBJECTS,
    MAX_OFFERS,
    MAX_PRICE,
    MAX_RELATIONS,
    MAX_REMAINDERS,
    MAX_TURNS,
    Budget,
    Envelope,
    Offer,
    Remainder,
    Repair,
    StepPrice,
)
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
from plantwin.types.sets import MAX_CLASSES, MAX_SETS, SHARED, SetRelation, Shared, TwinSet
from plantwin.types.twin import OBJECT_ID, TwinEdge, TwinObject
from plantwin.vocabulary import (
    FACETS,
    MAX_CAUSES,
    MAX_EDGES,
    MAX_OUTCOME_TAGS,
    MAX_TAGS,
    Absence,
    Affected,
    Affordance,
    Amount,
    CapabilityName,
    Confidence,
    ContentTag,
    EdgeReason,
    EdgeType,
    Examined,
    Family,
    Findings,
    Freshness,
    Kind,
    Left,
    OutcomeTag,
    Readiness,
    ReadinessCause,
    RepairCode,
    ResultType,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    SetSize,
    Severity,
    Share,
    SizeBucket,
    StepStatus,
)


def _one(vocabulary: type[StrEnum], optional: bool = True) -> float:
    """One word, or its absence."""
    return log2(len(vocabulary) + optional)


def _some(vocabulary: type[StrEnum], most: int) -> float:
    """A set of at most so many words, or none."""
    return log2(sum(comb(len(vocabulary), size) for size in range(most + 1)))


def _shared(vocabulary: type[StrEnum], most: int) -> float:
    """A set of at most so many words, each with the share that it holds for, or none."""
    return log2(sum(comb(len(vocabulary), size) * len(Share) ** size for size in range(most + 1)))


_SHOWN = MAX_OBJECTS + MAX_SETS
"""Most objects and sets of one envelope: what a relation or a component can join."""
_TOLD_SETS = MAX_SETS * (MAX_TURNS + 1)
"""Most sets of one session: those of the registration, and of every turn's results."""

OBJECT_BITS: dict[str, float] = {
    "object_id": 0.0,
    "kind": _one(Kind, optional=False),
    "semantic_class": _one(SemanticClass),
    "family": _one(Family),
    "role": _one(Role),
    "component": log2(_SHOWN + 1),
    "sensitivity": _one(Sensitivity),
    "sensitivity_causes": _some(SensitivityCause, MAX_CAUSES),
    "freshness": _one(Freshness),
    **{facet: _one(vocabulary) for facet, vocabulary in FACETS.items()},
    "size_bucket": _one(SizeBucket),
    "contains": _some(ContentTag, MAX_TAGS),
    "amounts": MAX_TAGS * log2(len(Amount) + 1),
    "usable_for": _some(Affordance, MAX_TAGS),
    "lacks": _some(Absence, MAX_TAGS),
    "readiness": _one(Readiness),
    "readiness_cause": _one(ReadinessCause),
    "confidence": _one(Confidence),
    "within": log2(_TOLD_SETS + 1),
}
EDGE_BITS: dict[str, float] = {
    "source": 0.0,
    "edge": _one(EdgeType, optional=False),
    "target": log2(MAX_OBJECTS),
    "reason": _one(EdgeReason),
}
SET_BITS: dict[str, float] = {
    "set_id": 0.0,
    "size": _one(SetSize, optional=False),
    "kind": _one(Kind),
    "family": _one(Family),
    "semantic_class": _one(SemanticClass),
    "role": _one(Role),
    "component": log2(_SHOWN + 1),
    "freshness": _one(Freshness),
    "sensitivity": _one(Sensitivity),
    **{field: _shared(of.vocabulary, most) for field, (of, most) in SHARED.items()},
    "ready": _one(Share),
    "named": 1.0,
    "within": log2(_TOLD_SETS + 1),
}
RELATION_BITS: dict[str, float] = {
    "source": log2(_SHOWN),
    "edge": _one(EdgeType, optional=False),
    "target": log2(_SHOWN),
    "reason": _one(EdgeReason),
    "share": _one(Share, optional=False),
}
# A share by itself; how many a set may have is counted at the set's field.
SHARE_BITS: dict[type[Shared], dict[str, float]] = {
    of: {of.__struct_fields__[-1]: _one(of.vocabulary, optional=False), "share": log2(len(Share))}
    for of, _ in SHARED.values()
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
    "examined": _one(Examined),
    "affected": _one(Affected),
}
REPAIR_BITS: dict[str, float] = {
    "version": 0.0,
    "code": _one(RepairCode, optional=False),
    "step": log2(MAX_STEPS + 1),
}
# Prices follow from the plan; they are counted as if they did not.
PRICE_BITS: dict[str, float] = {"step": 0.0, "price": log2(MAX_PRICE + 1)}
REMAINDER_BITS: dict[str, float] = {"of": 0.0, "left": _one(Left, optional=False)}
BUDGET_BITS: dict[str, float] = {
    "version": 0.0,
    "turns": log2(MAX_TURNS + 1),
    "steps": log2(MAX_STEPS + 1) + MAX_STEPS * PRICE_BITS["price"],
    "remainders": MAX_REMAINDERS * _one(Left),
}
STATED: tuple[tuple[type[msgspec.Struct], dict[str, float]], ...] = (
    (TwinObject, OBJECT_BITS),
    (TwinEdge, EDGE_BITS),
    (TwinSet, SET_BITS),
    (SetRelation, RELATION_BITS),
    *SHARE_BITS.items(),
    (Goal, GOAL_BITS),
    (Offer, OFFER_BITS),
    (Outcome, OUTCOME_BITS),
    (Repair, REPAIR_BITS),
    (StepPrice, PRICE_BITS),
    (Remainder, REMAINDER_BITS),
    (Budget, BUDGET_BITS),
)
"""Types of the wire, with the bits of their fields."""


def capacity() -> dict[str, Any]:
    """Bits that each field, one object, one set and one envelope can carry at most."""
    one_object, one_edge = _total(OBJECT_BITS), _total(EDGE_BITS)
    one_set, relation = _total(SET_BITS), _total(RELATION_BITS)
    goal, offer, outcome = _total(GOAL_BITS), _total(OFFER_BITS), _total(OUTCOME_BITS)
    object_with_edges = one_object + _at_most(MAX_EDGES, one_edge)
    objects = log2(MAX_OBJECTS + 1) + MAX_OBJECTS * one_object
    sets = log2(MAX_SETS + 1) + MAX_SETS * one_set
    graph = objects + MAX_OBJECTS * _at_most(MAX_EDGES, one_edge) + sets + _at_most(MAX_RELATIONS, relation)
    request = goal + _at_most(MAX_OFFERS, offer) + graph
    results = log2(MAX_TURNS) + _at_most(MAX_STEPS, outcome) + graph
    return {
        "object": {"fields": dict(OBJECT_BITS), "total": one_object},
        "edge": {"fields": dict(EDGE_BITS), "total": one_edge},
        "set": {"fields": dict(SET_BITS), "total": one_set},
        "relation": {"fields": dict(RELATION_BITS), "total": relation},
        "goal": {"fields": dict(GOAL_BITS), "total": goal},
        "offer": {"fields": dict(OFFER_BITS), "total": offer},
        "outcome": {"fields": dict(OUTCOME_BITS), "total": outcome},
        "repair": _total(REPAIR_BITS),
        "budget": _total(BUDGET_BITS),
        "object_with_edges": object_with_edges,
        "registered_object": OBJECT_BITS["kind"],
        "registration": objects + sets,
        "request": request,
        "results": results,
        "envelope": max(request, results),
        "limits": {
            "objects": MAX_OBJECTS,
            "edges_per_object": MAX_EDGES,
            "tags_per_field": MAX_TAGS,
            "sets": MAX_SETS,
            "classes_per_set": MAX_CLASSES,
            "relations": MAX_RELATIONS,
        },
    }


def _total(bits: dict[str, float]) -> float:
    return sum(bits.values())


def _at_most(most: int, bits: float) -> float:
    """So many places, of which each may also stay empty."""
    return most * log2(2**bits + 1)


def wire_schema() -> dict[str, Any]:
    """The JSON Schema of everything that can leave, with `x-capacity-bits` on every field."""
    schema = msgspec.json.schema(Envelope)
    definitions: dict[str, Any] = schema["$defs"]
    for type_, bits in STATED:
        definition = definitions[type_.__name__]
        for field, spec in definition["properties"].items():
            if field in bits:
                _annotate(spec, bits[field])
        definition["x-capacity-bits"] = round(_total(bits), 2)
    text = definitions["Goal"]["properties"]["text"]
    text["items"] = _token()
    del text["uniqueItems"]  # a sentence says a word twice
    bits_of = capacity()
    for name in ("Registration", "Request", "Results"):
        definitions[name]["x-capacity-bits"] = round(bits_of[name.lower()], 2)
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
    return {field for type_, bits in STATED for field in type_.__struct_fields__ if field not in bits}
