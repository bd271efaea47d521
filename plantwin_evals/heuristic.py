"""The paper's Heuristic (Oracle): keywords of the goal name capabilities; each works on what it accepts.

The keywords are those of the goal gate's intents. It looks at nothing else of the twin than what a step accepts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plantwin.boundary.release import Released
from plantwin.cloud.planner import outbound
from plantwin.types.capability import Capability, Catalog
from plantwin.types.plan import MAX_STEPS
from plantwin.vocabulary import CapabilityName, Kind, SemanticClass, member

MOST_OBJECTS = 4
"""Objects that a capability is asked to work on."""


class Heuristic:
    """One round of steps by keyword."""

    name = "heuristic"
    audience = "heuristic"
    locality = "local"

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._objects: dict[str, dict[str, Any]] = {}

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Steps for a request; done after results."""
        goal: dict[str, Any] = {}
        for envelope in envelopes:
            message = json.loads(outbound(envelope))
            for each in message.get("objects", ()):
                self._objects.setdefault(each["object_id"], {}).update(each)
            goal = message.get("goal", goal)
        steps = [
            step
            for word in goal.get("intents", ())
            for capability in self._catalog.alike(member(CapabilityName, word))
            for step in self._steps(capability, goal)
        ]
        numbered = [{"id": f"s{number}", **step} for number, step in enumerate(steps[:MAX_STEPS], start=1)]
        return json.dumps({"steps": numbered} if numbered else {"done": True}).encode()

    def _steps(self, capability: Capability, goal: dict[str, Any]) -> list[dict[str, Any]]:
        named = [each for each in goal.get("objects", ()) if self._fits(capability, each)]
        targets = (named or [each for each in sorted(self._objects) if self._fits(capability, each)])[:MOST_OBJECTS]
        if not self._objects or capability.least == 0:
            return [{"capability": capability.word, "inputs": []}]
        if capability.least > 1:
            chosen = [targets[: capability.least]] if len(targets) >= capability.least else []
        else:
            chosen = [[each] for each in targets]
        return [{"capability": capability.word, "inputs": inputs} for inputs in chosen]

    def _fits(self, capability: Capability, object_id: str) -> bool:
        told = self._objects.get(object_id)
        if told is None:
            return False
        leaf = told.get("semantic_class")
        if leaf is None:
            return member(Kind, told["kind"]) in capability.kinds and not capability.selective
        return capability.accepts(member(Kind, told["kind"]), member(SemanticClass, leaf))
