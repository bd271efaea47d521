"""A planner that wants to know, not to work: it asks for every detail of everything until nothing more is told."""

from __future__ import annotations

import json
from collections.abc import Sequence

from plantwin.boundary.release import Released
from plantwin.cloud.planner import outbound
from plantwin.types.plan import MAX_STEPS
from plantwin.vocabulary import Dimension

ASKED = {"split": 0, "describe": 1}
"""What is asked first."""


class Greedy:
    """`split` on every set along every dimension, then `describe` on every object, then these probes of all."""

    name = "greedy"
    audience = "greedy"
    locality = "local"

    def __init__(self, audience: str = audience, probes: Sequence[str] = ()) -> None:
        self.audience, self._probes = audience, probes
        self._questions: dict[tuple[str, str, str], bool] = {}
        """Capability, input and dimension of every question, and whether it was asked."""

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """As many questions as a plan holds."""
        for envelope in envelopes:
            message = json.loads(outbound(envelope))
            for told in message.get("sets", ()):
                for dimension in Dimension:
                    self._questions.setdefault(("split", told["set_id"], dimension.value), False)
            for told in message.get("objects", ()):
                self._questions.setdefault(("describe", told["object_id"], ""), False)
            for told in (*message.get("objects", ()), *message.get("sets", ())):
                for probe in self._probes:
                    self._questions.setdefault((probe, told.get("object_id") or told["set_id"], ""), False)
        waiting = sorted(question for question, asked in self._questions.items() if not asked)
        chosen = sorted(waiting, key=lambda question: ASKED.get(question[0], len(ASKED)))[:MAX_STEPS]
        self._questions |= dict.fromkeys(chosen, True)
        steps = [
            {"id": f"s{number}", "capability": word, "inputs": [name], **({"by": by} if by else {})}
            for number, (word, name, by) in enumerate(chosen, start=1)
        ]
        return json.dumps({"steps": steps} if steps else {"done": True}).encode()
