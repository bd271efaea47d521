"""The form of a plan as JSON Schema, for providers that can hold a model to it: made from the plan's own types.

It is tight: only capabilities that are offered, only ids that were shown, only so many steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from plantwin.types.plan import MAX_STEPS, Plan

NAME = "plan"
"""What the schema and the tool are called."""
KEPT = ("id", "capability", "inputs")
"""Fields of a step that a model fills in. Strict schemas know no optional fields; the others have defaults."""


def plan_schema(capabilities: Iterable[str], ids: Iterable[str]) -> dict[str, Any]:
    """The schema of a plan over these capabilities and ids."""
    definitions: dict[str, Any] = msgspec.json.schema(Plan)["$defs"]
    fields = definitions["Step"]["properties"]
    steps = [f"s{number}" for number in range(1, MAX_STEPS + 1)]
    step = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": steps},
            "capability": {"type": "string", "enum": sorted(capabilities)},
            "inputs": {
                "type": "array",
                "items": {"type": "string", "enum": [*sorted(ids), *steps]},
                "maxItems": fields["inputs"]["maxItems"],
            },
        },
        "required": list(KEPT),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"steps": {"type": "array", "items": step, "maxItems": MAX_STEPS}},
        "required": ["steps"],
        "additionalProperties": False,
    }
