"""Every closed vocabulary, in one place: the only words that can cross to a planner.

A member is one row: its word, its one-line definition (docs and prompts reuse it), and what it
belongs to. Adding a member is adding a row; the wire schema, the docs and the capacity follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from plantwin.vocabulary.content import Absence, Affordance, ContentTag, EdgeReason, EdgeType
from plantwin.vocabulary.objects import (
    Age,
    Amount,
    Confidence,
    DeploymentEnvironment,
    Dialect,
    Dimension,
    Ecosystem,
    Family,
    Freshness,
    Kind,
    Provider,
    Readiness,
    ReadinessCause,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    SetSize,
    Share,
    SizeBucket,
)
from plantwin.vocabulary.terms import Term, member
from plantwin.vocabulary.work import (
    Affected,
    CapabilityName,
    Examined,
    Findings,
    Left,
    OutcomeTag,
    Part,
    RepairCode,
    ResultType,
    Risk,
    Severity,
    StepStatus,
    WorksOn,
)

__all__ = [
    "FACETS",
    "MAX_CAUSES",
    "MAX_EDGES",
    "MAX_FACETS",
    "MAX_OUTCOME_TAGS",
    "MAX_TAGS",
    "VERSION",
    "Absence",
    "Affected",
    "Affordance",
    "Age",
    "Amount",
    "CapabilityName",
    "Confidence",
    "ContentTag",
    "DeploymentEnvironment",
    "Dialect",
    "Dimension",
    "Ecosystem",
    "EdgeReason",
    "EdgeType",
    "Examined",
    "Family",
    "Findings",
    "Freshness",
    "Kind",
    "Left",
    "OutcomeTag",
    "Part",
    "Provider",
    "Readiness",
    "ReadinessCause",
    "RepairCode",
    "ResultType",
    "Risk",
    "Role",
    "SemanticClass",
    "Sensitivity",
    "SensitivityCause",
    "SetSize",
    "Severity",
    "Share",
    "SizeBucket",
    "StepStatus",
    "Term",
    "WorksOn",
    "member",
]

VERSION = 3
"""Raised whenever a member is removed or changes its meaning; cached projections depend on it."""
MAX_TAGS = 6
"""Most members of one set-valued field that cross for one object."""

FACETS: Final[Mapping[str, type[Term]]] = {
    "age": Age,
    "environment": DeploymentEnvironment,
    "provider": Provider,
    "ecosystem": Ecosystem,
    "dialect": Dialect,
}
"""Fields of one public word that an object may have none of: of a set, each word with the share of its members."""

MAX_FACETS = 3
"""Most words of one such field that cross for one set."""

MAX_EDGES = 6
"""Most edges that cross for one object."""

MAX_CAUSES = 3
"""Most causes of sensitivity that cross for one object."""

MAX_OUTCOME_TAGS = 4
"""Most tags of one outcome that cross."""
