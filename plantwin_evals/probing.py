"""The embedded planner with a catalog that is too fine: what it would have worked on is probed, call by call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from plantwin.boundary.release import Released
from plantwin.cloud.offline import Offline
from plantwin.private.capabilities import UNSAFE, catalog
from plantwin.types.capability import TELLING, Catalog
from plantwin.types.plan import MAX_STEPS
from plantwin.types.twin import set_id_like


class Probing:
    """Plans as `offline` does, and replaces each step by probes of its inputs: of each, and of each two."""

    name = audience = "offline"
    locality = "local"

    def __init__(self, fine: Catalog) -> None:
        self._planner = Offline(catalog())
        self._probes = [fine[name.value] for name in UNSAFE]
        self._waiting: list[dict[str, Any]] | None = None

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """As many probes as a plan holds, until all are made."""
        if self._waiting is None:
            answer = self._planner.plan(envelopes)
            steps = json.loads(answer).get("steps", [])
            if any(step["capability"] in TELLING for step in steps):
                return answer
            self._waiting = list(self._replaced(steps))
        now, self._waiting = self._waiting[:MAX_STEPS], self._waiting[MAX_STEPS:]
        numbered = [{"id": f"p{number}", **step} for number, step in enumerate(now, start=1)]
        return json.dumps({"steps": numbered} if numbered else {"done": True}).encode()

    def _replaced(self, steps: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Return probes of objects and sets; results of earlier steps have nothing to probe."""
        asked = []
        for step in steps:
            inputs = [one for one in step["inputs"] if not isinstance(one, str) or _named(one)]
            for probe in self._probes:
                for group in combinations(inputs, probe.least):
                    made = {"capability": probe.word, "inputs": list(group)}
                    if made not in asked:
                        asked.append(made)
                        yield made


def _named(one: str) -> bool:
    return one.startswith("artifact_") or set_id_like(one)
