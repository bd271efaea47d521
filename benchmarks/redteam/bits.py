"""How much was told, in bits: the logarithm of how many words each told unit was chosen from."""

from __future__ import annotations

import math
from enum import Enum

from plantwin import vocabulary as words
from plantwin.types.prices import field_of

_CHOICES: dict[str, type[Enum]] = {
    "kind": words.Kind,
    "semantic_class": words.SemanticClass,
    "family": words.Family,
    "role": words.Role,
    "sensitivity": words.Sensitivity,
    "sensitivity_causes": words.SensitivityCause,
    "freshness": words.Freshness,
    "size_bucket": words.SizeBucket,
    "contains": words.ContentTag,
    "usable_for": words.Affordance,
    "lacks": words.Absence,
    "readiness": words.Readiness,
    "readiness_cause": words.ReadinessCause,
    "confidence": words.Confidence,
    **words.FACETS,
    "classes": words.SemanticClass,
    "size": words.SetSize,
    "ready": words.Share,
    "examined": words.Examined,
    "affected": words.Affected,
    "edge": words.EdgeType,
    "reason": words.EdgeReason,
    "status": words.StepStatus,
    "severity": words.Severity,
    "count": words.Findings,
    "tag": words.OutcomeTag,
}


def bits(unit: str, shown: int = 40) -> float:
    """Of one unit. An edge also says which of the objects shown it leads to."""
    field = field_of(unit)
    vocabulary = _CHOICES.get(field)
    told = math.log2(len(vocabulary)) if vocabulary is not None else 1.0
    return told + (math.log2(max(2, shown)) if field == "edge" else 0.0)
