"""A planner that wants to know, not to work: it asks for every detail of everything until nothing more is told."""

from __future__ import annotations

import json
from collections.abc import Sequence

from plantwin.boundary.release import Released
from plantwin.cloud.planner import outbound
from plantwin.types.plan import MAX_STEPS


class Greedy:
    """`expand` on every group, then `describe` on every object."""

    name = "greedy"
    audience = "greedy"
    locality = "local"

    def __init__(self) -> None:
        self._objects: dict[str, bool] = {}
        """Whether each was asked about."""
        self._groups: list[str] = []

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """As many questions as a plan holds."""
        for envelope in envelopes:
            message = json.loads(outbound(envelope))
            for each in message.get("objects", ()):
                self._objects.setdefault(each["object_id"], False)
            self._groups += [each["group_id"] for each in message.get("groups", ())]
        steps = [("expand", each) for each in self._groups]
        steps += [("describe", each) for each, asked in self._objects.items() if not asked]
        steps = steps[:MAX_STEPS]
        for _, each in steps:
            if each in self._objects:
                self._objects[each] = True
        listed = [
            {"id": f"s{number}", "capability": word, "inputs": [each]}
            for number, (word, each) in enumerate(steps, start=1)
        ]
        return json.dumps({"steps": listed} if listed else {"done": True}).encode()
