"""What words cost and how much may be told, unless a person configures it otherwise; and how told units read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from plantwin.vocabulary import Kind, Sensitivity

MILL: Final = 1000
"""Costs are whole thousandths, so that sums are exact."""
COSTS: Final[Mapping[str, int]] = {
    "kind": 500,
    "semantic_class": 2000,
    "family": 1000,
    "role": 500,
    "component": 1000,
    "sensitivity": 1000,
    "sensitivity_causes": 500,
    "freshness": 500,
    "age": 500,
    "environment": 500,
    "provider": 500,
    "ecosystem": 500,
    "dialect": 500,
    "size_bucket": 500,
    "contains": 1000,
    "amounts": 250,
    "usable_for": 500,
    "lacks": 500,
    "readiness": 500,
    "readiness_cause": 500,
    "confidence": 500,
    "labels": 500,
    "nothing": 500,
    "edge": 3000,
    "reason": 500,
    "status": 500,
    "severity": 500,
    "count": 500,
    "tag": 500,
    "examined": 500,
    "affected": 500,
    "size": 500,
    "classes": 1000,
    "ready": 500,
    "within": 500,
    "relation": 1000,
    "split": 500,
    "remaining": 500,
    "read_by_code": 2000,
}
"""Price of one unit of each field, in thousandths: one tag, one edge, one word of an outcome."""

BY_SENSITIVITY: Final[Mapping[Sensitivity, int]] = {
    Sensitivity.LOW: 30 * MILL,
    Sensitivity.RESTRICTED: 24 * MILL,
    Sensitivity.HIGH: 18 * MILL,
}
"""Everything that could be told of an object costs about 40: so much of its fingerprint, with the outcomes of steps."""
BY_KIND: Final[Mapping[Kind, int]] = {Kind.SECRET_CONTAINER: 12 * MILL}
"""Where a kind has a threshold of its own, the smaller one holds."""
CELL: Final = 12 * MILL
"""Most that one audience may ever be told of an object as one of many: of its cell, each statement at its share."""
RANDOM: Final = "random."
"""How the version of a unit begins whose word was drawn at random."""
BOUNDLESS: Final = 1 << 40
"""A limit that is never reached."""


def field_of(unit: str) -> str:
    """The priced field of a unit: `contains=tables` is `contains`, `lint.count=few` is `count`."""
    return unit.partition("=")[0].rpartition(".")[2]


def statement_of(unit: str) -> str:
    """A unit without the version of the content, or the run, that it is about."""
    return unit.partition("@")[0]


def normalized_leakage(spent: int, threshold: int) -> float:
    """NL: the share of its budget that an object has used."""
    return min(1.0, spent / threshold) if threshold > 0 else 1.0
