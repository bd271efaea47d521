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

from plantwin.types.envelope import MAX_OBJECTS, Registration
from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.vocabulary import (
    MAX_CAUSES,
    MAX_EDGES,
    MAX_TAGS,
    Absence,
    Affordance,
    Amount,
    Confidence,
    ContentTag,
    Count,
    EdgeReason,
    EdgeType,
    Family,
    Freshness,
    Kind,
    Readiness,
    ReadinessCause,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    SizeBucket,
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
GROUP_BITS: dict[str, float] = {"kind": 0.0, "count": _one(Count)}


def capacity() -> dict[str, Any]:
    """Bits that each field, one object, its edges and one envelope can carry at most."""
    one_object = sum(OBJECT_BITS.values())
    one_edge = sum(EDGE_BITS.values())
    groups = len(Kind) * sum(GROUP_BITS.values())
    # Each edge slot of an object may also stay empty.
    edges = MAX_EDGES * log2(2**one_edge + 1)
    return {
        "object": {"fields": dict(OBJECT_BITS), "total": one_object},
        "edge": {"fields": dict(EDGE_BITS), "total": one_edge},
        "group": {"fields": dict(GROUP_BITS), "total": sum(GROUP_BITS.values())},
        "object_with_edges": one_object + edges,
        "registered_object": OBJECT_BITS["kind"],
        "registration": MAX_OBJECTS * log2(len(Kind) + 1) + groups,
        "envelope": log2(MAX_OBJECTS + 1) + MAX_OBJECTS * (one_object + edges) + groups,
        "limits": {"objects": MAX_OBJECTS, "edges_per_object": MAX_EDGES, "tags_per_field": MAX_TAGS},
    }


def wire_schema() -> dict[str, Any]:
    """The JSON Schema of everything that can leave, with `x-capacity-bits` on every field."""
    schema = msgspec.json.schema(Registration)
    definitions: dict[str, Any] = schema["$defs"]
    for name, bits in (("TwinObject", OBJECT_BITS), ("TwinEdge", EDGE_BITS), ("Group", GROUP_BITS)):
        for field, spec in definitions[name]["properties"].items():
            _annotate(spec, bits[field])
    bits_of = capacity()
    definitions["TwinObject"]["x-capacity-bits"] = round(bits_of["object"]["total"], 2)
    definitions["TwinEdge"]["x-capacity-bits"] = round(bits_of["edge"]["total"], 2)
    definitions["Registration"]["x-capacity-bits"] = round(bits_of["envelope"], 2)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _annotate(spec: dict[str, Any], bits: float) -> None:
    spec["x-capacity-bits"] = round(bits, 3)
    if spec.get("type") == "array":
        spec["uniqueItems"] = True


def undocumented() -> set[str]:
    """Fields of the wire whose capacity is not stated: must be empty."""
    fields = {*TwinObject.__struct_fields__, *TwinEdge.__struct_fields__}
    return fields - OBJECT_BITS.keys() - EDGE_BITS.keys()
