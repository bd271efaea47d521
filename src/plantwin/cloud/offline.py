"""The embedded planner: deterministic, without a key or a network. It sees only the encoded envelopes.

It answers a request with the steps that the goal's intents ask for, on the objects that the goal names or that
fit best, and ends when it has their results.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plantwin.boundary.wire import Encoded
from plantwin.cloud.planner import outbound
from plantwin.types.capability import Capability, Catalog
from plantwin.types.plan import MAX_STEPS
from plantwin.vocabulary import CapabilityName, Kind, ResultType, SemanticClass, member

MOST_OBJECTS = 8
"""Objects that one intent is worked on when the goal names none."""
DEFAULT = (CapabilityName.SUMMARIZE,)
"""What a goal without any intent is taken to ask for."""
LEVELS = {"high": 0, "restricted": 1, "low": 2}


class Offline:
    """Plans by rule."""

    name = "offline"
    audience = "offline"
    locality = "local"

    def __init__(self, catalog: Catalog) -> None:
        self._catalog: dict[str, Capability] = dict(catalog)
        self._objects: dict[str, dict[str, Any]] = {}

    def plan(self, envelopes: Sequence[Encoded]) -> bytes:
        """Steps for a request; done after results."""
        steps: list[dict[str, Any]] = []
        for envelope in envelopes:
            message = json.loads(outbound(envelope))
            for each in message.get("objects", ()):
                self._objects.setdefault(each["object_id"], {}).update(each)
            if message["message"] == "request":
                self._catalog |= {each["capability"]: _offered(each) for each in message.get("offers", ())}
                steps = self._steps(message["goal"])
        return json.dumps({"steps": steps[:MAX_STEPS]} if steps else {"done": True}).encode()

    def _steps(self, goal: dict[str, Any]) -> list[dict[str, Any]]:
        wanted = [member(CapabilityName, word) for word in goal.get("intents", ())] or list(DEFAULT)
        fitting = [each for word in wanted for each in self._catalog.values() if each.name is word]
        if not fitting:  # a catalog that does everything in one call
            fitting = [each for each in self._catalog.values() if each.name is CapabilityName.PROCESS_OBJECT]
        singles = [each for each in fitting if each.least <= 1]
        pairs = [each for each in fitting if each.least == 2]
        steps: list[dict[str, Any]] = []
        for capability in singles:
            for object_id in self._targets(capability, goal):
                steps.append(self._step(len(steps), capability, [object_id]))
        for capability in pairs:
            steps += self._pair(capability, steps, goal)
        return steps

    def _pair(self, capability: Capability, steps: list[dict[str, Any]], goal: dict[str, Any]) -> list[dict[str, Any]]:
        """Two results of the same capability where there are, else the two objects that fit best."""
        for name in {each["capability"]: None for each in steps}:
            same = [each["id"] for each in steps if each["capability"] == name]
            if self._catalog[name].returns in capability.takes and len(same) >= 2:
                return [self._step(len(steps), capability, same[:2])]
        targets = self._targets(capability, goal)[:2]
        return [self._step(len(steps), capability, targets)] if len(targets) == 2 else []

    def _targets(self, capability: Capability, goal: dict[str, Any]) -> list[str]:
        named = [each for each in goal.get("objects", ()) if self._fits(capability, each)]
        if named:
            return sorted(named, key=self._rank)[:MOST_OBJECTS]
        fitting = [each for each in self._objects if self._fits(capability, each)]
        return sorted(fitting, key=self._rank)[:MOST_OBJECTS]

    def _fits(self, capability: Capability, object_id: str) -> bool:
        """Whether it is an input, as far as what was told says so."""
        told = self._objects.get(object_id)
        if told is None:
            return False
        leaf = told.get("semantic_class")
        if leaf is None:
            return member(Kind, told["kind"]) in capability.kinds and not (capability.families or capability.classes)
        return capability.accepts(member(Kind, told["kind"]), member(SemanticClass, leaf))

    def _rank(self, object_id: str) -> tuple[object, ...]:
        """The same objects in the same order, whatever their ids: by what was told, most sensitive first."""
        told = self._objects[object_id]
        values = tuple(f"{field}={told[field]}" for field in sorted(told) if field != "object_id")
        return (LEVELS.get(told.get("sensitivity", ""), 3), values)

    def _step(self, number: int, capability: Capability, inputs: list[str]) -> dict[str, Any]:
        output: ResultType = capability.returns
        return {"id": f"s{number + 1}", "capability": capability.word, "inputs": inputs, "output": output}


def _offered(offer: dict[str, Any]) -> Capability:
    """A capability of the person's own, as far as it is told."""
    return Capability(
        name=member(CapabilityName, offer["like"]),
        own=offer["capability"],
        wire=offer["capability"],
        doc="",
        example="",
        kinds=frozenset(member(Kind, kind) for kind in offer["kinds"]),
        most=1,
        returns=member(ResultType, offer["returns"]),
    )
