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
from plantwin.types.twin import set_id_like
from plantwin.vocabulary import CapabilityName, Kind, SemanticClass, member

MOST_INPUTS = 4
"""Objects or sets that a capability is asked to work on."""


class Heuristic:
    """One round of steps by keyword."""

    name = "heuristic"
    audience = "heuristic"
    locality = "local"

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._told: dict[str, dict[str, Any]] = {}
        """Objects and sets, by id."""

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Steps for a request; done after results."""
        goal: dict[str, Any] = {}
        for envelope in envelopes:
            message = json.loads(outbound(envelope))
            for told in (*message.get("objects", ()), *message.get("sets", ())):
                self._told.setdefault(told.get("object_id") or told["set_id"], {}).update(told)
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
        named = [id_ for id_ in goal.get("objects", ()) if self._fits(capability, id_)]
        targets = (named or [id_ for id_ in sorted(self._told) if self._fits(capability, id_)])[:MOST_INPUTS]
        if not self._told or capability.least == 0:
            return [{"capability": capability.word, "inputs": []}]
        if any(set_id_like(id_) for id_ in targets):
            return [{"capability": capability.word, "inputs": targets}]
        if capability.least > 1:
            chosen = [targets[: capability.least]] if len(targets) >= capability.least else []
        else:
            chosen = [[id_] for id_ in targets]
        return [{"capability": capability.word, "inputs": inputs} for inputs in chosen]

    def _fits(self, capability: Capability, id_: str) -> bool:
        told = self._told.get(id_)
        if told is None or "kind" not in told:
            return False
        kind = member(Kind, told["kind"])
        leaves = [told["semantic_class"]] if "semantic_class" in told else []
        leaves += [part["semantic_class"] for part in told.get("classes", ())]
        if not leaves:
            return kind in capability.kinds and not capability.selective
        return any(capability.accepts(kind, member(SemanticClass, leaf)) for leaf in leaves)
